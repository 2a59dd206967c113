from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.decisions import LogEntry, Op, Target, entry_line, parse_log
from dreamreview.model.proposal import Change
from dreamreview.model.review import Counts, Review, State, count, group_state, reduce, seen_of
from dreamreview.model.units import ChangeReview, Units
from tests.model.cards import (
    ALL,
    BASES,
    CLAIM_A,
    CONFLICT,
    INSERT,
    MANY,
    ONE,
    REPLACE,
    change,
    laws,
    log,
    turned_down,
    units,
)


def test_without_a_log_everything_is_undecided() -> None:
    assert reduce([ONE, MANY], []) == Review(of={"c1": ChangeReview(), "c2": ChangeReview()})


def test_a_decision_on_what_was_applied_is_not_undone() -> None:
    whole = {"c1": {"e1": (frozenset({1, 2}), frozenset({1, 2, 3}))}}
    review = reduce([ONE, MANY], log(("accept", "c2"), ("accept", "c1")), applied=whole)
    assert review.undoes == 1
    assert not reduce([ONE], log(("accept", "c1")), applied=whole).can_undo


def test_undoing_an_apply_voids_the_decisions_up_to_it() -> None:
    entries = log(("accept", "c1"), ("accept", "c2"))
    review = reduce([ONE, MANY], entries, released={"c1": 1})
    assert [each.state for each in review.of.values()] == [State.UNDECIDED, State.ACCEPTED]
    assert review.undoes == 2
    again = reduce([ONE, MANY], [*entries, replace(entries[0], n=3)], released={"c1": 2})
    assert again.of["c1"].state is State.ACCEPTED


def test_a_decision_on_something_else_than_was_seen_is_void() -> None:
    seen = seen_of(ONE)
    changed = change("c1", replace(REPLACE, new=(b"other\n",)))
    entries = log(("accept", "c1", {"seen": seen}), ("note", "c1", {"seen": seen, "reason": "hm"}))
    assert reduce([ONE], entries).of["c1"].state is State.ACCEPTED
    review = reduce([changed], entries)
    assert (review.of["c1"].state, review.of["c1"].is_void, review.of["c1"].note) == (State.UNDECIDED, True, "hm")
    renewed = reduce([changed], [*entries, LogEntry(n=3, at="", by="", op=Op.ACCEPT, on="c1", seen=seen_of(changed))])
    assert (renewed.of["c1"].state, renewed.of["c1"].is_void) == (State.ACCEPTED, False)


def test_what_was_seen_depends_on_id_edits_and_options_alone() -> None:
    assert seen_of(ONE) == seen_of(replace(ONE, title="t", reason="r", evidence=(CLAIM_A,), flags=("secret",)))
    assert seen_of(ONE) == seen_of(change("c1", replace(REPLACE, rank=7)))
    seen = [
        seen_of(ONE),
        seen_of(replace(ONE, id="c9")),
        seen_of(change("c1", replace(REPLACE, path="b.md"))),
        seen_of(CONFLICT),
    ]
    seen.append(seen_of(replace(CONFLICT, options=CONFLICT.options[::-1])))
    assert len(set(seen)) == 5


def test_undo_takes_back_the_newest_decision_and_redo_makes_it_again() -> None:
    steps = [("accept", "c1"), ("note", "c1", {"reason": "x"}), ("undo",), ("undo",), ("redo",)]
    states = [reduce([ONE], log(*steps[:size])) for size in range(6)]
    assert [review.of["c1"].state for review in states] == [
        "undecided",
        "accepted",
        "accepted",
        "accepted",
        "undecided",
        "accepted",
    ]
    assert [review.of["c1"].note for review in states] == ["", "", "x", "", "", ""]
    assert [(review.undoes, review.redoes) for review in states] == [
        (None, None),
        (1, None),
        (2, None),
        (1, 2),
        (None, 1),
        (1, 2),
    ]


def test_a_new_decision_clears_what_could_be_redone() -> None:
    review = reduce([ONE, MANY], log(("accept", "c1"), ("undo",), ("accept", "c2"), ("redo",)))
    assert (review.of["c1"].state, review.of["c2"].state, review.can_redo) == (State.UNDECIDED, State.ACCEPTED, False)


