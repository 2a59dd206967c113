"""The index and what stands above a note: limits, orphans, examples, headers that no YAML reader takes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamreview.model.proposal import Kind
from dreamreview.model.review import Op
from tests.workspace.stores import Files, lay, texts, typed, workspace


def index_changes(folder: Path) -> list[str]:
    """Return the new text of every edit of the index that a dream of a folder suggests."""
    opened = workspace(folder)
    if opened.dream().proposal is None:
        return []
    return [
        b"".join(edit.new).decode()
        for change in opened.open().proposal.changes
        if change.kind is Kind.INDEX
        for edit in change.edits
    ]


def test_an_index_within_its_lines_and_over_its_bytes_is_over(tmp_path: Path) -> None:
    hook = " ".join(f"word{at}" for at in range(60))
    lines = [f"- [Note {at}](n{at}.md) - {hook} {at}" for at in range(80)]
    files: dict[str, bytes] = {f"n{at}.md": f"Fact number {at} of the pier.\n".encode() for at in range(80)}
    folder = lay(tmp_path / "s", {**files, "MEMORY.md": "\n".join(lines).encode() + b"\n"})
    health = workspace(folder).doctor()
    assert health.index_lines == 80
    assert health.index_bytes > 25_000
    assert health.index_over
    assert "oversize" in {finding.cls for finding in health.findings}


def test_an_orphan_gets_a_line_and_a_dangling_line_goes(tmp_path: Path) -> None:
    files: Files = {
        "MEMORY.md": b"# Index\n\n- [Boats](boats.md) - who sails what\n- [Gone](gone.md) - was here\n",
        "boats.md": typed("boats", "reference", "who sails what", "Ana sails the dinghy.\n"),
        "tides.md": typed("tides", "reference", "when the pier is dry", "Dry at low water.\n"),
    }
    added = index_changes(lay(tmp_path / "s", files))
    assert any("tides.md" in text for text in added)
    assert "" in added


def test_links_in_code_fences_are_no_links(tmp_path: Path) -> None:
    files: Files = {
        "MEMORY.md": b"# Index\n\n```\n- [Example](example.md) - how an entry looks\n```\n- [A](a.md) - the lamp\n",
        "a.md": b"The lamp on the mole is green.\n",
    }
    assert index_changes(lay(tmp_path / "s", files)) == []


@pytest.mark.parametrize(
    "header",
    [
        "---\nname: Deploy rule: never on Friday\ntype: feedback\n---\n",
        '---\nname: "done" means merged\n---\n',
        "---\ndescription: see ticket #12 for why\nname: @core owns it\n---\n",
        '---\n{\n  "title": "Cache key", "tags": ["x"]\n}\n---\n',
        "---\r\nname: crlf\r\n---\r\n",
        "",
    ],
)
def test_a_header_is_kept_to_the_byte_whatever_becomes_of_the_note(tmp_path: Path, header: str) -> None:
    body = "Yesterday the crane was oiled.\n"
    folder = lay(tmp_path / "s", {"2026-05-10-crane.md": f"{header}{body}".encode()})
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    (change,) = [change for change in review.proposal.changes if change.kind is Kind.DATE]
    review.decide(Op.ACCEPT, change.id)
    opened.apply()
    after = texts(folder)["2026-05-10-crane.md"]
    assert after.startswith(header.encode())
    assert b"2026-05-09" in after


def test_ages_come_from_dates_in_the_note_and_not_from_the_clock_of_the_file(tmp_path: Path) -> None:
    young = typed("s", "session_state", "Where we are", "We are at step two.\n", created="2026-09-10")
    folder = lay(tmp_path / "s", {"session_now.md": young})
    os.utime(folder / "session_now.md", (0, 0))
    assert workspace(folder).dream().proposal is None


def test_a_file_that_was_checked_out_just_now_is_as_old_as_it_says(tmp_path: Path) -> None:
    old = typed("s", "session_state", "Where we were", "We were at step four.\n", created="2026-01-05")
    folder = lay(tmp_path / "s", {"session_old.md": old})
    now = workspace(folder).now().timestamp()
    os.utime(folder / "session_old.md", (now, now))
    assert workspace(folder).dream().counts == {"prune": 1}
