"""Review what an AI agent's memory is about to become: dream, explain, decide, apply, undo."""

from __future__ import annotations

__version__ = "0.1.0"
