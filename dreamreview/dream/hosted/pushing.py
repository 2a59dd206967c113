"""How a folder is brought to a memory store: only what is not there yet, over nothing that others wrote there."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dreamreview.dream.engine import Progress
from dreamreview.dream.hosted.calling import ConflictError, MissingError, RefusedError
from dreamreview.dream.hosted.outgoing import Outgoing, line, name_of
from dreamreview.model.uploads import Sent, Uploads

if TYPE_CHECKING:
    from dreamreview.dream.engine import Task
    from dreamreview.dream.hosted.service import Memory, Service
    from dreamreview.store.uploads import UploadsFile

DESCRIPTION = "Notes that an agent keeps between sessions, copied from a folder to be tidied; MEMORY.md is their index."

MOST_REFUSALS = 20
"""Memories refused one after the other after which no more are offered."""


@dataclass(slots=True)
class Pushed:
    """What became of a push."""

    uploads: Uploads
    sent: dict[str, Outgoing] = field(default_factory=dict)
    """By path, what stands there as we sent it, whether now or before."""
    left: list[str] = field(default_factory=list)
    """One line for each file that did not get there."""
    requests: int = 0
    """How many memories were written or removed."""


def ensured(service: Service, file: UploadsFile, uploads: Uploads, name: str) -> Uploads:
    """Return what is known with a memory store that is there: the one that was, or a new one.

    Its mark is written down before it is made, so that one whose making was cut off is found again.
    """
    if uploads.store:
        try:
            service.require_store(uploads.store)
        except MissingError:
            uploads = Uploads(endpoint=service.endpoint, dreams=uploads.dreams)
        else:
            return uploads
    store = service.find_store(uploads.token) if uploads.token else None
    if store is None:
        uploads = replace(uploads, endpoint=service.endpoint, token=uploads.token or secrets.token_hex(16))
        file.save(uploads)
        store = service.create_store(name, DESCRIPTION, uploads.token)
    uploads = replace(uploads, store=store)
    file.save(uploads)
    return uploads


def push(service: Service, file: UploadsFile, uploads: Uploads, files: Sequence[Outgoing], task: Task) -> Pushed:
    """Bring files to the store: make, change and remove what differs, each only over what we put there ourselves."""
    return _Push(service, file, uploads, files, task).run()


class _Push:
    def __init__(
        self, service: Service, file: UploadsFile, uploads: Uploads, files: Sequence[Outgoing], task: Task
    ) -> None:
        self._service = service
        self._file = file
        self._files = files
        self._task = task
        self._there: dict[str, Memory] = {}
        self._memories: dict[str, Sent] = {}
        self._refused = 0
        self._pushed = Pushed(uploads)

    def run(self) -> Pushed:
        self._look()
        self._intend()
        try:
            self._remove()
            doubtful = [out for out in self._files if not self._bring(out)]
            if doubtful:
                self._look()
                for out in doubtful:
                    self._adopt(out)
        finally:
            self._keep(self._memories)
        return self._pushed

    def _look(self) -> None:
        self._there = {memory.name: memory for memory in self._service.memories(self._pushed.uploads.store)}

    def _intend(self) -> None:
        """Write down what is about to stand there, so that after a kill it is known for ours."""
        known = self._pushed.uploads.memories
        self._memories = {**known}
        for out in self._files:
            before, there = known.get(out.path, Sent("")), self._there.get(out.name)
            is_ours = there is not None and there.digest in before.digests
            digests = (there.digest, out.digest) if there is not None and is_ours else (*before.digests, out.digest)
            self._memories[out.path] = replace(before, digests=tuple(dict.fromkeys(digests))[-4:])
        self._keep(self._memories)

    def _keep(self, memories: Mapping[str, Sent]) -> None:
        self._pushed.uploads = replace(self._pushed.uploads, memories={**memories})
        self._file.save(self._pushed.uploads)

    def _remove(self) -> None:
        """Take away what went here, unless others changed it there."""
        names = {out.name for out in self._files}
        for path, sent in list(self._memories.items()):
            there = self._there.get(name_of(path))
            if name_of(path) in names:
                continue
            self._task.check()
            if there is not None and there.digest not in sent.digests:
                self._pushed.left.append(line(path, "not removed there, where others changed it"))
            elif there is not None:
                try:
                    self._service.remove(self._pushed.uploads.store, there.id, there.digest)
                    self._pushed.requests += 1
                except MissingError:
                    pass
                except ConflictError:
                    self._pushed.left.append(line(path, "not removed there, where others changed it"))
            del self._memories[path]

    def _bring(self, out: Outgoing) -> bool:
        """Bring one file; False where it has to be looked at again."""
        there, known = self._there.get(out.name), self._pushed.uploads.memories[out.path]
        self._task.check()
        if there is not None and there.digest == out.digest:
            self._stands(out, there)
            return True
        if there is not None and there.digest not in known.digests:
            self._conflict(out)
            return True
        if self._refused >= MOST_REFUSALS:
            self._pushed.left.append(line(out.path, "not sent, the service took none of the last ones"))
            return True
        try:
            self._stands(out, self._write(out, there))
        except (ConflictError, MissingError):
            return False
        except RefusedError as error:
            self._refused += 1
            self._pushed.left.append(line(out.path, f"not sent, {error}"))
            return True
        self._refused = 0
        self._pushed.requests += 1
        return True

    def _write(self, out: Outgoing, there: Memory | None) -> Memory:
        store = self._pushed.uploads.store
        if there is None:
            return self._service.put(store, out.name, out.content)
        try:
            return self._service.change(store, there.id, out.name, there.digest, out.content)
        except MissingError:
            return self._service.put(store, out.name, out.content)

    def _adopt(self, out: Outgoing) -> None:
        there = self._there.get(out.name)
        if there is not None and there.digest == out.digest:
            self._stands(out, there)
        else:
            self._conflict(out)

    def _stands(self, out: Outgoing, there: Memory) -> None:
        self._memories[out.path] = Sent(there.id, there.version, (out.digest,))
        self._pushed.sent[out.path] = out
        self._task.on_progress(Progress(phase="send", files=len(self._pushed.sent)))

    def _conflict(self, out: Outgoing) -> None:
        store = self._pushed.uploads.store
        advice = f"`dreamreview import FOLDER memstore:{store}` shows their text"
        self._pushed.left.append(line(out.path, f"not sent, others changed it there; {advice}"))
