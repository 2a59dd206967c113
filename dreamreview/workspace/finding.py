"""Which stores a person may mean who names none, by the configuration and by what lies on the disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dreamreview.settings import claude_folder, current_folder
from dreamreview.store.discovery.finding import Found, FoundStore, Places, find

if TYPE_CHECKING:
    from dreamreview.settings import Settings

__all__ = ["Found", "FoundStore", "find_stores"]


def find_stores(settings: Settings) -> Found:
    """Return the configured stores, those of the current folder and those of Claude Code; none is opened.

    Raises:
        UsageError: the current folder is gone.
    """
    home = os.path.expanduser("~")
    claude = os.path.dirname(settings.claude_settings) if settings.claude_settings else os.path.join(home, ".claude")
    return find(Places(current_folder(), home, claude, settings.stores, claude_folder(settings)))
