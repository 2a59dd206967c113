"""After an apply or an undo in a folder that is a copy of a store at the service: the same is done to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.store import proposals
from dreamreview.store.composing import names_of
from dreamreview.store.uploads import PLACE, UploadsFile
from dreamreview.workspace.values import There, TwoTexts

if TYPE_CHECKING:
    from dreamreview.dream.hosted.returning import Wanted
    from dreamreview.model.uploads import Uploads
    from dreamreview.workspace.context import Context
    from dreamreview.workspace.values import ApplyResult


def carried_on(context: Context, act: Callable[[bool], ApplyResult], *, dry_run: bool) -> ApplyResult:
    """Return the result of an apply or an undo together with what became of it at the service.

    What is about to be written is kept as waiting first, so that a kill right behind it leaves nothing unsent.

    Args:
        context: the folder.
        act: applies or undoes; only plans where it is given True.
        dry_run: whether to plan only.
    """
    if dry_run or not context.root.exists(PLACE):
        return act(dry_run)
    _intend(context, act)
    result = act(False)
    return replace(result, there=give_back(context, _paths(result)))


def _intend(context: Context, act: Callable[[bool], ApplyResult]) -> None:
    """Keep what is planned as waiting in a copy of a store there; what is then not written is let go."""
    file = UploadsFile(context.root)
    with suppress(DreamReviewError):
        uploads = file.load()
        waiting = tuple(sorted({*uploads.waiting, *_paths(act(True))})) if uploads.is_mirror else uploads.waiting
        if waiting != uploads.waiting:
            file.save(replace(uploads, waiting=waiting))


def _paths(result: ApplyResult) -> set[str]:
    return {*result.written, *result.deleted, *(path for pair in result.renamed for path in pair)}


def give_back(context: Context, paths: Iterable[str] = ()) -> There | None:
    """Write paths, and those that still wait, back to the store that the folder is a copy of.

    None where it is a copy of none, or nothing waits. What does not get there now waits for the next apply; nothing
    is raised, since what was written here stands.
    """
    file = UploadsFile(context.root)
    try:
        uploads = file.load()
        if not uploads.is_mirror:
            return None
        waiting = tuple(sorted({*uploads.waiting, *paths}))
        if not waiting:
            return None
        if waiting != uploads.waiting:
            file.save(replace(uploads, waiting=waiting))
        with file.alone():
            return _given(context, file)
    except DreamReviewError as error:
        return There(store="", problem=str(error))


def _given(context: Context, file: UploadsFile) -> There:
    from dreamreview.dream.hosted.calling import OFFER, Clock
    from dreamreview.dream.hosted.engine import service_of
    from dreamreview.dream.hosted.returning import give_back as give

    uploads = file.load()
    undecided = _undecided(context, uploads)
    wanted, left = _wanted(context, [path for path in uploads.waiting if path not in undecided])
    left += [f"{path}: stays here until all that others changed in it is decided" for path in undecided]
    service = service_of(Clock(), lambda: False)
    if service.endpoint != uploads.endpoint:
        return There(uploads.store, problem=f"{uploads.store} is at {uploads.endpoint}, not at {service.endpoint}")
    found = give(service, uploads, wanted)
    file.save(found.uploads)
    return There(
        store=uploads.store,
        written=tuple(found.written),
        conflicts=tuple(TwoTexts(one.path, one.here, one.there) for one in found.conflicts),
        left=(*left, *found.left),
        problem=None if found.problem is None else found.problem.removesuffix(OFFER),
    )


def _undecided(context: Context, uploads: Uploads) -> tuple[str, ...]:
    """Return the waiting paths of which a proposal shows what others changed there, and something is undecided."""
    from dreamreview.workspace.reviewing import OpenReview

    waiting = {*uploads.waiting}
    open_paths: set[str] = set()
    for proposal in sorted({*uploads.imported} & {*proposals.list_ids(context.root)}):
        if not waiting & uploads.imported[proposal].keys():
            continue
        opened = OpenReview(context, proposal)
        for change in opened.proposal.changes:
            if not opened.review.of[change.id].is_settled:
                open_paths |= {name for edit in change.all_edits for name in names_of(edit)}
    return tuple(sorted(waiting & open_paths))


def _wanted(context: Context, paths: list[str]) -> tuple[list[Wanted], list[str]]:
    from dreamreview.dream.hosted.outgoing import sort
    from dreamreview.dream.hosted.returning import Wanted

    here = [path for path in paths if context.live(path) is not None]
    sorted_out = sort(context.root, here, keeps_secrets=False)
    gone = [Wanted(path, None) for path in paths if path not in here]
    return [*gone, *(Wanted(out.path, out) for out in sorted_out.files)], list(sorted_out.left)
