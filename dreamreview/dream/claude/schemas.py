"""The tools in the words and shapes that the API is told."""

from __future__ import annotations

from dreamreview.dream.claude.cards import PHASES
from dreamreview.dream.claude.sessions import SIGNALS

Shape = dict[str, object]

MEMORY: Shape = {"type": "memory_20250818", "name": "memory"}
"""Anthropic's own memory tool, which the models were trained on; its commands are carried out here."""

_LINES: Shape = {
    "path": {
        "type": "string",
        "description": "/memories/... as it was when the dream began, session:NAME, or context:NAME",
    },
    "first": {"type": "integer", "description": "First line, by the numbers of the first message."},
    "last": {"type": "integer", "description": "Last line, inclusive."},
    "quote": {"type": "string", "description": "Some words of those lines, copied exactly."},
}
_NEEDED = ["path", "first", "last", "quote"]

CARD_TOOLS: tuple[Shape, ...] = (
    {
        "name": "open_card",
        "description": (
            "Declare one change before making it. Every edit you make until close_card belongs to this card, so keep a "
            "card to one matter. Lines of evidence are checked at once, the edits when the card is closed."
        ),
        "input_schema": {
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": [kind.value for kind in PHASES]},
                "title": {"type": "string", "description": "What changes, in one line, for the person who decides."},
                "reason": {"type": "string", "description": "Why, in one to three sentences, from the evidence alone."},
                "confidence": {"type": "number", "description": "0 to 1: how sure you are that the person wants it."},
                "evidence": {
                    "type": "array",
                    "description": "Every line the change rests on; for a merge all members, for a removal what stays.",
                    "items": {"type": "object", "properties": _LINES, "required": _NEEDED},
                },
                "sides": {
                    "type": "array",
                    "description": "Of a conflict only: the statements that cannot both hold.",
                    "items": {
                        "type": "object",
                        "properties": {"label": {"type": "string"}, **_LINES},
                        "required": ["label", *_NEEDED],
                    },
                },
                "suggested": {
                    "type": ["string", "null"],
                    "description": "Of a conflict only: A for the first side, B for the second; null if nothing tells.",
                },
            },
            "required": ["kind", "title", "reason", "confidence", "evidence"],
        },
    },
    {
        "name": "close_card",
        "description": "Say that all edits of the open card are made. It is checked; you may mend it once.",
        "input_schema": {"type": "object", "properties": {}},
    },
    {
        "name": "drop_card",
        "description": "Give the open card up and take its edits back.",
        "input_schema": {"type": "object", "properties": {}},
    },
)

SESSION_TOOLS: tuple[Shape, ...] = (
    {
        "name": "search_sessions",
        "description": "Search what was said in the sessions since the last dream, newest first.",
        "input_schema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words that a turn must all hold; may be empty."},
                "signal": {
                    "type": "string",
                    "enum": ["any", *SIGNALS],
                    "description": "Only turns of the person that sound like this.",
                },
            },
        },
    },
    {
        "name": "read_session",
        "description": "Read a few lines of one session, to see what stands around a hit.",
        "input_schema": {
            "type": "object",
            "properties": {
                "session": {"type": "string"},
                "first": {"type": "integer"},
                "last": {"type": "integer"},
            },
            "required": ["session", "first", "last"],
        },
    },
)
