"""The pass over everything that is kept of a store beside its memory: found, carried out, and looked for again."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.forgetting.receipt import Left, Removed
from dreamreview.store import bare, bases, proposals, reviews
from dreamreview.store.bookkeeping import OWN, PROPOSALS
from dreamreview.store.forgetting import documents, repository, request
from dreamreview.store.forgetting.contents import Contents
from dreamreview.store.forgetting.copies import match_copy
from dreamreview.store.forgetting.proposals import Preparing, write
from dreamreview.store.git import run
from dreamreview.store.journal import Journal
from dreamreview.store.rooted import MissingPathError
from dreamreview.store.snapshots import REPOSITORY as SNAPSHOTS

if TYPE_CHECKING:
    from dreamreview.model.forgetting.wanted import Scope
    from dreamreview.store.forgetting.proposals import Prepared
    from dreamreview.store.rooted import Root

Checkpoint = Callable[[str], None]
"""Called with the name of each step before it is taken; tests stop or kill the program there."""

OTHER = "other"
"""What nothing else is known of."""


@dataclass(slots=True)
class Found:
    """Where something stands beside the memory, and what its removal means."""

    removed: list[Removed] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    undo: list[str] = field(default_factory=list)

    def add(self, where: str, path: str, count: int) -> None:
        """Note one place; one that holds nothing is none."""
        if count:
            self.removed.append(Removed(where, path, count))


def ids_of(root: Root) -> tuple[str, ...]:
    """Return every proposal that anything is kept of, oldest first."""
    names = set(proposals.list_ids(root))
    for folder, end in ((bases.FOLDER, ""), (reviews.FOLDER, ".jsonl")):
        with suppress(MissingPathError):
            names |= {name.removesuffix(end) for name in root.listing(folder) if not name.startswith(".")}
    return tuple(sorted(names))


def _preparing(root: Root, scope: Scope, commits: dict[str, str]) -> Preparing:
    records = Journal(root).records()

    def applied(proposal: str) -> Collection[str]:
        return {change for record in records if record.proposal == proposal for change in record.changes}

    return Preparing(root, scope, applied, commits)


def find(root: Root, scope: Scope) -> Found:
    """Return every place beside the memory that holds what is to be forgotten; nothing is written."""
    found, contents = Found(), Contents(scope)
    for place in repository.repositories(root, OWN):
        count = repository.find(root, place, contents).objects
        found.add("snapshots" if place == SNAPSHOTS else "history", "", count)
    found.undo = sorted(contents.deeds)
    preparing = _preparing(root, scope, {})
    for name in ids_of(root):
        prepared = preparing.prepare(name)
        for where, count in prepared.found.items():
            found.add(where, name, count)
        found.withdrawn += [f"{name}/{change}" for change in prepared.outcome.withdrawn]
        found.cut += [f"{name}/{prepared.outcome.ids.get(change, change)}" for change in prepared.outcome.cut]
    if scope.is_everywhere:
        with suppress(MissingPathError):
            found.add("rejections", "", scope.wanted.count_coded(root.read(reviews.REJECTED)))
        for name in documents.state_files(root):
            found.add("state", name, scope.wanted.count_coded(root.read(name)))
        for path, data in documents.rest_of(root):
            found.add(OTHER, path, scope.wanted.count_coded(data))
    return found


def carry_out(root: Root, name: str, scope: Scope, checkpoint: Checkpoint) -> None:
    """Take what is to be forgotten out of everything beside the memory; the store is held, and looked at by no one.

    Every step can be done twice, so that one that was cut off is simply done again.

    Args:
        root: the store.
        name: id of the forgetting.
        scope: what is forgotten.
        checkpoint: called before each step.

    Raises:
        StoreError: the system or git refused something; do it again.
    """
    documents.sweep(root)
    moves = _repositories(root, scope, checkpoint)
    preparing = _preparing(root, scope, moves.commits)
    prepared = [preparing.prepare(one) for one in ids_of(root)]
    for one in prepared:
        if one.log is not None:
            checkpoint(f"decisions {one.id}")
            root.write_atomic(f"{reviews.FOLDER}/{one.id}.jsonl", one.log.data, 0o600)
    checkpoint("records")
    outcomes = {one.id: one.outcome for one in prepared}
    documents.rewrite_records(root, outcomes, moves.deeds, moves.paths, moves.commits, name)
    documents.rewrite_rejections(root, scope, _fingerprints(prepared))
    for one in prepared:
        checkpoint(f"proposal {one.id}")
        write(root, one)
        checkpoint(f"copy {one.id}")
        match_copy(root, one.id, scope)
    checkpoint("seen")
    documents.rewrite_seen(root, scope, moves.commits)
    checkpoint("rest")
    _drop_damaged(root)
    documents.rewrite_state(root, scope)
    documents.rewrite_rest(root, scope)


def _drop_damaged(root: Root) -> None:
    """Remove what is kept of a base and cannot be read: nobody could tell whether it holds what is forgotten."""
    for name in ids_of(root):
        if bases.read(root, name)[1] is not None:
            bases.remove(root, name)


def _repositories(root: Root, scope: Scope, checkpoint: Checkpoint) -> request.Moves:
    """Rewrite the private repositories, and return what the other steps have to know of that."""
    moves, contents = request.read_moves(root), Contents(scope)

    def remember(commits: object) -> None:
        moves.commits.update(dict(commits) if isinstance(commits, dict) else {})
        moves.deeds |= contents.deeds
        moves.paths |= contents.paths
        request.write_moves(root, moves)

    for place in repository.repositories(root, OWN):
        checkpoint(f"repository {place}")
        repository.carry_out(root, place, contents, remember)
    return moves


def _fingerprints(prepared: Iterable[Prepared]) -> set[str]:
    """Return what told changes that are gone, or are less, from others."""
    found = set()
    for one in prepared:
        found |= {*one.outcome.withdrawn.values(), *one.outcome.cut.values()}
    return found


def make_last(root: Root) -> None:
    """Make sure that nothing that was removed comes back with a loss of power."""
    root.fsync_dir()
    for top in (OWN, PROPOSALS):
        with suppress(MissingPathError):
            for folder in bare.folders(root, top):
                root.fsync_dir(folder)


def left_over(root: Root, scope: Scope) -> Iterator[Left]:
    """Look through every file and object of ours once more, and yield where it still stands."""
    if not scope.is_everywhere:
        return
    places = repository.repositories(root, OWN)
    for folder in (OWN, PROPOSALS):
        for path, data in documents.files_of(root, folder, skip=(*places, request.FOLDER)):
            if scope.wanted.count_coded(data):
                yield Left(path, "it could not be taken out of this file")
    for place in places:
        git_dir = os.path.join(root.path, place)
        rows = run(["cat-file", "--batch-all-objects", "--batch-check"], git_dir=git_dir).decode("ascii").splitlines()
        sizes = {oid: int(size) for oid, _, size in (row.split(" ") for row in rows)}
        with suppress(DreamReviewError):
            held = any(scope.wanted.count_coded(data) for _, data in repository.texts(git_dir, sizes))
            if held:
                yield Left(place, "a text of this repository still holds it")
