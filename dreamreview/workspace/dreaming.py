"""One dream of a store: look, think, publish what is new; the live folder is never written to."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import dreamreview
from dreamreview.dream import local
from dreamreview.dream.arbitration import fingerprint
from dreamreview.dream.engine import Dreamt, NotBegunError, Policy, Progress
from dreamreview.errors import DreamReviewError
from dreamreview.model.proposal import Base, Change, Proposal
from dreamreview.model.proposal import Engine as Dreamer
from dreamreview.model.state import COMPLETED, FAILED
from dreamreview.store import proposals, statefile
from dreamreview.store.composing import composed, default_edits, names_of, rendered
from dreamreview.store.lock import hold
from dreamreview.store.rooted import shown
from dreamreview.workspace import engines
from dreamreview.workspace.closing import sweep
from dreamreview.workspace.known import known_fingerprints
from dreamreview.workspace.thinking import Thought, think
from dreamreview.workspace.values import DreamResult, Found

if TYPE_CHECKING:
    from dreamreview.dream.engine import Engine
    from dreamreview.model.files import FileState
    from dreamreview.workspace.context import Context

PUBLISH_WAIT = 10.0
"""Seconds that a finished dream waits for an apply to end before it gives up."""

MOST_NAMED = 5
"""Files that are named of those that somebody wrote to while an engine thought."""

OnProgress = Callable[[Progress], None]


def dream(context: Context, name: str | None, on_progress: OnProgress, is_cancelled: Callable[[], bool]) -> DreamResult:
    """Dream a store once, and publish a proposal where there is something new.

    Args:
        context: the store.
        name: the engine; None for the configured one.
        on_progress: is told how far the dream is.
        is_cancelled: tells whether to stop.

    Raises:
        UsageError: there is no such engine, or the configuration lacks what it needs.
        EngineError: the engine could not dream; a `NotBegunError` is not written down as a dream that failed.
        StoreLockedError: another program holds the store.
        DreamCancelledError: it was stopped; nothing was kept.
        StoreError: the folder cannot be read, or the proposal cannot be written.
    """
    engine = engines.make(context.settings, context.root, name)
    try:
        thought = think(context, engine, on_progress, is_cancelled)
        with hold(context.root, "dream", wait=PUBLISH_WAIT):
            result = _publish(context, engine, thought)
            statefile.update(context.root, lambda state: state.ended(COMPLETED, result.summary, context.now()))
    except DreamReviewError as error:
        _note_failure(context, error)
        raise
    return result


def _policy(context: Context) -> Policy:
    return context.settings.policy


def _publish(context: Context, engine: Engine, thought: Thought) -> DreamResult:
    """Publish what is neither known nor about lines that moved while the engine thought; the store is held."""
    sweep(context)
    known = known_fingerprints(context)
    live = context.scan()
    changes, thought = _unmoved(context, thought)
    fresh = tuple(change for change in changes if change.fingerprint not in known.settled)
    fresh, thought = _within_budget(context, fresh, thought)
    if all(change.fingerprint in known.waiting for change in fresh):
        return replace(_result(None, (), thought), narrative=_narrative(engine, thought, ()))
    proposal = Proposal(
        id=proposals.new_id(context.root, context.now()),
        created_at=context.instant(),
        base=Base(kind="declared", digest="", at=thought.started),
        changes=fresh,
        engine=Dreamer(
            name=engine.name,
            version=dreamreview.__version__,
            model=engine.model,
            settings_digest=_digest_of(_policy(context), thought.dreamt.settings),
            settings=tuple(sorted(thought.dreamt.settings.items())),
        ),
        usage=replace(thought.dreamt.usage, seconds=round(thought.seconds, 3)),
        summary=summary_of(fresh),
        narrative=_narrative(engine, thought, fresh),
    )
    base = _touched_base(context, fresh)
    after = {path: _held(state, base.get(path)) for path, state in _composed(base, fresh).items()}
    changed = {path: after.get(path) for path in {*base, *after}}
    published = proposals.publish(context.root, proposal, changed, live, base)
    for older in known.replaceable:
        proposals.save_status(context.root, older, "superseded")
    return replace(_result(published.id, fresh, thought), narrative=proposal.narrative)


def _within_budget(context: Context, fresh: tuple[Change, ...], thought: Thought) -> tuple[tuple[Change, ...], Thought]:
    """Leave what is beyond the budget of changes to the next dream, and say so; each change stands for itself."""
    most = context.settings.budgets.changes
    if most is None or len(fresh) <= most:
        return fresh, thought
    told = f"the budget of {most:,} changes is reached: {len(fresh) - most:,} more wait for the next dream"
    return fresh[:most], replace(thought, warnings=(*thought.warnings, told))


def _narrative(engine: Engine, thought: Thought, changes: tuple[Change, ...]) -> str:
    """Return the dreamer's own words; those of ours are about what is left once what is known is left out."""
    if engine.name != local.NAME:
        return thought.dreamt.narrative
    left = len(thought.changes) - len(changes)
    return local.narrative(len(thought.gathered.corpus.documents), [change.kind for change in changes], left)


