"""What a store would be again as a revision of the user's own git repository holds it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UsageError
from dreamreview.store import git
from dreamreview.store.importing.folder import compared
from dreamreview.store.importing.repository import Repository, repository_of
from dreamreview.store.importing.values import Suggested, explained, within_limit
from dreamreview.store.rooted import Root, check_path, shown
from dreamreview.store.scan import Scan, is_bookkeeping, is_ignored
from dreamreview.store.undeclared import REASON

if TYPE_CHECKING:
    from dreamreview.store.importing.ground import Ground

LONGEST = 256
MAX_FILES = 100_000

_ALLOWED = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_COMMIT = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ROW = re.compile(rb"([0-7]{6}) (\w+) ([0-9a-f]{40,64}) +(-|\d+)\t(.+)", re.DOTALL)
_HEAD = re.compile(rb"([0-9a-f]{40,64}) (\w+) (\d+)\n")
_LFS = b"version https://git-lfs.github.com/spec/"
_LINK = b"120000"
_SUBMODULE = b"160000"


@dataclass(frozen=True, slots=True)
class _Blob:
    """One file or link of a revision."""

    path: str
    mode: bytes
    name: bytes
    """Of the object."""
    size: int


def check_revision(revision: str) -> str:
    """Return a revision as git may be handed it: never an option, a range or several words of a command.

    Raises:
        UsageError: it is no single revision.
    """
    if not revision or len(revision) > LONGEST or not _ALLOWED.fullmatch(revision):
        raise UsageError(f"git:{revision[:40]!a} names no revision; say git:HEAD~1, git:main or git: and a commit")
    if revision.startswith(("-", "^")) or ".." in revision:
        raise UsageError(f"git:{revision!a} is no single revision; say git:HEAD~1, git:main or git: and a commit")
    return revision


def from_revision(ground: Ground, revision: str) -> Suggested:
    """Return what makes the store again what it was at a revision of the repository that holds it.

    What git ignores today and the revision does not hold is left as it is.

    Raises:
        UsageError: it is no revision.
        StoreError: no repository holds the store, or has no such revision, or the store was not in it then.
    """
    check_revision(revision)
    repository = repository_of(ground.root.path)
    if repository is None:
        raise StoreError(f"{ground.root.folder} lies in no git repository, so there is no git:{revision}")
    commit = _commit(repository, revision, ground.root.folder)
    blobs = [blob for blob in _tree(repository, commit, ground.root.folder) if not _is_left_out(ground, blob.path)]
    outside = _ignored(repository, ground.live, {blob.path for blob in blobs})
    outside |= {blob.path: "a git repository of its own" for blob in blobs if blob.mode == _SUBMODULE}
    with tempfile.TemporaryDirectory(prefix="dreamreview-revision-") as place:
        root = Root(place)
        outside |= _lay(repository, root, [blob for blob in blobs if blob.mode != _SUBMODULE], ground.size_limit)
        name = f"git:{revision}"
        answer = compared(ground, root, name=name, outside=outside, is_known=True)
    short = commit[:10].decode("ascii")
    reason = f"So the store stood in {short} ({_told(repository, commit)})."
    return replace(
        answer,
        source="revision",
        changes=explained(answer.changes, reason, REASON),
        narrative=f"The store as it was at git:{revision}, which is {short}.",
    )


def _run(repository: Repository, *words: bytes | str, data: bytes = b"", codes: tuple[int, ...] = (0,)) -> bytes:
    """Run git on the repository: to read alone; nothing is fetched and none of its hooks or filters runs."""
    args = [os.fsdecode(word) for word in words]
    return git.run(args, cwd=repository.top, git_dir=repository.git_dir, data=data, codes=codes)


def _commit(repository: Repository, revision: str, folder: str) -> bytes:
    answer = _run(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", codes=(0, 1, 128)).strip()
    if not _COMMIT.fullmatch(answer):
        raise StoreError(f"the repository that holds {folder} has no revision {revision!a}; `git log` lists them")
    return answer


def _tree(repository: Repository, commit: bytes, folder: str) -> list[_Blob]:
    """Return what the store holds at a commit."""
    name = commit + b":" + repository.prefix
    tree = _run(repository, "rev-parse", "--verify", "--quiet", name, codes=(0, 1, 128)).strip()
    kind = _run(repository, "cat-file", "-t", tree).strip() if _COMMIT.fullmatch(tree) else b""
    if kind != b"tree":
        raise StoreError(
            f"{folder} was not in its repository at {commit[:10].decode('ascii')}; choose a later revision"
        )
    rows = _run(repository, "ls-tree", "-r", "-z", "-l", "--full-tree", tree).split(b"\0")[:-1]
    within_limit(f"commit {commit[:10].decode('ascii')}", rows, MAX_FILES, "files")
    found = []
    for row in rows:
        parts = _ROW.fullmatch(row)
        if parts is None:
            raise StoreError(f"git ls-tree answered what cannot be read: {row[:80]!r}")
        found.append(_Blob(os.fsdecode(parts[5]), parts[1], parts[3], int(parts[4]) if parts[4] != b"-" else 0))
    return found


def _is_left_out(ground: Ground, path: str) -> bool:
    return is_bookkeeping(path) or is_ignored(path, ground.ignore) or ground.live.leaves_out(path)


def _ignored(repository: Repository, live: Scan, held: set[str]) -> dict[str, str]:
    """Return the paths of the store that the revision lacks and git ignores: of those it tells nothing."""
    asked = [path for path in live.entries if path not in held]
    if not asked:
        return {}
    prefix = repository.prefix + b"/" if repository.prefix else b""
    # A leading dot and slash keeps names with a colon in front from being read as magic.
    data = b"".join(b"./" + prefix + os.fsencode(path) + b"\0" for path in asked)
    tree = f"--work-tree={repository.top}"
    answer = _run(repository, tree, "check-ignore", "-z", "--stdin", data=data, codes=(0, 1))
    names = (os.fsdecode(name.removeprefix(b"./").removeprefix(prefix)) for name in answer.split(b"\0")[:-1])
    return dict.fromkeys(names, "git ignores it, so the revision tells nothing of it")


def _lay(repository: Repository, root: Root, blobs: list[_Blob], limit: int) -> dict[str, str]:
    """Write what a revision holds into a private folder, and return what is not in it, with the reason."""
    outside: dict[str, str] = {}
    for blob in blobs:
        if blob.size > limit:
            outside[blob.path] = f"{blob.size:,} bytes, over the limit of {limit:,}"
    for blob, data in _contents(repository, [blob for blob in blobs if blob.path not in outside]):
        if data is None:
            outside[blob.path] = "the repository does not hold its text"
        elif data.startswith(_LFS):
            outside[blob.path] = "its text lies in Git LFS, not in the repository"
        else:
            _write(root, blob, data)
    return outside


def _write(root: Root, blob: _Blob, data: bytes) -> None:
    *above, _ = check_path(blob.path)
    if above:
        root.make_dirs("/".join(above), 0o700)
    if blob.mode == _LINK:
        root.symlink(os.fsdecode(data), blob.path)
    else:
        root.create(blob.path, data, 0o755 if int(blob.mode, 8) & 0o100 else 0o644)


def _contents(repository: Repository, blobs: list[_Blob]) -> Iterator[tuple[_Blob, bytes | None]]:
    """Yield the bytes of blobs, None for one that the repository lacks."""
    if not blobs:
        return
    answer = _run(repository, "cat-file", "--batch", data=b"".join(blob.name + b"\n" for blob in blobs))
    at = 0
    for blob in blobs:
        head = _HEAD.match(answer, at)
        if head is None:
            at = answer.index(b"\n", at) + 1
            yield blob, None
            continue
        size = int(head[3])
        yield blob, answer[head.end() : head.end() + size]
        at = head.end() + size + 1


def _told(repository: Repository, commit: bytes) -> str:
    """Return the day and the subject of a commit."""
    line = _run(repository, "log", "-1", "--no-show-signature", "--format=%cs %s", commit).strip()
    return shown(line.decode("utf-8", "replace")[:120])
