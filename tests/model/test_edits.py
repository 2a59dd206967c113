"""The laws of the algebra of edits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.edits import (
    CRLF,
    LF,
    Edit,
    Hunk,
    Text,
    between,
    compose,
    difference,
    in_order,
    invert,
    join,
    overlap,
    rebase,
    render,
    select,
    split,
    split_lines,
    terminator_of,
)

HOSTILE = (
    b"alpha\n",
    b"beta\r\n",
    b"gam\rma\n",
    b"one\x0ctwo\n",
    b"v\x0bt\n",
    "x\u2028y\n".encode(),
    b"\x85nel\n",
    b"\xff\xfe bad\n",
    b"\r\r\n",
    b"\n",
    b"same\n",
    b"same\n",
    "\ufeffbom\n".encode(),
    b"\\ No newline at end of file\n",
)

texts = st.builds(
    lambda lines, tail: (*lines, *tail),
    st.lists(st.sampled_from(HOSTILE), max_size=9),
    st.sampled_from([(), (b"last",), (b"same",), (b"\r",)]),
)


@st.composite
def edits_of(draw: st.DrawFn, base: Text, most: int = 6) -> tuple[Edit, ...]:
    """Draw edits of a text that do not overlap."""
    found: list[Edit] = []
    for _ in range(draw(st.integers(0, most))):
        start = draw(st.integers(0, len(base)))
        stop = draw(st.integers(start, min(len(base), start + 3)))
        new = draw(st.lists(st.sampled_from(HOSTILE), min_size=int(start == stop), max_size=3))
        edit = Edit(start, stop, tuple(new))
        if not any(overlap(edit, other) for other in found):
            found.append(edit)
    found.sort(key=lambda edit: edit.order)
    return tuple(Edit(edit.start, edit.stop, edit.new, rank) for rank, edit in enumerate(found))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Text, tuple[Edit, ...], frozenset[Edit]]:
    base = draw(texts)
    edits = draw(edits_of(base))
    return base, edits, frozenset(edit for edit in edits if draw(st.booleans()))


def naive_hunks(base: Text, new: Text, terminator: bytes) -> tuple[Hunk, ...]:
    """Stand in for the differ: one hunk between the common head and the common tail."""
    one = [line if line.endswith(b"\n") else line + terminator for line in base]
    two = [line if line.endswith(b"\n") else line + terminator for line in new]
    head = 0
    while head < min(len(one), len(two)) and one[head] == two[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(two)) - head and one[-1 - tail] == two[-1 - tail]:
        tail += 1
    if head == len(one) == len(two):
        return ()
    return (Hunk(head, len(one) - tail, head, len(two) - tail),)


@given(st.binary(max_size=60))
def test_splitting_is_on_line_feeds_only_and_loses_nothing(data: bytes) -> None:
    lines = split_lines(data)
    assert b"".join(lines) == data
    assert len(lines) == data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", ()),
        (b"a", (b"a",)),
        (b"a\n", (b"a\n",)),
        (b"a\rb\x0bc\x0cd\x85e\n", (b"a\rb\x0bc\x0cd\x85e\n",)),
        (b"\r\n\n", (b"\r\n", b"\n")),
        (b"\xef\xbb\xbfx\n\xff", (b"\xef\xbb\xbfx\n", b"\xff")),
    ],
)
def test_splitting_literal_cases(data: bytes, lines: Text) -> None:
    assert split_lines(data) == lines


@pytest.mark.parametrize(
    ("text", "terminator"),
    [((), LF), ((b"a",), LF), ((b"a\r\n", b"b"), CRLF), ((b"a\r\n", b"b\n"), LF), ((b"a\r\n", b"b\r\n", b"c\n"), CRLF)],
)
def test_the_terminator_is_that_of_most_lines(text: Text, terminator: bytes) -> None:
    assert terminator_of(text) == terminator


@given(texts, texts)
def test_law_1_all_edits_give_the_new_text_and_none_the_base(base: Text, new: Text) -> None:
    end = terminator_of(base)
    edits = difference(base, new, end, naive_hunks)
    assert render(compose(base, edits), end) == render(new, end)
    assert render(compose(base, ()), end) == render(base, end)


@given(cases(), st.randoms())
def test_law_2_the_result_is_a_function_of_the_set(
    case: tuple[Text, tuple[Edit, ...], frozenset[Edit]], rnd: object
) -> None:
    base, edits, _ = case
    shuffled = list(edits)
    rnd.shuffle(shuffled)  # type: ignore[attr-defined]
    assert compose(base, shuffled) == compose(base, edits)


@given(cases())
def test_law_2_lines_outside_the_edits_stand_in_order(case: tuple[Text, tuple[Edit, ...], frozenset[Edit]]) -> None:
    base, edits, _ = case
    kept = [line for at, line in enumerate(base) if not any(edit.start <= at < edit.stop for edit in edits)]
    result = list(compose(base, edits))
    for edit in edits:
        for line in edit.new:
            result.remove(line)
    assert sorted(result) == sorted(kept)


@given(cases())
def test_law_3_inverting_some_edits_leaves_the_others(case: tuple[Text, tuple[Edit, ...], frozenset[Edit]]) -> None:
    base, edits, undo = case
    rest = [edit for edit in edits if edit not in undo]
    assert compose(compose(base, edits), invert(base, edits, undo)) == compose(base, rest)


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        (Edit(1, 3, ()), Edit(2, 4, ()), True),
        (Edit(1, 3, ()), Edit(3, 4, ()), False),
        (Edit(2, 2, (b"x",)), Edit(1, 3, ()), True),
        (Edit(1, 1, (b"x",)), Edit(1, 3, ()), False),
        (Edit(3, 3, (b"x",)), Edit(1, 3, ()), False),
        (Edit(2, 2, (b"x",)), Edit(2, 2, (b"y",)), False),
    ],
)
def test_law_4_edits_clash_if_they_share_a_line_or_insert_strictly_inside(one: Edit, other: Edit, clash: bool) -> None:
    assert overlap(one, other) is clash
    assert overlap(other, one) is clash


def test_law_4_an_edit_that_is_already_made_is_done_and_no_clash() -> None:
    edit = Edit(1, 2, (b"B\n",))
    found = rebase([edit], [Edit(1, 2, (b"B\n",), rank=7)])
    assert (found.edits, found.clashes, found.done) == ((), (), (edit,))


def test_law_4_at_one_gap_others_lines_come_first() -> None:
    base = (b"a\n", b"b\n")
    theirs = [Edit(1, 1, (b"theirs\n",))]
    found = rebase([Edit(1, 1, (b"ours\n",))], theirs)
    assert compose(compose(base, theirs), found.edits) == (b"a\n", b"theirs\n", b"ours\n", b"b\n")


def test_law_4_rank_decides_where_a_deletion_brought_two_gaps_together() -> None:
    base = (b"a\n", b"x\n", b"y\n", b"b\n")
    ours = [Edit(1, 1, (b"first\n",), rank=0), Edit(3, 3, (b"second\n",), rank=1)]
    gone = [Edit(1, 3, ())]
    found = rebase(ours, gone)
    assert compose(compose(base, gone), found.edits) == (b"a\n", b"first\n", b"second\n", b"b\n")


@given(cases(), st.data())
def test_law_4_rebasing_over_others_merges_both_sides(
    case: tuple[Text, tuple[Edit, ...], frozenset[Edit]], data: st.DataObject
) -> None:
    base, edits, _ = case
    over = data.draw(edits_of(base))
    found = rebase(edits, over)
    assert len(found.edits) + len(found.clashes) + len(found.done) == len(edits)
    merged = compose(compose(base, over), found.edits)
    fit = [edit for edit in edits if edit not in found.clashes and edit not in found.done]
    together = [Edit(edit.start, edit.stop, edit.new, edit.rank + 100) for edit in fit]
    assert merged == compose(base, [*over, *together])


@pytest.mark.parametrize(
    ("base", "new", "edits"),
    [
        (b"a\nb", b"a\nb\ntail", (Edit(2, 2, (b"tail",), 0),)),
        (b"a\nb", b"a\nb\n", (Edit(1, 2, (b"b\n",), 0),)),
        (b"a\nb\ntail", b"a\nb", (Edit(1, 2, (b"b",), 0), Edit(2, 3, (), 1))),
        (b"l1\nl2\nl3", b"l1\nl2\nl2.2\nl3\n", (Edit(2, 2, (b"l2.2\n",), 0), Edit(2, 3, (b"l3\n",), 1))),
        (b"hello\nworld", b"hello\nworld\ntail\n", (Edit(2, 2, (b"tail\n",), 0),)),
        (b"\xef\xbb\xbfa\n", b"a\n", (Edit(0, 1, (b"a\n",), 0),)),
        (b"", b"x", (Edit(0, 0, (b"x",), 0),)),
        (b"x", b"", (Edit(0, 1, (), 0),)),
    ],
)
def test_law_5_a_final_terminator_alone_is_an_edit_of_its_own(base: bytes, new: bytes, edits: Sequence[Edit]) -> None:
    text = split_lines(base)
    assert difference(text, split_lines(new), terminator_of(text), naive_hunks) == tuple(edits)


@given(cases())
def test_law_5_no_line_is_ever_glued_to_another(case: tuple[Text, tuple[Edit, ...], frozenset[Edit]]) -> None:
    base, edits, _ = case
    composed = compose(base, edits)
    assert len(split_lines(render(composed, LF))) == len(composed)


def test_law_5_an_unterminated_line_is_closed_with_the_terminator_of_its_path() -> None:
    base = (b"a\r\n", b"b")
    composed = compose(base, [Edit(2, 2, (b"c",))])
    assert render(composed, terminator_of(base)) == b"a\r\nb\r\nc"


@given(cases())
def test_law_7_several_applies_give_the_same_as_one(case: tuple[Text, tuple[Edit, ...], frozenset[Edit]]) -> None:
    base, edits, first = case
    rest = [edit for edit in edits if edit not in first]
    found = rebase(rest, first, same_proposal=True)
    assert found.clashes == ()
    assert compose(compose(base, first), found.edits) == compose(base, edits)


@given(cases(), st.data())
def test_law_9_any_units_compose_and_all_of_them_are_the_edit(
    case: tuple[Text, tuple[Edit, ...], frozenset[Edit]], data: st.DataObject
) -> None:
    base, edits, _ = case
    for edit in edits:
        old, new = range(1, edit.stop - edit.start + 1), range(1, len(edit.new) + 1)
        assert select(edit, old, new) == (edit,)
        assert select(edit, (), ()) == ()
        some_old = {unit for unit in old if data.draw(st.booleans())}
        some_new = {unit for unit in new if data.draw(st.booleans())}
        result = compose(base, select(edit, some_old, some_new))
        assert len(result) == len(base) - len(some_old) + len(some_new)


def test_law_9_a_new_line_stands_after_the_old_line_of_its_number() -> None:
    base = (b"A\n", b"B\n")
    edit = Edit(0, 2, (b"A'\n", b"B'\n", b"C'\n"))
    assert compose(base, select(edit, {1}, {1})) == (b"A'\n", b"B\n")
    assert compose(base, select(edit, {2}, {2, 3})) == (b"A\n", b"B'\n", b"C'\n")
    assert compose(base, select(edit, (), {1})) == (b"A\n", b"A'\n", b"B\n")


def test_a_new_line_accepted_without_its_old_one_is_not_glued() -> None:
    base = split_lines(b"a\nb")
    edit = Edit(1, 2, (b"B\n",))
    assert render(compose(base, select(edit, (), {1})), LF) == b"a\nb\nB\n"
    assert render(compose(base, select(edit, {1}, ())), LF) == b"a\n"


@given(cases())
def test_splitting_an_edit_and_joining_it_gives_it_back(
    case: tuple[Text, tuple[Edit, ...], frozenset[Edit]],
) -> None:
    base, edits, _ = case
    for edit in edits:
        assert compose(base, split(edit)) == compose(base, [edit])
        assert join(split(edit)) == edit


def test_repeated_equal_lines_keep_an_insertion_where_it_was_made() -> None:
    base = (b"a\n",) * 11
    edits = [Edit(0, 0, (b"c\n", b"b\n"), 0), Edit(5, 5, (b"b\n",), 1)]
    assert compose(base, edits[1:]) == (b"a\n",) * 5 + (b"b\n",) + (b"a\n",) * 6


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap at line 2"):
        in_order([Edit(0, 2, ()), Edit(1, 3, ())])
    with pytest.raises(ValueError, match="reaches line 5 of 1"):
        compose((b"a\n",), [Edit(4, 5, ())])
    with pytest.raises(ValueError, match="base lines stand between"):
        join([Edit(0, 1, ()), Edit(2, 3, ())])


def test_a_change_of_terminator_alone_of_a_middle_line_is_an_edit() -> None:
    base, new = (b"a\n", b"b\n", b"c\n"), (b"a\n", b"b\r\n", b"c\n")
    assert between(base, new, naive_hunks(base, new, LF)) == (Edit(1, 2, (b"b\r\n",), 0),)
