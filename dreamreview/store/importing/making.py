"""How the parts of a diff are made in a store, one by one: whatever cannot be made is noted and changes nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.model.files import FileState
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.importing.diff_names import Named, is_moved
from dreamreview.store.importing.fitting import Fit, fit
from dreamreview.store.importing.values import Left
from dreamreview.store.moves import fold, is_executable
from dreamreview.store.undeclared import given_mode

if TYPE_CHECKING:
    from dreamreview.store.importing.diff_text import FileDiff, Hunk
    from dreamreview.store.importing.ground import Ground

_INDEX = re.compile(rb"([0-9a-f]{7,64})\.\.[0-9a-f]{7,64}")
_MODE = re.compile(rb"[0-7]{6}")
_LINK = b"120000"
_KINDS = {b"100": "file", b"120": "link"}

_THERE = FileState((), 0)

Tree = dict[str, FileState | None]


class _Misfit(Exception):  # noqa: N818 - never leaves this module; becomes something that was left
    """A part of a diff cannot be made, for a reason."""


@dataclass(slots=True)
class Making:
    """A store while diffs are made in it."""

    ground: Ground
    tree: Tree = field(default_factory=dict)
    """What stands under the paths that were touched; None where nothing does any more."""
    left: list[Left] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    done: int = 0
    sources: dict[str, list[str]] = field(default_factory=dict)
    """Path to what the diffs that touched it say of themselves."""
    unproven: set[str] = field(default_factory=set)
    """Paths for which nothing tells that the diff was made from what stands there."""
    origins: dict[str, str] = field(default_factory=dict)
    """New name to old name of what was renamed."""

    def state(self, path: str) -> FileState | None:
        """Return what stands under a path by now."""
        return self.tree[path] if path in self.tree else self.ground.state(path)

    def take_back(self, path: str, reason: str) -> None:
        """Leave a path as the store has it, and what it would have been renamed from as well."""
        self.tree.pop(path, None)
        old = self.origins.pop(path, None)
        if old is not None and self.tree.get(old, _THERE) is None:
            del self.tree[old]
        self.left.append(Left(path, "", reason))


@dataclass(slots=True)
class Section:
    """One commit of a diff: all its parts speak of the store as it was before."""

    making: Making
    name: str
    """Of the diff."""
    source: str
    """What is said of the changes it makes."""
    are_ends_believed: bool
    before: Tree
    leaving: set[str]
    """Paths that some part of it takes away, so that another may take their name."""
    touched: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)
    """Paths that were taken away."""
    over: set[str] = field(default_factory=set)
    """Paths that got another text before what stood there was taken away."""

    def make(self, file: FileDiff, named: Named) -> None:
        """Make one part; what cannot be made is noted."""
        what = named.path or file.label.decode("utf-8", "replace") or "a file"
        try:
            self._refuse(file, named)
            self._make(file, named)
        except _Misfit as problem:
            self.making.left.append(Left(what, self._place(file.at), str(problem)))

    def _place(self, line: int) -> str:
        return f"line {line} of {self.name}"

    def _refuse(self, file: FileDiff, named: Named) -> None:
        if file.problem or named.refusal:
            raise _Misfit(file.problem or named.refusal)
        names = [name for name in (named.old, named.new) if name is not None]
        if not names:
            raise _Misfit("it names no file")
        for name in names:
            if name.startswith("/"):
                raise _Misfit("its path is absolute and leads outside the memory folder")
            problem = self.making.ground.refusal(name)
            if problem:
                raise _Misfit(problem)
        for mark, value in file.marks.items():
            if mark.endswith(b"mode") and not (_MODE.fullmatch(value) and value[:3] in _KINDS):
                what = "a submodule" if value == b"160000" else "no file or link"
                raise _Misfit(f"it is {what} (mode {value[:20].decode('ascii', 'replace')})")

    def _make(self, file: FileDiff, named: Named) -> None:
        old, new = named.old, named.new
        if old is not None and new is not None and is_moved(file):
            self._move(file, old, new)
        elif new is None and old is not None:
            self._delete(file, old)
        elif new is not None and (old is None or self._is_creation(file, new)):
            self._create(file, new)
        elif new is not None:
            state = self.making.state(new)
            if state is None:
                link = self.making.ground.link_above(new)
                raise _Misfit(f"its path leads through the link {link}" if link else "the store has no such file")
            self._put(new, self._edited(file, new, state))

    def _is_creation(self, file: FileDiff, path: str) -> bool:
        """Tell whether a part makes a file though it names one that it came from, as ``diff -N`` does."""
        is_all_new = bool(file.hunks) and all(not hunk.old and not hunk.start for hunk in file.hunks)
        return file.is_new or (is_all_new and self.making.state(path) is None)

    def _edited(self, file: FileDiff, path: str, state: FileState) -> FileState:
        """Return a path with the hunks made that fit, and with its new mode."""
        modes = [value for mark, value in file.marks.items() if mark == b"index" and b" " in value]
        kind = file.marks.get(b"old mode", modes[0].rpartition(b" ")[2] if modes else b"")
        if kind and (kind == _LINK) != state.is_link:
            raise _Misfit(f"it was a {_KINDS.get(kind[:3], 'file')}, and is none in the store")
        found = self._fit(file, state)
        self._note(file, path, found)
        mode = file.marks.get(b"new mode")
        if mode is None or state.is_link:
            return FileState(found.text, state.mode)
        wanted = given_mode(state.mode, int(mode[3:], 8))
        if is_executable(wanted) == is_executable(state.mode):
            self.making.done += 1
            return FileState(found.text, state.mode)
        return FileState(found.text, wanted)

    def _fit(self, file: FileDiff, state: FileState) -> Fit:
        is_proven = _is_proven(file, state)
        return fit(state.text, file.hunks, is_proven=is_proven, are_ends_believed=self.are_ends_believed)

    def _note(self, file: FileDiff, path: str, found: Fit) -> None:
        """Note what became of the hunks of a part."""
        making = self.making
        making.done += found.done
        making.left += [Left(path, self._place(hunk.at), reason) for hunk, reason in found.misfits]
        making.warnings += [f"{path}: the hunk at {self._place(h.at)} fits at line {at} here" for h, at in found.moved]
        bad = {hunk.at for hunk, _ in found.misfits}
        _warn_of_counts(making, path, self.name, [hunk for hunk in file.hunks if hunk.at not in bad])
        if found.unproven:
            making.unproven.add(path)

    def _create(self, file: FileDiff, path: str) -> None:
        if any(hunk.problem or hunk.old for hunk in file.hunks) or len(file.hunks) > 1:
            raise _Misfit("a new file cannot have old lines, or more than one hunk")
        text = file.hunks[0].new if file.hunks else ()
        mode = file.marks.get(b"new file mode", b"100644")
        fresh = FileState(text, LINK_MODE if mode == _LINK else 0o755 if int(mode, 8) & 0o100 else 0o644)
        _warn_of_counts(self.making, path, self.name, file.hunks)
        state = self.making.state(path)
        if state is not None and path not in self.leaving:
            if (state.text, state.is_link) != (fresh.text, fresh.is_link):
                raise _Misfit("it should be new, but is there already with another text")
            self.making.done += 1
            return
        self._put_over(path, fresh, state)

    def _delete(self, file: FileDiff, path: str) -> None:
        state = self.making.state(path)
        if state is None:
            self.making.done += 1
            return
        mode = file.marks.get(b"deleted file mode", b"")
        if mode and (mode == _LINK) != state.is_link:
            raise _Misfit(f"it was a {_KINDS[mode[:3]]}, and is none in the store")
        if not _is_proven(file, state):
            found = self._fit(file, state)
            if found.misfits:
                raise _Misfit(found.misfits[0][1])
            if found.text or (state.text and not file.hunks):
                raise _Misfit("it holds other lines than the diff takes away")
        self.given.add(path)
        self._put(path, None)

    def _move(self, file: FileDiff, old: str, new: str) -> None:
        state = self.before[old] if old in self.before else self.making.ground.state(old)
        there = self.making.state(new)
        if state is None:
            if there is None:
                raise _Misfit(f"the store has no {old}")
            self.making.done += 1
            self._put(new, self._edited(file, new, there))
            return
        if there is not None and new not in self.leaving and fold(old) != fold(new):
            raise _Misfit(f"the name {new} is taken")
        fresh = self._edited(file, old, state)
        is_rename = b"rename from" in file.marks
        if is_rename and old not in self.touched:
            self._put(old, None)
        self._put_over(new, fresh, there)
        if is_rename:
            self.given.add(old)
            self.making.origins[new] = old

    def _put_over(self, path: str, fresh: FileState, there: FileState | None) -> None:
        if there is not None:
            self.over.add(path)
        self._put(path, fresh)

    def end(self) -> None:
        """Take back what took a name that was to be given up and was not."""
        for path in sorted(self.over - self.given):
            self.making.take_back(path, "what stands under its name could not be taken away")

    def _put(self, path: str, state: FileState | None) -> None:
        limit = self.making.ground.size_limit
        if state is not None and sum(map(len, state.text)) > limit:
            raise _Misfit(f"it would be larger than {limit:,} bytes")
        if state != self.making.state(path) or path in self.making.tree:
            self.making.tree[path] = state
            names = self.making.sources.setdefault(path, [])
            names += [self.source] if self.source not in names else []
        self.touched.add(path)


def _warn_of_counts(making: Making, path: str, name: str, hunks: Iterable[Hunk]) -> None:
    making.warnings += [
        f"{path}: the hunk at line {hunk.at} of {name} counts other lines than it has; its lines were believed"
        for hunk in hunks
        if hunk.is_recounted
    ]


def _is_proven(file: FileDiff, state: FileState) -> bool:
    """Tell whether a path holds the very bytes that a part was made from, by the digest that git's ``index`` names."""
    found = _INDEX.match(file.marks.get(b"index", b""))
    if found is None or not found[1].strip(b"0"):
        return False
    data = b"".join(state.text)
    blob = b"blob %d\0%s" % (len(data), data)
    digests = (hashlib.sha1(blob, usedforsecurity=False).hexdigest(), hashlib.sha256(blob).hexdigest())
    return any(digest.encode("ascii").startswith(found[1]) for digest in digests)
