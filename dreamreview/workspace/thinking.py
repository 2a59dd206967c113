"""How an engine gets to dream a store: what it is handed, and what it answers as changes."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.dream import local
from dreamreview.dream.arbitration import to_changes
from dreamreview.dream.engine import EngineError, NotBegunError, Progress, Task
from dreamreview.dream.gathering import gather
from dreamreview.model.budget import in_dollars
from dreamreview.settings import private_folder
from dreamreview.store import statefile
from dreamreview.store.lock import hold
from dreamreview.store.tree_changes import changes_in
from dreamreview.store.undeclared import REASON
from dreamreview.store.working_copy import sweep, working_copy
from dreamreview.workspace.beside import context_of, sessions_of
from dreamreview.workspace.fidelity import with_unsupported
from dreamreview.workspace.flagging import watched
from dreamreview.workspace.rejections import rejections

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dreamreview.dream.engine import Dreamt, Engine
    from dreamreview.dream.gathering import Gathered
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import Change
    from dreamreview.store.working_copy import WorkingCopy
    from dreamreview.workspace.context import Context


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine answered about what was gathered."""

    gathered: Gathered
    dreamt: Dreamt
    changes: tuple[Change, ...]
    before: Mapping[str, Text]
    """What the store held under each path that a change names, when it was read."""
    started: str
    """RFC 3339 UTC."""
    seconds: float
    warnings: tuple[str, ...] = ()


def think(
    context: Context, engine: Engine, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool]
) -> Thought:
    """Read the store while it is held, then think without holding it.

    Raises:
        NotBegunError: the engine knew already that it could not dream: no key, no program.
        EngineError: the engine could not dream, or did what no person would review.
        DreamCancelledError: it was stopped.
        StoreError: the store cannot be read or copied.
    """
    begun, started = time.monotonic(), context.instant()
    sweep(private_folder())
    with ExitStack() as ending:
        working: WorkingCopy | None = None
        with hold(context.root, "dream"):
            scan = context.scan()
            gathered = gather(context.root, scan, context.now().date(), on_progress, is_cancelled)
            task = _task(context, engine, gathered, on_progress, is_cancelled)
            if engine.needs_copy:
                working = ending.enter_context(working_copy(private_folder(), context.root, scan))
                task = replace(task, folder=working.copy.path, scratch=working.scratch)
        _tell_estimate(engine, task)
        dreamt = engine.dream(task)
        task.check()
        changes, before, warnings = _changes_of(context, engine, dreamt, task, working)
    told = (*gathered.warnings, *dreamt.warnings, *warnings)
    return Thought(gathered, dreamt, changes, before, started, time.monotonic() - begun, told)


def _task(
    context: Context,
    engine: Engine,
    gathered: Gathered,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool],
) -> Task:
    settings, corpus = context.settings, gathered.corpus
    task = Task(
        corpus=replace(corpus, context=context_of(context.root.path, settings)),
        policy=settings.policy,
        budget=settings.budgets,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    if engine.name == local.NAME:
        return task
    since = statefile.load(context.root).state.last_dream_at
    return replace(
        task,
        since=since,
        transcripts=sessions_of(context.root.path, settings, since),
        rejections=rejections(context),
    )


def _tell_estimate(engine: Engine, task: Task) -> None:
    """Say what a dream will need, and who is sent what the store says, before it begins.

    Raises:
        NotBegunError: it cannot begin.
    """
    try:
        estimate = engine.estimate(task)
    except EngineError as error:
        raise NotBegunError(str(error)) from error
    if estimate is None:
        return
    told = f"about {estimate.tokens:,} tokens of memory"
    told += f", for {estimate.recipient}" if estimate.recipient else ""
    if estimate.cost_usd is not None:
        told += f"; a whole dream of it costs about {in_dollars(estimate.cost_usd)}"
    task.on_progress(Progress(phase="estimate", files=len(task.corpus.documents), note=told))


def _changes_of(
    context: Context, engine: Engine, dreamt: Dreamt, task: Task, working: WorkingCopy | None
) -> tuple[tuple[Change, ...], Mapping[str, Text], tuple[str, ...]]:
    """Return the changes that an engine answered, what they were made from, and what to say about them."""
    if not dreamt.is_tree or working is None:
        before = {path: document.lines for path, document in task.corpus.documents.items()}
        return to_changes(dreamt.drafts), before, ()
    settings = context.settings
    found = changes_in(working, context.root, context.differ, ignore=settings.ignore, size_limit=settings.size_limit)
    if found.is_emptied:
        raise EngineError(f"the {engine.name} engine left no file in its copy; nothing was kept")
    bound = settings.budgets.reached(changes=len(found.changes) - 1)
    if bound is not None:
        raise EngineError(
            f"the {engine.name} engine made {len(found.changes):,} changes, over the budget of {bound}; nothing was "
            "kept, for nobody says which of them belong together; raise `changes` of the budgets in the configuration"
        )
    reason = f"Made by the {engine.name} engine, which says why in its own words about the whole dream."
    changes = tuple(
        watched(replace(change, reason=reason) if change.reason == REASON else change) for change in found.changes
    )
    before = {path: state.text for path, state in found.before.items()}
    return with_unsupported(changes, task.corpus), before, found.warnings