def test_what_was_decided_in_the_same_breath_is_taken_back_and_made_again_together() -> None:
    steps = [
        ("accept", "c2"),
        ("accept", "c1", {"of": 2}),
        ("reject", "c2", {"of": 2}),
        ("note", "c1", {"reason": "x"}),
    ]
    assert reduce([ONE, MANY], log(*steps)).undoes_together == (4,)
    assert reduce([ONE, MANY], log(*steps[:3])).undoes_together == (3, 2)
    back = log(*steps[:3], ("undo", "", {"of": 3}), ("undo", "", {"of": 2}))
    review = reduce([ONE, MANY], back)
    assert [each.state for each in review.of.values()] == [State.UNDECIDED, State.ACCEPTED]
    assert (review.undoes_together, review.redoes_together) == ((1,), (2, 3))


def test_undo_and_redo_may_name_the_entry() -> None:
    steps = [("accept", "c1"), ("accept", "c2"), ("undo", "", {"of": 1})]
    review = reduce([ONE, MANY], log(*steps))
    assert [each.state for each in review.of.values()] == [State.UNDECIDED, State.ACCEPTED]
    back = reduce([ONE, MANY], log(*steps, ("redo", "", {"of": 1})))
    assert [each.state for each in back.of.values()] == [State.ACCEPTED, State.ACCEPTED]


def test_nothing_is_undone_in_a_log_of_a_newer_version() -> None:
    review = reduce([ONE], log(("accept", "c1")), is_read_only=True)
    assert (review.of["c1"].state, review.can_undo, review.is_read_only) == (State.ACCEPTED, False, True)


def test_counts_add_the_states_up() -> None:
    steps = [("accept", "c1"), ("reject", "c2"), ("choose", "c3", {"choice": "skip"})]
    review = reduce([ONE, MANY, CONFLICT, change("c4", INSERT)], log(*steps))
    assert count(review.of.values(), stale=1, applied=2) == Counts(
        changes=4, undecided=1, accepted=1, rejected=1, skipped=1, stale=1, applied=2
    )


@pytest.mark.parametrize(
    ("states", "rolled"),
    [
        ([], State.UNDECIDED),
        ([State.REJECTED, State.REJECTED], State.REJECTED),
        ([State.ACCEPTED, State.EDITED], State.ACCEPTED),
        ([State.ACCEPTED, State.UNDECIDED], State.PARTIAL),
        ([State.ACCEPTED, State.REJECTED], State.PARTIAL),
        ([State.PARTIAL], State.PARTIAL),
    ],
)
def test_a_group_rolls_its_changes_up(states: list[State], rolled: State) -> None:
    assert group_state(states) is rolled


PARTS = ["e1:-1", "e1:-2", "e1:+1", "e1:+2-3", "e2", "e3:+1", "e3:+2", "e4:-1", "e4:-2", "e5", "e6"]
PIECES = [f"c2.{part}" for part in PARTS] + ["c1"]


@st.composite
def disjoint(draw: st.DrawFn) -> list[LogEntry]:
    chosen = draw(st.lists(st.sampled_from(PIECES), unique=True))
    made = [LogEntry(n=1, at="", by="", op=draw(st.sampled_from([Op.ACCEPT, Op.REJECT])), on=on) for on in chosen]
    free = [on for on in ("c2.e1", "c2.e2", "c2.e4") if not any(piece.startswith(on) for piece in chosen)]
    written = draw(st.lists(st.sampled_from(free), unique=True)) if free else []
    texts = st.sampled_from([b"", b"t", b"u\nv\n"])
    return made + [LogEntry(n=1, at="", by="", op=Op.EDIT, on=on, text=draw(texts)) for on in written]


def numbered(entries: Iterable[LogEntry]) -> list[LogEntry]:
    return [replace(entry, n=n) for n, entry in enumerate(entries, 1)]


def verdicts(changes: Sequence[Change], entries: Sequence[LogEntry]) -> dict[str, ChangeReview]:
    of = reduce(changes, entries).of
    return {key: replace(review, decided_at_n=0, reason="") for key, review in of.items()}


@laws(200)
@given(disjoint(), st.randoms())
def test_the_result_is_independent_of_the_order_of_deciding(entries: list[LogEntry], chance: Any) -> None:
    shuffled = list(entries)
    chance.shuffle(shuffled)
    assert verdicts([ONE, MANY], numbered(entries)) == verdicts([ONE, MANY], numbered(shuffled))


