"""Taking back what was made already leaves the base with all the rest, unit by unit."""

from __future__ import annotations

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.edits import Edit, Text, compose, select
from dreamreview.model.proposal import Act, Change, FileEdit, Kind
from dreamreview.model.taking_back import kept_edits, taken_back
from dreamreview.model.units import ChangeReview, Chosen, State, chosen_of, units_of

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
EXAMPLES = max(20, int(200 * SCALE))

LINES = st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"])


def change(name: str, *edits: FileEdit) -> Change:
    return Change(name, Kind.EDIT, "", "", 0.5, "0" * 64, edits=edits)


def decided(chosen: tuple[Chosen, ...] = (), rejected: tuple[Chosen, ...] = ()) -> ChangeReview:
    return ChangeReview(State.PARTIAL, chosen=chosen, rejected=rejected)


def all_of(edit: FileEdit) -> Chosen:
    return chosen_of(edit, units_of(edit) - {0})


@st.composite
def made(draw: st.DrawFn) -> tuple[Text, list[FileEdit]]:
    """Return a base and edits of it, none overlapping another, that were made already."""
    base = tuple(draw(st.lists(LINES, max_size=8)))
    edits: list[FileEdit] = []
    at = 0
    while at <= len(base) and len(edits) < 4:
        start = draw(st.integers(at, len(base)))
        stop = draw(st.integers(start, min(start + 3, len(base))))
        new = tuple(draw(st.lists(LINES, max_size=3)))
        old = base[start:stop]
        if new != old:
            edits.append(FileEdit("e1", "m.md", Act.LINES, start, stop, old, new, rank=len(edits)))
        at = stop + 1
    return base, edits


def composed(text: Text, chosen: list[Chosen]) -> Text:
    """Return a text with the accepted units of some edits made."""
    parts = [
        part
        for one in chosen
        for part in select(Edit(one.edit.start, one.edit.stop, one.edit.new, one.edit.rank), one.old, one.new)
    ]
    return compose(text, parts)


@settings(max_examples=EXAMPLES, deadline=None)
@given(made(), st.data())
def test_what_is_left_is_the_base_with_all_that_was_not_rejected(
    found: tuple[Text, list[FileEdit]], data: st.DataObject
) -> None:
    base, edits = found
    changes = [change(f"c{number}", edit) for number, edit in enumerate(edits)]
    unwanted = [data.draw(st.sets(st.sampled_from(sorted(units_of(edit))))) for edit in edits]
    of = {
        one.id: decided(rejected=(chosen_of(edit, units),) if units else ())
        for one, edit, units in zip(changes, edits, unwanted, strict=True)
    }
    kept = [chosen_of(edit, units_of(edit) - units) for edit, units in zip(edits, unwanted, strict=True)]
    back = taken_back(changes, of, lambda _: base)
    proposed = composed(base, [all_of(edit) for edit in edits])
    undone = [one for found in back.values() for one in found]
    for one in undone:
        assert proposed[one.edit.start : one.edit.stop] == one.edit.old
        assert one.is_whole
    assert composed(proposed, undone) == composed(base, kept)
    assert back.keys() == {one.id for one, units in zip(changes, unwanted, strict=True) if units}


@settings(max_examples=EXAMPLES, deadline=None)
@given(made(), st.data())
def test_what_is_kept_makes_of_the_base_what_was_accepted(
    found: tuple[Text, list[FileEdit]], data: st.DataObject
) -> None:
    base, edits = found
    changes = [change(f"c{number}", edit) for number, edit in enumerate(edits)]
    wanted = [chosen_of(edit, data.draw(st.sets(st.sampled_from(sorted(units_of(edit)))))) for edit in edits]
    of = {one.id: decided(chosen=(part,)) for one, part in zip(changes, wanted, strict=True)}
    parts = kept_edits(changes, of)
    assert compose(base, [Edit(one.start, one.stop, one.new, one.rank) for one in parts]) == composed(base, wanted)
    for part in parts:
        assert base[part.start : part.stop] == part.old


