from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dreamreview.model.proposal import FileEdit, Option
from dreamreview.model.review import State, reduce
from dreamreview.model.units import ChangeReview, Units
from tests.model.cards import (
    ALL,
    CLAIM_A,
    CONFLICT,
    CREATE,
    DELETE,
    DROP_A,
    DROP_B,
    FIX_INDEX,
    INSERT,
    MANY,
    ONE,
    REPLACE,
    after,
    change,
    log,
    turned_down,
    units,
)


def test_a_change_without_a_decision_is_undecided() -> None:
    assert after(MANY) == ChangeReview()


def test_accepting_a_change_chooses_all_of_its_edits() -> None:
    review = after(MANY, ("accept", "c2", {"reason": "fine"}))
    assert (review.state, review.is_settled, review.reason, review.decided_at_n) == (State.ACCEPTED, True, "fine", 1)
    assert units(review) == ALL
    assert all(each.is_whole for each in review.chosen)


def test_rejecting_a_change_chooses_nothing() -> None:
    review = after(MANY, ("reject", "c2"))
    assert (review.state, review.is_settled, review.chosen) == (State.REJECTED, True, ())
    assert turned_down(review) == ALL


def test_a_later_decision_on_an_edit_refines_an_earlier_one_on_its_change() -> None:
    review = after(MANY, ("accept", "c2"), ("reject", "c2.e2"))
    assert (review.state, review.is_settled) == (State.PARTIAL, True)
    assert units(review) == {key: value for key, value in ALL.items() if key != "e2"}
    assert turned_down(review) == {"e2": ([], [1])}


def test_a_later_decision_on_a_change_covers_an_earlier_one_on_its_edit() -> None:
    assert after(MANY, ("reject", "c2.e2"), ("accept", "c2")).state is State.ACCEPTED


def test_lines_of_an_edit_can_be_chosen() -> None:
    review = after(ONE, ("accept", "c1.e1:-1,+1-2"))
    assert (review.state, review.is_settled) == (State.PARTIAL, False)
    assert units(review) == {"e1": ([1], [1, 2])}
    assert not review.chosen[0].is_whole
    assert after(ONE, ("accept", "c1.e1:-1,+1-2"), ("accept", "c1.e1:-2,+3")).state is State.ACCEPTED


def test_lines_that_an_edit_does_not_have_are_left_out() -> None:
    assert units(after(ONE, ("accept", "c1.e1:-2-9,+9"))) == {"e1": ([2], [])}


def test_a_deletion_can_be_chosen_by_line() -> None:
    review = after(MANY, ("accept", "c2.e4"), ("reject", "c2.e4:-2"))
    assert units(review) == {"e4": ([1], [])}
    assert not review.chosen[0].is_whole


def test_rejecting_the_kept_line_of_a_new_file_leaves_no_file_behind() -> None:
    made = change("c", CREATE)
    assert after(made, ("accept", "c.e3:+1"), ("reject", "c.e3:+1")).chosen == ()
    assert after(made, ("accept", "c.e3:+1"), ("reject", "c")).state is State.REJECTED


def test_clearing_takes_decisions_back() -> None:
    assert after(MANY, ("accept", "c2", {"reason": "x"}), ("clear", "c2")) == ChangeReview(decided_at_n=2)
    review = after(MANY, ("accept", "c2"), ("clear", "c2.e2"))
    assert (review.state, review.is_settled) == (State.PARTIAL, False)


def test_skipping_leaves_a_change_open() -> None:
    review = after(MANY, ("accept", "c2"), ("skip", "c2"))
    assert (review.state, review.chosen, review.is_settled) == (State.SKIPPED, (), False)
    assert after(MANY, ("skip", "c2"), ("accept", "c2.e2")).state is State.PARTIAL


def test_a_note_decides_nothing() -> None:
    review = after(ONE, ("accept", "c1"), ("note", "c1", {"reason": "ask Kim"}))
    assert (review.state, review.note, review.reason, review.decided_at_n) == (State.ACCEPTED, "ask Kim", "", 1)


def test_a_text_of_the_person_stands_in_place_of_the_new_lines() -> None:
    review = after(ONE, ("edit", "c1", {"text": b"mine\nand more"}))
    assert (review.state, review.is_settled) == (State.EDITED, True)
    assert review.chosen[0].edit == replace(REPLACE, new=(b"mine\n", b"and more"))
    assert units(review) == {"e1": ([1, 2], [1, 2])}


def test_a_text_for_one_edit_accepts_the_others() -> None:
    review = after(MANY, ("edit", "c2.e2", {"text": b"mine\n"}))
    assert review.state is State.EDITED
    assert units(review) == ALL


