"""Plans over woven histories: several applies, drift, undo in any order, names that are taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model import weave_codec
from dreamreview.model.edits import (
    Edit,
    Hunk,
    Text,
    close,
    compose,
    overlap,
    render,
    select,
    split_lines,
    terminator_of,
)
from dreamreview.model.files import FileState
from dreamreview.model.plan import Ground, Plan, plan_apply, plan_undo
from dreamreview.model.proposal import Act, FileEdit
from dreamreview.model.review import Chosen
from dreamreview.model.weave import Weave, deed_of

LINES = (b"alpha\n", b"beta\r\n", b"gam\rma\n", b"one\x0ctwo\n", b"\xff bad\n", b"\n", b"same\n", b"same\n")


def lcs(base: Text, new: Text, terminator: bytes) -> tuple[Hunk, ...]:
    """Stand in for the git-backed differ."""
    one, two = ([close(line, terminator) for line in text] for text in (base, new))
    codes = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    return tuple(Hunk(a, b, c, d) for tag, a, b, c, d in codes if tag != "equal")


class Folder:
    """A memory folder in memory, with its history."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = {path: FileState(split_lines(data), 0o644) for path, data in files.items()}
        self.base = dict(self.files)
        self.weaves: dict[str, Weave] = {}
        self.retired: frozenset[str] = frozenset()
        self.count = 0

    def ground(self, weaves: Mapping[str, Weave]) -> Ground:
        return Ground(
            live=self.files.get,
            base=self.base.get,
            names=lambda: frozenset(self.files),
            differ=lcs,
            retired=self.retired,
            weaves=weaves,
        )

    def apply(self, accepted: Mapping[str, tuple[Chosen, ...]], proposal: str = "p") -> Plan:
        self.count += 1
        by_name: dict[str, Weave] = {}
        for weave in self.weaves.values():
            name = weave.path(self.retired)
            if name not in by_name or weave.exists(self.retired):
                by_name[name] = weave
        return self.carry_out(plan_apply(f"a{self.count}", proposal, accepted, self.ground(by_name)))

    def undo(self, *deeds: str) -> Plan:
        touched = {
            deed: tuple(uid for uid, weave in self.weaves.items() if any(deed_of(act) == deed for act in weave.acts))
            for deed in deeds
        }
        plan = self.carry_out(plan_undo(deeds, touched, self.ground(self.weaves)))
        self.retired = plan.retired
        return plan

    def carry_out(self, plan: Plan) -> Plan:
        for target in plan.targets:
            if target.after is None:
                del self.files[target.path]
            else:
                self.files[target.path] = FileState(split_lines(target.after), target.after_mode or 0)
        for uid, weave in plan.weaves.items():
            self.weaves[uid] = weave_codec.loads(weave_codec.dumps(weave))
            assert self.weaves[uid] == weave
        return plan

    def bytes_of(self, path: str) -> bytes | None:
        state = self.files.get(path)
        return b"".join(state.text) if state else None

    def write(self, path: str, data: bytes) -> None:
        self.files[path] = FileState(split_lines(data), 0o644)


def whole(edit: FileEdit) -> Chosen:
    return Chosen(edit, frozenset(range(1, len(edit.old) + 1)), frozenset(range(1, len(edit.new) + 1)))


def line_edit(base: Text, edit: Edit, path: str = "m.md", number: int = 1) -> FileEdit:
    return FileEdit(
        id=f"e{number}",
        path=path,
        start=edit.start,
        stop=edit.stop,
        old=base[edit.start : edit.stop],
        new=edit.new,
        rank=edit.rank,
    )


def change(base: Text, start: int, stop: int, *new: bytes, rank: int = 0, path: str = "m.md") -> tuple[Chosen, ...]:
    return (whole(line_edit(base, Edit(start, stop, new, rank), path)),)


