from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dreamreview.model.proposal import Act, Kind
from dreamreview.store.importing.candidates import is_recall_store, is_report, read_recalls, read_report
from dreamreview.store.importing.promoting import from_candidates
from dreamreview.store.importing.values import Suggested
from dreamreview.store.rooted import Root
from tests.store.importing.grounds import ground_of, left, made
from tests.workspace.stores import Files, lay

NOTE = b"# 2026-08-03\n\n- The kiln holds 1,240 degrees.\n- Glaze 7 runs.\n\n## Later\n\n- Ask Noor about the cones.\n"
STORE: Files = {"MEMORY.md": b"# Long-Term Memory\n\n- Clay comes on Mondays.\n", "memory/2026-08-03.md": NOTE}


def entry(text: str, first: int, last: int | None = None, **rest: Any) -> dict[str, Any]:
    path = rest.pop("path", "memory/2026-08-03.md")
    shape = {"path": path, "startLine": first, "endLine": last or first, "snippet": text, "recallCount": 3}
    return {**shape, "totalScore": 2.4, "queryHashes": ["a", "b"], "recallDays": ["2026-08-04"], **rest}


def recalls(*entries: dict[str, Any]) -> bytes:
    keyed = {f"memory:{one['path']}:{one['startLine']}:{one['endLine']}": one for one in entries}
    return json.dumps({"version": 1, "updatedAt": "2026-08-05T03:00:00Z", "entries": keyed}).encode()


def imported(tmp_path: Path, data: bytes, files: Files = STORE, workspace: Root | None = None) -> Suggested:
    ground = ground_of(tmp_path / "store", files)
    return from_candidates(ground, read_recalls("recalls", data), "recalls", workspace)


KILN = entry("The kiln holds 1,240 degrees.", 3)


def test_a_recall_becomes_a_card_with_its_note_as_evidence(tmp_path: Path) -> None:
    heading, card = imported(tmp_path, recalls(KILN)).changes
    assert (heading.kind, heading.title) == (Kind.PROMOTE, "Begin a section of MEMORY.md for what is promoted")
    assert (card.kind, card.title, card.confidence) == (
        Kind.PROMOTE,
        "Promote memory/2026-08-03.md line 3 to MEMORY.md",
        0.8,
    )
    assert card.reason == (
        "OpenClaw staged it: 3 recalls; 2 queries on 1 day, average score 0.80 "
        "(memory:memory/2026-08-03.md:3:3 in recalls)."
    )
    assert [(one.path, one.first, one.last, one.quote, one.date) for one in card.evidence] == [
        ("memory/2026-08-03.md", 3, 3, "- The kiln holds 1,240 degrees.", "2026-08-03")
    ]


def test_all_cards_are_added_at_the_end_as_openclaw_writes_them(tmp_path: Path) -> None:
    found = imported(tmp_path, recalls(KILN, entry("Glaze 7 runs.", 4, totalScore=2.7)))
    assert made(found)["MEMORY.md"].decode() == (
        "# Long-Term Memory\n\n- Clay comes on Mondays.\n\n"
        "## Promoted From Short-Term Memory (2026-09-15)\n\n"
        "<!-- openclaw-memory-promotion:memory:memory/2026-08-03.md:4:4 -->\n- Glaze 7 runs.\n"
        "<!-- openclaw-memory-promotion:memory:memory/2026-08-03.md:3:3 -->\n- The kiln holds 1,240 degrees.\n"
    )


def test_a_candidate_is_found_where_its_note_says_it_now(tmp_path: Path) -> None:
    moved = {**STORE, "memory/2026-08-03.md": b"new\n\nnew\n" + NOTE}
    (_, card) = imported(tmp_path, recalls(KILN), moved).changes
    assert card.evidence[0].first == 6


def test_several_lines_stay_several_lines(tmp_path: Path) -> None:
    flat = entry("# 2026-08-03 - The kiln holds 1,240 degrees. - Glaze 7 runs.", 1, 4)
    (_, card) = imported(tmp_path, recalls(flat)).changes
    assert b"".join(card.edits[0].new).decode().split("\n")[1:-1] == [
        "- 2026-08-03",
        "  - The kiln holds 1,240 degrees.",
        "  - Glaze 7 runs.",
    ]


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (entry("The kiln holds 900 degrees.", 3), "its note memory/2026-08-03.md does not say so any more"),
        (entry("Gone.", 1, path="memory/none.md"), "its note memory/none.md is not there"),
        (entry("root:x", 1, path="../../etc/passwd"), "its path holds an empty part, . or .."),
        (entry("root:x", 1, path="/etc/passwd"), "its path is absolute"),
    ],
)
def test_what_cannot_be_read_again_is_named_and_left(tmp_path: Path, one: dict[str, Any], reason: str) -> None:
    found = imported(tmp_path, recalls(one))
    assert (found.changes, [why for _, _, why in left(found)]) == ((), [reason])


