"""What the user wants: the configuration file and the environment, read here and nowhere else, strictly."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from dreamreview.errors import UsageError
from dreamreview.model.budget import Budget
from dreamreview.model.secret_shapes import know
from dreamreview.model.triggers import HOURS, SESSIONS, Gates
from dreamreview.settings.choosing import (
    Chosen,
    cache_folder,
    choose_folder,
    claude_folder,
    current_folder,
    default_file,
    private_folder,
    refuse_configuration_inside,
    stated,
)
from dreamreview.store.rooted import shown
from dreamreview.store.scan import DEFAULT_IGNORE, SIZE_LIMIT

if TYPE_CHECKING:
    from dreamreview.dream.engine import Policy

__all__ = [
    "Budget",
    "Chosen",
    "Settings",
    "choose_folder",
    "claude_folder",
    "current_folder",
    "default_file",
    "load",
    "private_folder",
    "refuse_configuration_inside",
    "stated",
]

TIMEOUT = 1800.0
"""Seconds that a command may dream, where the user states no other time."""
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
_FILE_LIMIT = 1 << 20


def _default_days() -> Mapping[str, int | None]:
    from dreamreview.model.retention import DEFAULT_DAYS

    return dict(DEFAULT_DAYS)


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's wishes, or the defaults where none are stated."""

    stores: tuple[str, ...] = ()
    """Absolute paths of the memory folders that are looked after."""
    ignore: tuple[str, ...] = DEFAULT_IGNORE
    """Globs of what is left out of every store."""
    size_limit: int = SIZE_LIMIT
    """Bytes above which a file is left out."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Id of a command to the keys that run it, separated by commas."""
    theme: str = ""
    """Name of the theme of the app; empty for its own."""
    engine: str = "local"
    """What dreams where none is named; a key in the environment alone chooses nothing."""
    model: str | None = None
    """The model that an engine asks; None for the engine's own choice."""
    effort: str | None = None
    """How hard it may think (`values.EFFORTS`); None for the engine's own choice."""
    command: tuple[str, ...] = ()
    """Program and arguments of the ``command`` engine."""
    timeout: float = TIMEOUT
    """Seconds that it may run."""
    environment: tuple[str, ...] = ()
    """Names of environment variables that it is given besides the harmless ones."""
    transcripts: tuple[str, ...] = ()
    """Absolute paths of files and folders with sessions of the agent, besides those that lie in their usual place."""
    hosted_sessions: tuple[str, ...] = ()
    """Ids of sessions of the service that a hosted dream reads; without any, those that had the memory store."""
    semantic: str = "auto"
    """Sentence vectors of the local engine: ``auto`` where the extra is installed, ``off``, or a folder of a model."""
    budgets: Budget = field(default_factory=Budget)
    retention: Mapping[str, int | None] = field(default_factory=_default_days)
    """Note type to days it is kept, None for ever."""
    hours: float = HOURS
    """Hours between two dreams that start by themselves."""
    sessions: int = SESSIONS
    """Turns or sessions between them."""
    secrets: tuple[str, ...] = ()
    """Beginnings of keys of the user's own, masked like those of known issuers."""
    source: str | None = None
    """The configuration file that was read; None where there is none."""
    folder: str | None = None
    """The memory folder that the environment names (``DREAMREVIEW_FOLDER``)."""
    claude_settings: str | None = None
    """Where Claude Code keeps its own, which may name the folder of its memory."""
    now: datetime | None = None
    """The instant that ``DREAMREVIEW_NOW`` fixes."""
    editor: str = ""
    """The user's editor as the environment states it, possibly with arguments."""
    has_colour: bool = True
    """False under ``NO_COLOR``."""
    process: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The environment of the program, keys and all: what an engine is given of it is picked out by name."""

    def clock(self) -> datetime:
        """Return the time now, or the instant that the environment fixes."""
        return self.now or datetime.now(UTC)

    @property
    def gates(self) -> Gates:
        """What must be met before a store dreams by itself."""
        return Gates(hours=self.hours, sessions=self.sessions)

    @property
    def policy(self) -> Policy:
        """What an engine is handed."""
        from dreamreview.dream.engine import Policy

        return Policy(retention_days=self.retention, semantic=self.semantic, cache=cache_folder())


def load(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the environment and the configuration file, at ``DREAMREVIEW_CONFIG`` or else in the user's folder.

    What it says of secrets holds for the process from then on: whatever shows text masks them.

    Raises:
        UsageError: one line that names the file or variable, the key, and what is wrong with it.

    """
    env = os.environ if environment is None else environment
    folder, home = env.get("DREAMREVIEW_FOLDER"), env.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    settings = Settings(
        folder=os.path.abspath(os.path.expanduser(folder)) if folder else None,
        claude_settings=os.path.join(home, "settings.json"),
        now=_instant(env["DREAMREVIEW_NOW"]) if env.get("DREAMREVIEW_NOW") else None,
        editor=env.get("VISUAL") or env.get("EDITOR") or "",
        has_colour=not env.get("NO_COLOR"),
        process=dict(env),
    )
    path = env.get("DREAMREVIEW_CONFIG")
    data = _bytes(path or default_file(), is_named=bool(path))
    if data is not None:
        settings = _parsed(settings, os.path.abspath(path or default_file()), data)
    know(settings.secrets)
    return settings


def _bytes(path: str, *, is_named: bool) -> bytes | None:
    try:
        with open(path, "rb") as file:
            data = file.read(_FILE_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        if is_named:
            raise UsageError(f"{shown(path)} does not exist; correct DREAMREVIEW_CONFIG or unset it") from None
        return None
    except OSError as error:
        raise UsageError(f"{shown(path)} cannot be read: {(error.strerror or str(error)).lower()}") from error
    if len(data) > _FILE_LIMIT:
        raise UsageError(f"{shown(path)} is larger than a configuration can be")
    return data


def _parsed(settings: Settings, path: str, data: bytes) -> Settings:
    import tomllib

    from dreamreview.settings.values import KEYS, InvalidValueError

    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{shown(path)}: it is not UTF-8 text (at byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{shown(path)}: it is not TOML: {' '.join(str(error).split())}") from error
    values: dict[str, Any] = {}
    for key, value in document.items():
        parse = KEYS.get(key)
        if parse is None:
            raise UsageError(f"{shown(path)}: {shown(key)}: there is no such key; known are {', '.join(KEYS)}")
        try:
            values[key] = parse(value)
        except InvalidValueError as error:
            raise UsageError(f"{shown(path)}: {key}{error}") from error
    base = os.path.dirname(path)
    for key in ("stores", "transcripts"):
        found = (os.path.abspath(os.path.join(base, os.path.expanduser(name))) for name in values.get(key, ()))
        values[key] = tuple(dict.fromkeys(found))
    if values.get("semantic", "auto") not in {"auto", "off"}:
        values["semantic"] = os.path.abspath(os.path.join(base, os.path.expanduser(values["semantic"])))
    if values.get("engine") == "command" and not values.get("command"):
        raise UsageError(f"{shown(path)}: command: it must say what the command engine runs")
    return replace(settings, **values, source=path)


def _instant(text: str) -> datetime:
    try:
        if _RFC_3339.fullmatch(text):
            return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise UsageError(f"DREAMREVIEW_NOW: {text!a} is no RFC 3339 instant, such as 2026-01-31T12:00:00Z")
