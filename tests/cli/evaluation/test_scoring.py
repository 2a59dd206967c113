from __future__ import annotations

import json
from typing import Any

import pytest

from dreamreview.cli.evaluation.key import parse
from dreamreview.cli.evaluation.scoring import Evaluation, Score, evaluate
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind, Option


def at(path: str, first: int, last: int | None = None) -> dict[str, Any]:
    return {"path": path, "lines": [first, last or first]}


def evidence(path: str, first: int, last: int | None = None) -> Evidence:
    return Evidence(path=path, first=first, last=last or first, quote="")


def change(kind: Kind, *found: Evidence, **rest: Any) -> Change:
    return Change(id="c1", kind=kind, title="", reason="", confidence=0.9, fingerprint="0" * 64, evidence=found, **rest)


def written(path: str, line: int, new: str) -> FileEdit:
    return FileEdit(id="e1", path=path, act=Act.LINES, start=line - 1, stop=line, old=(b"old\n",), new=(new.encode(),))


def score(changes: list[Change], key: dict[str, Any], index: list[str] | None = None, merged: str = "") -> Evaluation:
    return evaluate(changes, parse(json.dumps(key).encode(), "key.json"), index or [], merged)


def of(found: Evaluation, name: str) -> Score:
    return next(each for each in found.scores if each.name == name)


def figures(found: Score) -> tuple[float | None, float | None, int, int]:
    return found.precision, found.recall, len(found.missed), len(found.wrong)


def test_a_group_of_three_is_three_pairs_to_find() -> None:
    key = {"duplicates": [{"members": [at("a.md", 1), at("b.md", 4, 6), at("c.md", 9)]}]}
    merge = change(Kind.MERGE, evidence("b.md", 5), evidence("a.md", 1, 2))
    found = of(score([merge], key), "duplicates")
    assert found.precision == 1.0
    assert found.recall == pytest.approx(1 / 3)
    assert found.missed == ("a.md:1 and c.md:9", "b.md:4-6 and c.md:9")


def test_a_merge_that_no_group_names_is_wrong() -> None:
    merge = change(Kind.MERGE, evidence("a.md", 1), evidence("b.md", 1), evidence("b.md", 1))
    found = of(score([merge], {}), "duplicates")
    assert (found.precision, found.recall, found.wrong) == (0.0, None, ("a.md:1 and b.md:1",))


@pytest.mark.parametrize(
    "key",
    [
        {"not_duplicates": [{"a": at("a.md", 1), "b": at("MEMORY.md", 2), "source": True}]},
        {"not_duplicates": [{"a": at("a.md", 1), "b": at("MEMORY.md", 2), "supersede": True}]},
        {"stale": [at("a.md", 1)]},
        {"promote": [at("a.md", 1)]},
        {"not_promote": [{**at("b.md", 3), "also": [at("a.md", 1)]}]},
    ],
)
def test_some_pairs_are_neither_hit_nor_false_alarm(key: dict[str, Any]) -> None:
    pair = (evidence("a.md", 1), evidence("MEMORY.md", 2))
    found = score([change(Kind.MERGE, *pair), change(Kind.CONFLICT, *pair)], key)
    assert of(found, "duplicates").wrong == ()
    assert of(found, "conflicts").wrong == ()
    assert found.false_merges == ()


def test_an_index_line_beside_the_file_it_points_to_is_neutral() -> None:
    merge = change(Kind.MERGE, evidence("MEMORY.md", 2), evidence("notes/bees.md", 1))
    pointing, other = ["# Index\n", "- [Bees](notes/bees.md)\n"], ["# Index\n", "- [Hens](hens.md)\n"]
    assert of(score([merge], {}, pointing), "duplicates").wrong == ()
    assert len(of(score([merge], {}, other), "duplicates").wrong) == 1


def test_a_conflict_is_found_by_any_place_of_its_sides_and_by_a_succession() -> None:
    key = {"conflicts": [{"a": at("a.md", 1), "b": at("b.md", 1), "also_b": [at("c.md", 1)], "topic": "hours"}]}
    options = (
        Option(key="A", label="", evidence=(evidence("a.md", 1),)),
        Option(key="B", label="", evidence=(evidence("c.md", 1),)),
    )
    by_conflict = of(score([change(Kind.CONFLICT, options=options)], key), "conflicts")
    by_succession = of(score([change(Kind.SUPERSEDE, evidence("b.md", 1), evidence("a.md", 1))], key), "conflicts")
    assert figures(by_conflict) == (1.0, 1.0, 0, 0)
    assert figures(by_succession) == (None, 1.0, 0, 0)
    assert of(score([], key), "conflicts").missed == ("a.md:1 and b.md:1: hours",)