@st.composite
def stories(draw: st.DrawFn) -> tuple[Text, list[Edit]]:
    base = tuple(draw(st.lists(st.sampled_from(LINES), max_size=8))) + draw(st.sampled_from([(), (b"last",)]))
    found: list[Edit] = []
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(base)))
        stop = draw(st.integers(start, min(len(base), start + 3)))
        new = tuple(draw(st.lists(st.sampled_from(LINES), min_size=int(start == stop), max_size=3)))
        edit = Edit(start, stop, new)
        if new != base[start:stop] and not any(overlap(edit, other) for other in found):
            found.append(edit)
    found.sort(key=lambda edit: edit.order)
    return base, [replace(edit, rank=rank) for rank, edit in enumerate(found)]


def rendered(base: Text, edits: Iterable[Edit]) -> bytes:
    return render(compose(base, edits), terminator_of(base))


@given(stories(), st.randoms(use_true_random=False))
def test_accepted_edits_applied_in_several_applies_give_the_same_as_at_once(
    story: tuple[Text, list[Edit]], rnd: Random
) -> None:
    base, edits = story
    folder = Folder({"m.md": b"".join(base)})
    order = list(edits)
    rnd.shuffle(order)
    for edit in order:
        plan = folder.apply({f"c{edit.rank}": (whole(line_edit(base, edit)),)})
        assert plan.clashes == ()
    assert (folder.bytes_of("m.md") or b"") == rendered(base, edits)


@given(stories(), st.randoms(use_true_random=False))
def test_units_of_edits_applied_one_by_one_give_the_edits(story: tuple[Text, list[Edit]], rnd: Random) -> None:
    base, edits = story
    folder = Folder({"m.md": b"".join(base)})
    units: list[tuple[Edit, frozenset[int], frozenset[int]]] = []
    for edit in edits:
        units += [(edit, frozenset({n + 1}), frozenset()) for n in range(edit.stop - edit.start)]
        units += [(edit, frozenset(), frozenset({n + 1})) for n in range(len(edit.new))]
    rnd.shuffle(units)
    chosen: dict[int, tuple[set[int], set[int]]] = {edit.rank: (set(), set()) for edit in edits}
    for edit, old, new in units:
        plan = folder.apply({f"c{edit.rank}": (Chosen(line_edit(base, edit), old, new),)})
        assert plan.clashes == ()
        chosen[edit.rank][0].update(old)
        chosen[edit.rank][1].update(new)
        parts = [part for one in edits for part in select(one, *chosen[one.rank])]
        assert (folder.bytes_of("m.md") or b"") == rendered(base, parts)
    assert (folder.bytes_of("m.md") or b"") == rendered(base, edits)


@given(stories(), st.randoms(use_true_random=False))
def test_undoing_in_any_order_leaves_the_edits_that_stand(story: tuple[Text, list[Edit]], rnd: Random) -> None:
    base, edits = story
    folder = Folder({"m.md": b"".join(base)})
    deeds = {}
    for edit in edits:
        folder.apply({f"c{edit.rank}": (whole(line_edit(base, edit)),)})
        deeds[edit.rank] = f"a{folder.count}/c{edit.rank}"
    order = list(edits)
    rnd.shuffle(order)
    for done, edit in enumerate(order, 1):
        assert folder.undo(deeds[edit.rank]).clashes == ()
        assert (folder.bytes_of("m.md") or b"") == rendered(base, order[done:])
    assert folder.bytes_of("m.md") == b"".join(base)


@settings(max_examples=150)
@given(stories(), st.data())
def test_the_order_of_undoing_cannot_matter_whatever_others_wrote_in_between(
    story: tuple[Text, list[Edit]], data: st.DataObject
) -> None:
    base, edits = story
    folder = Folder({"m.md": b"".join(base)})
    applied: list[str] = []
    for edit in edits:
        plan = folder.apply({f"c{edit.rank}": (whole(line_edit(base, edit)),)})
        if plan.applied:
            applied.append(f"a{folder.count}/c{edit.rank}")
        live = list(split_lines(folder.bytes_of("m.md") or b""))
        at = data.draw(st.integers(0, len(live)))
        live[at : at + data.draw(st.integers(0, 1))] = data.draw(st.lists(st.just(b"outside\n"), max_size=2))
        folder.write("m.md", render(tuple(live), b"\n"))
    results = set()
    for order in (applied, applied[::-1]):
        again = Folder({})
        again.files, again.weaves, again.base = dict(folder.files), dict(folder.weaves), folder.base
        clashed = [deed for deed in order if again.undo(deed).clashes]
        if clashed:
            return
        results.add(again.bytes_of("m.md"))
    assert len(results) <= 1


