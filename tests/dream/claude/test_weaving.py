"""Laws of a file that several cards edit: the edits of each are kept apart, and together they are what was done."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.claude.weaving import ForeignLineError, rewritten, weave
from dreamreview.model.edits import Edit, compose, overlap

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
BASE = (b"one\n", b"two\n", b"three\n", b"four\n")
WORDS = st.sampled_from([b"x\n", b"y\n", b"one\n", b"two\n", b"tail"])
STEPS = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 9), st.integers(0, 4), st.lists(WORDS, max_size=3)), max_size=7
)


@settings(max_examples=int(200 * SCALE), deadline=None)
@given(st.integers(0, 8), STEPS)
def test_edits_of_all_cards_never_overlap_and_make_what_was_done(
    size: int, steps: list[tuple[int, int, int, list[bytes]]]
) -> None:
    base = tuple(b"line %d\n" % number for number in range(size))
    by_card: dict[int, tuple[Edit, ...]] = {}
    named: list[tuple[int, int]] = []
    for card, at, length, new in steps:
        lines = [line.data for line in weave(base, by_card)]
        start = min(at, len(lines))
        stop = min(start + length, len(lines))
        try:
            by_card[card] = rewritten(base, by_card, card, (start, stop), tuple(new))
        except ForeignLineError as error:
            named.append((card, error.args[0]))
            continue
        wanted = [*lines[:start], *new, *lines[stop:]]
        assert [line.data for line in weave(base, by_card)] == wanted
        assert list(compose(base, _ranked(by_card))) == wanted
        assert not _overlaps(by_card)
    assert all(other in by_card and other != card for card, other in named)


def _ranked(by_card: dict[int, tuple[Edit, ...]]) -> list[Edit]:
    return [Edit(edit.start, edit.stop, edit.new, card) for card, edits in by_card.items() for edit in edits]


def _overlaps(by_card: dict[int, tuple[Edit, ...]]) -> bool:
    edits = [(card, edit) for card, own in by_card.items() for edit in own]
    return any(overlap(one, other) for card, one in edits for rival, other in edits if rival != card)


@settings(max_examples=int(100 * SCALE), deadline=None)
@given(STEPS)
def test_a_card_that_is_dropped_leaves_the_others_as_they_were(steps: list[tuple[int, int, int, list[bytes]]]) -> None:
    base = tuple(b"line %d\n" % number for number in range(6))
    by_card: dict[int, tuple[Edit, ...]] = {}
    for card, at, length, new in steps:
        size = len(weave(base, by_card))
        span = (min(at, size), min(at + length, size))
        try:
            by_card[card] = rewritten(base, by_card, card, span, tuple(new))
        except ForeignLineError:
            continue
    rest = {card: edits for card, edits in by_card.items() if card != 1}
    assert {line.card for line in weave(base, rest)} <= {0, 2, 3}


def test_a_line_that_stays_in_a_rewritten_block_is_no_part_of_the_edit() -> None:
    new = (b"one\n", b"2\n", b"three\n", b"4\n")
    assert rewritten(BASE, {}, 1, (0, 4), new) == (Edit(1, 2, (b"2\n",)), Edit(3, 4, (b"4\n",)))


def test_an_edit_that_is_taken_back_by_hand_is_none() -> None:
    once = rewritten(BASE, {}, 1, (1, 2), (b"2\n",))
    assert rewritten(BASE, {1: once}, 1, (1, 2), (b"two\n",)) == ()


def test_lines_that_another_card_wrote_are_not_touched() -> None:
    first = rewritten(BASE, {}, 1, (1, 2), (b"2\n",))
    with pytest.raises(ForeignLineError) as caught:
        rewritten(BASE, {1: first}, 2, (0, 2), (b"all\n",))
    assert caught.value.args == (1,)


def test_no_line_goes_in_between_what_another_card_wrote() -> None:
    first = rewritten(BASE, {}, 1, (1, 2), (b"2a\n", b"2b\n"))
    with pytest.raises(ForeignLineError):
        rewritten(BASE, {1: first}, 2, (2, 2), (b"between\n",))


def test_two_cards_may_insert_side_by_side() -> None:
    first = rewritten(BASE, {}, 1, (2, 2), (b"first\n",))
    second = rewritten(BASE, {1: first}, 2, (3, 3), (b"second\n",))
    lines = [line.data for line in weave(BASE, {1: first, 2: second})]
    assert lines == [b"one\n", b"two\n", b"first\n", b"second\n", b"three\n", b"four\n"]
