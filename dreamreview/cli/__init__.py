"""ASK: one module a command; output.py is the only one that prints."""

from __future__ import annotations

COMMANDS = {
    "demo": "demo",
    "dream": "dream",
    "import": "import_",
    "proposals": "proposals",
    "show": "show",
    "review": "review_plain",
    "decide": "decide",
    "apply": "apply",
    "undo": "undo",
    "history": "history",
    "discard": "discard",
    "forget": "forget",
    "watch": "watch",
    "compare": "compare",
    "status": "status",
    "doctor": "doctor",
}
"""Command to its module, in the order of the work; a module is loaded when its command is asked for."""

INTERRUPTED = 130
"""Exit status of what a person interrupted: 128 and the number of SIGINT, as shells count."""