@given(stories(), st.data())
def test_no_line_that_others_wrote_is_lost_by_apply_or_undo(
    story: tuple[Text, list[Edit]], data: st.DataObject
) -> None:
    base, edits = story
    folder = Folder({"m.md": b"".join(base)})
    live = list(base)
    at = data.draw(st.integers(0, len(live)))
    live[at:at] = [b"precious\n"]
    folder.write("m.md", render(tuple(live), b"\n"))
    for edit in edits:
        folder.apply({f"c{edit.rank}": (whole(line_edit(base, edit)),)})
        assert b"precious\n" in split_lines(folder.bytes_of("m.md") or b"")
    for number, edit in enumerate(edits, 1):
        folder.undo(f"a{number}/c{edit.rank}")
        assert b"precious\n" in split_lines(folder.bytes_of("m.md") or b"")


def test_an_edit_elsewhere_in_the_file_merges_and_undo_gives_it_back() -> None:
    base = tuple(b"line %d\n" % n for n in range(8))
    folder = Folder({"m.md": b"".join(base)})
    live = b"".join(base).replace(b"line 6\n", b"line 6 by the agent\n")
    folder.write("m.md", live)
    plan = folder.apply({"c1": change(base, 2, 3, b"two\n")})
    assert plan.clashes == ()
    assert folder.bytes_of("m.md") == live.replace(b"line 2\n", b"two\n")
    folder.undo("a1/c1")
    assert folder.bytes_of("m.md") == live


def test_an_edit_of_the_same_line_makes_the_change_stale_with_both_texts() -> None:
    base = (b"a\n", b"b\n", b"c\n")
    folder = Folder({"m.md": b"".join(base)})
    folder.write("m.md", b"a\nB by hand\nc\n")
    plan = folder.apply({"c1": change(base, 1, 2, b"B\n")})
    (clash,) = plan.clashes
    assert (clash.change, clash.path, clash.base) == ("c1", "m.md", "b")
    assert "B by hand" in clash.live
    assert plan.targets == ()


def test_an_undo_that_clashes_shows_what_stands_around_its_lines_and_no_more() -> None:
    base = tuple(b"line %d\n" % n for n in range(60))
    folder = Folder({"m.md": b"".join(base)})
    folder.apply({"c1": change(base, 30, 31, b"thirty\n")})
    folder.write("m.md", (folder.bytes_of("m.md") or b"").replace(b"thirty\n", b"thirty by hand\n"))
    (clash,) = folder.undo("a1/c1").clashes
    assert (clash.base, clash.live) == ("thirty", "line 29\nthirty by hand\nline 31")


def test_an_edit_that_is_already_made_counts_as_done() -> None:
    base = (b"a\n", b"b\n", b"c\n")
    folder = Folder({"m.md": b"".join(base)})
    folder.write("m.md", b"a\nB\nc\n")
    plan = folder.apply({"c1": change(base, 1, 2, b"B\n")})
    assert (plan.clashes, plan.targets, list(plan.applied)) == ((), (), ["c1"])


def test_a_deleted_file_makes_its_changes_stale_and_does_not_come_back() -> None:
    base = (b"a\n", b"b\n")
    folder = Folder({"m.md": b"".join(base)})
    del folder.files["m.md"]
    plan = folder.apply({"c1": change(base, 0, 1, b"A\n")})
    assert len(plan.clashes) == 1
    assert folder.bytes_of("m.md") is None


def test_a_change_whose_edits_clash_in_part_is_left_alone_as_a_whole() -> None:
    base = (b"fact\n",)
    folder = Folder({"a.md": b"fact\n", "b.md": b"fact\n"})
    folder.write("a.md", b"fact, edited by hand\n")
    delete = FileEdit(id="e2", path="b.md", act=Act.DELETE, start=0, stop=1, old=base, mode=0o644)
    merge = (*change(base, 0, 1, b"fact, merged\n", path="a.md"), whole(delete))
    plan = folder.apply({"c1": merge})
    assert [clash.path for clash in plan.clashes] == ["a.md"]
    assert folder.bytes_of("b.md") == b"fact\n"


