"""The rows of what the user wants: every setting with its value, and where it is changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from rich.cells import cell_len

from dreamreview.settings import default_file
from dreamreview.tui.detail.rows import BLANK, Row, Words
from dreamreview.tui.inert import own, said
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from dreamreview.settings import Settings

NAME_CELLS = 18
"""Cells of the column of names."""


def wish_rows(settings: Settings, theme: str) -> Iterator[Row]:
    """Yield the settings by what they are about; `theme` is the one on screen. Secrets are counted, never shown."""
    if settings.source is not None:
        yield Words((own("read from  ", "dim"), said(settings.source, "path")))
    else:
        yield Words((own("all is as it comes: there is no ", "dim"), said(default_file(), "path")))
    yield Words((own("To change one, write it into that file and start again; the names are its keys.", "dim"),))
    for heading, facts in _sections(settings, theme):
        yield BLANK
        yield Words((own(heading, "kind"),))
        for name, value, about in facts:
            column = name + " " * max(NAME_CELLS - cell_len(name), 1)
            yield Words((said(column, "key"), said(value), own(f"  {about}" if about else "", "dim")), hang=NAME_CELLS)


Facts = list[tuple[str, str, str]]
"""Key, value and what it is about."""


def _sections(settings: Settings, theme: str) -> Iterator[tuple[str, Facts]]:
    yield (
        "App",
        [
            ("theme", theme, "^t changes and keeps it"),
            ("keymap", _listed([f"{name} = {keys}" for name, keys in settings.keymap.items()]), ""),
            ("$EDITOR", settings.editor or "not set", "what E starts"),
            ("NO_COLOR", "not set" if settings.has_colour else "set", ""),
        ],
    )
    yield (
        "Memory",
        [
            ("stores", _listed(settings.stores), "what the inbox and --all look after"),
            ("ignore", _listed(settings.ignore), "what is left out of every store"),
            ("size_limit", f"{settings.size_limit:,} bytes", "above which a file is left out"),
            ("secrets", f"{count(len(settings.secrets), 'beginning')} of keys", "masked beside those of known issuers"),
        ],
    )
    yield "Dreams", _dreams(settings)


def _dreams(settings: Settings) -> Facts:
    bounds = ((field.name, getattr(settings.budgets, field.name)) for field in fields(settings.budgets))
    kept = [f"{name} {'for ever' if days is None else f'{days} days'}" for name, days in settings.retention.items()]
    return [
        ("engine", settings.engine, ""),
        ("model", settings.model or "the engine's own choice", ""),
        ("effort", settings.effort or "the engine's own choice", ""),
        ("command", " ".join(settings.command) or "none", "what the engine of that name runs"),
        ("timeout", f"{settings.timeout:g} seconds", "for that command"),
        ("environment", _listed(settings.environment), "variables that it is given besides the harmless ones"),
        ("semantic", settings.semantic, "sentence vectors of the local engine"),
        ("transcripts", _listed(settings.transcripts), "sessions besides those in their usual place"),
        ("hosted_sessions", _listed(settings.hosted_sessions), ""),
        ("budgets", _listed([f"{name} {value:g}" for name, value in bounds if value is not None]), ""),
        ("retention", _listed(kept), "how long notes of a type are kept"),
        ("hours", f"{settings.hours:g}", "between two dreams that start by themselves"),
        ("sessions", f"{settings.sessions}", "between them"),
    ]


def _listed(values: tuple[str, ...] | list[str]) -> str:
    return ", ".join(values) or "none"
