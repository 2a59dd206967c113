"""What changes bring that a person has to see before anything else: orders to the agent, and text that is not drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.dream.orders import find_order
from dreamreview.model.derived import Derived, Planted
from dreamreview.model.hidden import LONGEST_SAID, hidden_in, unseen_in
from dreamreview.model.proposal import Act
from dreamreview.model.unmasking import masks_in

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change, FileEdit
    from dreamreview.model.third import BaseLines

INSTRUCTION_LIKE = "instruction-like"
HIDDEN_TEXT = "hidden-text"
STAND_IN = "masked-secret"

READ_CHARACTERS = 2_000
"""Characters of a line in which orders are looked for."""

_ORDER = "an order hidden"
_BEGINS = re.compile(r"\s*(?:[-*+•>|#]|\d+[.)]\s|[A-Za-z_]\w*:\s)")
"""Begins a statement of its own: an item, a heading, a row, a quotation, a field."""


def watched(change: Change) -> Change:
    """Flag a change that adds what reads like an order to the agent, or hides text: others' text is never trusted."""
    kept = {line for edit in change.all_edits for line in edit.old}
    return change.flagged(flag for each in _planted(change, lambda _: kept) for flag in each.flags)


def plants(lines: Iterable[bytes]) -> bool:
    """Tell whether lines that were added hold what reads like an order to the agent, or hide text."""
    read = [line.decode("utf-8", "replace")[:READ_CHARACTERS] for line in lines]
    return any(True for _ in _in_run("", 1, read))


def with_planted(
    changes: Iterable[Change], derived: Mapping[str, Derived], base_lines: BaseLines | None = None
) -> Mapping[str, Derived]:
    """Return what is derived about changes together with what they plant, each edit held against its own old lines.

    A line that a merge brings from elsewhere counts: it is written once more. Masks of secrets that a file holds count
    as well: they were copied from where the secret is not shown.
    """
    found = {
        change.id: (*_planted(change, lambda edit: set(edit.old)), *_masks(change, base_lines)) for change in changes
    }
    return {
        change: replace(known, planted=found[change]) if found.get(change) else known
        for change, known in derived.items()
    }


def _masks(change: Change, base_lines: BaseLines | None) -> Iterator[Planted]:
    for edit in change.all_edits:
        for shown in masks_in(edit.new, change, base_lines):
            text = (line.decode("utf-8", "replace") for line in edit.new)
            number = next((number for number, line in enumerate(text, 1) if shown in line), 1)
            yield Planted(edit.path, number, (STAND_IN,), "what only stands for a secret", shown)


def _planted(change: Change, kept: Callable[[FileEdit], Container[bytes]]) -> Iterator[Planted]:
    for edit in change.all_edits:
        if edit.act in (Act.CREATE, Act.RENAME):
            yield from _in_name(edit.to or edit.path)
        if edit.act in (Act.LINES, Act.CREATE):
            for first, lines in _runs(edit, kept(edit)):
                yield from _in_run(edit.path, first, lines)


def _in_name(path: str) -> Iterator[Planted]:
    name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    yield from (Planted(path, 0, (HIDDEN_TEXT,), f"text hidden {part.kind}", part.said) for part in hidden_in(name))
    order = find_order(name.rpartition("/")[2].rpartition(".")[0])
    if order:
        yield Planted(path, 0, (INSTRUCTION_LIKE,), f"what reads like an order: it {order.why}", "")


def _runs(edit: FileEdit, kept: Container[bytes]) -> Iterator[tuple[int, list[str]]]:
    """Yield the new lines that stand together, with the number of the first."""
    run: list[str] = []
    for number, line in enumerate((*edit.new, b""), 1):
        if line and line not in kept and b"\0" not in line:
            run.append(line.decode("utf-8", "replace")[:READ_CHARACTERS])
        elif run:
            yield number - len(run), run
            run = []


def _in_run(path: str, first: int, lines: list[str]) -> Iterator[Planted]:
    whole = "".join(lines)
    for part in unseen_in(whole) if "<!--" in whole else ():
        top = whole.count("\n", 0, part.start)
        size = whole[part.start : part.stop].rstrip("\n").count("\n")
        order = find_order(part.said, is_hidden=True) if size else None
        if order:
            yield Planted(path, first + top, (INSTRUCTION_LIKE,), f"{_ORDER} {part.kind}: it {order.why}", part.said)
            lines = [*lines[:top], *("\n" for _ in range(size + 1)), *lines[top + size + 1 :]]
    for number, text in _statements(first, lines):
        yield from _in_statement(path, number, text)


def _in_statement(path: str, number: int, text: str) -> Iterator[Planted]:
    order, parts = find_order(text), list(hidden_in(text))
    within = [part for part in parts if order and order.start <= part.start and part.stop <= order.stop]
    for part in parts:
        if part not in within:
            line = number + text.count("\n", 0, part.start)
            yield Planted(path, line, (HIDDEN_TEXT,), f"text hidden {part.kind}", part.said)
    if order is None:
        return
    hidden = within[0] if within else None
    unseen = next((part for part in unseen_in(text) if (part.start, part.stop) == (order.start, order.stop)), None)
    flags = (INSTRUCTION_LIKE, HIDDEN_TEXT) if hidden else (INSTRUCTION_LIKE,)
    shown = hidden or unseen
    how = f"{_ORDER} {shown.kind}" if shown else f"what reads like an order: it {order.why}"
    said = shown.said if shown else " ".join(text[order.start : order.stop].split())
    yield Planted(path, number + text.count("\n", 0, order.start), flags, how, said[:LONGEST_SAID])


def _statements(first: int, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield what the lines say one by one, an item with the lines it goes on in, each with the number of its first."""
    number, text = first, ""
    for place, line in enumerate(lines, first):
        is_blank = not line.strip()
        if text and (is_blank or _BEGINS.match(line) or len(text) + len(line) > 2 * READ_CHARACTERS):
            yield number, text
            text = ""
        if not (text or is_blank):
            number = place
        text += "" if is_blank else line
    if text:
        yield number, text