def test_a_kept_line_keeps_a_deleted_file_and_the_plan_says_so() -> None:
    base = (b"one\n", b"two\n")
    folder = Folder({"m.md": b"one\ntwo\n"})
    delete = FileEdit(id="e1", path="m.md", act=Act.DELETE, start=0, stop=2, old=base, mode=0o644)
    plan = folder.apply({"c1": (Chosen(delete, frozenset({1}), frozenset()),)})
    assert plan.kept == ("m.md",)
    assert folder.bytes_of("m.md") == b"two\n"
    folder.undo("a1/c1")
    assert folder.bytes_of("m.md") == b"one\ntwo\n"


def test_a_deletion_is_undone_with_its_mode_and_an_empty_file_comes_back() -> None:
    folder = Folder({"m.md": b"", "n.md": b"x"})
    folder.files["n.md"] = folder.base["n.md"] = FileState((b"x",), 0o600)
    empty = FileEdit(id="e1", path="m.md", act=Act.DELETE, mode=0o644)
    full = FileEdit(id="e2", path="n.md", act=Act.DELETE, start=0, stop=1, old=(b"x",), mode=0o600)
    folder.apply({"c1": (whole(empty), whole(full))})
    assert folder.files == {}
    folder.undo("a1/c1")
    assert folder.files == {"m.md": FileState((), 0o644), "n.md": FileState((b"x",), 0o600)}


def test_a_created_file_that_the_agent_appended_to_is_left_alone_by_undo() -> None:
    folder = Folder({})
    create = FileEdit(id="e1", path="new.md", act=Act.CREATE, new=(b"fact\n",), mode=0o644)
    folder.apply({"c1": (whole(create),)})
    folder.write("new.md", b"fact\nmore by the agent\n")
    plan = folder.undo("a1/c1")
    assert [clash.reason for clash in plan.clashes] == ["the file was changed since"]
    assert folder.bytes_of("new.md") == b"fact\nmore by the agent\n"


def test_a_creation_over_an_equal_file_is_done_and_over_another_it_clashes() -> None:
    create = FileEdit(id="e1", path="new.md", act=Act.CREATE, new=(b"fact\n",), mode=0o644)
    for there, clashes in ((b"fact\n", 0), (b"other\n", 1)):
        folder = Folder({})
        folder.write("new.md", there)
        plan = folder.apply({"c1": (whole(create),)})
        assert len(plan.clashes) == clashes
        assert folder.bytes_of("new.md") == there


@pytest.mark.parametrize("taken", ["to.md", "to.md/below.md"])
def test_a_rename_to_a_name_that_is_taken_clashes(taken: str) -> None:
    folder = Folder({"from.md": b"x\n"})
    folder.write(taken, b"theirs\n")
    rename = FileEdit(id="e1", path="from.md", act=Act.RENAME, to="to.md")
    assert len(folder.apply({"c1": (whole(rename),)}).clashes) == 1
    assert folder.bytes_of("from.md") == b"x\n"


def test_a_rename_goes_and_comes_back() -> None:
    folder = Folder({"from.md": b"x\n"})
    rename = FileEdit(id="e1", path="from.md", act=Act.RENAME, to="deep/to.md")
    plan = folder.apply({"c1": (whole(rename),)})
    assert plan.renamed == (("from.md", "deep/to.md"),)
    assert list(folder.files) == ["deep/to.md"]
    folder.undo("a1/c1")
    assert list(folder.files) == ["from.md"]


def test_a_file_takes_the_name_of_one_that_goes_in_the_same_change_and_undo_gives_both_back() -> None:
    folder = Folder({"a.md": b"new\n", "b.md": b"old\n"})
    delete = FileEdit(id="e1", path="b.md", act=Act.DELETE, start=0, stop=1, old=(b"old\n",), mode=0o644)
    rename = FileEdit(id="e2", path="a.md", act=Act.RENAME, to="b.md")
    assert folder.apply({"c1": (whole(delete), whole(rename))}).clashes == ()
    assert {path: folder.bytes_of(path) for path in folder.files} == {"b.md": b"new\n"}
    assert folder.undo("a1/c1").clashes == ()
    assert {path: folder.bytes_of(path) for path in folder.files} == {"a.md": b"new\n", "b.md": b"old\n"}


