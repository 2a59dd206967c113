"""Which literals a proposal states that the memory never held: claims that nothing in the folder supports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dreamreview.model.dates import date_in_name
from dreamreview.model.literals import literals_of
from dreamreview.model.loss import without_secrets
from dreamreview.model.moves import bare
from dreamreview.model.occurrence import Hunt, Sought
from dreamreview.model.proposal import Act, Change, FileEdit, Kind
from dreamreview.model.secrets import REDACTED

if TYPE_CHECKING:
    from dreamreview.model.edits import Text

TextOf = Callable[[str], "Text | None"]

OWN = frozenset({"superseded_by", "superseded_at", "valid_until", "valid_from", "last_verified"})
"""Keys of a frontmatter in which a dream writes down what it found; they claim nothing."""

_ISO_DAY = re.compile(rb"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def unsupported(
    changes: Sequence[Change], before: TextOf, before_paths: Iterable[str], after_paths: Iterable[str]
) -> dict[str, Mapping[str, tuple[str, ...]]]:
    """Return, for each change and each of its options (``""`` without), the literals that stand nowhere in the base.

    Names of files of the proposed folder support themselves, and so do days that a date change works out where the
    file holds a day to count from. The base is read once, and only where something new is stated.

    Args:
        changes: those of the proposal.
        before: what a path holds in the base, None where nothing does.
        before_paths: every path of the base.
        after_paths: every path of the proposed folder.
    """
    names = {part.casefold() for path in after_paths for part in _names_of(path)}
    shared: dict[str, Sought] = {}
    stated: dict[str, dict[str, list[Sought]]] = {}
    for change in changes:
        sides = {option.key: option.edits for option in change.options} or {"": change.edits}
        for key, edits in sides.items():
            found = [literal for literal in _brought(edits) if literal.casefold() not in names | OWN]
            found = [literal for literal in found if REDACTED not in literal]
            found = [literal for literal in found if not _is_worked_out(literal, change, edits, before)]
            stated.setdefault(change.id, {})[key] = [
                shared.setdefault(literal.casefold(), Sought(literal)) for literal in found
            ]
    hunt = Hunt(shared.values())
    for path in sorted(before_paths):
        if hunt.is_over:
            break
        text = before(path)
        if text is not None:
            hunt.search(path, b"".join(text))
    return {
        change: {key: tuple(each.literal for each in several if not each.is_found) for key, several in sides.items()}
        for change, sides in stated.items()
    }


def _brought(edits: Iterable[FileEdit]) -> tuple[str, ...]:
    """Return the literals of the lines that edits bring, without those of the lines they replace."""
    lines: list[bytes] = []
    gone: list[bytes] = []
    for edit in edits:
        if edit.act not in {Act.LINES, Act.CREATE}:
            continue
        still = {bare(line) for line in edit.old}
        lines += [line for line in without_secrets(edit.new) if bare(line) not in still and b"\0" not in line]
        gone += edit.old
    old = {literal.casefold() for literal in literals_of(gone)}
    return tuple(literal for literal in literals_of(lines) if literal.casefold() not in old)


def _names_of(path: str) -> Iterator[str]:
    name = path.rpartition("/")[2]
    yield from (path, name, name.rpartition(".")[0])
    yield from (f"./{path}", f"{path.rpartition('/')[0]}/")


def _is_worked_out(literal: str, change: Change, edits: Iterable[FileEdit], before: TextOf) -> bool:
    """Tell whether a literal is a day that stands for words like "yesterday", counted from a day of the same file."""
    if change.kind is not Kind.DATE or not _DAY.fullmatch(literal):
        return False
    paths = {edit.path for edit in edits if edit.old}
    return any(date_in_name(path) or any(map(_ISO_DAY.search, before(path) or ())) for path in paths)
