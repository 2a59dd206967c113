from __future__ import annotations

from datetime import date

from dreamreview.dream.engine import Corpus
from dreamreview.dream.refusals import NEAR, NEAREST, SECRET, UNMERGED, Refusals, refusals
from dreamreview.model.markdown import parse


def left(text: str, taken: tuple[int, ...] = ()) -> Refusals:
    """Return what is left apart of a file; a change is about the lines `taken`."""
    corpus = Corpus({"mill.md": parse("mill.md", text.encode())}, frozenset({"mill.md"}), date(2026, 1, 5))
    return refusals(corpus, lambda pair: all(each.first in taken for each in pair))


def test_the_slot_that_kept_two_statements_apart_is_named_with_measure_and_threshold() -> None:
    found = left(
        "- Gate 3 of the mill race opens towards the weir.\n- Gate 4 of the mill race opens towards the weir.\n"
    )
    (refusal,) = found.nearest
    assert found.count == 1
    assert [each.first for each in refusal.pair] == [1, 2]
    assert "Gate 3 against 4" in refusal.reason
    assert str(refusal.measure).startswith("likeness ")
    assert str(refusal.measure).endswith("(at least 0.54)")


def test_what_a_change_is_about_is_not_told_again() -> None:
    text = "- The mill race is cleaned every spring.\n- Every spring the mill race is cleaned.\n"
    assert left(text, taken=(1, 2)) == Refusals()
    assert [each.reason for each in left(text).nearest] == [UNMERGED]


def test_a_secret_is_named_as_the_reason_and_not_shown() -> None:
    token = "ghp_" + "a1B2" * 9
    text = f"- The deploy token of the mill site is {token}.\n- The deploy token of the mill site is with Ruth.\n"
    found = left(text).nearest
    assert [each.reason for each in found] == [SECRET]
    assert not any(token in quoted.quote for each in found for quoted in each.pair)


def test_only_the_most_alike_are_told_and_all_are_counted() -> None:
    found = left("".join(f"- Gate {number} of the mill race opens towards the weir.\n" for number in range(1, 8)))
    assert found.count > NEAREST
    assert len(found.nearest) == NEAREST
    values = [each.measure.value for each in found.nearest]
    assert values == sorted(values, reverse=True)


def test_a_pair_that_is_not_half_as_alike_as_it_takes_is_counted_and_not_told() -> None:
    text = (
        "- The mill race opens towards the weir at dawn every day of the year.\n"
        "- The mill race cat sleeps in the flour loft all winter long with kittens.\n"
    )
    near = "- Gate 3 of the mill race opens towards the weir.\n- Gate 4 of the mill race opens towards the weir.\n"
    assert (left(text).nearest, left(text).count) == ((), 1)
    mixed = left(text + near)
    assert mixed.count > len(mixed.nearest) > 0
    assert all(each.measure.value >= 0.27 for each in mixed.nearest)
    assert NEAR == 0.27


def test_an_empty_store_leaves_nothing_apart() -> None:
    assert left("") == Refusals()