def test_a_deleted_file_comes_back_with_its_mode_and_the_lines_that_were_asked_for() -> None:
    gone = FileEdit("e1", "m.md", Act.DELETE, stop=3, old=(b"a\n", b"b\n", b"c"), mode=0o600)
    whole = taken_back([change("c", gone)], {"c": decided(rejected=(all_of(gone),))}, lambda _: gone.old)
    assert whole["c"][0].edit == FileEdit("t1", "m.md", Act.CREATE, new=(b"a\n", b"b\n", b"c"), mode=0o600)
    part = taken_back([change("c", gone)], {"c": decided(rejected=(chosen_of(gone, {-1, -3}),))}, lambda _: gone.old)
    assert part["c"][0].edit == FileEdit("t1", "m.md", Act.CREATE, new=(b"a\n", b"c"), mode=0o600)


def test_an_empty_file_that_was_deleted_comes_back() -> None:
    gone = FileEdit("e1", "m.md", Act.DELETE, mode=0o644)
    back = taken_back([change("c", gone)], {"c": decided(rejected=(Chosen(gone),))}, lambda _: ())
    assert back["c"] == (Chosen(FileEdit("t1", "m.md", Act.CREATE, mode=0o644)),)


def test_a_new_file_goes_or_loses_the_lines_that_were_rejected() -> None:
    came = FileEdit("e1", "m.md", Act.CREATE, new=(b"a\n", b"b\n", b"c\n"), mode=0o644)
    whole = taken_back([change("c", came)], {"c": decided(rejected=(all_of(came),))}, lambda _: ())
    assert whole["c"][0].edit == FileEdit("t1", "m.md", Act.DELETE, stop=3, old=came.new, mode=0o644)
    part = taken_back([change("c", came)], {"c": decided(rejected=(chosen_of(came, {2}),))}, lambda _: ())
    assert part["c"][0].edit == FileEdit("t1", "m.md", Act.LINES, 1, 2, (b"b\n",))


def test_a_rename_and_a_mode_are_turned_round() -> None:
    moved = FileEdit("e1", "a.md", Act.RENAME, to="b.md")
    mode = FileEdit("e1", "c.md", Act.MODE, old_mode=0o644, mode=0o755)
    changes = [change("m", moved), change("x", mode)]
    of = {"m": decided(rejected=(Chosen(moved),)), "x": decided(rejected=(Chosen(mode),))}
    back = taken_back(changes, of, lambda _: ())
    assert back["m"][0].edit == FileEdit("t1", "b.md", Act.RENAME, to="a.md")
    assert back["x"][0].edit == FileEdit("t1", "c.md", Act.MODE, old_mode=0o755, mode=0o644)


def test_what_frees_a_name_comes_before_what_wants_it() -> None:
    swap = (
        FileEdit("e1", "a", Act.DELETE, stop=1, old=(b"was a file\n",), mode=0o644),
        FileEdit("e2", "a/b.md", Act.CREATE, new=(b"is below\n",), mode=0o644),
    )
    of = {"c": decided(rejected=tuple(map(all_of, swap)))}
    acts = [(one.edit.act, one.edit.path) for one in taken_back([change("c", *swap)], of, lambda _: ())["c"]]
    assert acts == [(Act.DELETE, "a/b.md"), (Act.CREATE, "a")]


def test_a_persons_own_text_stands_in_place_of_what_others_wrote() -> None:
    base = (b"one\n", b"two\n", b"three\n")
    made_so = FileEdit("e1", "m.md", Act.LINES, 1, 2, (b"two\n",), (b"zwei\n", b"drei\n"))
    mine = FileEdit("e1", "m.md", Act.LINES, 1, 2, (b"two\n",), (b"TWO\n",))
    of = {"c": decided(chosen=(all_of(mine),))}
    back = taken_back([change("c", made_so)], of, lambda _: base)
    assert back["c"][0].edit == FileEdit("t1", "m.md", Act.LINES, 1, 3, (b"zwei\n", b"drei\n"), (b"TWO\n",))
    assert kept_edits([change("c", made_so)], of) == [mine]


def test_what_is_only_accepted_writes_nothing() -> None:
    edit = FileEdit("e1", "m.md", Act.LINES, 0, 1, (b"a\n",), (b"b\n",))
    assert taken_back([change("c", edit)], {"c": decided(chosen=(all_of(edit),))}, lambda _: (b"a\n",)) == {}
