"""What plans make of others' writing is what rebasing says, whatever was applied before and however it was chosen."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.edits import (
    LF,
    Edit,
    Text,
    compose,
    difference,
    invert,
    rebase,
    render,
    split_lines,
    terminator_of,
)
from dreamreview.model.proposal import Act, FileEdit
from dreamreview.model.review import Chosen
from tests.model.test_plan import Folder, lcs, line_edit, stories, whole

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
LINES = (b"alpha\n", b"\n", b"same\n", b"beta\r\n", b"outside\n")

often = settings(max_examples=int(150 * SCALE), deadline=None)


@st.composite
def drifted(draw: st.DrawFn, text: Text) -> Text:
    """Return a text after somebody else's writing; never an empty one, which may be no file at all."""
    live = list(text)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(live)))
        live[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(LINES), max_size=2))
    return split_lines(render(tuple(live), LF)) or (b"alone\n",)


def accepted(base: Text, edits: list[Edit]) -> dict[str, tuple[Chosen, ...]]:
    return {f"c{edit.rank}": (whole(line_edit(base, edit)),) for edit in edits}


def bytes_of(folder: Folder) -> bytes:
    return folder.bytes_of("m.md") or b""


@often
@given(stories(), st.data())
def test_applying_over_drift_is_rebasing_over_it(story: tuple[Text, list[Edit]], data: st.DataObject) -> None:
    base, edits = story
    folder = Folder({"m.md": b"".join(base)})
    live = data.draw(drifted(base))
    folder.write("m.md", b"".join(live))
    plan = folder.apply(accepted(base, edits))
    end = terminator_of(base)
    wanted = rebase(edits, difference(base, live, end, lcs))
    assert {clash.change for clash in plan.clashes} == {f"c{edit.rank}" for edit in wanted.clashes}
    if not is_open(base) and not any(is_open(edit.new) for edit in edits):
        assert bytes_of(folder) == render(compose(live, wanted.edits), end)


def is_open(text: Text) -> bool:
    return any(not line.endswith(LF) for line in text)


@often
@given(stories(), st.data())
def test_undoing_over_drift_is_rebasing_the_inverse_over_it(
    story: tuple[Text, list[Edit]], data: st.DataObject
) -> None:
    base, edits = story
    folder = Folder({"m.md": b"".join(base)})
    folder.apply(accepted(base, edits))
    left = split_lines(bytes_of(folder))
    live = data.draw(drifted(left))
    folder.write("m.md", b"".join(live))
    undone = data.draw(st.sampled_from(edits)) if edits else None
    if undone is None or is_open(base) or is_open(left):
        return
    plan = folder.undo(f"a1/c{undone.rank}")
    end = terminator_of(base)
    wanted = rebase(invert(base, edits, [undone]), difference(left, live, end, lcs))
    assert bool(plan.clashes) is bool(wanted.clashes)
    after = render(compose(live, wanted.edits), end)
    assert sorted(split_lines(bytes_of(folder))) == sorted(split_lines(after))


@often
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=4), st.booleans(), st.randoms(use_true_random=False))
def test_a_file_comes_and_goes_by_lines_in_any_order(lines: list[bytes], is_created: bool, rnd: Random) -> None:
    text = tuple(lines)
    act = Act.CREATE if is_created else Act.DELETE
    new, old = (text, ()) if is_created else ((), text)
    edit = FileEdit(id="e1", path="m.md", act=act, stop=len(old), old=old, new=new, mode=0o644)
    folder = Folder({} if is_created else {"m.md": b"".join(text)})
    order = list(range(1, len(text) + 1))
    rnd.shuffle(order)
    for at in order:
        one, none = frozenset({at}), frozenset[int]()
        plan = folder.apply({"c1": (Chosen(edit, none if is_created else one, one if is_created else none),)})
        assert plan.clashes == ()
        assert list(plan.kept) == ([] if is_created or folder.bytes_of("m.md") is None else ["m.md"])
    assert folder.bytes_of("m.md") == (b"".join(text) if is_created else None)
    applies = list(range(len(order)))
    rnd.shuffle(applies)
    for count, number in enumerate(applies, 1):
        assert folder.undo(f"a{number + 1}/c1").clashes == ()
        applied = {order[one] for one in applies[count:]}
        left = [line for at, line in enumerate(text, 1) if (at in applied) is is_created]
        is_there = bool(left) or not is_created
        assert folder.bytes_of("m.md") == (b"".join(left) if is_there else None)


@pytest.mark.parametrize(
    ("base", "edit", "live", "after"),
    [
        pytest.param((b"a\n", b"b\n"), Edit(1, 2, (b"B\n",)), b"a\nb\nnews\n", b"a\nB\nnews\n", id="below it"),
        pytest.param((b"a\n", b"b\n"), Edit(1, 2, (b"B\n",)), b"a\nnews\nb\n", b"a\nnews\nB\n", id="above it"),
        pytest.param((b"a\n",), Edit(1, 1, (b"b\n",)), b"a\nnews\n", b"a\nnews\nb\n", id="at the same gap"),
        pytest.param((b"a\n", b"b\n", b"c\n"), Edit(0, 2, (b"ab\n",)), b"a\nb\nnews\nc\n", b"ab\nnews\nc\n", id="two"),
    ],
)
def test_lines_of_others_beside_an_edit_stay_on_their_side(base: Text, edit: Edit, live: bytes, after: bytes) -> None:
    folder = Folder({"m.md": b"".join(base)})
    folder.write("m.md", live)
    assert folder.apply(accepted(base, [edit])).clashes == ()
    assert folder.bytes_of("m.md") == after
    folder.undo("a1/c0")
    assert folder.bytes_of("m.md") == live


def test_lines_of_others_behind_a_merged_pair_stay_behind_it_when_that_is_undone() -> None:
    base = (b"- a\n", b"- b\n", b"- z\n")
    folder = Folder({"m.md": b"".join(base)})
    folder.apply(accepted(base, [Edit(0, 2, (b"- a and b\n",))]))
    folder.write("m.md", b"- a and b\n- news\n- z\n")
    assert folder.undo("a1/c0").clashes == ()
    assert folder.bytes_of("m.md") == b"- a\n- b\n- news\n- z\n"


def test_a_line_inside_what_others_took_away_since_does_not_come_back() -> None:
    base = (b"a\n", b"b\n", b"c\n")
    folder = Folder({"m.md": b"".join(base)})
    folder.apply(accepted(base, [Edit(1, 2, ())]))
    folder.write("m.md", b"all new\n")
    assert [clash.reason for clash in folder.undo("a1/c0").clashes] == [
        "the lines around it were changed or removed since"
    ]
    assert folder.bytes_of("m.md") == b"all new\n"


@pytest.mark.parametrize(
    "edit", [Edit(0, 0, (b"top\n",)), Edit(1, 1, (b"end\n",)), Edit(0, 1, (b"A\n",)), Edit(0, 1, ())]
)
def test_no_edit_brings_a_deleted_file_back(edit: Edit) -> None:
    folder = Folder({"m.md": b"a\n"})
    del folder.files["m.md"]
    assert len(folder.apply(accepted((b"a\n",), [edit])).clashes) == 1
    assert folder.bytes_of("m.md") is None
