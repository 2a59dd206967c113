"""A proposal without what is to be forgotten: which of its changes stay, with which lines, and which are withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dreamreview.model.manifest_read import ranked
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind, Option
from dreamreview.model.review import seen_of

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.forgetting.wanted import Scope

FORGOTTEN = "forgotten"
"""Flag of a change that lost lines since it was made; stands in a log for what a decision was bound to."""

UNDECLARED = frozenset({Kind.EDIT, Kind.CREATE, Kind.DELETE, Kind.RENAME, Kind.MODE})

Base = Callable[[str], "Text | None"]
"""Base text of a path, before anything is forgotten; None where it is not known."""

Retell = Callable[[tuple[FileEdit, ...], bool], Change]
"""The undeclared change that some edits make, against the base before anything is forgotten or, if told so, after."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the changes of a proposal."""

    changes: tuple[Change, ...]
    withdrawn: Mapping[str, str] = field(default_factory=dict)
    """Changes that are gone, with their fingerprints."""
    cut: Mapping[str, str] = field(default_factory=dict)
    """Changes that lost lines, by their old ids, with their old fingerprints."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Old to new id of the changes that have another."""
    seen: Mapping[str, str] = field(default_factory=dict)
    """What decisions were bound to, old to new, for changes that stand as they were but for the numbers of lines."""
    units: Mapping[str, Mapping[str, tuple[frozenset[int], frozenset[int]]]] = field(default_factory=dict)
    """Change to edit to its old and new lines that are gone, 1-based."""

    @property
    def is_same(self) -> bool:
        """Tell whether nothing was about it."""
        return not (self.withdrawn or self.cut or self.ids or self.seen)


def without(
    changes: Iterable[Change],
    scope: Scope,
    base: Base,
    retell: Retell,
    *,
    is_observed: bool = False,
    applied: Collection[str] = (),
) -> Outcome:
    """Return the changes of a proposal as they are once something is forgotten.

    What a change declared on the grounds of the forgotten text is withdrawn, since its words may tell of it. So is an
    edit of which nobody could say what is left: one that put it in the place of other lines, or other lines in its
    place. All else only loses its lines.

    Args:
        changes: of one proposal.
        scope: what is forgotten.
        base: base text by path.
        retell: makes an undeclared change anew.
        is_observed: whether others made the changes already: then they are what is left of them, whatever that is.
        applied: ids that an apply knows; they stay.
    """
    given = tuple(changes)
    taken = {change.id for change in given}
    work = _Work(scope, base, retell, is_observed, frozenset(applied), taken, {}, Outcome(()))
    work.learn(given)
    kept = tuple(one for change in given if (one := work.one(change)) is not None)
    return replace(work.outcome, changes=ranked(kept))


