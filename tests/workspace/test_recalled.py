"""A change that moves lines which OpenClaw remembers by number says so on its card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.workspace.stores import lay, leave_copy, workspace

if TYPE_CHECKING:
    from pathlib import Path

DAY = b"# Day\n\n- The north gate sticks.\n- The pump was oiled.\n"
LONGER = b"# Day\n\n- Fog until noon.\n- The north gate sticks.\n- The pump was oiled.\n"


def store_of(path: str) -> bytes:
    entry = {"path": path, "startLine": 3, "endLine": 3, "source": "memory"}
    return json.dumps({"version": 1, "entries": {f"memory:{path}:3:3": entry}}).encode()


def flagged(folder: Path) -> list[str]:
    cards = workspace(folder).open().cards()
    return [card.change.edits[0].path for card in cards if "shifts-recalled" in card.change.flags]


@pytest.mark.parametrize(
    ("recall", "prefix"),
    [("memory/.dreams/short-term-recall.json", "memory/"), (".dreams/short-term-recall.json", "")],
)
def test_a_line_added_above_a_remembered_one_is_flagged(tmp_path: Path, recall: str, prefix: str) -> None:
    before = {f"{prefix}2026-09-01.md": DAY, f"{prefix}2026-09-02.md": DAY, recall: store_of("memory/2026-09-01.md")}
    folder = lay(tmp_path / "s", before)
    leave_copy(folder, {**before, f"{prefix}2026-09-01.md": LONGER, f"{prefix}2026-09-02.md": LONGER})
    assert flagged(folder) == [f"{prefix}2026-09-01.md"]


@pytest.mark.parametrize("odd", [b"", b"{", b"[" * 9_000, b'{"entries": 7}', b"\xff\xfe"], ids=range(5))
def test_a_recall_store_that_cannot_be_read_flags_nothing(tmp_path: Path, odd: bytes) -> None:
    before = {"memory/2026-09-01.md": DAY, "memory/.dreams/short-term-recall.json": odd}
    folder = lay(tmp_path / "s", before)
    leave_copy(folder, {**before, "memory/2026-09-01.md": LONGER})
    assert flagged(folder) == []