def _unmoved(context: Context, thought: Thought) -> tuple[tuple[Change, ...], Thought]:
    """Leave out, and name, what somebody wrote to while the engine thought: the next dream sees it anew."""
    same: dict[str, bool] = {}

    def is_same(path: str) -> bool:
        if path not in same:
            live = context.live(path)
            same[path] = (live.text if live else None) == thought.before.get(path)
        return same[path]

    kept = tuple(
        change
        for change in thought.changes
        if all(is_same(name) for edit in change.all_edits for name in names_of(edit))
    )
    moved = [shown(path) for path in sorted(path for path, is_as_before in same.items() if not is_as_before)]
    if not moved:
        return kept, thought
    more = f" and {len(moved) - MOST_NAMED} more" if len(moved) > MOST_NAMED else ""
    named = ", ".join(moved[:MOST_NAMED])
    told = f"changed while the engine thought, so what it suggests there is left out: {named}{more}"
    return kept, replace(thought, warnings=(*thought.warnings, told))


def _touched_base(context: Context, changes: Iterable[Change]) -> dict[str, FileState]:
    paths = {name for change in changes for edit in change.all_edits for name in names_of(edit)}
    found = {path: context.live(path) for path in sorted(paths)}
    return {path: state for path, state in found.items() if state is not None}


def _composed(base: dict[str, FileState], changes: tuple[Change, ...]) -> dict[str, FileState]:
    return composed(base, default_edits(changes))


def _held(state: FileState, before: FileState | None) -> tuple[bytes, int]:
    return b"".join(rendered(state, before.text if before else ()).text), state.mode


def _digest_of(policy: Policy, settings: Mapping[str, str]) -> str:
    document = json.dumps(asdict(policy) | dict(settings), sort_keys=True, default=str)
    return hashlib.sha256(document.encode()).hexdigest()


def counts_of(changes: Iterable[Change]) -> dict[str, int]:
    """Return kind to number of changes, most first."""
    return dict(Counter(change.kind.value for change in changes).most_common())


def summary_of(changes: Iterable[Change]) -> str:
    """Return what a proposal holds in one sentence, counted from its changes."""
    counts = counts_of(changes)
    if not counts:
        return "nothing to change"
    total = sum(counts.values())
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    return f"{total} change{'s' if total > 1 else ''}: {kinds}"


def _result(proposal: str | None, changes: tuple[Change, ...], thought: Thought) -> DreamResult:
    files = len(thought.gathered.corpus.documents)
    summary = summary_of(changes)
    if proposal is None:
        summary = f"nothing new in {files} file{'s' if files != 1 else ''}"
    return DreamResult(
        proposal=proposal,
        status=COMPLETED,
        summary=summary,
        counts=counts_of(changes),
        usage=thought.dreamt.usage,
        seconds=round(thought.seconds, 3),
        warnings=thought.warnings,
        found=_found(changes, thought.dreamt),
    )


def _found(changes: Iterable[Change], dreamt: Dreamt) -> dict[str, Found]:
    """Return how each change was found; drafts have no ids, so the fingerprint tells which is which."""
    drafts = {fingerprint(draft): draft for draft in dreamt.drafts if draft.detector}
    told = {change.id: drafts[change.fingerprint] for change in changes if change.fingerprint in drafts}
    return {name: Found(draft.detector, tuple(map(str, draft.measures))) for name, draft in told.items()}


def _note_failure(context: Context, error: DreamReviewError) -> None:
    """Keep that a dream failed if it ever began, where the store can be written to at all; gates do not move."""
    if error.exit_code != FAILED_EXIT or isinstance(error, NotBegunError):
        return
    try:
        with hold(context.root, "dream"):
            statefile.update(context.root, lambda state: state.ended(FAILED, str(error), context.now()))
    except DreamReviewError:
        return


FAILED_EXIT = 1
"""Exit status of errors that count as a failed dream; a locked store or a stopped dream does not."""
