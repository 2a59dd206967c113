"""An editor for the result of an edit, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import TextArea

from dreamreview.tui.commands.base import Command, CommandType, bindings
from dreamreview.tui.editing import editable
from dreamreview.tui.inert import own, said
from dreamreview.tui.screens.place import Place
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class Writing(Command):
    """Commands of the editor."""

    group = "Editor"


class KeepText(Writing):
    """Take the text as the result."""

    keys = "ctrl+s"
    is_urgent = True
    bar = "keep"
    rank = 1


class DropText(Writing):
    """Leave without a change."""

    keys = "escape"
    is_urgent = True
    bar = "leave"
    rank = 2


COMMANDS: tuple[CommandType, ...] = (KeepText, DropText)


class EditorScreen(Place[bytes | None], ModalScreen[bytes | None]):
    """Holds a text until it is kept or left; answers its bytes, or None."""

    CSS_PATH = "editor.tcss"
    COMMANDS_HERE = COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMMANDS)

    def __init__(self, title: str, data: bytes, terminator: bytes, refusal: str = "") -> None:
        super().__init__()
        self._title = title
        self._start = editable(data, terminator)
        self._refusal = refusal
        """Why the text was not taken when it was kept before; empty the first time."""
        self._is_warned = False

    def compose(self) -> ComposeResult:
        """Lay out title, text and keys."""
        with Vertical(id="editor"):
            yield Line(id="editor-title")
            yield TextArea(self._start.text, show_line_numbers=False, tab_behavior="indent", compact=True)
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Start typing right away."""
        self._show_title()
        self.query_one(TextArea).focus()
        self.refresh_bar()

    def _show_title(self) -> None:
        """Say what is edited; once Escape was pressed over a changed text, what it does when pressed again."""
        line = self.query_one("#editor-title", Line)
        if self._is_warned:
            line.show(own(f"Changed: {self.key(DropText)} again drops it, {self.key(KeepText)} keeps it", "warn"))
        elif self._refusal:
            line.show(said(self._refusal, "warn"))
        elif "⟦secret" in self._start.text:
            line.show(said(self._title, "title"), own("  ⟦secret 1⟧ stands for a secret: keep it whole", "dim"))
        else:
            line.show(said(self._title, "title"))

    def on_text_area_changed(self) -> None:
        """Warn anew before what was typed since is thrown away."""
        self._is_warned = False
        self._show_title()

    @property
    def _is_changed(self) -> bool:
        """Whether leaving would lose something: what was refused is kept nowhere else."""
        return bool(self._refusal) or self.query_one(TextArea).text != self._start.text

    def action_keep_text(self) -> None:
        """Answer the text, unless nothing in it changed."""
        if not self._is_changed:
            self.dismiss(None)
            return
        text = self.query_one(TextArea).text
        results: list[bytes] = []
        if self.attempt(lambda: results.append(self._start.back(text))):
            self.dismiss(results[0])

    def action_drop_text(self) -> None:
        """Leave; a changed text asks for a second press."""
        if self._is_changed and not self._is_warned:
            self._is_warned = True
            self._show_title()
            return
        self.dismiss(None)