def test_a_file_becomes_a_folder_of_that_name_and_back() -> None:
    folder = Folder({"notes.md": b"x\n"})
    delete = FileEdit(id="e1", path="notes.md", act=Act.DELETE, start=0, stop=1, old=(b"x\n",), mode=0o644)
    create = FileEdit(id="e2", path="notes.md/part1.md", act=Act.CREATE, new=(b"x\n",), mode=0o644)
    assert folder.apply({"c1": (whole(delete), whole(create))}).clashes == ()
    assert list(folder.files) == ["notes.md/part1.md"]
    folder.undo("a1/c1")
    assert list(folder.files) == ["notes.md"]


def test_only_the_executable_bits_change_and_come_back() -> None:
    folder = Folder({"m.md": b"x\n"})
    mode = FileEdit(id="e1", path="m.md", act=Act.MODE, old_mode=0o644, mode=0o755)
    folder.files["m.md"] = FileState((b"x\n",), 0o640)
    folder.apply({"c1": (whole(mode),), "c2": change((b"x\n",), 0, 1, b"y\n")})
    assert folder.files["m.md"] == FileState((b"y\n",), 0o751)
    folder.undo("a1/c1")
    assert folder.files["m.md"] == FileState((b"y\n",), 0o640)


def test_undo_of_a_line_that_was_edited_since_is_a_clash_until_that_edit_is_undone() -> None:
    base = (b"a\n", b"b\n")
    folder = Folder({"m.md": b"a\nb\n"})
    folder.apply({"c1": change(base, 1, 2, b"B\n")})
    folder.base = dict(folder.files)
    folder.apply({"c1": change((b"a\n", b"B\n"), 1, 2, b"B2\n")}, proposal="q")
    assert [clash.reason for clash in folder.undo("a1/c1").clashes] == ["a line it wrote was changed since"]
    folder.undo("a2/c1")
    assert folder.undo("a1/c1").clashes == ()
    assert folder.bytes_of("m.md") == b"a\nb\n"


def test_a_second_proposal_made_before_an_apply_fits_again_once_that_is_undone() -> None:
    base = (b"a\n", b"b\n", b"c\n")
    folder = Folder({"m.md": b"".join(base)})
    folder.apply({"c1": change(base, 1, 2, b"B\n")})
    other = change(base, 1, 2, b"beta\n")
    assert len(folder.apply({"c1": other}, proposal="q").clashes) == 1
    folder.undo("a1/c1")
    assert folder.apply({"c1": other}, proposal="q").clashes == ()
    assert folder.bytes_of("m.md") == b"a\nbeta\nc\n"


def test_crlf_stays_crlf_and_a_missing_final_newline_stays_missing() -> None:
    base = split_lines(b"\xef\xbb\xbfa\r\nb\r\nc")
    folder = Folder({"m.md": b"".join(base)})
    folder.apply({"c1": change(base, 1, 2, b"B\r\n"), "c2": change(base, 3, 3, b"tail", rank=1)})
    assert folder.bytes_of("m.md") == b"\xef\xbb\xbfa\r\nB\r\nc\r\ntail"
    folder.undo("a1/c2")
    assert folder.bytes_of("m.md") == b"\xef\xbb\xbfa\r\nB\r\nc"


def test_what_comes_is_written_before_what_goes_unless_that_is_in_the_way() -> None:
    folder = Folder({"gone.md": b"x\n", "kept.md": b"k\n", "Case.md": b"c\n"})
    delete = FileEdit(id="e1", path="gone.md", act=Act.DELETE, stop=1, old=(b"x\n",), mode=0o644)
    rename = FileEdit(id="e1", path="Case.md", act=Act.RENAME, to="case.md")
    accepted = {"c1": (whole(delete),), "c2": change((b"k\n",), 0, 1, b"K\n", path="kept.md"), "c3": (whole(rename),)}
    order = [target.path for target in folder.apply(accepted).targets]
    assert order == ["Case.md", "case.md", "kept.md", "gone.md"]
