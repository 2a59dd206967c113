"""How parts flow into lines of a given width, counted in cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells

from dreamreview.tui.inert import ELLIPSIS, Part, Safe, own, shorten, shorten_path

LEAST_PATH = 12
"""Cells that are left to a path at least."""
_WORD = re.compile(r"[^ ]+ *| +")


def fit(parts: Sequence[Part], width: int) -> list[Part]:
    """Cut a line so that it takes at most `width` cells."""
    out: list[Part] = []
    left = max(width, 0)
    for place, part in enumerate(parts):
        size = cell_len(part.text)
        if size > left or (size == left and any(later.text for later in parts[place + 1 :])):
            if left:
                out.append(Part(shorten(part.text + ELLIPSIS, left), part.look))
            return out
        out.append(part)
        left -= size
    return out


def whole(parts: Sequence[Part], width: int) -> list[Part]:
    """Return the first parts that take at most `width` cells together; where not even one fits, the first one cut."""
    taken, kept = 0, 0
    for part in parts:
        taken += cell_len(part.text.rstrip(" "))
        if taken > width:
            break
        taken += cell_len(part.text) - cell_len(part.text.rstrip(" "))
        kept += 1
    return list(parts[:kept]) if kept else fit(parts[:1], width)


def clip_paths(parts: Sequence[Part], width: int) -> list[Part]:
    """Take the middle out of the paths of a line so that it takes at most `width` cells, each left `LEAST_PATH`."""
    paths = sorted((part for part in parts if part.look == "path"), key=lambda part: cell_len(part.text))
    left = width - sum(cell_len(part.text) for part in parts if part.look != "path")
    room: dict[Part, int] = {}
    for place, part in enumerate(paths):
        room[part] = min(cell_len(part.text), max(left // (len(paths) - place), LEAST_PATH))
        left -= room[part]
    return [Part(shorten_path(part.text, room[part]), part.look) if part in room else part for part in parts]


def wrap(parts: Sequence[Part], width: int, hang: int = 0) -> list[list[Part]]:
    """Break a line between words into lines of at most `width` cells, later ones indented by `hang`."""
    width = max(width, 1)
    hang = hang if hang < width // 2 else 0
    lines: list[list[Part]] = [[]]
    used = 0
    for part in parts:
        for word in _words(part.text, width - hang):
            size = cell_len(word)
            if used + cell_len(word.rstrip(" ")) > width and lines[-1]:
                lines.append([Part(Safe(" " * hang), "text")] if hang else [])
                used = hang
            lines[-1].append(Part(Safe(word), part.look))
            used += size
    return lines


def _words(text: str, width: int) -> Iterator[str]:
    """Split into words with the blanks that follow them; words wider than a line are chopped."""
    for word in _WORD.findall(text):
        if cell_len(word) <= width:
            yield word
        else:
            yield from chop_cells(word, max(width, 2))


def pad(parts: Sequence[Part], width: int) -> list[Part]:
    """Cut or fill a line so that it takes exactly `width` cells."""
    kept = fit(parts, width)
    return [*kept, own(" " * (width - sum(cell_len(part.text) for part in kept)))]
