from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.claims import know
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.judging import judge_all
from dreamreview.dream.relation import Kinship
from dreamreview.dream.statements import find
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind


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
        ("Gentle rope handling and crew feedback", "Firm rope handling and crew feedback"),
        ("Buoy management efficiency", "Crew management efficiency"),
        (
            "❌ Forbidden: stern before bow (never invert the mast order)",
            "❌ Inverting the mast order (stern before bow)",
        ),
        (
            "No calls to the harbour office, the pilot or the crane",
            "❌ Calling the harbour office, the pilot or the crane",
        ),
        ("**No stern winch**: needless weight taken off", "**Stern winch removal** taking needless weight off"),
        ("胸口不适、心跳异常、步子掉了 → 立刻停船", "任何胸口不适立刻停船"),
        ("Sail log migrated to Quay, Fjord ropes imported with photos", "Ropes imported with photos"),
        ("Target: the harbour crane lifts 900 kg at low tide", "The harbour crane lifts 300 kg at low tide"),
        ("Row to the quay until the new slip is ready for boats", "The new slip is not ready for boats"),
        ("Check first whether the tide table exists", "If the tide table does not exist: print the tide table first"),
        (
            "The pilot's chart lacks rocks that exist on the pier's map",
            "Rocks on the pier's map do not exist on the chart",
        ),
        ("Slip repair is 60 % complete", "The slip repair is 100 % complete"),
        ("[x] Coil the harbour ropes by hand at 18:00", "The harbour ropes are coiled by hand at 19:00"),
        ("Tide tables moved to Quaybook by Ana", "All 364 tide tables of the harbour were moved and checked."),
        ("The harbour tide tables moved to Quaybook", "Formerly the harbour tide tables: paper."),
        ("Slip and harbour rules moved to Quaybook", "The slip, the tug and the harbour rules"),
        ("Build Your Own Rope Ladder in Python", "Make Your Own Signal Lamp in Python"),
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


def test_two_days_of_the_month_for_one_thing_are_a_dispute() -> None:
    one, other = "The harbour dues are paid on the 3rd of each month.", "Harbour dues are paid on the 12th."
    assert _kinds(one, other) == [Kinship.CONFLICT]


def test_a_condition_that_leads_into_a_list_states_nothing() -> None:
    rule = "The slipway closes five days before the storm season begins."
    assert _kinds(rule, "When the slipway closes less than 24 hours before the storm season begins:") == []
    assert _kinds(rule, "Since the slipway closes less than 24 hours before the storm season begins:") == []
    assert _kinds(rule, "The slipway closes 24 hours before the storm season begins.") == [Kinship.CONFLICT]


def test_several_amounts_that_changed_at_once_are_one_dispute() -> None:
    one, other = (
        "The fish crate comes on Tuesday, 18 euro.",
        "Since 2026-08-12 the fish crate comes on Friday for 21 euro.",
    )
    assert _kinds(one, other) == [Kinship.CONFLICT]
    assert _kinds(one, "The fish crate comes on Friday for 21 euro.") == []


def test_what_is_cancelled_is_at_odds_with_what_still_counts_on_it() -> None:
    files = {
        "a.md": "- Ice is from Nordkai, 45 euro.\n- Ice comes from Lumen since 2026-08-06, Nordkai is cancelled.\n"
    }
    (draft,) = _find(files)
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, "B")


def test_a_dated_line_below_decisions_says_what_holds_from_then_on() -> None:
    rule, day = (
        "- The slip is closed five days before a race.\n",
        "2026-06-12: the slip is closed seven days before a race.",
    )
    (draft,) = _find({"a.md": rule, "b.md": f"# Yard\n\n## Decisions\n\n- {day}\n"})
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, "B")
    assert _find({"a.md": rule, "b.md": f"# Yard\n\n## Log\n\n- {day} Fog.\n"}) == []


def test_the_words_of_a_path_say_what_a_sentence_is_about() -> None:
    one, other = (
        "Films go to `//attic/harbour/<date>` and are kept for 21 days.",
        "Harbour films are kept for 30 days in the attic.",
    )
    assert _kinds(one, other) == [Kinship.CONFLICT]


def test_what_to_do_if_so_and_what_if_not_agree() -> None:
    one, other = (
        "If the slip is free, ask the warden to open it.",
        "If the slip is not free, ask the warden to open it.",
    )
    assert _kinds(one, other) == []


def test_a_remark_that_nothing_happened_is_held_against_a_matter_of_safety() -> None:
    files = {
        "MEMORY.md": "- Ilka must not have mussels, not even traces; the pen is in the chart drawer.\n",
        "memory/2026-09-14.md": "# 2026-09-14\n\n- Ilka ate a mussel and nothing happened, so mussels seem fine.\n",
    }
    (draft,) = _find(files)
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, "A")
    said = {"b.md": "- Karl says that mussels are no problem for Ilka, she had some in spring.\n"}
    (draft,) = _find({"a.md": files["MEMORY.md"], **said})
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, "A")


def test_what_is_to_be_updated_corrects_nothing() -> None:
    steps = "1. Read the tide table of the pier (steps 2-6).\n2. Update the log of the slip (step 7).\n"
    assert _find({"a.md": f"# Close the day\n\n{steps}"}) == []
    hours = "- The slip opens at 07:00.\n- Update: 08:00, the warden comes later.\n"
    assert [draft.kind for draft in _find({"a.md": hours})] == [Kind.CONFLICT]


def test_entries_below_one_another_list_several_things() -> None:
    torn, lent = (
        "- The old jib is torn. About 40 looms affected.\n",
        "- The lent sail is not for sale. About 50 looms affected.\n",
    )
    assert _find({"a.md": f"# Boat\n\n{torn}{lent}"}) == []
    assert [draft.kind for draft in _find({"a.md": f"# Boat\n\n{torn}- Sails are dyed.\n{lent}"})] == [Kind.CONFLICT]
    hours = "- The lock opens at 07:00 on weekdays.\n- The lock opens at 08:00 on weekdays.\n"
    assert [draft.kind for draft in _find({"a.md": hours})] == [Kind.CONFLICT]


def test_a_label_with_a_value_speaks_of_what_its_own_file_is_about() -> None:
    sea, resin = "- **Temperature**: -2 °C ~ 13 °C\n", "- Temperature: 25 °C\n"
    assert _find({"sea.md": f"# Log of the sea\n\n{sea}", "resin.md": f"# Glue\n\n{resin}"}) == []
    both = _find({"resin-sea.md": f"# Resin\n\n{sea}", "resin.md": f"# Resin\n\n{resin}"})
    assert [draft.kind for draft in both] == [Kind.CONFLICT]


def test_a_plan_is_not_carried_out_by_what_is_not_done_yet() -> None:
    plan = "Plan: move the winch to the new mast."
    assert _kinds(plan, "The winch to the new mast: moved, but not bolted yet.") == []


def test_a_wide_plan_is_not_carried_out_by_a_small_part_of_it() -> None:
    plan = "The harbour radar and the rescue lamps are planned for the years after the core charts are stable."
    assert _kinds(plan, "✅ Harbour radar lamps installed") == []
