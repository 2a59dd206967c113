"""One proposal without what is to be forgotten: its decisions, its manifest, what is kept of its base, its copy."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dreamreview.errors import DreamReviewError, InvalidManifestError
from dreamreview.model import manifest
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.forgetting.changes import Outcome, without
from dreamreview.model.forgetting.logs import Redacted, redacted_log
from dreamreview.model.forgetting.wanted import scrubbed
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store import bases, proposals, reviews
from dreamreview.store.bookkeeping import MANIFEST
from dreamreview.store.composing import names_of
from dreamreview.store.copying import Stamp, read_held
from dreamreview.store.forgetting.contents import without_lines
from dreamreview.store.forgetting.copies import composed_copy
from dreamreview.store.proposals import digest_of_tree
from dreamreview.store.rooted import MissingPathError, Root
from dreamreview.store.scan import DEFAULT_IGNORE, digest_of, scan
from dreamreview.store.undeclared import as_changes

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.forgetting.wanted import Scope
    from dreamreview.model.proposal import Change, FileEdit, Proposal
    from dreamreview.store.bases import BaseRecord

NOTHING = Outcome(())


@dataclass(frozen=True, slots=True)
class Prepared:
    """A proposal as it is, and as it will be."""

    id: str
    outcome: Outcome
    log: Redacted | None
    """Its decisions as they will be; None where nothing changes in them."""
    manifest: bytes | None
    """Its manifest as it will be; None where nothing changes in it."""
    record: BaseRecord | None
    """What is kept of its base, as it will be; None where nothing changes in it."""
    found: Mapping[str, int]
    """Where it stands to how often: ``copy``, ``manifest``, ``base``, ``decisions``."""


@dataclass(slots=True)
class Preparing:
    """Works out what becomes of proposals; nothing is written.

    Args:
        root: the store.
        scope: what is forgotten.
        applied: proposal to the changes of it that an apply knows.
        commits: old to new commits of the private repositories.
    """

    root: Root
    scope: Scope
    applied: Callable[[str], Collection[str]]
    commits: Mapping[str, str]
    _read: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Proposal to what its copy holds."""

    def prepare(self, proposal: str) -> Prepared:
        """Return what becomes of one proposal."""
        record, _ = bases.read(self.root, proposal)
        data = self._manifest(proposal)
        outcome, fresh = (NOTHING, None) if record is None else self._record(record)
        told = None
        if data is not None:
            told, declared = self._told(proposal, data, record, fresh)
            outcome = declared if record is None and declared is not None else outcome
        if record is not None and fresh is not None and told is not None:
            fresh = replace(fresh, manifest=digest_of(told))
        log = self._log(proposal, outcome)
        found = self._found(proposal, record, data)
        return Prepared(
            proposal, outcome, log, None if told == data else told, None if fresh == record else fresh, found
        )

    def _manifest(self, proposal: str) -> bytes | None:
        try:
            return proposals.read_manifest(self.root, proposal)
        except DreamReviewError:
            return None

    def _log(self, proposal: str, outcome: Outcome) -> Redacted | None:
        try:
            data = self.root.read(f"{reviews.FOLDER}/{proposal}.jsonl")
        except MissingPathError:
            return None
        found = redacted_log(data, self.scope, outcome)
        return None if found.data == data else found

    def _found(self, proposal: str, record: BaseRecord | None, data: bytes | None) -> dict[str, int]:
        """Count where it stands."""
        count, scope = self.scope.wanted.count_coded, self.scope
        found = {"manifest": count(data) if data is not None and scope.is_everywhere else 0}
        found["copy"] = sum(
            len(scope.removed(path, split_lines(held))) for path, held in self._copy(proposal) if held is not None
        )
        if record is not None:
            found["base"] = sum(len(scope.removed(path, split_lines(held))) for path, held in record.texts.items())
        try:
            log = self.root.read(f"{reviews.FOLDER}/{proposal}.jsonl")
            found["decisions"] = count(log) if scope.is_everywhere else 0
        except MissingPathError:
            found["decisions"] = 0
        return {place: number for place, number in found.items() if number}

    def _copy(self, proposal: str) -> Iterable[tuple[str, bytes | None]]:
        place = proposals.place(proposal)
        if not self.root.exists(place):
            return
        copy = Root(self.root.absolute(place))
        for path, entry in scan(copy, DEFAULT_IGNORE).entries.items():
            yield path, read_held(copy, path, entry.mode)

    # --- the record ------------------------------------------------------------------------------------------

    def _record(self, record: BaseRecord) -> tuple[Outcome, BaseRecord]:
        copies = self._copies(record)
        base = self._base_of(record, copies)
        every = (*record.proposal.changes, *record.gone)
        outcome = without(
            every,
            self.scope,
            base,
            self._retell(record, base),
            is_observed=record.is_observed,
            applied=self.applied(record.proposal.id),
        )
        gone_ids = {outcome.ids.get(change.id, change.id) for change in record.gone}
        changes = tuple(change for change in outcome.changes if change.id not in gone_ids)
        fresh = replace(
            record,
            texts=self._texts(record),
            base=self._stamps(record, copies),
            gone=tuple(change for change in outcome.changes if change.id in gone_ids),
            order=tuple(outcome.ids.get(one, one) for one in record.order if one not in outcome.withdrawn),
            undeclared=record.undeclared - sum(one in outcome.withdrawn for one in _undeclared(record)),
            unknown=frozenset(path for path in record.unknown if not self.scope.drops(path)),
        )
        fresh = replace(fresh, copy=self._copy_stamps(record, fresh, changes, outcome, copies))
        return outcome, replace(fresh, proposal=self._proposal(record.proposal, record, fresh, changes, outcome))

    def _copies(self, record: BaseRecord) -> dict[str, bytes]:
        """Return what the copy holds, as far as it is as it was last compared."""
        name = record.proposal.id
        place = proposals.place(name)
        if not record.copy or not self.root.exists(place):
            return {}
        if name not in self._read:
            copy = Root(self.root.absolute(place))
            held = ((path, read_held(copy, path, stamp.mode)) for path, stamp in record.copy.items())
            self._read[name] = {path: data for path, data in held if data is not None}
        return self._read[name]

    def _base_of(self, record: BaseRecord, copies: Mapping[str, bytes]) -> Callable[[str], Text | None]:
        def base(path: str) -> Text | None:
            data = record.texts.get(path)
            if data is None and path in record.base and path in copies:
                data = copies[path] if digest_of(copies[path]) == record.base[path].digest else None
            return None if data is None else split_lines(data)

        return base

    def _retell(
        self, record: BaseRecord, base: Callable[[str], Text | None]
    ) -> Callable[[tuple[FileEdit, ...], bool], Change]:
        def retell(edits: tuple[FileEdit, ...], is_after: bool) -> Change:
            before: dict[str, FileState] = {}
            for path in {edit.path for edit in edits}:
                text = base(path)
                if text is not None and path in record.base:
                    held = self.scope.left(path, text) if is_after else text
                    before[path] = FileState(held, record.base[path].mode)
            return as_changes([list(edits)], before)[0]

        return retell

    def _texts(self, record: BaseRecord) -> dict[str, bytes]:
        kept = {}
        for path, data in record.texts.items():
            left = without_lines(self.scope, path, data, is_link=record.base[path].mode == LINK_MODE)
            if left is not None:
                kept[path] = left
        return kept

    def _stamps(self, record: BaseRecord, copies: Mapping[str, bytes]) -> dict[str, Stamp]:
        known: dict[tuple[str, str], tuple[str, int]] = {}
        for path, data in (*copies.items(), *record.texts.items()):
            left = without_lines(self.scope, path, data)
            if left is not None and left != data:
                known[path, digest_of(data)] = digest_of(left), len(left)
        table = {}
        for path, stamp in record.base.items():
            if self.scope.drops(path):
                continue
            fresh = known.get((path, stamp.digest)) if stamp.mode != LINK_MODE else None
            table[path] = stamp if fresh is None else Stamp(fresh[1], -1, stamp.mode, 0, fresh[0])
        return table

    def _copy_stamps(
        self,
        record: BaseRecord,
        fresh: BaseRecord,
        changes: tuple[Change, ...],
        outcome: Outcome,
        copies: Mapping[str, bytes],
    ) -> dict[str, Stamp]:
        """Return the stamps of the copy as it will be: lines that go are left out, what was withdrawn is not made."""
        table: dict[str, Stamp] = {}
        for path, stamp in record.copy.items():
            data = copies.get(path)
            left = None if data is None else without_lines(self.scope, path, data, is_link=stamp.mode == LINK_MODE)
            if left is None:
                if data is None and not self.scope.drops(path):
                    table[path] = stamp
                continue
            table[path] = stamp if left == data else Stamp(len(left), -1, stamp.mode, 0, digest_of(left))
        touched = {
            name
            for change in record.proposal.changes
            if change.id in outcome.withdrawn or change.id in outcome.cut
            for edit in change.edits
            for name in names_of(edit)
        }
        if not touched or not record.copy:
            return table
        tree = composed_copy(fresh, changes)
        for path in touched:
            state = tree.get(path)
            if state is None:
                table.pop(path, None)
            else:
                data = b"".join(state.text)
                table[path] = Stamp(len(data), -1, state.mode, 0, digest_of(data))
        return table

    def _proposal(
        self,
        told: Proposal,
        record: BaseRecord,
        fresh: BaseRecord,
        changes: tuple[Change, ...],
        outcome: Outcome,
    ) -> Proposal:
        """Return a proposal, as its record or its manifest tells it, with other changes."""
        known = {digest_of_tree(record.base): digest_of_tree(fresh.base)} if fresh.base != record.base else {}
        made = {digest_of_tree(record.copy): digest_of_tree(fresh.copy)} if fresh.copy != record.copy else {}
        tree = told.base.tree
        told = replace(
            told,
            base=replace(
                told.base,
                digest=known.get(told.base.digest, told.base.digest),
                tree=self.commits.get(tree, tree) if tree else tree,
            ),
            rendering=made.get(told.rendering, told.rendering),
            changes=manifest.ranked(changes),
        )
        return _worded(told, self.scope, outcome)

    # --- the manifest ----------------------------------------------------------------------------------------

    def _told(
        self, proposal: str, data: bytes, record: BaseRecord | None, fresh: BaseRecord | None
    ) -> tuple[bytes, Outcome | None]:
        """Return the manifest as it will be, and what became of its changes where only it tells of them.

        One that is not the manifest that the record speaks of was written again already.
        """
        if record is not None and record.manifest != digest_of(data):
            return self._scrubbed(data), None
        try:
            document, declared = json.loads(data), manifest.loads(data)
        except (ValueError, InvalidManifestError):
            return self._scrubbed(data), None
        if record is not None and fresh is not None:
            copies = self._copies(record)
            base = self._base_of(record, copies)
            retell, is_observed = self._retell(record, base), record.is_observed
        else:
            base, retell, is_observed = _no_base, _no_retelling, False
        outcome = without(
            declared.changes,
            self.scope,
            base,
            retell,
            is_observed=is_observed,
            applied=self.applied(proposal),
        )
        if record is not None and fresh is not None:
            left = self._proposal(declared, record, fresh, outcome.changes, outcome)
        else:
            left = _worded(replace(declared, changes=outcome.changes), self.scope, outcome)
        return self._written(document, declared, left, data), outcome

    def _written(self, document: dict[str, Any], was: Proposal, now: Proposal, data: bytes) -> bytes:
        """Return a manifest in which all that did not change, also what we do not know, stands as it stood."""
        if now == was and not (self.scope.is_everywhere and self.scope.wanted.count_coded(data)):
            return data
        raw = dict(zip((change.id for change in was.changes), document["changes"], strict=True))
        same = {change.id: change for change in was.changes}
        shape = manifest.to_json(now)
        shape["changes"] = [
            scrubbed(self.scope, raw[change.id]) if same.get(change.id) == change else told
            for change, told in zip(now.changes, shape["changes"], strict=True)
        ]
        rest = scrubbed(self.scope, {key: value for key, value in document.items() if key not in shape})
        fresh = {**document, **(rest if isinstance(rest, dict) else {}), **shape}
        fresh = {key: value for key, value in fresh.items() if key in shape or (isinstance(rest, dict) and key in rest)}
        return json.dumps(fresh, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"

    def _scrubbed(self, data: bytes) -> bytes:
        """Return a document that nobody can make sense of without the words that tell of it."""
        if not self.scope.is_everywhere or not self.scope.wanted.count_coded(data):
            return data
        try:
            fresh = scrubbed(self.scope, json.loads(data))
        except (ValueError, RecursionError):
            return b"{}\n"
        return json.dumps(fresh, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


def _worded(told: Proposal, scope: Scope, outcome: Outcome) -> Proposal:
    """Return a proposal whose own words tell nothing of what goes; its narrative may tell of it in other words."""
    lost = len(outcome.withdrawn)
    is_about = bool(lost or outcome.cut) and not told.is_observed
    summary = scope.prose(told.summary)
    if lost and not told.is_observed:
        summary = f"{summary} {lost} of these forgotten.".strip()
    is_over = lost and not told.changes and told.status == "ready" and not told.is_observed
    return replace(
        told,
        summary=summary,
        narrative="" if is_about else scope.prose(told.narrative),
        status="discarded" if is_over else told.status,
    )


def _undeclared(record: BaseRecord) -> tuple[str, ...]:
    return record.order[len(record.order) - record.undeclared :]


def _no_base(_path: str) -> Text | None:
    return None


def _no_retelling(edits: tuple[FileEdit, ...], _is_after: bool) -> Change:
    return as_changes([list(edits)], {})[0]


def write(root: Root, prepared: Prepared) -> None:
    """Write manifest and record of a proposal as they will be; its copy is made to match by `match_copy`."""
    if prepared.manifest is not None and root.exists(proposals.place(prepared.id)):
        root.write_atomic(f"{proposals.place(prepared.id)}/{MANIFEST}", prepared.manifest, 0o600)
    if prepared.record is not None:
        bases.write(root, prepared.record)