@dataclass(slots=True)
class _Work:
    scope: Scope
    base: Base
    retell: Retell
    is_observed: bool
    applied: frozenset[str]
    taken: set[str]
    """Ids in use."""
    gone: dict[str, frozenset[int]]
    """Path to the places of its base lines that go."""
    outcome: Outcome

    def learn(self, changes: tuple[Change, ...]) -> None:
        """Find the base lines that go: by the base where it is known, else by what the edits say of it."""
        paths = {edit.path for change in changes for edit in change.all_edits}
        paths |= {one.path for change in changes for one in _evidence_of(change)}
        for path in paths:
            text = self.base(path)
            self.gone[path] = frozenset() if text is None else self.scope.removed(path, text)
        for edit in (edit for change in changes for edit in change.all_edits):
            found = {edit.start + at for at in self.scope.removed(edit.path, edit.old)}
            self.gone[edit.path] |= found

    def one(self, change: Change) -> Change | None:
        """Return what is left of a change; None where it is withdrawn."""
        is_told = change.kind in UNDECLARED
        parts = {edit.id: self._lines_of(edit) for edit in change.all_edits}
        is_cut = any(old or new for old, new in parts.values()) or any(map(self._is_dropped, change.all_edits))
        about = not is_told and any(self._is_about(one) for one in _evidence_of(change))
        if about or (is_cut and not self._can_be_cut(change, parts)):
            self._withdraw(change)
            return None
        edits = self._cut_all(change.edits)
        options = tuple(self._option(option) for option in change.options)
        if change.edits and not edits:
            self._withdraw(change)
            return None
        left = self._retold(change, edits) if is_told else replace(change, edits=edits, options=options)
        left = self._said(left, is_cut=is_cut)
        self._note(change, left, parts, is_cut=is_cut)
        return left

    def _withdraw(self, change: Change) -> None:
        was = {**self.outcome.withdrawn, change.id: change.fingerprint}
        self.outcome = replace(self.outcome, withdrawn=was)

    def _lines_of(self, edit: FileEdit) -> tuple[frozenset[int], frozenset[int]]:
        """Return the old and new lines of an edit that go, 1-based."""
        old = {at - edit.start + 1 for at in self.gone[edit.path] if edit.start <= at < edit.stop}
        new = {at + 1 for at in self.scope.removed(edit.path, edit.new)}
        return frozenset(old), frozenset(new)

    def _is_dropped(self, edit: FileEdit) -> bool:
        return self.scope.drops(edit.path) or self.scope.drops(edit.to)

    def _is_about(self, evidence: Evidence) -> bool:
        lines = range(evidence.first - 1, evidence.last)
        is_there = any(at in lines for at in self.gone[evidence.path])
        return is_there or self.scope.drops(evidence.path) or self.scope.says(evidence.quote)

    def _can_be_cut(self, change: Change, parts: Mapping[str, tuple[frozenset[int], frozenset[int]]]) -> bool:
        """Tell whether what is left of a change is still what it was about."""
        if self.is_observed:
            return True
        if change.options or any(map(self._is_dropped, change.all_edits)):
            return False
        return all(_is_clean(edit, *parts[edit.id]) for edit in change.edits if edit.act is Act.LINES)

    def _cut_all(self, edits: tuple[FileEdit, ...]) -> tuple[FileEdit, ...]:
        left = (self._cut(edit) for edit in edits if not self._is_dropped(edit))
        return tuple(edit for edit in left if edit is not None)

    def _cut(self, edit: FileEdit) -> FileEdit | None:
        """Return an edit without the lines that go, its places counted in the base without them; None for nothing."""
        if edit.act in (Act.RENAME, Act.MODE):
            return edit
        gone, (old_gone, new_gone) = self.gone[edit.path], self._lines_of(edit)
        old = tuple(line for at, line in enumerate(edit.old, 1) if at not in old_gone)
        new = tuple(line for at, line in enumerate(edit.new, 1) if at not in new_gone)
        start = edit.start - sum(at < edit.start for at in gone)
        stop = start + len(old) if edit.act is not Act.CREATE else edit.stop
        if (old_gone or new_gone) and (old == new or (edit.act is Act.CREATE and not new)):
            return None
        return replace(edit, start=start, stop=stop, old=old, new=new)

    def _option(self, option: Option) -> Option:
        return replace(
            option,
            label=self.scope.prose(option.label),
            evidence=self._evidence(option.evidence),
            edits=self._cut_all(option.edits),
        )

    def _evidence(self, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """Return evidence that tells nothing of what goes, its lines counted in the base without that."""
        return tuple(self._moved(one) for one in evidence if not self._is_about(one))

    def _moved(self, one: Evidence) -> Evidence:
        before = sum(at < one.first - 1 for at in self.gone[one.path])
        return replace(one, first=one.first - before, last=one.last - before)

    def _retold(self, change: Change, edits: tuple[FileEdit, ...]) -> Change:
        """Return an undeclared change with other edits, told as it would have been told of them."""
        if edits == change.edits:
            return replace(change, evidence=self._evidence(change.evidence))
        was, now = self.retell(change.edits, False), self.retell(edits, True)
        is_told, is_fresh = was.evidence == change.evidence, now.id == was.id or now.id not in self.taken
        is_renamed = change.id == was.id and change.id not in self.applied and is_fresh
        self.taken.add(now.id)
        return replace(
            change,
            id=now.id if is_renamed else change.id,
            title=now.title if change.title == was.title else change.title,
            fingerprint=now.fingerprint if change.fingerprint == was.fingerprint else change.fingerprint,
            evidence=now.evidence if is_told else self._evidence(change.evidence),
            edits=edits,
        )

    def _said(self, change: Change, *, is_cut: bool) -> Change:
        """Return a change whose own words tell nothing of what goes."""
        scope = self.scope
        if is_cut or scope.says(change.title):
            title = f"{change.kind.value.capitalize()}, in part forgotten"
            told = change.title if change.kind in UNDECLARED and not scope.says(change.title) else title
            change = replace(change, title=told)
        change = replace(change, reason=scope.prose(change.reason), evidence=self._evidence_left(change))
        if is_cut and FORGOTTEN not in change.flags:
            change = replace(change, flags=(*change.flags, FORGOTTEN))
        return change

    def _evidence_left(self, change: Change) -> tuple[Evidence, ...]:
        if change.kind not in UNDECLARED:
            return self._evidence(change.evidence)
        return tuple(one for one in change.evidence if not self.scope.says(one.quote))

    def _note(
        self,
        change: Change,
        left: Change,
        parts: Mapping[str, tuple[frozenset[int], frozenset[int]]],
        *,
        is_cut: bool,
    ) -> None:
        found = self.outcome
        if left.id != change.id:
            found = replace(found, ids={**found.ids, change.id: left.id})
        if is_cut:
            found = replace(found, cut={**found.cut, change.id: change.fingerprint})
            found = replace(found, units={**found.units, change.id: parts})
        else:
            was, now = seen_of(change), seen_of(left)
            if was != now:
                found = replace(found, seen={**found.seen, was: now})
        self.outcome = found


def _is_clean(edit: FileEdit, old: frozenset[int], new: frozenset[int]) -> bool:
    """Tell whether lines can go from an edit that leave nothing behind which was made of them, or into them.

    What only goes, only comes, or is carried along can; what replaces something, or is replaced, cannot.
    """
    return len(old) == len(new) or (not edit.new and not new) or (not edit.old and not old)


def _evidence_of(change: Change) -> Iterable[Evidence]:
    yield from change.evidence
    for option in change.options:
        yield from option.evidence
