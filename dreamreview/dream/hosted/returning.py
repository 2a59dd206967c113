"""How what was accepted goes back to a store that lives at the service: over what was seen there, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.hosted.calling import ConflictError, MissingError, RefusedError, ServiceError
from dreamreview.dream.hosted.outgoing import Outgoing, line, name_of
from dreamreview.model.secrets import find_secrets
from dreamreview.model.uploads import Sent, Uploads

if TYPE_CHECKING:
    from dreamreview.dream.hosted.service import Memory, Service


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two texts of one path, neither of which was lost; None for none."""

    path: str
    here: str | None
    there: str | None


@dataclass(slots=True)
class Returned:
    """What became of what was to go back."""

    uploads: Uploads
    written: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """One line for each path that stays here for now, for another reason."""
    problem: str | None = None
    """Why it was broken off, where it was."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A path as it is to stand there."""

    path: str
    out: Outgoing | None
    """None for nothing."""


def give_back(service: Service, uploads: Uploads, wanted: Sequence[Wanted]) -> Returned:
    """Write paths back; what comes goes before what leaves, so that no text is ever nowhere."""
    found = Returned(uploads)
    giving = _Giving(service, found)
    try:
        for want in sorted(wanted, key=lambda want: (want.out is None, want.path)):
            giving.give(want)
    except ServiceError as error:
        found.problem = str(error)
    return found


class _Giving:
    def __init__(self, service: Service, found: Returned) -> None:
        self._service = service
        self._found = found
        self._there: dict[str, Memory] | None = None

    def give(self, want: Wanted) -> None:
        path, out = want.path, want.out
        expected = self._found.uploads.expected(path)
        try:
            if out is None:
                self._remove(path, expected)
                self._done(path, None, is_news=bool(expected))
            elif out.digest == expected:
                self._done(path, self._found.uploads.memories.get(path) or self._found_there(path, out))
            elif self._tells_news(path, out):
                self._found.left.append(line(path, "stays here, it holds a secret that is not known there"))
            else:
                self._done(path, self._written(path, out, expected), is_news=True)
        except (ConflictError, MissingError):
            self._clash(want)
        except RefusedError as error:
            self._found.left.append(line(path, f"stays here, {error}"))

    def _done(self, path: str, sent: Sent | None, *, is_news: bool = False) -> None:
        self._found.uploads = self._found.uploads.returned(path, sent)
        if is_news:
            self._found.written.append(path)

    def _found_there(self, path: str, out: Outgoing) -> Sent:
        memory = self._listed().get(name_of(path))
        return Sent("", "", (out.digest,)) if memory is None else Sent(memory.id, memory.version, (memory.digest,))

    def _written(self, path: str, out: Outgoing, expected: str) -> Sent:
        store = self._found.uploads.store
        if not expected:
            made = self._service.put(store, out.name, out.content)
        else:
            made = self._service.change(store, self._id(path), out.name, expected, out.content)
        return Sent(made.id, made.version, (out.digest,))

    def _remove(self, path: str, expected: str) -> None:
        if expected:
            try:
                self._service.remove(self._found.uploads.store, self._id(path), expected)
            except MissingError:
                return

    def _id(self, path: str) -> str:
        known = self._found.uploads.memories.get(path)
        if known is not None and known.id:
            return known.id
        memory = self._listed().get(name_of(path))
        if memory is None:
            raise MissingError("it is gone there")
        return memory.id

    def _listed(self) -> dict[str, Memory]:
        if self._there is None:
            self._there = {memory.name: memory for memory in self._service.memories(self._found.uploads.store)}
        return self._there

    def _tells_news(self, path: str, out: Outgoing) -> bool:
        """Tell whether a text holds a secret that the service was never told in this memory."""
        own = _secrets(out.content)
        if not own:
            return False
        memory = self._theirs(path)
        return not own <= _secrets(memory.content if memory is not None and memory.content else "")

    def _theirs(self, path: str) -> Memory | None:
        self._there = None
        memory = self._listed().get(name_of(path))
        try:
            return None if memory is None else self._service.memory(self._found.uploads.store, memory.id)
        except MissingError:
            return None

    def _clash(self, want: Wanted) -> None:
        """Look at what stands there instead; where it is what was wanted, all is well."""
        theirs = self._theirs(want.path)
        if theirs is None and want.out is None:
            self._done(want.path, None)
        elif theirs is not None and want.out is not None and theirs.digest == want.out.digest:
            self._done(want.path, Sent(theirs.id, theirs.version, (theirs.digest,)), is_news=True)
        else:
            here = None if want.out is None else want.out.content
            self._found.conflicts.append(Conflict(want.path, here, None if theirs is None else theirs.content))


def _secrets(text: str) -> set[str]:
    return {text[span.start : span.stop] for span in find_secrets(text)}
