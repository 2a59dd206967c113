"""What is left of changes: composed over what is left of the base they make what is left of the copy."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.edits import Edit, Text, compose
from dreamreview.model.forgetting.changes import FORGOTTEN, without
from dreamreview.model.forgetting.wanted import Scope, wanted_line
from dreamreview.model.proposal import Change, Evidence, FileEdit, Kind, Option
from dreamreview.model.review import seen_of

GONE = b"the lost line\n"
SCOPE = Scope(wanted_line(GONE))
BASE: Text = (b"a\n", GONE, b"b\n", b"c\n", b"d\n")


def lines(start: int, stop: int, *new: bytes, base: Text = BASE) -> FileEdit:
    return FileEdit("e1", "n.md", start=start, stop=stop, old=base[start:stop], new=new)


def change(edit: FileEdit, kind: Kind = Kind.EDIT, **more: object) -> Change:
    made = Change(f"c{edit.start}x{edit.stop}", kind, "Title", "Reason", 0.5, f"f{edit.start}", edits=(edit,))
    return replace(made, **more)  # type: ignore[arg-type]


def retell(edits: tuple[FileEdit, ...], _is_after: bool) -> Change:
    return change(edits[0])


def test_a_change_below_only_moves_and_its_decisions_go_with_it() -> None:
    before = change(lines(3, 4, b"C\n"), Kind.REWRITE, evidence=(Evidence("n.md", 4, 4, "c"),))
    found = without((before,), SCOPE, lambda _: BASE, retell)
    (after,) = found.changes
    assert (after.id, after.edits[0].start, after.edits[0].stop) == (before.id, 2, 3)
    assert after.evidence == (Evidence("n.md", 3, 3, "c"),)
    assert (found.withdrawn, found.cut, found.seen) == ({}, {}, {seen_of(before): seen_of(after)})


def test_an_undeclared_change_below_gets_the_id_that_it_would_be_found_under() -> None:
    before = change(lines(3, 4, b"C\n"))
    found = without((before,), SCOPE, lambda _: BASE, retell)
    assert found.ids == {"c3x4": "c2x3"}
    assert without((before,), SCOPE, lambda _: BASE, retell, applied={"c3x4"}).ids == {}


@pytest.mark.parametrize(
    "edit",
    [
        lines(1, 2, b"reworded\n"),
        lines(3, 4, GONE),
        lines(2, 4, b"b and the lost line, c\n"),
        lines(0, 2, b"a\n", b"x\n", GONE, GONE),
        lines(1, 2),
    ],
    ids=["replaces it", "is replaced by it", "takes it up", "doubles it", "is nothing else"],
)
def test_a_change_of_which_nobody_could_say_what_is_left_is_withdrawn(edit: FileEdit) -> None:
    found = without((change(edit),), SCOPE, lambda _: BASE, retell)
    assert (found.changes, list(found.withdrawn)) == ((), [change(edit).id])


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (lines(0, 3), (b"a\n", b"b\n"), ()),
        (lines(5, 5, b"e\n", GONE), (), (b"e\n",)),
        (lines(1, 3, GONE, b"B\n"), (b"b\n",), (b"B\n",)),
    ],
    ids=["goes with others", "comes with others", "is carried along"],
)
def test_a_change_that_carries_it_along_loses_it_and_is_marked(edit: FileEdit, old: Text, new: Text) -> None:
    found = without((change(edit),), SCOPE, lambda _: BASE, retell)
    (after,) = found.changes
    assert (after.edits[0].old, after.edits[0].new) == (old, new)
    assert FORGOTTEN in after.flags
    assert list(found.cut) == [change(edit).id]


def test_a_declared_change_that_rests_on_it_is_withdrawn() -> None:
    by_line = change(lines(3, 4, b"C\n"), Kind.MERGE, evidence=(Evidence("n.md", 2, 4, "…"),))
    by_quote = change(lines(3, 4, b"C\n"), Kind.MERGE, evidence=(Evidence("o.md", 1, 1, "> The lost line"),))
    quoted = replace(by_quote, evidence=(Evidence("o.md", 1, 1, "> the lost line"),))
    assert without((by_line,), SCOPE, lambda _: BASE, retell).changes == ()
    assert without((quoted,), SCOPE, lambda _: BASE, retell).changes == ()
    assert len(without((by_quote,), SCOPE, lambda _: BASE, retell).changes) == 1


def test_a_conflict_one_side_of_which_is_gone_is_withdrawn() -> None:
    sides = tuple(
        Option(key, key, (Evidence("n.md", at, at, ""),), (replace(lines(other, other + 1), id=f"{key}1"),))
        for key, at, other in (("A", 2, 2), ("B", 3, 1))
    )
    conflict = Change("k1", Kind.CONFLICT, "Which?", "", 0.5, "f", options=sides)
    assert without((conflict,), SCOPE, lambda _: BASE, retell).withdrawn == {"k1": "f"}


def test_words_that_tell_of_it_go_from_a_change_that_is_not_about_it() -> None:
    told = change(lines(3, 4, b"C\n"), Kind.REWRITE, title="Not the lost line", reason="as the lost line says")
    (after,) = without((told,), SCOPE, lambda _: BASE, retell).changes
    assert (after.title, after.reason, after.flags) == ("Rewrite, in part forgotten", "", ())


def test_a_change_of_a_file_that_goes_is_withdrawn() -> None:
    scope = Scope(wanted_line(b""), gone=frozenset({"n.md"}))
    assert without((change(lines(3, 4, b"C\n")),), scope, lambda _: BASE, retell).changes == ()


WORDS = st.sampled_from([GONE, b"a\n", b"b\n", b"c and more\n"])


@given(base=st.lists(WORDS, max_size=8), data=st.data())
def test_what_others_did_already_makes_what_is_left_of_the_folder_from_what_is_left_of_the_base(
    base: list[bytes], data: st.DataObject
) -> None:
    text, edits, reach = tuple(base), [], 0
    while reach <= len(text) and data.draw(st.booleans()):
        start = data.draw(st.integers(reach, len(text)))
        stop = data.draw(st.integers(start, len(text)))
        new = tuple(data.draw(st.lists(WORDS, max_size=3)))
        if new != text[start:stop]:
            edits.append(lines(start, stop, *new, base=text))
        reach = stop + 1
    changes = tuple(replace(change(edit), id=f"c{number}") for number, edit in enumerate(edits))
    found = without(changes, SCOPE, lambda _: text, retell, is_observed=True)
    after = compose(text, (Edit(one.start, one.stop, one.new, one.rank) for one in edits))
    kept = [edit for one in found.changes for edit in one.edits]
    left = compose(SCOPE.left("n.md", text), (Edit(one.start, one.stop, one.new, one.rank) for one in kept))
    assert left == SCOPE.left("n.md", after)
