"""How what a dream left in a memory store is laid into the private copy: bounded, checked, and nothing by silence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.hosted.holding import holds, restored
from dreamreview.dream.hosted.outgoing import Outgoing, line
from dreamreview.dream.hosted.rules import arrival_problem, standing_problems
from dreamreview.store.scan import digest_of

if TYPE_CHECKING:
    from dreamreview.dream.hosted.service import Memory
    from dreamreview.model.edits import Differ
    from dreamreview.store.rooted import Root

NEW_MODE = 0o644


@dataclass(frozen=True, slots=True)
class Sides:
    """What a result is held against."""

    sent: Mapping[str, Outgoing]
    """By path, the files that the dream was made of and that are still the same here."""
    moved: frozenset[str] = frozenset()
    """Names there of what the dream was made of and that is another here by now, or gone."""
    files: frozenset[str] = frozenset()
    """Every path of the copy."""


@dataclass(slots=True)
class Laid:
    """What a result becomes in the copy."""

    written: dict[str, bytes] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    left: list[str] = field(default_factory=list)
    """One line for each thing of the result that does not come."""


def laid(memories: Iterable[Memory], sides: Sides, root: Root, differ: Differ) -> Laid:
    """Return what a result changes, without changing anything.

    Args:
        memories: all that the store with the result holds.
        sides: what it is held against.
        root: the copy.
        differ: where hunks come from.
    """
    return _Laying(sides, root, differ).run(memories)


def write(found: Laid, root: Root) -> None:
    """Lay a result into the copy.

    Raises:
        StoreError: the copy cannot be written to.
    """
    for path in found.removed:
        root.remove(path)
    for path, data in found.written.items():
        before = root.stat(path)
        above = path.rpartition("/")[0]
        if above:
            root.make_dirs(above, 0o700)
        root.write_atomic(path, data, NEW_MODE if before is None else before.st_mode & 0o7777, durable=False)


class _Laying:
    def __init__(self, sides: Sides, root: Root, differ: Differ) -> None:
        self._sides = sides
        self._root = root
        self._differ = differ
        self._laid = Laid()

    def run(self, memories: Iterable[Memory]) -> Laid:
        names = {out.name: path for path, out in self._sides.sent.items()}
        back: dict[str, Memory] = {}
        new: dict[str, Memory] = {}
        for memory in memories:
            if memory.name in self._sides.moved:
                continue
            place, key = (back, names[memory.name]) if memory.name in names else (new, memory.name)
            if key in place:
                self._leave(memory.name, "not taken, its path is there twice")
            else:
                place[key] = memory
        self._leave_moved()
        came = self._new(new, back)
        for path, out in self._sides.sent.items():
            if path in back:
                self._changed(out, back[path])
            else:
                self._gone(out, came)
        self._stand(came)
        return self._laid

    def _leave(self, path: str, reason: str) -> None:
        self._laid.left.append(line(path, reason))

    def _leave_moved(self) -> None:
        for name in sorted(self._sides.moved):
            self._leave(name.removeprefix("/"), "not taken, it is another here than the one that was sent")

    def _new(self, new: Mapping[str, Memory], back: Mapping[str, Memory]) -> dict[str, bytes]:
        """Return path to bytes of what is new there and may come; of a file that was only renamed, the file's own."""
        gone = {out.digest: out for path, out in self._sides.sent.items() if path not in back}
        came: dict[str, bytes] = {}
        for name, memory in sorted(new.items()):
            path, origin = name.removeprefix("/"), gone.get(memory.digest)
            problem = arrival_problem(name)
            if problem is not None:
                self._leave(name, f"not taken, {problem}")
            elif path in self._sides.files:
                self._leave(path, "not taken, a file of that name is here and was not sent")
            elif memory.content is None:
                self._leave(path, "not taken, it is too long, or no text")
            elif origin is not None:
                came[path] = self._root.read(origin.path)
            elif holds(memory.content):
                self._leave(path, "not taken, it quotes a line whose secret was held back")
            else:
                came[path] = memory.content.encode("utf-8")
        return came

    def _changed(self, out: Outgoing, memory: Memory) -> None:
        if memory.digest == out.digest:
            return
        if memory.content is None:
            self._leave(out.path, "not taken, it is too long there, or no text")
            return
        original = self._root.read(out.path)
        if digest_of(original) != out.source:
            self._leave(out.path, "not taken, somebody writes to it here just now")
            return
        found = restored(original, out.content, out.lines | out.pinned, memory.content, self._differ)
        if found.refused:
            edits = f"{found.refused} edit{'s' if found.refused > 1 else ''}"
            self._leave(out.path, f"{edits} not taken, around {_kept(out)}")
        if found.data != original:
            self._laid.written[out.path] = found.data

    def _gone(self, out: Outgoing, came: Mapping[str, bytes]) -> None:
        data = self._root.read(out.path)
        if digest_of(data) != out.source:
            self._leave(out.path, "not deleted, somebody writes to it here just now")
        elif (out.lines or out.pinned) and data not in came.values():
            self._leave(out.path, f"not deleted, for the sake of {_kept(out)}")
        else:
            self._laid.removed.add(out.path)

    def _stand(self, came: Mapping[str, bytes]) -> None:
        kept = self._sides.files - self._laid.removed
        problems = standing_problems(kept, came)
        for path, data in came.items():
            if path in problems:
                self._leave(path, f"not taken, {problems[path]}")
            else:
                self._laid.written[path] = data
        self._keep_origins(came, problems)

    def _keep_origins(self, came: Mapping[str, bytes], problems: Mapping[str, str]) -> None:
        """Let a file stay where the name it was to get could not be given."""
        lost = [came[path] for path in problems]
        for path in sorted(self._laid.removed):
            if lost and self._root.read(path) in lost:
                self._laid.removed.discard(path)


def _kept(out: Outgoing) -> str:
    """Return what of a file no dream may touch."""
    kinds = [*(["a secret that was held back"] if out.lines else []), *(["a pinned note"] if out.pinned else [])]
    return " or ".join(kinds) or "a secret of another file"
