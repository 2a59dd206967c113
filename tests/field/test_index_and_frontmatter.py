"""The index and what stands above a note: limits, orphans, examples, headers that no YAML reader takes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from dreamreview.dream.engine import Policy
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind
from dreamreview.model.review import Op
from tests.field.dreaming import dreamed, new_text
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


def _crowded(count: int) -> dict[str, str]:
    """Return a store whose index has an entry and a long section of facts more than is read, the newest last."""
    hook = "when the gate of that pier opens, who has its key and where the lamp oil stands " * 3
    entries = "".join(f"- [Pier {at}](pier{at}.md) - {hook}{at}\n" for at in range(count))
    facts = "".join(f"- Fact {at} of the harbour office, written down on 2026-08-{at + 1:02}.\n" for at in range(20))
    index = f"# Index\n\n{entries}\n## Facts\n\n{facts}- Correction of today: the office moved to the mole.\n"
    return {"MEMORY.md": index, **{f"pier{at}.md": f"The gate of pier {at} is painted.\n" for at in range(count)}}


def test_an_index_that_is_too_long_is_shortened_then_moved_and_nothing_is_dropped() -> None:
    files = _crowded(60)
    drafts = [draft for draft in dreamed(files, Policy(index_bytes=6_000)) if draft.kind is Kind.INDEX]
    assert [draft.title.split()[0] for draft in drafts] == ["Shorten", "Move"]
    kept = new_text(drafts)
    assert "Correction of today: the office moved to the mole." in kept
    assert all(f"Fact {at} of the harbour office" in kept for at in range(20))


def test_the_newest_line_of_an_index_is_never_cut() -> None:
    files = _crowded(60)
    last = len(files["MEMORY.md"].splitlines())
    for draft in dreamed(files, Policy(index_bytes=6_000)):
        for edit in draft.edits:
            is_moved = any(b"Correction of today" in line for other in draft.edits for line in other.new)
            assert edit.path != "MEMORY.md" or edit.stop < last or is_moved


def test_after_an_apply_the_index_names_the_files_that_are_there(tmp_path: Path) -> None:
    files: Files = {
        "MEMORY.md": b"# Index\n\n- [Boats](boats.md) - sails\n- [Oars](oars.md) - x\n- [Mole](mole.md) - lamp\n",
        "boats.md": typed("boats", "reference", "who sails what", "Ana sails the dinghy.\n"),
        "mole.md": typed("mole", "reference", "lamp", "The lamp is green.\n"),
        "tides.md": typed("tides", "reference", "when the pier is dry", "Dry at low water.\n"),
    }
    folder = lay(tmp_path / "s", files)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    for change in review.proposal.changes:
        review.decide(Op.ACCEPT, change.id)
    opened.apply()
    after = texts(folder)["MEMORY.md"].decode()
    assert sorted(re.findall(r"\((\w+\.md)\)", after)) == ["boats.md", "mole.md", "tides.md"]


def test_no_frontmatter_is_no_fault(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"The lamp is green.\n", "b.md": b"# Gate\n\nThe gate is red.\n"})
    assert workspace(folder).doctor().findings == ()


def test_a_file_of_frontmatter_alone_is_called_by_its_description() -> None:
    files = {
        "MEMORY.md": "# Index\n\n- [Boats](boats.md) - who sails what\n- [Mole](mole.md) - lamp\n",
        "boats.md": "---\nname: boats\ndescription: who sails what\ntype: reference\n---\nAna sails.\n",
        "mole.md": "---\nname: mole\ndescription: lamp\ntype: reference\n---\nThe lamp is green.\n",
        "gate.md": "---\ndescription: Which gate opens when\n---\n",
    }
    titles = [note.title for note in parse("gate.md", files["gate.md"].encode()).notes]
    assert titles == ["Which gate opens when"]
    assert all("---" not in draft.title for draft in dreamed(files))
