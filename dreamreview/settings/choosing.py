"""Which memory folder is meant: by the command line, the environment, the configuration, or where one stands."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.errors import UsageError
from dreamreview.store.rooted import shown

if TYPE_CHECKING:
    from dreamreview.settings import Settings

_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class Chosen:
    """The memory folder that a command is about."""

    folder: str
    """Absolute."""
    source: str
    """Who said so, for people: ``the command line``, ``DREAMREVIEW_FOLDER``, a configuration file, .."""


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
            found = json.loads(file.read(_LIMIT))
    except (OSError, ValueError, RecursionError):
        return None
    folder = found.get("autoMemoryDirectory") if isinstance(found, dict) else None
    return os.path.abspath(os.path.expanduser(folder)) if isinstance(folder, str) and folder else None


def default_file() -> str:
    """Return where the configuration lies when the environment does not say."""
    from platformdirs import user_config_dir

    return os.path.join(user_config_dir("dreamreview", appauthor=False), "config.toml")


def cache_folder() -> str:
    """Return where lies what is dear to work out again and may be lost."""
    from platformdirs import user_cache_dir

    return os.path.join(user_cache_dir("dreamreview", appauthor=False), "vectors")


def private_folder() -> str:
    """Return where private copies of memory lie while an engine works in them."""
    from platformdirs import user_cache_dir

    return os.path.join(user_cache_dir("dreamreview", appauthor=False), "dreams")
