"""The hosted engine: sends the memory, has it dreamed at the service, and lays what comes back into the copy."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dreamreview.dream.endpoint import address_problem, key_problem
from dreamreview.dream.engine import Dreamt, EngineError, Estimate, Progress, Task
from dreamreview.dream.hosted import following, laying
from dreamreview.dream.hosted.calling import NO_KEY, OFFER, Caller, Clock, MissingError, ServiceError, client_of, said
from dreamreview.dream.hosted.following import Wish
from dreamreview.dream.hosted.holding import HELD
from dreamreview.dream.hosted.instructions import instructions
from dreamreview.dream.hosted.keys import may_have_key
from dreamreview.dream.hosted.outgoing import Outgoing, Sorted, name_of, sort, unsent
from dreamreview.dream.hosted.pushing import ensured, push
from dreamreview.dream.hosted.service import MAX_SESSIONS, Dreaming, Service
from dreamreview.model.proposal import Usage
from dreamreview.model.secrets import redact
from dreamreview.store.rooted import Root

if TYPE_CHECKING:
    from dreamreview.model.edits import Differ
    from dreamreview.store.uploads import UploadsFile

NAME = "hosted"
MODEL = "claude-opus-4-8"
"""Asked for where the user names no model; one of those that the Dreams guide lists."""

_CHARACTERS_A_TOKEN = 4
_STORE_NAME = 200


def service_of(clock: Clock, is_cancelled: Callable[[], bool]) -> Service:
    """Return the service that the user's key and address lead to.

    Raises:
        ServiceError: there is no key, what is kept of it cannot be used, or it would be sent in the clear.
    """
    if not may_have_key(os.environ):
        raise ServiceError(NO_KEY)
    client = client_of()
    key, name = (client.api_key, "ANTHROPIC_API_KEY") if client.api_key else (client.auth_token, "ANTHROPIC_AUTH_TOKEN")
    if not (key or client.credentials):
        raise ServiceError(NO_KEY)
    problem = address_problem(str(client.base_url)) or (key_problem(key, name) if key else None)
    if problem is not None:
        raise ServiceError(f"{problem}{OFFER}")
    return Service(client, Caller(clock, is_cancelled))


@dataclass(frozen=True, slots=True)
class HostedEngine:
    """Dreams at Anthropic's service."""

    file: UploadsFile
    """Where is kept what was sent."""
    title: str
    """What the memory store is called over there."""
    differ: Differ
    """Where hunks come from."""
    model: str | None = MODEL
    sessions: tuple[str, ...] = ()
    """Ids of sessions of the service that the dream reads; without any, those that had the memory store."""
    clock: Clock = field(default_factory=Clock)
    name: str = NAME
    needs_copy: bool = True

    def estimate(self, task: Task) -> Estimate | None:
        """Return what has to be read at least, and who reads it.

        Raises:
            EngineError: there is no key.
        """
        service = service_of(self.clock, task.is_cancelled)
        size = sum(len(line) for document in task.corpus.documents.values() for line in document.lines)
        host = service.endpoint.split("://", 1)[-1].split("/", 1)[0]
        return Estimate(tokens=size // _CHARACTERS_A_TOKEN, recipient=host)

    def dream(self, task: Task) -> Dreamt:
        """Dream once; a dream that was under way when we were last ended is taken up again.

        Raises:
            EngineError: the service refused, failed, or cannot be reached.
            DreamCancelledError: it was stopped, here and there.
        """
        task.check()
        service = service_of(self.clock, task.is_cancelled)
        with self.file.alone():
            return _Dream(self, service, task).run()


class _Dream:
    """One run of the engine."""

    def __init__(self, engine: HostedEngine, service: Service, task: Task) -> None:
        self._engine = engine
        self._file = engine.file
        self._service = service
        self._task = task
        self._root = Root(task.folder)
        self._uploads = engine.file.load(service.endpoint)
        self._warnings: list[str] = []

    def run(self) -> Dreamt:
        files = sort(self._root, self._memory(), keeps_secrets=not self._uploads.is_mirror)
        dreaming = self._taken_up() or self._begun(files)
        begun = self._engine.clock.now()
        dreaming = following.follow(self._service, dreaming, self._task, self._engine.clock, self._end)
        seconds = self._engine.clock.now() - begun
        if dreaming.status == following.COMPLETED and dreaming.result:
            self._lay(dreaming, files)
            self._end()
            return self._dreamt(dreaming, seconds)
        self._end()
        if self._spent(dreaming, seconds):
            return self._dreamt(dreaming, seconds)
        raise following.failure(dreaming)

    def _memory(self) -> list[str]:
        """Return what is memory: all of a store that lives there, else without what dreams and backups left behind."""
        documents = self._task.corpus.documents
        return [path for path, document in documents.items() if self._uploads.is_mirror or not document.is_output]

    def _end(self) -> None:
        self._uploads = self._uploads.ended()
        self._file.save(self._uploads)

    def _taken_up(self) -> Dreaming | None:
        """Return the dream that is still under way, unless it came to nothing."""
        found = following.resume(self._service, self._uploads)
        running = self._uploads.running
        if found is None or running is None:
            self._uploads = replace(self._uploads, running=None)
            return None
        self._uploads = replace(self._uploads, running=replace(running, id=found.id))
        self._file.save(self._uploads)
        if found.status in following.FINAL and found.status != following.COMPLETED:
            self._warnings.append(str(following.failure(found)).removesuffix(OFFER) + "; another was begun")
            self._end()
            return None
        self._warnings.append(f"the hosted dream {found.id}, begun earlier, was taken up again")
        return found

    def _begun(self, files: Sorted) -> Dreaming:
        """Send what is to be sent and ask for a dream of it."""
        sent = self._sent(files)
        if not sent:
            raise EngineError(f"nothing of this memory could be sent{OFFER}")
        sessions = self._engine.sessions or self._sessions()
        told = instructions(self._task.policy, self._task.rejections, HELD)
        wish = Wish(self._engine.model or MODEL, sessions[:MAX_SESSIONS], told)
        sources = {path: out.source for path, out in sent.items()}
        self._task.on_progress(Progress(phase="wait", files=len(sent)))
        dreaming, self._uploads = following.begin(self._service, self._file, self._uploads, sources, wish)
        return dreaming

    def _sent(self, files: Sorted) -> dict[str, Outgoing]:
        corpus = self._task.corpus
        left = [*files.left, *unsent(corpus.files, corpus.documents)]
        outputs = len(corpus.documents) - len(self._memory())
        if outputs:
            left.append(f"{outputs} file{'s' if outputs > 1 else ''} of dreams, archives and backups not sent")
        if self._uploads.is_mirror:
            self._warnings += left
            return self._as_there(files)
        title = redact(self._engine.title)[:_STORE_NAME]
        self._uploads = ensured(self._service, self._file, self._uploads, title)
        pushed = push(self._service, self._file, self._uploads, files.files, self._task)
        self._uploads = pushed.uploads
        self._warnings += [*left, *pushed.left]
        return pushed.sent

    def _as_there(self, files: Sorted) -> dict[str, Outgoing]:
        """Return the files that are the same in the store that the folder is a copy of."""
        there = {memory.name: memory.digest for memory in self._service.memories(self._uploads.store)}
        sent = {out.path: out for out in files.files if there.get(out.name) == out.digest}
        others = [out.path for out in files.files if out.path not in sent]
        store = self._uploads.store
        advice = f"`dreamreview import FOLDER memstore:{store}` shows how"
        self._warnings += [f"{path}: it is another in {store}, so it is left out; {advice}" for path in others]
        return sent

    def _sessions(self) -> tuple[str, ...]:
        """Return the sessions that had the memory store; where the service does not tell, none."""
        try:
            return self._service.sessions_of(self._uploads.store)
        except ServiceError:
            return ()

    def _lay(self, dreaming: Dreaming, files: Sorted) -> None:
        """Lay the result into the copy."""
        count = len(self._task.corpus.documents)
        self._task.on_progress(Progress(phase="fetch", files=count, tokens=dreaming.spent.total))
        running = self._uploads.running
        started = {} if running is None else running.sent
        sent = {out.path: out for out in files.files if started.get(out.path) == out.source and self._is_there(out)}
        names = {path: name_of(path) for path in started}
        sides = laying.Sides(
            sent=sent,
            moved=frozenset(name for path, name in names.items() if path not in sent),
            files=self._task.corpus.files,
        )
        try:
            memories = list(self._service.memories(dreaming.result, has_content=True))
        except MissingError as error:
            raise ServiceError(f"the result of the hosted dream {dreaming.id} is gone; dream again{OFFER}") from error
        found = laying.laid(memories, sides, self._root, self._engine.differ)
        laying.write(found, self._root)
        self._warnings += found.left

    def _is_there(self, out: Outgoing) -> bool:
        """Tell whether a file stands there as it would be sent now."""
        known = self._uploads.memories.get(out.path)
        return self._uploads.is_mirror or (known is not None and out.digest in known.digests)

    def _spent(self, dreaming: Dreaming, seconds: float) -> bool:
        """Tell, and say, whether a bound of the budget ended the dream."""
        cost = following.cost_of(dreaming) or 0.0
        bound = self._task.budget.reached(tokens=dreaming.spent.total, seconds=seconds, cost_usd=cost)
        if bound is None or dreaming.status not in ("canceled", "cancelled"):
            return False
        self._warnings.append(
            f"the budget of {bound} was spent: the hosted dream {dreaming.id} was canceled, and nothing was kept of it"
        )
        return True

    def _dreamt(self, dreaming: Dreaming, seconds: float) -> Dreamt:
        spent = dreaming.spent
        model = f" of {said(dreaming.model)}" if dreaming.model else ""
        where = f"; the result stays there in {dreaming.result}" if dreaming.result else ""
        told = f"The hosted dream {dreaming.id}{model} {said(dreaming.status)}{where}."
        words = following.words(self._service, dreaming)
        return Dreamt(
            drafts=(),
            narrative=f"{words}\n\n{told}" if words else told,
            usage=Usage(
                input_tokens=spent.input_tokens + spent.cache_write_tokens,
                output_tokens=spent.output_tokens,
                cache_read_tokens=spent.cache_read_tokens,
                cost_usd=following.cost_of(dreaming),
                seconds=seconds,
            ),
            is_tree=True,
            warnings=tuple(self._warnings),
        )
