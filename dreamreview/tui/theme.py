"""Themes: blue stays for what comes, orange for what goes, told apart by eyes of every kind; one of high contrast."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

DREAM = Theme(
    name="dream",
    primary="#7aa2d6",
    secondary="#b8a1d9",
    accent="#e8c268",
    success="#6cb2f5",
    warning="#f0a04b",
    error="#f0884a",
    foreground="#dfe3ea",
    background="#14171c",
    surface="#1b1f26",
    panel="#20252d",
    dark=True,
)
"""The theme it starts with."""

DAYLIGHT = Theme(
    name="daylight",
    primary="#1f4e8c",
    secondary="#5c3f91",
    accent="#7a4b00",
    success="#0a58a8",
    warning="#8f4700",
    error="#a83f00",
    foreground="#1c1f24",
    background="#fbfaf7",
    surface="#f1efe9",
    panel="#e7e4dc",
    dark=False,
)

CONTRAST = Theme(
    name="contrast",
    primary="#66ccff",
    secondary="#ffccff",
    accent="#ffff66",
    success="#66ccff",
    warning="#ffb000",
    error="#ff9a3d",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#101010",
    dark=True,
)

THEMES = (DREAM, DAYLIGHT, CONTRAST)
"""Our own, beside those of Textual."""


def problem_with(name: str) -> str:
    """Return one sentence where there is no theme of that name; nothing where there is, or where none is named."""
    is_known = not name or name in BUILTIN_THEMES or any(name == theme.name for theme in THEMES)
    return "" if is_known else f"there is no theme {name}: {DREAM.name} is drawn in its place"
