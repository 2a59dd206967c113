"""What the user wants: the configuration file and the environment, read here and nowhere else, strictly."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from dreamreview.errors import UsageError
from dreamreview.model.triggers import HOURS, HOURS_LIMIT, SESSIONS, Gates
from dreamreview.store.rooted import shown
from dreamreview.store.scan import DEFAULT_IGNORE, SIZE_LIMIT

if TYPE_CHECKING:
    from dreamreview.dream.engine import Policy

ENGINES = ("local", "claude", "hosted", "command")
"""What can dream; nothing but ``local`` ever sends memory anywhere, and only when it is named."""

_UNITS = {"": 1, "b": 1, "kb": 1000, "kib": 1 << 10, "mb": 1000**2, "mib": 1 << 20, "gb": 1000**3, "gib": 1 << 30}
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
_FILE_LIMIT = 1 << 20


class _InvalidValueError(Exception):
    """A value that its key cannot have; the message begins behind the key."""


def _default_days() -> Mapping[str, int | None]:
    from dreamreview.model.retention import DEFAULT_DAYS

    return dict(DEFAULT_DAYS)


@dataclass(frozen=True, slots=True)
class Budgets:
    """What a dream may use up at most; None for no bound of the user's."""

    turns: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost_usd: float | None = None


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
    command: tuple[str, ...] = ()
    """Program and arguments of the ``command`` engine."""
    budgets: Budgets = field(default_factory=Budgets)
    retention: Mapping[str, int | None] = field(default_factory=_default_days)
    """Note type to days it is kept, None for ever."""
    hours: float = HOURS
    """Hours between two dreams that start by themselves."""
    sessions: int = SESSIONS
    """Turns or sessions between them."""
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

        return Policy(retention_days=self.retention)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The memory folder that a command is about."""

    folder: str
    """Absolute."""
    source: str
    """Who said so, for people: ``the command line``, ``DREAMREVIEW_FOLDER``, a configuration file, .."""


def load(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the environment and the configuration file, at ``DREAMREVIEW_CONFIG`` or else in the user's folder.

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
    )
    path = env.get("DREAMREVIEW_CONFIG")
    data = _bytes(path or default_file(), is_named=bool(path))
    return settings if data is None else _parsed(settings, os.path.abspath(path or default_file()), data)


def default_file() -> str:
    """Return where the configuration lies when the environment does not say."""
    from platformdirs import user_config_dir

    return os.path.join(user_config_dir("dreamreview", appauthor=False), "config.toml")


def choose_folder(argument: str | None, settings: Settings) -> Chosen:
    """Return the memory folder meant: command line, environment, configuration, Claude Code's settings, current folder.

    Raises:
        UsageError: nothing names one, several would do, or the configuration lies inside it.

    """
    chosen = stated(argument, settings) or _found(settings)
    refuse_configuration_inside(chosen.folder, settings)
    return chosen


def stated(argument: str | None, settings: Settings) -> Chosen | None:
    """Return the memory folder that command line, environment or configuration choose; None where they leave it open.

    Raises:
        UsageError: the current folder is gone.

    """
    if argument is not None:
        return Chosen(os.path.abspath(argument), "the command line")
    if settings.folder is not None:
        return Chosen(settings.folder, "DREAMREVIEW_FOLDER")
    if not settings.stores:
        return None
    here = current_folder()
    around = [store for store in settings.stores if _is_inside(here, store)]
    if len(settings.stores) == 1 or around:
        return Chosen(max(around or settings.stores, key=len), shown(settings.source or "the configuration"))
    return None


def refuse_configuration_inside(folder: str, settings: Settings) -> None:
    """Refuse a memory folder that holds the configuration: whoever writes memory would write that too.

    Raises:
        UsageError: it does.

    """
    if settings.source is not None and _is_inside(settings.source, folder):
        raise UsageError(f"{shown(settings.source)} is inside the memory folder; move the configuration out of it")


def _found(settings: Settings) -> Chosen:
    if settings.stores:
        raise UsageError(f"name one of the configured folders: {', '.join(map(shown, settings.stores))}")
    claude = claude_folder(settings)
    if claude is not None:
        return Chosen(claude, shown(settings.claude_settings or ""))
    from dreamreview.store.discovery.finding import around

    here = around(current_folder(), os.path.expanduser("~"))
    if len(here) == 1:
        return Chosen(here[0].folder, "the current folder")
    if here:
        folders = ", ".join(shown(store.folder) for store in here)
        raise UsageError(f"name one of the memory folders of the current folder: {folders}")
    place = shown(settings.source or default_file())
    raise UsageError(
        f"no memory folder: name one, set DREAMREVIEW_FOLDER, or list it under stores in {place}; "
        "`dreamreview demo` makes one to try"
    )


def current_folder() -> str:
    """Return the folder that the program was started in.

    Raises:
        UsageError: it is gone.

    """
    try:
        return os.getcwd()
    except OSError as error:
        raise UsageError("the current folder is gone; change to another or name the memory folder") from error


def _is_inside(path: str, folder: str) -> bool:
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def claude_folder(settings: Settings) -> str | None:
    """Return the folder that Claude Code keeps its memory in where its owner moved it."""
    if settings.claude_settings is None:
        return None
    try:
        with open(settings.claude_settings, "rb") as file:
            found = json.loads(file.read(_FILE_LIMIT))
    except (OSError, ValueError, RecursionError):
        return None
    folder = found.get("autoMemoryDirectory") if isinstance(found, dict) else None
    return os.path.abspath(os.path.expanduser(folder)) if isinstance(folder, str) and folder else None


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

    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{shown(path)}: it is not UTF-8 text (at byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{shown(path)}: it is not TOML: {' '.join(str(error).split())}") from error
    values: dict[str, Any] = {}
    for key, value in document.items():
        parse = _KEYS.get(key)
        if parse is None:
            raise UsageError(f"{shown(path)}: {shown(key)}: there is no such key; known are {', '.join(_KEYS)}")
        try:
            values[key] = parse(value)
        except _InvalidValueError as error:
            raise UsageError(f"{shown(path)}: {key}{error}") from error
    base = os.path.dirname(path)
    stores = [os.path.abspath(os.path.join(base, os.path.expanduser(store))) for store in values.pop("stores", ())]
    if values.get("engine") == "command" and not values.get("command"):
        raise UsageError(f"{shown(path)}: command: it must say what the command engine runs")
    return replace(settings, **values, stores=tuple(dict.fromkeys(stores)), source=path)


def _instant(text: str) -> datetime:
    try:
        if _RFC_3339.fullmatch(text):
            return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise UsageError(f"DREAMREVIEW_NOW: {text!a} is no RFC 3339 instant, such as 2026-01-31T12:00:00Z")


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) and text and "\0" not in text for text in value):
        raise _InvalidValueError(": it must be a list of texts, none of them empty")
    return tuple(value)


def _size(value: object) -> int:
    found = re.fullmatch(r"\s*(\d{1,15})\s*([a-z]*)\s*", str(value).lower()) if type(value) in (int, str) else None
    size = int(found[1]) * _UNITS[found[2]] if found and found[2] in _UNITS else 0
    if size <= 0:
        raise _InvalidValueError(': it must be a number of bytes above 0, or a text such as "8 MiB"')
    return size


def _keymap(value: object) -> Mapping[str, str]:
    for key, keys in _table(value).items():
        if not isinstance(keys, str) or not keys.strip():
            raise _InvalidValueError(f'.{shown(key)}: it must name a key, such as "ctrl+n"')
    return dict(_table(value))


def _theme(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w-]{1,100}", value):
        raise _InvalidValueError(': it must be the name of a theme, such as "daylight"')
    return value


def _engine(value: object) -> str:
    if value not in ENGINES:
        raise _InvalidValueError(f": it must be one of {', '.join(ENGINES)}")
    return str(value)


def _retention(value: object) -> Mapping[str, int | None]:
    days: dict[str, int | None] = {}
    for key, kept in _table(value).items():
        found = re.fullmatch(r"([0-9]{1,6})d?", str(kept), re.IGNORECASE) if type(kept) in (int, str) else None
        if kept == "forever":
            days[key] = None
        elif found and int(found[1]) > 0:
            days[key] = int(found[1])
        else:
            raise _InvalidValueError(f'.{shown(key)}: it must be a number of days above 0, such as 90, or "forever"')
    return days


def _budgets(value: object) -> Budgets:
    bounds: dict[str, Any] = {}
    known = [entry.name for entry in fields(Budgets)]
    for key, bound in _table(value).items():
        if key not in known:
            raise _InvalidValueError(f".{shown(key)}: there is no such key; known are {', '.join(known)}")
        bounds[key] = _number(bound, f".{key}") if key in {"seconds", "cost_usd"} else _count(bound, f".{key}")
    return Budgets(**bounds)


def _hours(value: object) -> float:
    hours = _number(value)
    if hours > HOURS_LIMIT:
        raise _InvalidValueError(f": it must be at most {HOURS_LIMIT:g}")
    return hours


def _number(value: object, place: str = "") -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
        raise _InvalidValueError(f"{place}: it must be a number above 0")
    return float(value)


def _count(value: object, place: str = "") -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _InvalidValueError(f"{place}: it must be a whole number above 0")
    return value


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _InvalidValueError(": it must be a table")
    return value


_KEYS: Mapping[str, Callable[[object], object]] = {
    "stores": _texts,
    "ignore": _texts,
    "size_limit": _size,
    "keymap": _keymap,
    "theme": _theme,
    "engine": _engine,
    "command": _texts,
    "budgets": _budgets,
    "retention": _retention,
    "hours": _hours,
    "sessions": _count,
}
