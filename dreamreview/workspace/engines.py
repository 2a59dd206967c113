"""Which engine dreams, made of what the user configured; a key in the environment alone chooses none."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dreamreview.errors import UsageError
from dreamreview.settings import default_file
from dreamreview.store.rooted import shown

if TYPE_CHECKING:
    from dreamreview.dream.engine import Engine
    from dreamreview.settings import Settings
    from dreamreview.store.rooted import Root


def make(settings: Settings, root: Root, name: str | None = None) -> Engine:
    """Return the engine of a name, or the configured one without a name.

    Args:
        settings: what the user configured.
        root: the store, beside which the hosted engine keeps what it sent.
        name: of the engine.

    Raises:
        UsageError: there is no such engine, or the configuration lacks what it needs.
    """
    chosen = settings.engine if name is None else name
    maker = _MAKERS.get(chosen)
    if maker is None:
        raise UsageError(f"there is no engine {chosen!r} here; choose one of: {', '.join(_MAKERS)}")
    return maker(settings, root)


def _local(_settings: Settings, _root: Root) -> Engine:
    from dreamreview.dream.cycle import LocalEngine

    return LocalEngine()


def _command(settings: Settings, root: Root) -> Engine:
    from dreamreview.dream.command.engine import CommandEngine

    if not settings.command:
        place = shown(settings.source or default_file())
        raise UsageError(
            f"{place}: command: it must say what the command engine runs, as a list of texts; "
            "or dream with --engine local"
        )
    return CommandEngine(settings.command, settings.timeout, settings.process, settings.environment, root.path)


def _claude(settings: Settings, _root: Root) -> Engine:
    from dreamreview.dream.claude.engine import MODEL, ClaudeEngine
    from dreamreview.dream.claude.service import Service

    environment = settings.process
    service = Service(
        api_key=environment.get("ANTHROPIC_API_KEY") or None,
        auth_token=environment.get("ANTHROPIC_AUTH_TOKEN") or None,
        base_url=environment.get("ANTHROPIC_BASE_URL") or None,
    )
    return ClaudeEngine(settings.model or MODEL, settings.effort, service)


def _hosted(settings: Settings, root: Root) -> Engine:
    from dreamreview.dream.hosted.engine import MODEL, HostedEngine
    from dreamreview.store.differ import GitDiffer
    from dreamreview.store.uploads import UploadsFile

    title = os.path.basename(root.path) or "memory"
    model = settings.model or MODEL
    return HostedEngine(UploadsFile(root), title, GitDiffer(), model, settings.hosted_sessions)


_MAKERS: Mapping[str, Callable[[Settings, Root], Engine]] = {
    "local": _local,
    "claude": _claude,
    "command": _command,
    "hosted": _hosted,
}
"""Name to what makes the engine; each loads its own when it is asked for."""