def test_a_text_for_one_edit_leaves_what_was_rejected() -> None:
    review = after(MANY, ("reject", "c2.e1"), ("edit", "c2.e2", {"text": b"mine\n"}))
    assert review.state is State.PARTIAL
    assert turned_down(review) == {"e1": ([1, 2], [1, 2, 3])}


@pytest.mark.parametrize("op", ["reject", "skip"])
def test_a_text_revives_a_change_that_was_turned_down(op: str) -> None:
    assert after(MANY, (op, "c2"), ("edit", "c2.e2", {"text": b"mine\n"})).state is State.EDITED


def test_a_text_for_a_deletion_replaces_all_lines_and_keeps_the_file() -> None:
    review = after(change("c", DELETE), ("edit", "c", {"text": b"kept\n"}))
    assert review.chosen[0].edit == FileEdit(id="e4", path="o.md", stop=2, old=(b"x\n", b"y\n"), new=(b"kept\n",))
    assert after(change("c", DELETE), ("edit", "c", {"text": b""})).chosen[0].edit == DELETE


def test_an_empty_text_for_a_new_file_leaves_an_empty_file() -> None:
    review = after(change("c", CREATE), ("edit", "c", {"text": b""}))
    assert (review.state, review.chosen[0].is_whole, review.chosen[0].edit.new) == (State.EDITED, True, ())


def test_lines_are_those_of_the_text_that_was_written() -> None:
    review = after(ONE, ("edit", "c1", {"text": b"1\n2\n3\n4\n"}), ("reject", "c1.e1:+4"))
    assert (review.state, units(review)) == (State.PARTIAL, {"e1": ([1, 2], [1, 2, 3])})


@pytest.mark.parametrize("step", [("accept", "c1"), ("accept", "c1.e1")])
def test_accepting_after_an_edit_takes_the_proposed_text_again(step: tuple[str, str]) -> None:
    review = after(ONE, ("edit", "c1", {"text": b"mine\n"}), step)
    assert (review.state, review.chosen[0].edit) == (State.ACCEPTED, REPLACE)


def test_choosing_an_option_takes_its_edits() -> None:
    review = after(CONFLICT, ("choose", "c3", {"choice": "A"}))
    assert (review.state, review.choice, units(review)) == (State.ACCEPTED, "A", {"A1": ([1, 2], []), "A2": ([1], [1])})
    review = after(CONFLICT, ("choose", "c3", {"choice": "A"}), ("choose", "c3", {"choice": "B"}))
    assert (review.choice, units(review)) == ("B", {"B1": ([1], [])})


def test_both_settles_a_conflict_without_an_edit() -> None:
    review = after(CONFLICT, ("choose", "c3", {"choice": "both"}))
    assert (review.state, review.choice, review.chosen, review.is_settled) == (State.ACCEPTED, "both", (), True)


def test_both_takes_the_option_that_is_keyed_so() -> None:
    keyed = replace(CONFLICT, options=(*CONFLICT.options, Option("both", "", (), (replace(INSERT, id="both1"),))))
    assert units(after(keyed, ("choose", "c3", {"choice": "both"}))) == {"both1": ([], [1])}


@pytest.mark.parametrize("step", [("skip", "c3"), ("choose", "c3", {"choice": "skip"})])
def test_a_skipped_conflict_stays_open(step: tuple[Any, ...]) -> None:
    review = after(CONFLICT, ("choose", "c3", {"choice": "A"}), step)
    assert (review.state, review.choice, review.chosen, review.is_settled) == (State.SKIPPED, None, (), False)


def test_a_rejected_conflict_is_settled_without_a_choice() -> None:
    review = after(CONFLICT, ("choose", "c3", {"choice": "A"}), ("reject", "c3"))
    assert (review.state, review.choice, review.chosen, review.is_settled) == (State.REJECTED, None, (), True)


def test_edits_of_the_chosen_option_can_be_refined() -> None:
    review = after(CONFLICT, ("choose", "c3", {"choice": "A"}), ("reject", "c3.A2"), ("reject", "c3.B1"))
    assert (review.state, units(review)) == (State.PARTIAL, {"A1": ([1, 2], [])})


def test_an_accepted_conflict_decides_nothing() -> None:
    review = reduce([CONFLICT], log(("accept", "c3")))
    assert (review.of["c3"], review.ignored, review.can_undo) == (ChangeReview(), (1,), False)


def test_a_third_text_replaces_the_claim_of_the_suggested_side() -> None:
    review = after(replace(CONFLICT, suggested="B"), ("edit", "c3", {"text": b"third\n"}))
    written = FileEdit(id="third", path="q.md", start=3, stop=5, old=(b"4\n", b"5\n"), new=(b"third\n",))
    assert (review.state, review.choice) == (State.EDITED, "B")
    assert [each.edit for each in review.chosen] == [DROP_A, written]


