"""Commands of the inbox, the apply screen, the history and the readers."""

from __future__ import annotations

from dreamreview.tui.commands.base import Command, CommandType
from dreamreview.tui.commands.everywhere import History, Memory, Reload


class Inbox(Command):
    """Commands of the inbox."""

    group = "Inbox"


class OpenProposal(Inbox):
    """Open the proposal at the cursor, or the newest that waits in the store at the cursor."""

    keys = "enter,l,right"
    bar = "open"
    rank = 10


class NextWaiting(Inbox):
    """Go to the next proposal that waits for a decision, around the end."""

    keys = "J"
    bar = "next"
    rank = 30


class PreviousWaiting(Inbox):
    """Go to the previous proposal that waits for a decision, around the start."""

    keys = "K"


class HideClosed(Inbox):
    """Show or hide proposals that are applied, discarded or superseded."""

    keys = "full_stop"


class DreamNow(Inbox):
    """Dream now the store at the cursor: look through the memory for what can be tidied; only a proposal is written."""

    keys = "D"
    bar = "dream now"
    rank = 11


class DreamLocally(Inbox):
    """Dream now with the local engine, which needs no model and no network, where the configured one could not."""

    keys = "L"
    bar = "dream locally"
    rank = 12


class CancelDream(Inbox):
    """Cancel the dream that is running."""

    keys = "X"
    bar = "cancel"
    rank = 1


class NextRow(Command):
    """Go to the next row."""

    group = "Moving"
    keys = "j,down"


class PreviousRow(Command):
    """Go to the previous row."""

    group = "Moving"
    keys = "k,up"


class FirstRow(Command):
    """Go to the first row."""

    group = "Moving"
    keys = "g,home"


class LastRow(Command):
    """Go to the last row."""

    group = "Moving"
    keys = "G,end"


class PageDown(Command):
    """Scroll half a page down."""

    group = "Moving"
    keys = "ctrl+d,pagedown"
    bar = "scroll"
    rank = 60


class PageUp(Command):
    """Scroll half a page up."""

    group = "Moving"
    keys = "ctrl+u,pageup"


class Applying(Command):
    """Commands of the apply screen."""

    group = "Apply"


class Yes(Applying):
    """Write it."""

    keys = "y"
    bar = "yes, apply"
    rank = 1


class No(Applying):
    """Write nothing and go back."""

    keys = "enter,n,q,escape"
    bar = "go back"
    rank = 2


class CloseResult(Applying):
    """Go back: it is written."""

    keys = "enter,escape,q,n"
    bar = "go on"
    rank = 2


class UndoApply(Applying):
    """Undo the apply that was just made, or the one (or the change) at the cursor of the history."""

    keys = "U"
    bar = "undo"
    rank = 3


class Reading(Command):
    """Commands of a page of text."""

    group = "Reading"


class CloseReader(Reading):
    """Close the page."""

    keys = "escape,enter,q,question_mark,i,b"
    bar = "close"
    rank = 1


class Back(Command):
    """Go back."""

    group = "App"
    keys = "escape"


ROWS: tuple[CommandType, ...] = (NextRow, PreviousRow, FirstRow, LastRow)
SCROLLING: tuple[CommandType, ...] = (NextRow, PreviousRow, FirstRow, LastRow, PageDown, PageUp)
INBOX: tuple[CommandType, ...] = (
    OpenProposal,
    DreamNow,
    DreamLocally,
    CancelDream,
    NextWaiting,
    PreviousWaiting,
    HideClosed,
    Reload,
    History,
    Memory,
    *ROWS,
)
APPLY: tuple[CommandType, ...] = (Yes, No, CloseResult, UndoApply, *SCROLLING)
HISTORY: tuple[CommandType, ...] = (UndoApply, *ROWS, Back)
READER: tuple[CommandType, ...] = (CloseReader, *SCROLLING)
