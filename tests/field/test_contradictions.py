"""Facts that cannot both hold: shown with both sides and never settled, the newer kept, safety never weakened."""

from __future__ import annotations

import os
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.proposal import Kind
from tests.field.dreaming import dreamed, new_text, of_kind

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
TOUCHING = (Kind.MERGE, Kind.CONFLICT, Kind.SUPERSEDE, Kind.PRUNE)


def test_the_same_thing_with_another_value_is_a_conflict() -> None:
    files = {
        "a.md": "- The tide office of the pier is in Skarvik.\n",
        "b.md": "- The tide office of the pier is in Lomvik.\n",
    }
    (draft,) = of_kind(files, *TOUCHING)
    assert draft.kind is Kind.CONFLICT
    assert [option.key for option in draft.options] == ["A", "B"]


def test_two_names_for_one_person_are_a_conflict() -> None:
    files = {"a.md": "- The user is called Rosa.\n", "b.md": "- The user is called Petra.\n"}
    (draft,) = of_kind(files, *TOUCHING)
    assert draft.kind is Kind.CONFLICT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers tabs in the log files.", "Does not prefer tabs in the log files."),
        ("The night boat carries bicycles on weekdays.", "The night boat does not carry bicycles on weekdays."),
        ("夜班船周末载自行车。", "夜班船周末不载自行车。"),
        ("Das Nachtboot nimmt werktags Räder mit.", "Das Nachtboot nimmt werktags keine Räder mit."),
    ],
)
def test_a_denial_of_the_same_is_a_conflict_and_no_duplicate(one: str, other: str) -> None:
    drafts = of_kind({"a.md": f"- {one}\n", "b.md": f"- {other}\n"}, *TOUCHING)
    assert [draft.kind for draft in drafts] == [Kind.CONFLICT]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The ticket service uses PostgreSQL.", "The ticket service was migrated from PostgreSQL to MySQL."),
        ("票务服务使用 PostgreSQL。", "票务服务从 PostgreSQL 迁移到 MySQL。"),
        ("Билетный сайт стоит у хостинга Маяк.", "Билетный сайт перенесли с хостинга Маяк на хостинг Парус."),
    ],
)
def test_what_moved_supersedes_what_was_there_before(old: str, new: str) -> None:
    (draft,) = of_kind({"a.md": f"- {old}\n", "b.md": f"- {new}\n"}, *TOUCHING)
    assert draft.kind is Kind.SUPERSEDE
    assert {edit.path for edit in draft.edits} == {"a.md"}


def test_a_true_update_suggests_the_newer_side_and_settles_nothing() -> None:
    files = {
        "a.md": "- A berth is held for 20 minutes.\n",
        "b.md": "- Since 2026-08-02 a berth is held for 35 minutes.\n",
    }
    (draft,) = of_kind(files, *TOUCHING)
    assert (draft.kind, draft.suggested, draft.edits) == (Kind.CONFLICT, "B", ())


def test_the_sentence_that_says_since_when_decides_which_amounts_stand_against_one_another() -> None:
    files = {
        "a.md": "- Full logs are kept for 90 days, after that only one line a minute.\n",
        "b.md": "- Since 2026-07-18 full logs are kept for 400 days; the one-minute lines stay for ever.\n",
    }
    (draft,) = of_kind(files, *TOUCHING)
    assert draft.suggested == "B"
    (edit,) = draft.options[1].edits
    assert edit.new == (b"- Full logs are kept for 400 days, after that only one line a minute.\n",)


def test_compatible_facts_stay_side_by_side() -> None:
    files = {"a.md": "- Ilse likes long crossings.\n", "b.md": "- Ilse takes the short crossing on Mondays.\n"}
    assert of_kind(files, *TOUCHING) == []


def test_what_is_only_guessed_changes_nothing_of_what_is_known() -> None:
    files = {"a.md": "- The pier lamp burns oil.\n", "b.md": "- Maybe the pier lamp burns gas these days.\n"}
    assert of_kind(files, Kind.MERGE, Kind.SUPERSEDE, Kind.PRUNE) == []


def test_a_matter_of_safety_is_not_softened_by_a_remark() -> None:
    files = {
        "a.md": "- Ole has a severe allergy to mussels; keep mussels out of the galley.\n",
        "b.md": "- Ole ate a mussel on Friday and had no reaction, so mussels seem to be fine for him.\n",
    }
    (draft,) = of_kind(files, *TOUCHING)
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, "A")


@pytest.mark.parametrize("side", ["A", "B"])
def test_no_conflict_is_settled_without_a_person(side: str) -> None:
    files = {
        "a.md": "- The mast lamp is serviced by Rosa.\n- Gate code stays.\n",
        "b.md": "- The mast lamp is owned by Petra.\n",
    }
    for draft in of_kind(files, Kind.CONFLICT):
        assert draft.edits == ()
        assert side in {option.key for option in draft.options}


@given(st.lists(st.integers(10, 99), min_size=2, max_size=5, unique=True))
@settings(max_examples=int(20 * SCALE), deadline=None)
def test_every_number_that_a_dream_writes_stood_in_the_memory(numbers: list[int]) -> None:
    files = {
        f"n{at}.md": f"- The crane lifts {number} crates an hour, the gate opens at 06:30.\n- Crate {number} is red.\n"
        for at, number in enumerate(numbers)
    }
    known = set(re.findall(r"\d+", "".join(files.values())))
    assert set(re.findall(r"\d+", new_text(dreamed(files)))) <= known
