"""Memory stores that live at the service: what they and their dreams hold becomes a proposal for a folder."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.dream.hosted import arriving, laying
from dreamreview.dream.hosted.arriving import Folder
from dreamreview.dream.hosted.calling import Clock
from dreamreview.dream.hosted.engine import service_of
from dreamreview.dream.hosted.outgoing import sort
from dreamreview.dream.hosted.rules import arrival_problem
from dreamreview.errors import StoreError, UsageError
from dreamreview.model.review import Op
from dreamreview.model.uploads import Sent, Uploads, is_id
from dreamreview.settings import private_folder
from dreamreview.store.importing.ground import Ground
from dreamreview.store.importing.values import Left, Suggested, explained
from dreamreview.store.lock import hold
from dreamreview.store.rooted import shown
from dreamreview.store.tree_changes import changes_in
from dreamreview.store.undeclared import REASON
from dreamreview.store.uploads import UploadsFile
from dreamreview.store.working_copy import working_copy
from dreamreview.workspace.dreaming import PUBLISH_WAIT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dreamreview.dream.hosted.arriving import Arrival
    from dreamreview.dream.hosted.service import Memory, Service
    from dreamreview.store.scan import Scan
    from dreamreview.workspace.context import Context
    from dreamreview.workspace.values import ImportResult

DREAM, STORE = "dream:", "memstore:"
"""How sources of an import begin that are at the service."""

SOURCE = "memory store"

SHOWN_KEPT = 20
"""Proposals of which it is remembered what they show of a store."""


def bring(context: Context, source: str, publish: Callable[[Ground, Suggested], ImportResult]) -> ImportResult:
    """Make a proposal of a memory store at the service, or of a dream of one.

    A folder that holds nothing yet becomes a copy of the store, by an apply that can be undone; what is accepted of
    later proposals then goes back to the store.

    Args:
        context: the folder.
        source: ``memstore:`` or ``dream:`` and an id.
        publish: makes a proposal.

    Raises:
        UsageError: that is no id, or the folder has nothing to do with the store.
        EngineError: the service refused, failed, or cannot be reached.
        StoreLockedError: another program holds the store, or talks to the service for it.
        StoreError: the folder cannot be read or written.
    """
    kind = DREAM if source.startswith(DREAM) else STORE
    name = source.removeprefix(kind)
    if not is_id(name):
        raise UsageError(f"{shown(source[:80])} names no id; say {STORE}memstore_.. or {DREAM}drm_..")
    service = service_of(Clock(), lambda: False)
    file = UploadsFile(context.root)
    with file.alone():
        bringing = _Bringing(context, service, file, publish)
        return bringing.dream(name) if kind == DREAM else bringing.store(name)


@dataclass(slots=True)
class _Bringing:
    context: Context
    service: Service
    file: UploadsFile
    publish: Callable[[Ground, Suggested], ImportResult]

    def store(self, store: str) -> ImportResult:
        """Bring what a store holds."""
        uploads = self.file.load(self.service.endpoint)
        if self._is_empty() and (uploads.is_mirror or uploads.store != store):
            there = {one.name: one for one in arriving.contents(self.service, store)}
            return self._copied(store, there)
        is_ours = uploads.store == store
        arrived = self._folder(uploads if is_ours else Uploads(is_mirror=True), keeps_pins=False)
        arrival = arriving.of_store(self.service, store, arrived, uploads.memories if is_ours else None)
        result = self._proposed(arrival)
        if is_ours:
            self._note(result.proposal, arrival, arrived)
        return result

    def dream(self, name: str) -> ImportResult:
        """Bring what a dream made of a store."""
        dreaming = arriving.ended(self.service, name)
        source = {one.name: one for one in arriving.contents(self.service, dreaming.source)}
        copied = self._belonging(dreaming.source, source)
        arrived = self._folder(self.file.load(self.service.endpoint))
        result = self._proposed(arriving.of_dream(self.service, dreaming, source, arrived))
        return result if copied is None else replace(result, warnings=(copied.summary, *result.warnings))

    def _belonging(self, store: str, source: Mapping[str, Memory]) -> ImportResult | None:
        """Make sure that the folder has to do with a store; a folder without memory becomes a copy of it."""
        uploads = self.file.load(self.service.endpoint)
        if self._is_empty() and (uploads.is_mirror or uploads.store != store):
            return self._copied(store, source)
        if uploads.store == store:
            return None
        files = {out.name: out.digest for out in self._folder(Uploads(is_mirror=True)).files}
        if not source or any(files.get(name) != memory.digest for name, memory in source.items()):
            raise UsageError(
                f"{shown(self.context.root.folder)} is no copy of {store}, which was dreamed; "
                "name an empty folder, which becomes one, or the folder that was sent there"
            )
        self._link(store, source)
        return None

    def _is_empty(self) -> bool:
        return not self.context.scan().entries

    def _link(self, store: str, source: Mapping[str, Memory]) -> None:
        """Keep that the folder is a copy of a store."""
        memories = {
            name.removeprefix("/"): Sent(memory.id, memory.version, (memory.digest,))
            for name, memory in source.items()
            if arrival_problem(name) is None
        }
        self.file.save(Uploads(endpoint=self.service.endpoint, store=store, is_mirror=True, memories=memories))

    def _copied(self, store: str, source: Mapping[str, Memory]) -> ImportResult:
        """Fill an empty folder with what a store holds, as an apply of a proposal that was asked for."""
        from dreamreview.workspace import Decision, OpenReview, writing

        self._link(store, source)
        arrival = arriving.of_store(self.service, store, Folder((), ()), None)
        result = self._proposed(arrival)
        if result.proposal is None:
            return result
        opened = OpenReview(self.context, result.proposal)
        opened.decide_all([Decision(Op.ACCEPT, change.id) for change in opened.proposal.changes])
        writing.apply(self.context, result.proposal, dry_run=False)
        count = len(opened.proposal.changes)
        folder = shown(self.context.root.folder)
        told = f"{count} {'memory' if count == 1 else 'memories'} of {store} copied to {folder}"
        return replace(result, summary=told, warnings=(*result.warnings, f"what is accepted here goes back to {store}"))

    def _folder(self, uploads: Uploads, *, keeps_pins: bool = True) -> Folder:
        """Return the folder as it would be sent to a store."""
        found = self.context.scan().entries
        texts = [path for path, entry in found.items() if entry.kind == "file"]
        sortable = sort(self.context.root, texts, keeps_secrets=not uploads.is_mirror, keeps_pins=keeps_pins)
        return Folder(sortable.files, tuple(found))

    def _proposed(self, arrival: Arrival) -> ImportResult:
        context, settings = self.context, self.context.settings
        with ExitStack() as ending:
            ending.enter_context(hold(context.root, "import", wait=PUBLISH_WAIT))
            live = context.scan()
            ground = Ground(context.root, live, context.differ, context.now(), settings.ignore, settings.size_limit)
            found = self._suggested(arrival, live, ending)
            return self.publish(ground, found)

    def _suggested(self, arrival: Arrival, live: Scan, ending: ExitStack) -> Suggested:
        context, settings = self.context, self.context.settings
        working = ending.enter_context(working_copy(private_folder(), context.root, live))
        laid = laying.laid(arrival.memories, arrival.sides, working.copy, context.differ)
        laying.write(laid, working.copy)
        found = changes_in(
            working, context.root, context.differ, ignore=settings.ignore, size_limit=settings.size_limit
        )
        if found.is_emptied:
            raise StoreError(f"nothing would be left of {shown(context.root.folder)}; no proposal was made of that")
        left = [told.partition(": ") for told in (*arrival.left, *laid.left)]
        return Suggested(
            source=SOURCE,
            changes=explained(found.changes, arrival.reason or arrival.narrative, REASON),
            before=found.before,
            left=tuple(Left(what, "", reason) for what, _, reason in left),
            warnings=found.warnings,
            narrative=arrival.narrative,
        )

    def _note(self, proposal: str | None, arrival: Arrival, arrived: Folder) -> None:
        """Keep what a person is about to see of what stands there, and what is the same on both sides."""
        there = {one.name: one for one in arrival.memories}
        memories = {**self.file.load(self.service.endpoint).memories}
        seen = {**arrival.seen}
        for out in arrived.files:
            memory = there.get(out.name)
            if memory is not None and memory.digest == out.digest:
                memories[out.path] = Sent(memory.id, memory.version, (memory.digest,))
                seen.pop(out.path, None)

        def noted(uploads: Uploads) -> Uploads:
            if proposal is None:
                return replace(uploads, memories=memories)
            if uploads.is_mirror:
                newest = [*{**uploads.imported, proposal: seen}.items()][-SHOWN_KEPT:]
                return replace(uploads, memories=memories, imported=dict(newest))
            known = {path: _with(memories.get(path), digest) for path, digest in seen.items() if digest}
            return replace(uploads, memories={**memories, **known})

        self.file.update(noted)


def _with(sent: Sent | None, digest: str) -> Sent:
    """Return what is known of a memory together with a text of others that was shown: it may be written over now."""
    sent = sent or Sent("")
    return replace(sent, digests=tuple(dict.fromkeys((*sent.digests, digest))))
