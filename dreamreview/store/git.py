"""How git is run: one hardened door, so that no user's configuration, hook or attribute can reach our bytes."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.store.folder import advice

if TYPE_CHECKING:
    from types import ModuleType

    from git import Git

_SETTINGS = (
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.excludesFile=",
    "core.attributesFile=",
    "core.pager=cat",
    "core.compression=1",
    "pack.compression=1",
    "gc.auto=0",
    "maintenance.auto=false",
    "diff.external=",
    "diff.noprefix=false",
    "protocol.allow=never",
)
_OPTIONS = [part for setting in _SETTINGS for part in ("-c", setting)]
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    # glibc hands the memory of each compressed object back to the system, which takes git longer than compressing.
    "MALLOC_TRIM_THRESHOLD_": str(64 * 1024 * 1024),
}
_NOT_FOUND = 127
_BATCH = 256 * 1024
"""Bytes that a command is given at a time."""

DURABLE = ("-c", "core.fsync=all", "-c", "fastimport.unpackLimit=0")
"""Options before a command after which the bytes of every file it wrote are on the disk: objects come in one pack,
not in a file for each. Their names are not: git waits for no folder."""


def run(
    args: Sequence[str],
    *,
    cwd: str | None = None,
    git_dir: str | None = None,
    data: bytes = b"",
    codes: Collection[int] = (0,),
    environment: dict[str, str] | None = None,
) -> bytes:
    """Run one git command and return what it wrote to stdout.

    Args:
        args: the command and its arguments, without ``git`` itself.
        cwd: folder to run in; a repository above it is never looked for.
        git_dir: the repository to work on; without one, the command works on none.
        data: bytes given on stdin.
        codes: exit statuses that count as success.
        environment: further variables for the command, such as an index file.

    Raises:
        StoreError: git is missing, or ended with another status.
    """
    return _answer(_launch(args, cwd, git_dir, environment), args, data, codes)


class Running:
    """A git command that works on what it was given so far; `running` makes it."""

    def __init__(self, process: Git.AutoInterrupt, args: Sequence[str], parts: Iterable[bytes]) -> None:
        self._process = process
        self._args = args
        self._is_fed = False
        self._is_over = False
        self._feeder = threading.Thread(target=self._feed, args=(parts,), name="git-feeder", daemon=True)
        self._feeder.start()

    def finish(self, rest: Iterable[bytes] = ()) -> bytes:
        """Give the rest of stdin, asked for once the first part is through, wait for the end and return stdout.

        Raises:
            StoreError: the command failed, or the first part of its stdin did.
        """
        self._is_over = True
        self._feeder.join()
        out = _answer(self._process, self._args, b"".join(rest) if self._is_fed else b"", (0,))
        if not self._is_fed:
            raise StoreError(f"git {_name(self._args)} was not given all that it was to work on")
        return out

    @property
    def status(self) -> int | None:
        """How it ended; None while it has not."""
        status: int | None = self._process.returncode
        return status

    def close(self) -> None:
        """End stdin where it is and wait, whatever the command makes of that."""
        if not self._is_over:
            with suppress(StoreError):
                self.finish()

    def _feed(self, parts: Iterable[bytes]) -> None:
        # A command that ended early tells why by its status, which `finish` reports; so it does of texts that cannot
        # be made.
        with suppress(OSError, MemoryError, ValueError):
            for batch in _batches(parts):
                self._process.stdin.write(batch)
            self._process.stdin.flush()
            self._is_fed = True


def _batches(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Join what comes one by one: with each write, a thread that is busy would take its turn."""
    batch: list[bytes] = []
    size = 0
    for part in parts:
        batch.append(part)
        size += len(part)
        if size >= _BATCH:
            yield b"".join(batch)
            batch, size = [], 0
    yield b"".join(batch)


@contextmanager
def running(args: Sequence[str], *, git_dir: str, parts: Iterable[bytes]) -> Iterator[Running]:
    """Run a git command beside the block, for one that reads its stdin to the end before it answers.

    Its end is waited for on every way out. Should this program be killed, the command sees its stdin end in `parts`.

    Args:
        args: as for `run`.
        git_dir: the same.
        parts: the first part of stdin, worked out beside the block; `Running.finish` takes the rest.

    Raises:
        StoreError: git is missing.
    """
    command = Running(_launch(args, None, git_dir, None), args, parts)
    try:
        yield command
    finally:
        command.close()


def _launch(
    args: Sequence[str], cwd: str | None, git_dir: str | None, environment: dict[str, str] | None
) -> Git.AutoInterrupt:
    git, folder = _library(), cwd or git_dir or os.curdir
    repository = [] if git_dir is None else [f"--git-dir={git_dir}"]
    command = [*_clear_prefix(), "git", *_OPTIONS, *repository, *args]
    variables = {**_ENVIRONMENT, "GIT_CEILING_DIRECTORIES": os.path.dirname(os.path.realpath(folder))}
    try:
        started: Git.AutoInterrupt = git.Git(folder).execute(
            command, istream=subprocess.PIPE, as_process=True, env={**variables, **(environment or {})}
        )
    except git.GitCommandNotFound as error:
        raise _missing() from error
    except OSError as error:
        raise StoreError(f"git cannot be started: {advice(error)}") from error
    return started


def _answer(process: Git.AutoInterrupt, args: Sequence[str], data: bytes, codes: Collection[int]) -> bytes:
    out, complaint = process.communicate(input=data)
    status = process.returncode
    if status == _NOT_FOUND:
        raise _missing()
    if status not in codes:
        said = bytes(complaint).decode("utf-8", "replace").strip() or "it gave no reason"
        raise StoreError(f"git {_name(args)} ended with status {status}: {said}")
    return bytes(out)


def _name(args: Sequence[str]) -> str:
    return args[2 * args.count("-c")]


def _library() -> ModuleType:
    """Return GitPython, whose import costs 0.3 s and fails where git is missing."""
    try:
        import git
    except ImportError as error:
        raise _missing() from error
    return git


def _missing() -> StoreError:
    return StoreError("git was not found: install git 2.25 or newer and make sure it is on PATH")


def _clear_prefix() -> list[str]:
    """Return a command prefix that takes away inherited ``GIT_*`` variables, which GitPython would pass on."""
    inherited = [name for name in os.environ if name.startswith("GIT_") and name not in _ENVIRONMENT]
    return ["env", *(part for name in inherited for part in ("-u", name))] if inherited else []