def test_a_third_text_replaces_the_claim_of_a_when_nothing_is_suggested() -> None:
    review = after(CONFLICT, ("edit", "c3", {"text": b"third\n"}))
    written = FileEdit(id="third", path="p.md", start=1, stop=2, old=(b"2\n",), new=(b"third\n",))
    assert review.choice == "A"
    assert [each.edit for each in review.chosen] == [DROP_B, FIX_INDEX, written]


def test_a_third_text_goes_into_the_edit_that_touches_the_claim() -> None:
    touching = FileEdit(id="A1", path="p.md", start=1, stop=2, old=(b"2\n",), new=(b"2!\n",))
    made = replace(CONFLICT, options=(Option("A", "", (CLAIM_A,), (touching,)), Option("B", "")))
    review = after(made, ("edit", "c3", {"text": b"third\n"}))
    assert [each.edit for each in review.chosen] == [replace(touching, new=(b"third\n",))]


def test_a_third_text_for_a_named_edit_chooses_its_option() -> None:
    review = after(CONFLICT, ("edit", "c3.B1", {"text": b"third\n"}))
    assert (review.choice, review.chosen[0].edit) == ("B", replace(DROP_A, new=(b"third\n",)))


def test_a_third_text_beyond_the_end_of_its_file_decides_nothing() -> None:
    far = replace(CONFLICT, options=(Option("A", "", (replace(CLAIM_A, last=9),)), Option("B", "")))
    assert after(far, ("edit", "c3", {"text": b"third\n"})).chosen == ()


def test_a_third_text_on_lines_that_another_change_edits_decides_nothing() -> None:
    other = change("c9", FileEdit(id="e1", path="p.md", start=1, stop=2, old=(b"2\n",), new=(b"2.\n",)))
    review = reduce([CONFLICT, other], log(("edit", "c3", {"text": b"third\n"})))
    assert (review.of["c3"].state, review.ignored) == (State.UNDECIDED, (1,))


def test_choosing_after_a_third_text_drops_the_text() -> None:
    review = after(CONFLICT, ("edit", "c3", {"text": b"third\n"}), ("choose", "c3", {"choice": "A"}))
    assert (review.state, [each.edit.id for each in review.chosen]) == (State.ACCEPTED, ["A1", "A2"])


def test_applied_units_are_not_chosen_again_and_the_rest_stays_undecided() -> None:
    applied: dict[str, Units] = {"e1": (frozenset({1}), frozenset({1}))}
    review = after(ONE, applied=applied)
    assert (review.state, review.chosen, review.is_settled) == (State.PARTIAL, (), False)
    review = after(ONE, ("accept", "c1"), applied=applied)
    assert (review.state, units(review)) == (State.ACCEPTED, {"e1": ([2], [2, 3])})


def test_what_was_applied_cannot_be_rejected_any_more() -> None:
    whole: dict[str, Units] = {"e1": (frozenset({1, 2}), frozenset({1, 2, 3}))}
    for step in (("accept", "c1"), ("reject", "c1"), ("clear", "c1"), ("skip", "c1")):
        review = after(ONE, step, applied=whole)
        assert (review.state, review.chosen, review.rejected) == (State.ACCEPTED, (), ())


def test_an_applied_text_keeps_its_state() -> None:
    done: dict[str, Units] = {"e1": (frozenset({1, 2}), frozenset({1, 2, 3, 4}))}
    review = after(ONE, ("edit", "c1", {"text": b"1\n2\n3\n4\n"}), applied=done)
    assert (review.state, review.chosen) == (State.EDITED, ())
    assert after(ONE, applied=done).state is State.ACCEPTED


def test_an_applied_rename_is_done() -> None:
    review = after(MANY, ("accept", "c2"), applied={"e5": (frozenset(), frozenset())})
    assert "e5" not in units(review)
    assert "e2" in units(review)


def test_an_applied_option_stays_chosen() -> None:
    done: dict[str, Units] = {"A1": (frozenset({1, 2}), frozenset()), "A2": (frozenset({1}), frozenset({1}))}
    for steps in ([], [("choose", "c3", {"choice": "B"})], [("reject", "c3")]):
        review = after(CONFLICT, *steps, applied=done)
        assert (review.state, review.choice, review.chosen) == (State.ACCEPTED, "A", ())


def test_an_applied_third_text_stays_applied() -> None:
    done: dict[str, Units] = {
        "A1": (frozenset({1, 2}), frozenset()),
        "A2": (frozenset({1}), frozenset({1})),
        "third": (frozenset({1}), frozenset({1})),
    }
    review = after(CONFLICT, ("edit", "c3", {"text": b"third\n"}), applied=done)
    assert (review.state, review.chosen) == (State.EDITED, ())
    assert after(CONFLICT, applied=done).chosen == ()
