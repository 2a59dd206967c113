from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.claims import know
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.judging import judge_all
from dreamreview.dream.relation import Kinship
from dreamreview.dream.statements import find
from dreamreview.model.markdown import parse


def _corpus(files: dict[str, str]) -> Corpus:
    documents = {path: parse(path, text.encode()) for path, text in sorted(files.items())}
    return Corpus(documents, frozenset(files), date(2026, 9, 15))


def _kinds(one: str, other: str) -> list[Kinship]:
    corpus = _corpus({"a.md": f"# Boat\n\n- {one}\n", "b.md": f"# Work\n\n- {other}\n"})
    return [verdict.relation.kinship for verdict in judge_all(know(corpus))]


def _find(files: dict[str, str]) -> list[Draft]:
    return list(find(_corpus(files), Policy()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "**Harbour → Log:** 1. Read the tide → 2. Write the log",
            "**Log → Harbour:** 1. Read the log → 3. Ring harbour",
        ),
        ("**Answer time**: <500ms for a reading", "**Answer check**: look for auth errors of a reading, not 404s"),
        ("The hull must float level (`tide float` exits 0)", "`tide float` of the hull fails at once (exit 135)"),
        ("Use **short names** WITHOUT a leading dash: `hull`", "NEVER use a leading dash: `-hull`"),
        ("The pilot doesn't yet take the helm alone", "The pilot takes the helm alone by the owner's settings"),
        ("Plan: move the winch to the new mast.", "The winch moves ropes to the new mast."),
        ("Place-based sail colours", "Place-based anchor colours"),
    ],
)
def test_what_agrees_completes_or_is_still_to_come_is_left_alone(one: str, other: str) -> None:
    assert _kinds(one, other) == []


def test_a_plan_goes_where_another_says_that_it_is_done() -> None:
    plan = "Plan: move the winch to the new mast."
    assert _kinds(plan, "The winch was moved to the new mast.") == [Kinship.SUPERSEDE]


def test_who_does_a_thing_rather_than_another_denies_the_other() -> None:
    one, other = "Tie the bow line with hemp rather than nylon.", "Tie the bow line with nylon."
    assert _kinds(one, other) == [Kinship.CONFLICT]


def test_a_day_that_gives_another_hour_is_a_dispute() -> None:
    files = {
        "MEMORY.md": "- The bread order goes out by 16:30.\n",
        "memory/2026-09-14.md": "# 2026-09-14\n\n- The bread order goes out by 17:45.\n",
    }
    (draft,) = _find(files)
    assert draft.kind.value == "conflict"


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("Haul the anchor at dawn. Never set the red sail in fog near the ferry.", b"- Haul the anchor at dawn.\n"),
        ("1. Haul the anchor → 2. Set the sail; never set the red sail in fog near the ferry.", None),
        ("Haul the anchor at dawn — never set the red sail in fog near the ferry.", None),
    ],
)
def test_a_choice_takes_out_a_whole_sentence_or_the_whole_line(line: str, left: bytes | None) -> None:
    (draft,) = _find({"a.md": f"- {line}\n", "b.md": "- Set the red sail in fog near the ferry.\n"})
    keep = next(option for option in draft.options if option.evidence[0].path == "b.md")
    (edit,) = keep.edits
    assert edit.new == (() if left is None else (left,))
