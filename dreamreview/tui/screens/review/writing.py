"""Changing what an edit says, in place or in the user's editor, and splitting it into pieces."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from dreamreview.errors import UsageError
from dreamreview.model.decisions import Op, Target
from dreamreview.model.edits import render, terminator_of
from dreamreview.model.proposal import Act
from dreamreview.model.third import third_edit, third_side
from dreamreview.model.units import has_text
from dreamreview.tui.commands import review as commands
from dreamreview.tui.pieces import edits_shown
from dreamreview.tui.screens.review.deciding import Deciding

if TYPE_CHECKING:
    from dreamreview.model.proposal import FileEdit
    from dreamreview.workspace.values import Card


class Writing(Deciding):
    """Commands that change the text or the pieces of an edit."""

    # --- splitting -------------------------------------------------------------------------------

    def action_split(self) -> None:
        """Split the edit at the cursor."""
        card, pieces = self.card, self.pieces
        whole = next((one for one in pieces if not one.number and len(one.units) > 1), None)
        piece = self.piece_here or whole or next(iter(pieces), None)
        if card is None or piece is None:
            self.say("there is no edit to split here")
            return
        size = max(len(piece.edit.old), len(piece.edit.new))
        if piece.number:
            self.say(f"it is split already: {self.key(commands.Join)} joins it")
        elif size < 2:
            self.say(_not_split(piece.edit, self.key(commands.ChooseLines)))
        else:
            self.split_edits.add((card.change.id, piece.edit.id))
            self._stand_on(piece.edit.id)
            self.say(f"split into {size} pieces: {self.key(commands.Join)} joins them")

    def action_join(self) -> None:
        """Join the pieces of the edit at the cursor."""
        card, piece = self.card, self.piece_here
        if card is None:
            return
        joined = (
            {(card.change.id, piece.edit.id)}
            if piece
            else {one for one in self.split_edits if one[0] == card.change.id}
        )
        if not joined & self.split_edits:
            self.say("nothing here is split")
            return
        self.split_edits -= joined
        if piece is not None:
            self._stand_on(piece.edit.id)
        else:
            self._stay()

    def _stand_on(self, edit: str) -> None:
        self.redraw(keeps_place=True)
        self.go_to_piece(next((at for at, piece in enumerate(self.pieces) if piece.edit.id == edit), None))

    # --- writing ---------------------------------------------------------------------------------

    def edit_to_write(self, card: Card) -> FileEdit | None:
        """Return the edit whose result is edited: at the cursor, the first, or the third text of a conflict.

        The first is one that leaves text standing: the note that survives a merge, not the file that is deleted.
        """
        if self.is_on_conflict:
            side = third_side(card.change)
            edit = third_edit(side, self.sources.base) if side else None
            written = next((shown for shown in edits_shown(card) if edit and shown.id == edit.id), None)
            return written or edit
        piece = self.piece_here
        able = [one.edit for one in self.pieces if has_text(one.edit)]
        if piece is not None:
            return piece.edit if has_text(piece.edit) else None
        return min(able, key=_leaves_nothing, default=None)

    def action_edit(self) -> None:
        """Edit the result in place."""
        card = self.card
        edit = self.edit_to_write(card) if card else None
        if card is None or edit is None:
            self.say("there is no text to edit here")
            return
        self._open_editor(card, edit, _result(edit))

    def _open_editor(self, card: Card, edit: FileEdit, text: bytes, refusal: str = "") -> None:
        from dreamreview.tui.screens.editor import EditorScreen

        title = f"{edit.path}, {edit.id}: the text that will stand there"
        screen = EditorScreen(title, text, self._terminator(edit), refusal)
        self.app.push_screen(screen, partial(self._take_text, card, edit))

    def action_edit_outside(self) -> None:
        """Edit the result in the user's editor."""
        card = self.card
        edit = self.edit_to_write(card) if card else None
        if card is None or edit is None:
            self.say("there is no text to edit here")
            return
        texts: list[bytes] = []
        start = _result(edit)
        if self.attempt(lambda: texts.append(self._outside(start, self._terminator(edit)))):
            self._take_text(card, edit, texts[0] if texts[0] != start else None)
        self.refresh(layout=True)

    def _outside(self, start: bytes, terminator: bytes) -> bytes:
        from dreamreview.tui.external import edit_outside

        with suppress(SuspendNotSupported):
            return edit_outside(self.around.editor, start, terminator, self.app.suspend())
        raise UsageError("the terminal cannot be handed to another program here: e edits in place")

    def _terminator(self, edit: FileEdit) -> bytes:
        return terminator_of(self.sources.base(edit.path) or edit.new)

    def _take_text(self, card: Card, edit: FileEdit, text: bytes | None) -> None:
        if text is None:
            self.say("the text is as it was")
            return
        target = Target(card.change.id) if self.is_on_conflict else Target(card.change.id, edit.id)
        if self.record(card, Op.EDIT, target, text=text):
            self.go_on()
        else:
            self._open_editor(card, edit, text, self.notice or "that text was not taken")


def _not_split(edit: FileEdit, lines: str) -> str:
    """Return why an edit is no more than one piece; `lines` is the key that chooses lines."""
    if edit.act in (Act.RENAME, Act.MODE):
        return f"a change of {'name' if edit.act is Act.RENAME else 'mode'} cannot be split"
    if edit.old and edit.new:
        return f"one line for another cannot be split: {lines} chooses old or new"
    return "a single line cannot be split" if edit.old or edit.new else "an empty file cannot be split"


def _leaves_nothing(edit: FileEdit) -> int:
    """Rank an edit: 0 where text of it stands afterwards, 1 where its lines go, 2 where its file does."""
    return 2 if edit.act is Act.DELETE else int(not edit.new)


def _result(edit: FileEdit) -> bytes:
    """Return the text that an edit brings, as an editor starts with it."""
    text = edit.new or edit.old
    return render(text, terminator_of(text))
