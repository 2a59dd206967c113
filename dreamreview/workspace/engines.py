"""Which engine dreams, made of what the user configured; a key in the environment alone chooses none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dreamreview.errors import UsageError
from dreamreview.settings import default_file
from dreamreview.store.rooted import shown

if TYPE_CHECKING:
    from dreamreview.dream.engine import Engine
    from dreamreview.settings import Settings


def make(settings: Settings, name: str | None = None) -> Engine:
    """Return the engine of a name, or the configured one without a name.

    Raises:
        UsageError: there is no such engine, or the configuration lacks what it needs.
    """
    chosen = settings.engine if name is None else name
    maker = _MAKERS.get(chosen)
    if maker is None:
        raise UsageError(f"there is no engine {chosen!r} here; choose one of: {', '.join(_MAKERS)}")
    return maker(settings)


def _local(_settings: Settings) -> Engine:
    from dreamreview.dream.cycle import LocalEngine

    return LocalEngine()


def _command(settings: Settings) -> Engine:
    from dreamreview.dream.command.engine import CommandEngine

    if not settings.command:
        place = shown(settings.source or default_file())
        raise UsageError(f"{place}: command: it must say what the command engine runs, as a list of texts")
    return CommandEngine(settings.command, settings.timeout, settings.process, settings.environment)


_MAKERS: Mapping[str, Callable[[Settings], Engine]] = {
    "local": _local,
    "command": _command,
}
"""Name to what makes the engine; each loads its own when it is asked for."""
