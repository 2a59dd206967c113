"""Any program as a dreamer: found, run in the private copy, and its end told in one line where it went wrong."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from dreamreview.dream.command.prompt import prompt
from dreamreview.dream.command.running import FLOOD, Ended, run
from dreamreview.dream.engine import DreamCancelledError, Dreamt, EngineError, Estimate, Progress, Task
from dreamreview.model.proposal import Usage
from dreamreview.model.secrets import mask

NAME = "command"

GIVEN = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ"),
        *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"),
        *("SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"),
        *("USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS"),
    }
)
"""Environment variables that every command is given: where things lie and which language is spoken, never a key."""

TOLD = 16_000
"""Characters of what a command prints that are kept as its narrative: the end of it."""

WATCHED = 2.0
"""Seconds between two looks at what a command has changed so far."""
MOST_WATCHED = 20_000
"""Files that are looked at for that."""
_COMPLAINT = 300
_CHARACTERS_A_TOKEN = 4
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])|\r(?=\n)")
_LOCALE = re.compile(r"LC_[A-Z]+")
_INSTEAD = "nothing was kept; dream with `--engine local`, which needs no program"


@dataclass(frozen=True, slots=True)
class CommandEngine:
    """A program of the user's own choice; it comes from the configuration and from nowhere else."""

    command: tuple[str, ...]
    """Program and arguments; ``{folder}`` and ``{prompt}`` in an argument are replaced, and without ``{prompt}`` the
    prompt is what it reads on stdin."""
    seconds: float
    """How long it may run."""
    surroundings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment to pick from."""
    named: tuple[str, ...] = ()
    """Environment variables that the user gives it besides `GIVEN`."""
    store: str = ""
    """Absolute path of the memory, in which neither the program nor a file that it is handed may lie."""
    name: str = NAME
    model: str | None = None
    needs_copy: bool = True

    def estimate(self, task: Task) -> Estimate | None:
        """Return how much text it has to read at least, and make sure that it is there.

        Raises:
            EngineError: the program is not there.
        """
        program = self._program()
        size = sum(len(line) for document in task.corpus.documents.values() for line in document.lines)
        return Estimate(tokens=size // _CHARACTERS_A_TOKEN, recipient=os.path.basename(program))

    def dream(self, task: Task) -> Dreamt:
        """Run it in the private copy; what it changed there is what it suggests.

        Raises:
            EngineError: it is not there, failed, took too long, or printed without an end.
            DreamCancelledError: it was stopped.
        """
        task.check()
        program, told, begun = self._program(), prompt(task), time.monotonic()
        arguments = [_filled(argument, task.folder, told) for argument in self.command[1:]]
        said = b"" if any("{prompt}" in argument for argument in self.command[1:]) else told.encode("utf-8")
        bound = task.budget.seconds
        seconds = self.seconds if bound is None else min(self.seconds, bound)
        watch = _Watch(task, f"running {self.called}")
        try:
            ended = run([program, *arguments], task.folder, self._environment(task), said, seconds, watch)
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise EngineError(f"the command {self.called} cannot be run: {reason}; {_INSTEAD}") from error
        self._refuse(ended, seconds)
        narrative = readable(ended.out)[-TOLD:] or f"{self.called} said nothing of what it did."
        usage = Usage(seconds=round(time.monotonic() - begun, 3), turns=1)
        return Dreamt((), narrative, usage, is_tree=True, settings={"command": self._written})

    @property
    def called(self) -> str:
        """What to call the command in a sentence."""
        return mask(os.path.basename(self.command[0])) if self.command else "''"

    @property
    def _written(self) -> str:
        """The command as people write it, for the record."""
        return mask(shlex.join(self.command))[:_COMPLAINT]

    def _refuse(self, ended: Ended, seconds: float) -> None:
        """Raise what has to be said of a command that did not end well."""
        if ended.stopped == "cancel":
            raise DreamCancelledError("the dream was stopped; nothing was kept")
        if ended.stopped == "time":
            raise EngineError(
                f"the command {self.called} took longer than {seconds:,.10g} seconds and was stopped; nothing was "
                "kept; raise `timeout` (and `seconds` of the budgets) in the configuration, or dream with "
                "`--engine local`"
            )
        if ended.stopped == "flood":
            raise EngineError(
                f"the command {self.called} printed more than {FLOOD >> 20} MiB and was stopped; {_INSTEAD}"
            )
        if ended.status:
            complaint = " ".join((readable(ended.err) or readable(ended.out)).split())[-_COMPLAINT:]
            said = f": {complaint}" if complaint else ", and said nothing"
            raise EngineError(f"the command {self.called} ended with status {ended.status}{said}; {_INSTEAD}")

    def _program(self) -> str:
        """Return the absolute path of the program; a relative one would be looked up where memory is written.

        Raises:
            EngineError: there is none, or it lies where memory is written.
        """
        name = os.path.expanduser(self.command[0]) if self.command else ""
        if os.path.dirname(name) and not os.path.isabs(name):
            raise EngineError(
                f"command: {mask(name)} is a relative path; name the program by its whole path, or by a name on PATH"
            )
        path = self.surroundings.get("PATH", os.defpath)
        found = shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, path.split(os.pathsep))))
        if not found:
            what = "is no program" if os.path.isabs(name) else "was not found on PATH"
            raise EngineError(
                f"the command {mask(name)!r} {what}; correct `command` in the configuration, "
                "or dream with `--engine local`"
            )
        for place in (found, *filter(os.path.isabs, self.command[1:])):
            if self.store and _is_inside(place, self.store):
                raise EngineError(
                    f"command: {mask(place)} lies in the memory folder, where whoever writes memory could replace it; "
                    "move it out"
                )
        return found

    def _environment(self, task: Task) -> dict[str, str]:
        """Return what it is given of the environment."""
        given = {
            name: value
            for name, value in self.surroundings.items()
            if name in GIVEN or name.upper() in GIVEN or _LOCALE.fullmatch(name) or name in self.named
        }
        own = {"TERM": "dumb", "NO_COLOR": "1", "PWD": task.folder}
        scratch = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), task.scratch) if task.scratch else {}
        return given | scratch | {name: value for name, value in own.items() if name not in self.named}


def _is_inside(path: str, folder: str) -> bool:
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


class _Watch:
    """Asks whether to stop, as often as it is called, and tells now and then how many files are other by now."""

    def __init__(self, task: Task, note: str) -> None:
        self._task = task
        self._before = _stamps(task.folder)
        self._told_at = time.monotonic()
        self._progress = Progress(phase="consolidate", files=len(task.corpus.documents), note=note)
        task.on_progress(self._progress)

    def __call__(self) -> bool:
        if time.monotonic() - self._told_at >= WATCHED:
            after = _stamps(self._task.folder)
            changed = sum(after.get(path) != self._before.get(path) for path in after.keys() | self._before.keys())
            if changed != self._progress.changes:
                self._progress = replace(self._progress, changes=changed)
                self._task.on_progress(self._progress)
            self._told_at = time.monotonic()
        return self._task.is_cancelled()


def _stamps(folder: str) -> dict[str, tuple[int, int]]:
    """Return when each file was last changed and how large it is; of many files the first ones."""
    found: dict[str, tuple[int, int]] = {}
    for here, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            with suppress(OSError):
                stat = os.lstat(path)
                found[path] = (stat.st_mtime_ns, stat.st_size)
        if len(found) >= MOST_WATCHED:
            break
    return found


def _filled(argument: str, folder: str, told: str) -> str:
    """Put folder and prompt in an argument; what the prompt says is not looked through again."""
    parts: Sequence[str] = argument.split("{prompt}")
    return told.join(part.replace("{folder}", folder) for part in parts)


def readable(data: bytes) -> str:
    """Return what a command printed as text to keep: no colours, no control characters but line ends, masked."""
    text = _ESCAPES.sub("", data.decode("utf-8", "replace"))
    return mask("".join(sign for sign in text if sign in "\n\t" or sign.isprintable())).strip()
