"""A change that alters a pinned note says so, whoever made it, and is never accepted along with others unnamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.workspace.stores import lay, leave_copy, workspace

if TYPE_CHECKING:
    from pathlib import Path

    from dreamreview.workspace.values import Card

PINNED = b"# Notes\n\n- [PINNED] Never water the cactus on Sundays.\n- The hose is green.\n"
TYPED = b"---\nname: cactus\npinned: true\n---\n\nNever water the cactus on Sundays.\n"


def cards(folder: Path, path: str, before: bytes, after: bytes | None) -> list[Card]:
    store = lay(folder, {path: before, "other.md": b"- The shed has two keys.\n"})
    leave_copy(store, {"other.md": b"- The shed has two keys.\n"} | ({path: after} if after is not None else {}))
    return list(workspace(store).open().cards())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PINNED, PINNED.replace(b"Never water", b"Always water")),
        (PINNED, PINNED.replace(b"- [PINNED] Never water the cactus on Sundays.\n", b"")),
        (PINNED, None),
        (TYPED, TYPED.replace(b"Sundays", b"Mondays")),
        (TYPED, TYPED.replace(b"pinned: true\n", b"")),
    ],
    ids=["reworded", "removed", "file deleted", "typed note reworded", "pin taken away"],
)
def test_a_change_that_alters_a_pinned_note_is_flagged_and_destructive(
    tmp_path: Path, before: bytes, after: bytes | None
) -> None:
    (card,) = cards(tmp_path / "s", "notes.md", before, after)
    assert "touches-pinned" in card.change.flags
    assert card.is_destructive


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PINNED, PINNED.replace(b"green", b"green, and new")),
        (PINNED, PINNED + b"- The tap drips.\n"),
        (b"- The pin of the gate is lost.\n", b"- The pin of the gate is found.\n"),
    ],
    ids=["another note", "a note more", "a note about pins"],
)
def test_a_change_beside_a_pinned_note_is_not(tmp_path: Path, before: bytes, after: bytes) -> None:
    (card,) = cards(tmp_path / "s", "notes.md", before, after)
    assert "touches-pinned" not in card.change.flags
