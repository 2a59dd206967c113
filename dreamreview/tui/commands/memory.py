"""Commands of the memory screen."""

from __future__ import annotations

from dreamreview.tui.commands.base import Command, CommandType
from dreamreview.tui.commands.everywhere import History, Reload
from dreamreview.tui.commands.places import ROWS, PageDown, PageUp


class Browsing(Command):
    """Commands of looking through the memory."""

    group = "Memory"


class TogglePin(Browsing):
    """Pin the note at the cursor, so that no dream merges or prunes it, or take its pin away; shows the line first."""

    keys = "p"
    bar = "pin"
    rank = 1


class SearchMemory(Browsing):
    """Show only what matches: words, type:user, pinned, unpinned, *.md, finding:stale, older:90, newer:7."""

    keys = "slash,f"
    bar = "search"
    rank = 2


class OpenNote(Browsing):
    """Unfold the file to its notes; else go to the text; with a link chosen, follow it."""

    keys = "l,right,enter"
    bar = "open"
    rank = 3


class CloseNote(Browsing):
    """Go to the list; there, fold the file."""

    keys = "h,left"


class NextLink(Browsing):
    """Choose the next link, to or from the file; Enter follows it."""

    keys = "right_square_bracket"
    bar = "links"
    rank = 4


class PreviousLink(Browsing):
    """Choose the previous link."""

    keys = "left_square_bracket"


class WayBack(Browsing):
    """Go back to where the last link was followed."""

    keys = "backspace"


class OrderFiles(Browsing):
    """Order the files by path, oldest first, newest first."""

    keys = "o"
    bar = "order"
    rank = 5


class CompareNotes(Browsing):
    """Hold all notes against one another for duplicates and conflicts; a large store is compared only when asked."""

    keys = "c"
    bar = "compare"
    rank = 6


class CloseMemoryLayer(Browsing):
    """Close the top layer: the chosen link, then the search, then the text; never leaves."""

    keys = "escape"


COMMANDS: tuple[CommandType, ...] = (
    TogglePin,
    SearchMemory,
    OpenNote,
    CloseNote,
    NextLink,
    PreviousLink,
    WayBack,
    OrderFiles,
    CompareNotes,
    *ROWS,
    PageDown,
    PageUp,
    Reload,
    History,
    CloseMemoryLayer,
)
"""In the order in which the help shows them."""
