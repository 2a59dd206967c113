"""How what others suggest is imported: read, held against the store as it stands, and published as a proposal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import dreamreview
from dreamreview.model.proposal import IMPORTED, Base, Change, Engine, Proposal
from dreamreview.model.secrets import mask
from dreamreview.store import proposals
from dreamreview.store.composing import composed, default_edits, rendered
from dreamreview.store.importing.ground import Ground
from dreamreview.store.importing.recognising import suggested_by
from dreamreview.store.lock import hold
from dreamreview.store.undeclared import BASE_UNKNOWN
from dreamreview.workspace.dreaming import PUBLISH_WAIT, counts_of, summary_of
from dreamreview.workspace.flagging import watched
from dreamreview.workspace.known import READY, standings
from dreamreview.workspace.values import ImportResult

if TYPE_CHECKING:
    from dreamreview.model.files import FileState
    from dreamreview.store.importing.values import Suggested
    from dreamreview.workspace.context import Context

AT_THE_SERVICE = ("dream:", "memstore:")
"""How sources begin that are dreams and memory stores at Anthropic's service."""

_TOLD = 50
"""How much of what was left is kept with the proposal."""


def import_(context: Context, source: str, data: bytes | None = None) -> ImportResult:
    """Make a proposal of a changed copy, a unified diff, a revision of git, or a format of another program.

    Where an open proposal was imported with the very same changes, that one is named and none is made.

    Args:
        context: the store.
        source: a folder, a file, ``-``, ``git:`` and a revision, or ``memstore:`` or ``dream:`` and an id.
        data: what stands on stdin, for ``-``.

    Raises:
        UsageError: the source is none, or of no known kind.
        EngineError: the service that has it refused, failed, or cannot be reached.
        StoreLockedError: another program holds the store.
        StoreError: the source or the store cannot be read, or the proposal cannot be written.
    """
    if source.startswith(AT_THE_SERVICE):
        from dreamreview.workspace import hosted

        return hosted.bring(context, source, lambda ground, found: _published(context, ground, found))
    settings = context.settings
    with hold(context.root, "import", wait=PUBLISH_WAIT):
        now = context.now()
        ground = Ground(context.root, context.scan(), context.differ, now, settings.ignore, settings.size_limit)
        return _published(context, ground, suggested_by(ground, source, data))


def _published(context: Context, ground: Ground, found: Suggested) -> ImportResult:
    """Make a proposal of what was found; the store is held."""
    found = replace(found, changes=tuple(watched(change) for change in found.changes))
    if not found.changes:
        return _result(found, None)
    same = _open_twin(context, found.changes)
    if same is not None:
        warnings = (*found.warnings, f"proposal {same} holds the same changes already")
        return _result(replace(found, warnings=warnings), same)
    return _result(found, _publish(context, ground, found).id)


def _publish(context: Context, ground: Ground, found: Suggested) -> Proposal:
    base = dict(found.before or {})
    at = context.instant()
    proposal = Proposal(
        id=proposals.new_id(context.root, ground.now),
        created_at=at,
        base=Base(kind="first-sight" if found.is_guess else "declared", digest="", at=at),
        changes=found.changes,
        engine=Engine(name=IMPORTED, version=dreamreview.__version__),
        summary=summary_of(found.changes),
        narrative=_narrative(found),
    )
    after = composed(base, default_edits(found.changes))
    changed = {path: _held(after.get(path), base.get(path)) for path in {*base, *after}}
    return proposals.publish(context.root, proposal, changed, ground.live, base)


def _held(state: FileState | None, before: FileState | None) -> tuple[bytes, int] | None:
    if state is None:
        return None
    return b"".join(rendered(state, before.text if before else ()).text), state.mode


def _open_twin(context: Context, changes: Iterable[Change]) -> str | None:
    """Return the open proposal that was imported with the same changes."""
    wanted = {change.id: change.edits for change in changes}
    for found in standings(context):
        proposal = found.proposal
        if found.status != READY or proposal is None or proposal.engine.name != IMPORTED:
            continue
        if {change.id: change.edits for change in proposal.changes} == wanted:
            return found.id
    return None


def _narrative(found: Suggested) -> str:
    lines = [found.narrative, *found.warnings, *(f"Left out: {one}" for one in found.left[:_TOLD])]
    if len(found.left) > _TOLD:
        lines.append(f"Left out: {len(found.left) - _TOLD} more")
    if found.done:
        lines.append(f"The store held {found.done} of its changes already.")
    return _printable(mask("\n".join(lines)))


def _printable(text: str) -> str:
    """Return a text as a manifest may hold it."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")[:100_000]


def _result(found: Suggested, proposal: str | None) -> ImportResult:
    return ImportResult(
        proposal=proposal,
        source=found.source,
        summary=_summary(found),
        counts=counts_of(found.changes),
        left=found.left,
        done=found.done,
        warnings=(*found.warnings, *_guesses(found.changes)),
    )


def _summary(found: Suggested) -> str:
    parts = [summary_of(found.changes)]
    parts += [f"{found.done} already there"] if found.done else []
    parts += [f"{len(found.left)} left out"] if found.left else []
    return ", ".join(parts)


def _guesses(changes: Iterable[Change]) -> list[str]:
    """Return a warning where it is not known what changes were made from."""
    count = sum(BASE_UNKNOWN in change.flags for change in changes)
    if not count:
        return []
    what = "1 change was" if count == 1 else f"{count} changes were"
    return [f"base-unknown: what {what} made from is not known; the folder as it stands is taken for it"]
