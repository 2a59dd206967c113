from __future__ import annotations

from typing import Any

import pytest

from dreamreview.model import manifest
from tests.model.documents import create, delete, document, lines_edit, mode, one_change, refusal, rename


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lines_edit(1, 2, "a\nb\n", ""), lines_edit(2, 2, "b\n", "B\n")),
        (lines_edit(1, 2, "a\nb\n", ""), lines_edit(2, 1, "", "n\n")),
        (lines_edit(2, 2, "b\n", "B\n"), lines_edit(1, 3, "a\nb\nc\n", "")),
        (create("n.md"), create("n.md")),
        (create("n"), create("n/below.md")),
        (delete("n.md"), create("n.md/part.md")),
        (rename("a.md", "n.md"), create("n.md")),
        (rename("a.md", "n.md"), rename("b.md", "n.md")),
        (rename("a.md", "n.md"), lines_edit(1, 0, "", "n\n")),
        (delete("a.md"), lines_edit(1, 0, "", "n\n")),
        (delete("a.md"), mode("a.md")),
        (lines_edit(1, 0, "", "n\n"), delete("a.md")),
        (mode("a.md"), mode("a.md")),
    ],
)
def test_two_changes_that_claim_the_same_are_refused(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert refusal(document(one_change(one), one_change(other))).startswith(
        ("changes[0].edits[0]: ", "changes[1].edits[0]: ")
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lines_edit(1, 2, "a\nb\n", ""), lines_edit(3, 2, "", "n\n")),
        (lines_edit(1, 0, "", "m\n"), lines_edit(1, 0, "", "n\n")),
        (lines_edit(1, 0, "", "m\n"), lines_edit(1, 1, "a\n", "")),
        (lines_edit(1, 1, "a\n", "A\n"), mode("a.md")),
        (delete("d/a.md"), delete("d/b.md")),
        (create("d"), create("dd")),
    ],
)
def test_two_changes_that_stand_apart_are_fine(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert len(manifest.from_json(document(one_change(one), one_change(other))).changes) == 2


def test_a_far_reaching_edit_is_known_past_those_of_its_own_change() -> None:
    long = lines_edit(1, 9, "a\n" * 9, "")
    apart = one_change(lines_edit(20, 19, "", "n\n"))
    late = one_change(lines_edit(8, 8, "a\n", "A\n"))
    assert refusal(document(one_change(long), apart, late)) == (
        "changes[2].edits[0]: overlaps an edit of changes[0].edits[0] in 'a.md' at line 8"
    )


@pytest.mark.parametrize(
    "edits",
    [
        (lines_edit(1, 2, "a\nb\n", ""), lines_edit(2, 2, "b\n", "B\n", id="e2")),
        (delete("a.md"), lines_edit(1, 0, "", "n\n", id="e2")),
        (create("n"), create("n/below.md", "e2")),
        (create("n"), create("n", "e2")),
        (mode("a.md"), mode("a.md", "e2")),
        (rename("a.md", "n.md"), rename("b.md", "n.md", "e2")),
    ],
)
def test_a_change_that_contradicts_itself_is_refused(edits: tuple[dict[str, Any], ...]) -> None:
    assert refusal(document(one_change(*edits))).startswith("changes[0].edits[")


@pytest.mark.parametrize(
    "edits",
    [
        (delete("a.md"), create("a.md/part.md", "e2")),
        (delete("a.md"), create("a.md", "e2")),
        (rename("a.md", "b.md"), rename("b.md", "a.md", "e2")),
        (rename("a.md", "b.md"), lines_edit(1, 0, "", "n\n", id="e2"), mode("a.md", "e3")),
    ],
)
def test_names_may_be_claimed_again_within_one_change(edits: tuple[dict[str, Any], ...]) -> None:
    assert len(manifest.from_json(document(one_change(*edits))).changes[0].edits) == len(edits)


def conflict(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    return one_change(kind="conflict", options=[{"key": "A", "edits": [a]}, {"key": "B", "edits": [b]}])


def test_options_of_one_conflict_may_overlap_but_not_with_another_change() -> None:
    both = conflict(lines_edit(1, 1, "a\n", ""), lines_edit(1, 2, "a\nb\n", "", id="e2"))
    assert len(manifest.from_json(document(both)).changes) == 1
    assert refusal(document(both, one_change(lines_edit(2, 2, "b\n", "")))) == (
        "changes[1].edits[0]: overlaps an edit of changes[0].options[1].edits[0] in 'a.md' at line 2"
    )
