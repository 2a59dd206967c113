"""Which changes of a proposal no longer fit the live folder as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError, UnsafePathError
from dreamreview.model.review import Chosen, State
from dreamreview.workspace.context import Context, ground_of, weaves_by_name
from dreamreview.workspace.values import Stale

if TYPE_CHECKING:
    from dreamreview.model.files import FileState
    from dreamreview.model.proposal import Change, FileEdit
    from dreamreview.model.records import Record
    from dreamreview.model.review import ChangeReview
    from dreamreview.store.views import OpenedCopy


def everything(edits: Iterable[FileEdit]) -> tuple[Chosen, ...]:
    """Return whole edits as if all of them were accepted."""
    return tuple(
        Chosen(edit, frozenset(range(1, len(edit.old) + 1)), frozenset(range(1, len(edit.new) + 1))) for edit in edits
    )


class Fitting:
    """One opened proposal held against the live folder, again and again; what was not written to is not read again."""

    def __init__(self, context: Context, opened: OpenedCopy) -> None:
        self._context = context
        self._opened = opened
        self._moved: dict[str, tuple[object, bool]] = {}
        """Live path to its stat when it was last read, and whether it then differed from what it should hold."""

    def stale(self, of: Mapping[str, ChangeReview], records: tuple[Record, ...]) -> dict[str, Stale]:
        """Return the changes that no longer fit, with why; paths that did not move cost one look each.

        Args:
            of: what was decided about each change.
            records: every apply and undo.
        """
        from dreamreview.model.plan import plan_apply
        from dreamreview.store.history import History

        open_changes = {
            change: chosen
            for change, chosen in self._wanted(of).items()
            if any(self._has_moved(one.edit.path) or (one.edit.to and self._has_moved(one.edit.to)) for one in chosen)
        }
        if not open_changes:
            return {}
        paths = {one.edit.path for units in open_changes.values() for one in units}
        history = History(self._context.root)
        weaves = weaves_by_name(history, history.index(), paths) if records else {}
        ground = ground_of(self._context, records, weaves, self._start)
        key = self._opened.proposal.id + (".look" if self._opened.proposal.is_observed else "")
        plan = plan_apply("look", key, open_changes, ground)
        return {clash.change: Stale(clash.reason, clash.base, clash.live) for clash in plan.clashes}

    def _wanted(self, of: Mapping[str, ChangeReview]) -> dict[str, tuple[Chosen, ...]]:
        """Return what is left to write of each change: what was decided, or all of it while nothing was."""
        proposal = self._opened.proposal
        if not proposal.is_observed:
            return {change.id: _would_apply(change, of[change.id]) for change in proposal.changes}
        from dreamreview.model.taking_back import taken_back

        return taken_back(proposal.changes, of, self._base_text)

    def _base_text(self, path: str) -> tuple[bytes, ...]:
        state = self._opened.base(path)
        return state.text if state else ()

    def _has_moved(self, path: str) -> bool:
        """Tell whether a live path differs from what the changes start from."""
        try:
            found = self._context.root.stat(path)
        except UnsafePathError:
            found = None
        look = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_mode) if found else None
        if path not in self._moved or self._moved[path][0] != look:
            self._moved[path] = look, self._context.live(path) != self._start(path)
        return self._moved[path][1]

    def _start(self, path: str) -> FileState | None:
        """Return what a path holds where the changes start from; for those made already, that is where they led to."""
        try:
            is_observed = self._opened.proposal.is_observed
            return self._opened.proposed(path) if is_observed else self._opened.base(path)
        except DreamReviewError:
            return None


def _would_apply(change: Change, found: ChangeReview) -> tuple[Chosen, ...]:
    if found.chosen or found.state is not State.UNDECIDED:
        return found.chosen
    if change.options:
        option = change.option(change.suggested or "") or change.options[0]
        return everything(option.edits)
    return everything(change.edits)