targets = st.one_of(
    st.sampled_from(
        ["c1", "c2", "c3", "c9", "", "c2.e2", "c2.e4", "c3.A1", "c3.A2", "c3.B1", "c3.third", "c1.e9", "c1.e1:"]
    ),
    st.builds(
        lambda edit, old, new: str(Target("c2", edit, old, new)),
        st.sampled_from(["e1", "e3", "e4", "e5"]),
        st.frozensets(st.integers(1, 4), min_size=1),
        st.frozensets(st.integers(1, 4)),
    ),
)
anything = st.builds(
    LogEntry,
    n=st.integers(1, 12),
    at=st.just(""),
    by=st.just(""),
    op=st.sampled_from(list(Op)),
    on=targets,
    choice=st.sampled_from([None, "A", "B", "both", "skip", "Z"]),
    text=st.sampled_from([None, b"", b"t", b"1\n2\n3\n4\n5\n"]),
    reason=st.sampled_from(["", "why"]),
    seen=st.sampled_from([None, seen_of(ONE), seen_of(MANY), seen_of(CONFLICT)]),
    of=st.sampled_from([None, None, 1, 5]),
)
logs = st.lists(anything, max_size=14)
CHANGES = [ONE, MANY, CONFLICT]
applies: st.SearchStrategy[dict[str, dict[str, Units]]] = st.dictionaries(
    st.sampled_from(["c1", "c2", "c3", "c9"]),
    st.dictionaries(
        st.sampled_from(["e1", "e4", "e5", "e6", "A1", "B1", "third", "e9"]),
        st.tuples(st.frozensets(st.integers(1, 5)), st.frozensets(st.integers(1, 5))),
        max_size=3,
    ),
)


@laws(300)
@given(logs, applies, st.dictionaries(st.sampled_from(["c1", "c2"]), st.integers(0, 12)))
def test_replaying_any_prefix_of_any_log_gives_a_sound_review(
    entries: list[LogEntry], applied: dict[str, dict[str, Units]], released: dict[str, int]
) -> None:
    for size in range(len(entries) + 1):
        review = reduce(CHANGES, entries[:size], released, applied, base_lines=lambda path: BASES.get(path, ()))
        assert list(review.of) == ["c1", "c2", "c3"]
        assert count(review.of.values()).changes == 3
        for each in review.of.values():
            if each.state in {State.UNDECIDED, State.REJECTED, State.SKIPPED}:
                assert each.chosen == ()
            held = (*each.chosen, *each.rejected)
            assert all(max(one.new, default=0) <= len(one.edit.new) for one in held)
            assert all(max(one.old, default=0) <= len(one.edit.old) for one in held)


@laws(200)
@given(logs)
def test_a_saved_log_gives_the_same_review(entries: list[LogEntry]) -> None:
    loaded = parse_log(b"".join(entry_line(entry) for entry in entries))
    assert reduce(CHANGES, loaded.entries) == reduce(CHANGES, entries)


@laws(200)
@given(logs)
def test_redo_after_undo_changes_nothing(entries: list[LogEntry]) -> None:
    before = reduce(CHANGES, numbered(entries))
    if not before.can_undo:
        return
    undo = LogEntry(n=0, at="", by="", op=Op.UNDO, of=before.undoes)
    once = reduce(CHANGES, numbered([*entries, undo]))
    assert once.redoes == before.undoes
    again = reduce(CHANGES, numbered([*entries, undo, LogEntry(n=0, at="", by="", op=Op.REDO, of=once.redoes)]))
    assert (again.of, again.undoes) == (before.of, before.undoes)


@laws(200)
@given(logs, anything)
def test_undo_takes_the_newest_decision_back_as_if_it_had_not_been_made(
    entries: list[LogEntry], newest: LogEntry
) -> None:
    before = reduce(CHANGES, numbered(entries))
    with_it = numbered([*entries, newest])
    if newest.op in {Op.UNDO, Op.REDO} or reduce(CHANGES, with_it).undoes != len(with_it):
        return
    undo = LogEntry(n=0, at="", by="", op=Op.UNDO)
    assert reduce(CHANGES, numbered([*with_it, undo])).of == before.of


def test_deciding_half_a_unit_by_lines_survives_undo_redo_save_and_reload() -> None:
    entries = log(("accept", "c2"), ("reject", "c2.e1:-1,+1"), ("undo",), ("redo",))
    review = reduce([MANY], parse_log(b"".join(entry_line(entry) for entry in entries)).entries)
    assert units(review.of["c2"]) == {**ALL, "e1": ([2], [2, 3])}
    assert turned_down(review.of["c2"]) == {"e1": ([1], [1])}
