"""Whether a text that is to be written holds what only stands for a secret where it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dreamreview.model.edits import LF, Text, close
from dreamreview.model.secrets import MASK, find_secrets, masks_of

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change
    from dreamreview.model.third import BaseLines

_PROBE = "Zq81Lmv02XcP"
"""What is taken for a password wherever one may stand."""
_LABEL = re.compile("⟦secret \\d{1,6}⟧")
"""What stands for a secret in an editor."""


def masks_written(text: str, held: str, secrets: str) -> Iterator[str]:
    """Yield what stands for a secret in a text that is to be written.

    Args:
        text: what is to be written.
        held: what the files hold; what stands in it already may stay.
        secrets: text whose secrets may have been shown masked to whoever wrote the text.
    """
    shown = masks_of(secrets)
    yield from sorted(mask for mask in shown if mask != MASK and mask in text and mask not in held)
    yield from dict.fromkeys(label for label in _LABEL.findall(text) if label not in held)
    if MASK in shown and any(_stands_for_one(line) for line in text.split("\n") if MASK in line and line not in held):
        yield MASK


def _stands_for_one(line: str) -> bool:
    """Tell whether the short mask stands in a line where a password would stand."""
    tried = line.replace(MASK, _PROBE)
    return any(_PROBE in tried[span.start : span.stop] for span in find_secrets(tried))


def masks_in(new: Text, change: Change, base_lines: BaseLines | None = None) -> list[str]:
    """Return what stands for a secret in lines that are to be written for a change.

    Args:
        new: the lines, of the proposal or of a person.
        change: the change: all of it is shown together.
        base_lines: base text of a path; None where it is not known.
    """
    text = _joined(new)
    if not any(mark in text for mark in ("…", MASK, "⟦")):
        return []
    paths = dict.fromkeys(each.path for each in change.all_edits)
    base = [base_lines(path) for path in paths] if base_lines is not None else []
    held = "\n".join([*(_joined(each.old) for each in change.all_edits), *map(_joined, base)])
    brought = "\n".join(_joined(each.new) for each in change.all_edits)
    return list(masks_written(text, held, f"{held}\n{brought}"))


def _joined(lines: Iterable[bytes]) -> str:
    return b"".join(close(line, LF) for line in lines).decode("utf-8", "surrogateescape")
