"""Commands of the review screen."""

from __future__ import annotations

from dreamreview.tui.commands import lines, panes, settling
from dreamreview.tui.commands.base import Command, CommandType
from dreamreview.tui.commands.everywhere import Apply, History, Memory, Reload


class Deciding(Command):
    """Commands that record a decision."""

    group = "Deciding"


class Accept(Deciding):
    """Accept the change, or the edit at the cursor, and go on to the next undecided one."""

    keys = "a"
    bar = "accept"
    rank = 10


class KeepA(Deciding):
    """Settle the conflict: side A stands."""

    keys = "a"
    bar = "keep A"
    rank = 10


class KeepB(Deciding):
    """Settle the conflict: side B stands."""

    keys = "b"
    bar = "keep B"
    rank = 11


class KeepBoth(Deciding):
    """Settle the conflict: both sides stand, and it is not raised again."""

    keys = "B"
    bar = "both"
    rank = 12


class Skip(Deciding):
    """Leave the conflict for another time; it may be raised again."""

    keys = "s"
    bar = "skip"
    rank = 13


class Reject(Deciding):
    """Reject the change, or the edit at the cursor; on a conflict, say that it is none."""

    keys = "r"
    bar = "reject"
    rank = 14


class ToggleChange(Deciding):
    """Accept, or take the acceptance back, and stay."""

    keys = "space"


class Clear(Deciding):
    """Take back what was decided about the change or the edit at the cursor."""

    keys = "x"


class AcceptGroup(Deciding):
    """Accept all that is undecided in the group; asks when anything in it is destructive or it is large."""

    keys = "A"


class RejectGroup(Deciding):
    """Reject all that is undecided in the group; asks when anything in it is destructive or it is large."""

    keys = "R"


class Undo(Deciding):
    """Take the newest decision back; works after a restart too."""

    keys = "u"
    bar = "undo"
    rank = 16


class Redo(Deciding):
    """Bring back the decision that undo took."""

    keys = "ctrl+r"


class Edit(Deciding):
    """Edit the result in place; on a conflict, write a third text."""

    keys = "e"
    bar = "edit"
    rank = 16


class EditOutside(Deciding):
    """Edit the result in the program that $VISUAL or $EDITOR names."""

    keys = "E"


class SayWhy(Deciding):
    """Write down why; it is kept with the decision."""

    keys = "c"
    bar = "why"
    rank = 17


class Split(Deciding):
    """Split the edit into its finest pieces, each decided on its own."""

    keys = "s"
    bar = "split"
    rank = 45


class Join(Deciding):
    """Join the pieces of a split edit again."""

    keys = "S"


class ChooseLines(Deciding):
    """Choose single lines of the edit: space toggles, enter keeps, escape leaves."""

    keys = "v"
    bar = "lines"
    rank = 46


class Moving(Command):
    """Commands that move the cursor."""

    group = "Moving"


class Down(Moving):
    """Go to the next change; a tall one scrolls first."""

    keys = "j,down"


class Up(Moving):
    """Go to the previous change; a tall one scrolls first."""

    keys = "k,up"


class NextUndecided(Moving):
    """Go to the next undecided change, around the end."""

    keys = "J"
    bar = "next"
    rank = 30


class PreviousUndecided(Moving):
    """Go to the previous undecided change, around the start."""

    keys = "K"


class NextEdit(Moving):
    """Go to the next edit of the change."""

    keys = "right_square_bracket"


class PreviousEdit(Moving):
    """Go to the previous edit of the change; before the first, back to the change as a whole."""

    keys = "left_square_bracket"


class NextGroup(Moving):
    """Go to the next group or file."""

    keys = "right_curly_bracket"


class PreviousGroup(Moving):
    """Go to the previous group or file."""

    keys = "left_curly_bracket"


class First(Moving):
    """Go to the first change."""

    keys = "g,home"


class Last(Moving):
    """Go to the last change."""

    keys = "G,end"


class HalfPageDown(Moving):
    """Scroll half a page down."""

    keys = "ctrl+d,pagedown"


class HalfPageUp(Moving):
    """Scroll half a page up."""

    keys = "ctrl+u,pageup"


class ToList(Moving):
    """Go to the list; there, fold the group."""

    keys = "h,left"


class ToDetail(Moving):
    """Unfold the group; else go to the detail."""

    keys = "l,right,enter"


class Looking(Command):
    """Commands that change what is shown, never what is decided."""

    group = "Looking"


class Provenance(Looking):
    """Show where the change comes from: engine, phase, evidence, digests."""

    keys = "i"
    bar = "origin"
    rank = 48


class OpenSession(Looking):
    """Show the session in which the note was written, where its frontmatter names one that is on this machine."""

    keys = "I"


class Base(Looking):
    """Show the file as it was when the proposal was made."""

    keys = "b"


class SideFiles(Looking):
    """Show the files that the sides of the conflict stand in, as they were when the proposal was made."""

    keys = "O"
    bar = "files"
    rank = 43


class Search(Looking):
    """Search all that the changes show."""

    keys = "slash"
    bar = "search"
    rank = 40


class NextFound(Looking):
    """Go to the next hit, in this change and then in the next that has one."""

    keys = "n"


class PreviousFound(Looking):
    """Go to the previous hit."""

    keys = "N"


class FilterChanges(Looking):
    """Show only changes that match words, kind:merge, state:rejected, flag:secret, path:notes/*, confidence:0.9."""

    keys = "f"
    bar = "filter"
    rank = 47


class HideDecided(Looking):
    """Hide or show what is decided."""

    keys = "full_stop"


class Order(Looking):
    """Group the list by kind or by file."""

    keys = "o"


class Wrap(Looking):
    """Wrap long lines, or let them run on to the right."""

    keys = "w"


class Columns(Looking):
    """Draw old and new one above the other, side by side, or as the width allows."""

    keys = "t"


class MoreContext(Looking):
    """Show more lines around the edits: 3, 10, the whole file."""

    keys = "z"


class CloseLayer(Looking):
    """Close the top layer: line mode, then search, then the cursor on an edit; never leaves."""

    keys = "escape"


COMMANDS: tuple[CommandType, ...] = (
    Accept,
    KeepA,
    KeepB,
    KeepBoth,
    Skip,
    Reject,
    ToggleChange,
    Clear,
    AcceptGroup,
    RejectGroup,
    Undo,
    Redo,
    Edit,
    EditOutside,
    SayWhy,
    Split,
    Join,
    ChooseLines,
    *settling.COMMANDS,
    *lines.COMMANDS,
    Down,
    Up,
    NextUndecided,
    PreviousUndecided,
    NextEdit,
    PreviousEdit,
    NextGroup,
    PreviousGroup,
    First,
    Last,
    HalfPageDown,
    HalfPageUp,
    ToList,
    ToDetail,
    Provenance,
    OpenSession,
    Base,
    SideFiles,
    Search,
    NextFound,
    PreviousFound,
    FilterChanges,
    HideDecided,
    Order,
    Wrap,
    Columns,
    MoreContext,
    *panes.COMMANDS,
    Apply,
    History,
    Memory,
    Reload,
    CloseLayer,
)
"""In the order in which the help shows them."""