def test_secrets_and_generated_blocks_are_not_promoted(tmp_path: Path) -> None:
    note = (
        b"- password: Heron-8841-Causeway\n\n<!-- openclaw:dreaming:light:start -->\n- Glaze 7 runs.\n"
        b"<!-- openclaw:dreaming:light:end -->\n"
    )
    data = recalls(entry("password: Heron-8841-Causeway", 1), entry("Glaze 7 runs.", 4))
    found = imported(tmp_path, data, {**STORE, "memory/2026-08-03.md": note})
    assert found.changes == ()
    assert sorted(why for _, _, why in left(found)) == [
        "it holds a secret",
        "it stands in a block of memory/2026-08-03.md that a program writes, or in code",
    ]
    assert "Causeway" not in str(left(found))


@pytest.mark.parametrize(
    ("memory", "extra"),
    [
        (b"- The kiln holds 1,240 degrees.\n", {}),
        (b"<!-- openclaw-memory-promotion:memory:memory/2026-08-03.md:3:3 -->\n- Reworded.\n", {}),
        (b"- Clay.\n", {"promotedAt": "2026-08-09T03:00:00Z"}),
    ],
)
def test_what_was_promoted_before_is_done(tmp_path: Path, memory: bytes, extra: dict[str, str]) -> None:
    found = imported(tmp_path, recalls({**KILN, **extra}), {**STORE, "MEMORY.md": memory})
    assert (found.changes, found.done, found.left) == ((), 1, ())


def test_without_a_long_term_memory_one_card_makes_it(tmp_path: Path) -> None:
    found = imported(tmp_path, recalls(KILN, entry("Glaze 7 runs.", 4)), {"memory/2026-08-03.md": NOTE})
    (change,) = found.changes
    assert (change.kind, [edit.act for edit in change.edits]) == (Kind.PROMOTE, [Act.CREATE])
    assert made(found)["MEMORY.md"].startswith(
        b"# Long-Term Memory\n\n## Promoted From Short-Term Memory (2026-09-15)\n"
    )
    assert len(change.evidence) == 2


def test_a_note_of_another_workspace_is_read_there_and_counts_as_unsupported(tmp_path: Path) -> None:
    other = Root(lay(tmp_path / "claw", STORE))
    (_, card) = imported(tmp_path, recalls(KILN), {"MEMORY.md": b"- Clay.\n"}, other).changes
    assert (card.flags, card.evidence) == (("unsupported",), ())


def test_staged_candidates_of_a_light_sleep_are_read() -> None:
    report = (
        b"# Light Sleep\n\n- Candidate: Glaze 7 runs.\n  - confidence: 0.62\n  - evidence: memory/2026-08-03.md:4-4\n"
        b"  - recalls: 0\n  - status: staged\n"
        b"- Candidate: Done one.\n  - confidence: 0.6\n  - evidence: memory/a.md:1-1\n"
        b"  - status: promoted\n"
    )
    assert is_report(report)
    (found,) = read_report("light/2026-08-04.md", report)
    assert (found.path, found.first, found.last, found.text, found.score) == (
        "memory/2026-08-03.md",
        4,
        4,
        "Glaze 7 runs.",
        0.62,
    )
    assert found.where == "line 3 of light/2026-08-04.md"


@pytest.mark.parametrize(
    "broken",
    [
        {"snippet": 3},
        {"path": None},
        {"startLine": "3"},
        {"startLine": 9, "endLine": 2},
        {"startLine": True, "endLine": 0},
        {"snippet": " "},
    ],
)
def test_entries_of_another_form_are_passed_over(broken: dict[str, Any]) -> None:
    assert [one.text for one in read_recalls("r", recalls({**KILN, **broken}, entry("x", 1)))] == ["x"]


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"entries": 3}', b'{"entries": {"a": 1}}', b"{" * 100_000])
def test_other_json_is_no_list_of_recalls(data: bytes) -> None:
    assert not is_recall_store(data)


def test_scores_that_are_no_numbers_count_as_none() -> None:
    odd = recalls({**KILN, "totalScore": 1e308, "recallCount": -4, "dailyCount": True})
    assert [one.score for one in read_recalls("r", odd)] == [0.0]