@pytest.mark.parametrize(("suggested", "winner", "wrong"), [("A", "a", 0), ("B", "a", 1), ("A", None, 0)])
def test_a_suggestion_is_wrong_where_the_other_side_wins(suggested: str, winner: str | None, wrong: int) -> None:
    key = {"conflicts": [{"a": at("a.md", 1), "b": at("b.md", 1), "topic": "hours", "winner": winner}]}
    options = tuple(
        Option(key=letter, label="", evidence=(evidence(path, 1),)) for letter, path in (("A", "a.md"), ("B", "b.md"))
    )
    found = score([change(Kind.CONFLICT, options=options, suggested=suggested)], key)
    assert len(found.wrong_winners) == wrong


def test_merging_what_has_to_stay_apart_is_named() -> None:
    key = {
        "not_duplicates": [{"a": at("a.md", 1), "b": at("b.md", 1)}],
        "conflicts": [{"a": at("c.md", 1), "b": at("d.md", 1), "topic": "hours"}],
    }
    merges = [
        change(Kind.MERGE, evidence("b.md", 1), evidence("a.md", 1)),
        change(Kind.MERGE, evidence("c.md", 1), evidence("d.md", 1)),
    ]
    assert score(merges, key).false_merges == ("a.md:1 and b.md:1", "c.md:1 and d.md:1")


def test_single_places_are_found_by_evidence_or_edit_of_their_kind() -> None:
    key = {
        "stale": [at("a.md", 1), at("a.md", 2)],
        "not_stale": [at("a.md", 3)],
        "secrets": [{"path": "a.md", "line": 7}],
    }
    changes = [
        change(Kind.PRUNE, edits=(written("a.md", 1, ""),)),
        change(Kind.SUPERSEDE, evidence("a.md", 3)),
        change(Kind.PRUNE, evidence("a.md", 7)),
    ]
    found = score(changes, key)
    assert figures(of(found, "stale")) == (0.5, 0.5, 1, 1)
    assert figures(of(found, "secrets")) == (None, 0.0, 1, 0)


def test_a_relative_date_is_right_only_with_the_day_it_means() -> None:
    key = {
        "relative_dates": [{"path": "a.md", "line": 1, "word": "yesterday", "resolved": "2026-03-01"}],
        "not_dates": [{"path": "a.md", "line": 2, "word": "Today"}, {"path": "a.md", "line": 3, "word": "today"}],
    }
    right = change(Kind.DATE, edits=(written("a.md", 1, "It broke on 2026-03-01.\n"),))
    other = change(Kind.DATE, edits=(written("a.md", 1, "It broke on 2026-03-02.\n"),))
    kept = change(Kind.DATE, edits=(written("a.md", 2, 'The tab "Today", on 2026-03-01.\n'),))
    lost = change(Kind.DATE, edits=(written("a.md", 3, "On 2026-03-01.\n"),))
    assert figures(of(score([right, kept], key), "relative_dates")) == (1.0, 1.0, 0, 0)
    assert of(score([other, lost], key), "relative_dates").wrong == ("a.md:3", "a.md:1 is not 2026-03-01")


def test_the_index_is_scored_by_line_and_by_file() -> None:
    key = {"index": {"dangling": [3], "duplicate_lines": [5], "unindexed": ["notes/bees.md", "hens.md"]}}
    changes = [
        change(Kind.LINK, evidence("MEMORY.md", 3)),
        change(Kind.INDEX, edits=(written("MEMORY.md", 9, "- [Bees](notes/bees.md)\n"),)),
    ]
    found = of(score(changes, key), "index")
    assert (found.recall, found.missed) == (0.5, ("MEMORY.md:5", "hens.md is not indexed"))


def test_text_that_the_merges_lose_is_named_whatever_its_case_and_spacing() -> None:
    key = {"duplicates": [{"members": [at("a.md", 1), at("b.md", 1)], "must_keep": ["12  Bar", "blue valve"]}]}
    assert score([], key, merged="at 12 bar\nthe red valve\n").lost == ("blue valve",)
