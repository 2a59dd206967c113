from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.errors import StoreError
from dreamreview.model.derived import Derived, Moved
from dreamreview.model.edits import Edit, Text, compose, split_lines
from dreamreview.model.files import FileState
from dreamreview.model.loss import derive, is_destructive, takes_away_when_taken_back
from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))

Folder = dict[str, bytes]


def change(change_id: str, *edits: FileEdit, **more: Any) -> Change:
    shape: dict[str, Any] = {"kind": Kind.REWRITE, "title": "", "reason": "", "confidence": 1.0, "fingerprint": "f"}
    return Change(id=change_id, edits=edits, **(shape | more))


def lines(path: str, first: int, old: bytes, new: bytes, edit_id: str = "e1") -> FileEdit:
    gone = split_lines(old)
    return FileEdit(id=edit_id, path=path, start=first - 1, stop=first - 1 + len(gone), old=gone, new=split_lines(new))


def delete(path: str, old: bytes) -> FileEdit:
    gone = split_lines(old)
    return FileEdit(id="e9", path=path, act=Act.DELETE, stop=len(gone), old=gone, mode=0o644)


def create(path: str, new: bytes) -> FileEdit:
    return FileEdit(id="e8", path=path, act=Act.CREATE, new=split_lines(new), mode=0o644)


def lookup(folder: Mapping[str, bytes]) -> Callable[[str], FileState | None]:
    return lambda path: FileState(split_lines(folder[path]), 0o644) if path in folder else None


def made(base: Folder, changes: list[Change]) -> Folder:
    after = dict(base)
    by_path: dict[str, list[Edit]] = {}
    for each in changes:
        for edit in each.edits:
            if edit.act is Act.LINES:
                by_path.setdefault(edit.path, []).append(Edit(edit.start, edit.stop, edit.new))
            elif edit.act is Act.CREATE:
                after[edit.path] = b"".join(edit.new)
            elif edit.act is Act.DELETE:
                del after[edit.path]
    for path, edits in by_path.items():
        after[path] = b"".join(compose(split_lines(base[path]), edits))
    renames = [(edit.path, edit.to) for each in changes for edit in each.edits if edit.act is Act.RENAME]
    for path, to in renames:
        after[to or ""] = after.pop(path)
    return after


def derived(base: Folder, *changes: Change) -> dict[str, Derived]:
    after = made(base, list(changes))
    return derive(changes, lookup(base), lookup(after), sorted(after))


def test_a_removed_literal_that_stands_nowhere_else_vanishes() -> None:
    base = {"a.md": b"port 9001 of Relay in `vault`\nother\n", "b.md": b"ask Kim about vault\n"}
    found = derived(base, change("c1", lines("a.md", 1, base["a.md"].split(b"\n")[0] + b"\n", b"port of the relay\n")))
    assert found["c1"].vanishing == ("9001",)


def test_what_another_change_brings_does_not_vanish() -> None:
    base = {"a.md": b"port 9001\nrest\n", "b.md": b"top\n"}
    gone, came = (
        change("c1", lines("a.md", 1, b"port 9001\n", b"")),
        change("c2", lines("b.md", 2, b"", b"now 9001!\n")),
    )
    assert derived(base, gone)["c1"].vanishing == ("9001",)
    assert derived(base, gone, came)["c1"].vanishing == ()


def test_the_literals_of_a_deleted_file_vanish() -> None:
    base = {"a.md": b"see tool_x\n", "b.md": b"rest\n"}
    assert derived(base, change("c1", delete("a.md", base["a.md"])))["c1"].vanishing == ("tool_x",)


def test_each_option_of_a_conflict_has_its_own_vanishing_literals() -> None:
    base = {"a.md": b"port 9001\nrest 7\n", "b.md": b"port 9002\n"}
    drop = lines("b.md", 1, b"port 9002\n", b"")
    swap = lines("a.md", 1, b"port 9001\n", b"port 9002\n")
    options = (Option("A", "", (), (drop,)), Option("B", "", (), (swap, drop)))
    found = derived(base, change("c1", kind=Kind.CONFLICT, options=options))["c1"]
    assert found.by_option == {"A": ("9002",), "B": ("9001",)}
    assert (found.vanishing, found.moved, found.kept) == (("9002", "9001"), (), ())


def test_a_line_that_went_to_another_file_moved() -> None:
    base = {"a.md": b"# A\nKim owns relay 7\nKim owns relay 8\n---\nend\n", "b.md": b"# B\n"}
    gone = change("c1", lines("a.md", 2, b"Kim owns relay 7\nKim owns relay 8\n---\n", b""))
    came = change("c2", lines("b.md", 2, b"", b"---\nKim owns relay 7\nKim owns relay 8\n"))
    found = derived(base, gone, came)
    assert found["c1"].moved == (Moved("a.md", 2, "b.md", 3), Moved("a.md", 3, "b.md", 4))
    assert found["c1"].vanishing == ()
    assert found["c1"].flags == found["c2"].flags == {"move"}


def test_a_change_that_also_says_something_new_is_no_move() -> None:
    base = {"a.md": b"first line\nend\n", "b.md": b"# B\n"}
    gone = change("c1", lines("a.md", 1, b"first line\n", b""))
    came = change("c2", lines("b.md", 2, b"", b"first line\nand more\n"))
    found = derived(base, gone, came)
    assert found["c1"].flags == {"move"}
    assert found["c2"].flags == frozenset()


def test_a_file_split_in_two_moved() -> None:
    base = {"a.md": b"alpha one\nbeta two\n"}
    split = change("c1", delete("a.md", base["a.md"]), create("b.md", b"alpha one\n"), create("c.md", b"beta two\n"))
    found = derived(base, split)["c1"]
    assert found.moved == (Moved("a.md", 1, "b.md", 1), Moved("a.md", 2, "c.md", 1))
    assert found.flags == {"move"}


def test_a_line_moved_into_a_renamed_file_is_found_under_its_new_name() -> None:
    base = {"a.md": b"alpha one\nend\n", "b.md": b"top\n"}
    rename = FileEdit(id="e2", path="b.md", act=Act.RENAME, to="n.md")
    found = derived(
        base, change("c1", lines("a.md", 1, b"alpha one\n", b""), lines("b.md", 2, b"", b"alpha one\n"), rename)
    )
    assert found["c1"].moved == (Moved("a.md", 1, "n.md", 2),)


def test_a_second_copy_that_goes_is_no_move() -> None:
    base = {"a.md": b"Kim owns relay 7\nend\n", "b.md": b"# B\nKim owns relay 7\n"}
    found = derived(base, change("c1", lines("a.md", 1, b"Kim owns relay 7\n", b"")))["c1"]
    assert (found.moved, found.kept) == ((), (Moved("a.md", 1, "b.md", 2),))
    assert (found.vanishing, found.flags) == ((), frozenset())


def test_a_line_that_stands_in_several_files_is_told_of_the_first_by_name() -> None:
    base = dict.fromkeys(("a.md", "b.md", "c.md", "d.md"), b"type: errand\n")
    after = {name: text for name, text in base.items() if name != "a.md"}
    one = change("c1", delete("a.md", base["a.md"]))
    orders = (("d.md", "c.md", "b.md"), ("c.md", "b.md", "d.md"), ("b.md", "c.md", "d.md"))
    assert {derive([one], lookup(base), lookup(after), paths)["c1"].kept for paths in orders} == {
        (Moved("a.md", 1, "b.md", 1),)
    }


def test_lines_of_a_frontmatter_that_stand_elsewhere_too_are_not_worth_a_word() -> None:
    top = b"---\nname: %s\ntype: errand\n---\n"
    base = {"a.md": top % b"a" + b"type: errand\nKim owns relay 7\n", "b.md": top % b"b" + b"Kim owns relay 7\n"}
    found = derived(base, change("c1", delete("a.md", base["a.md"])))["c1"]
    assert found.kept == (Moved("a.md", 5, "b.md", 3), Moved("a.md", 6, "b.md", 5))


def test_one_new_line_answers_for_one_removed_line() -> None:
    base = {"a.md": b"same words\nx\nsame words\n", "b.md": b"# B\n"}
    gone = change("c1", lines("a.md", 1, b"same words\n", b""), lines("a.md", 3, b"same words\n", b"", "e2"))
    came = change("c2", lines("b.md", 2, b"", b"same words\n"))
    assert derived(base, gone, came)["c1"].moved == (Moved("a.md", 1, "b.md", 2),)


def test_lines_that_stay_at_the_ends_of_an_edit_neither_moved_nor_vanished() -> None:
    base = {"a.md": b"keep 11\ndrop 22\nkeep 33\n"}
    found = derived(base, change("c1", lines("a.md", 1, base["a.md"], b"keep 11\r\nkeep 33\n")))["c1"]
    assert (found.moved, found.vanishing) == ((), ("22",))


def test_what_stands_around_a_secret_is_found_again_where_only_the_secret_goes() -> None:
    old = b"- read only: `postgres://reader:Quay-4417-Tern@db.example.org/boats`\n"
    base = {"a.md": old}
    found = derived(base, change("c1", lines("a.md", 1, old, old.replace(b"Quay-4417-Tern", b"[redacted]"))))
    assert found["c1"].vanishing == ()
    assert derived(base, change("c1", lines("a.md", 1, old, b"")))["c1"].vanishing == (
        "postgres://reader:",
        "@db.example.org/boats",
    )


def test_a_secret_is_not_named_among_what_vanishes() -> None:
    base = {"a.md": b"- The till of 1987, password: Tern-4417-Quayside\nend\n"}
    gone = change("c", lines("a.md", 1, b"- The till of 1987, password: Tern-4417-Quayside\n", b""))
    assert derived(base, gone)["c"].vanishing == ("1987",)


def test_lines_of_a_change_that_the_copy_does_not_show_are_not_called_moved() -> None:
    base = {"a.md": b"alpha one\nend\n", "b.md": b"top\n"}
    changes = [change("c1", lines("a.md", 1, b"alpha one\n", b"")), change("c2", lines("b.md", 2, b"", b"alpha one\n"))]
    found = derive(changes, lookup(base), lookup(base), sorted(base))
    assert (found["c1"].moved, found["c2"].flags) == ((), frozenset())


def test_the_proposed_folder_is_not_read_where_nothing_is_removed_and_no_file_comes_or_goes() -> None:
    def unread(path: str) -> FileState | None:
        raise AssertionError(path)

    changes = [
        change("c1", lines("n.md", 1, b"", b"new 1\n")),
        change("c2", FileEdit(id="e1", path="a.md", act=Act.MODE, mode=0o755, old_mode=0o644)),
    ]
    assert derive(changes, unread, unread, ["a.md", "n.md"]) == {"c1": Derived(), "c2": Derived()}


def test_a_folder_that_cannot_be_read_counts_as_empty() -> None:
    def broken(path: str) -> FileState | None:
        raise StoreError(path)

    found = derive([change("c1", lines("a.md", 1, b"n 77\n", b""))], broken, broken, ["a.md"])
    assert found["c1"].vanishing == ("77",)


WORDS = st.sampled_from(["a11", "b22", "c33", "d44", "Kim", "port 9", "plain words"])
BODIES = st.lists(WORDS, max_size=6).map(lambda words: "".join(f"x {word}\n" for word in words).encode())


@st.composite
def replacements(draw: st.DrawFn) -> tuple[Folder, list[Change]]:
    base = {path: draw(BODIES) for path in ("a.md", "b.md", "c.md")}
    changes: list[Change] = []
    for path, data in base.items():
        text = split_lines(data)
        first = draw(st.integers(0, len(text)))
        last = draw(st.integers(first, len(text)))
        new = draw(BODIES)
        if text[first:last] != split_lines(new):
            changes.append(change(f"c{len(changes)}", lines(path, first + 1, b"".join(text[first:last]), new)))
    return base, changes


@settings(max_examples=int(250 * SCALE), deadline=None, suppress_health_check=list(HealthCheck))
@given(replacements())
def test_what_is_derived_is_true_of_the_folder(case: tuple[Folder, list[Change]]) -> None:
    base, changes = case
    after = made(base, changes)
    found = derived(base, *changes)
    everything = b"".join(after.values()).decode()
    targets: list[tuple[str, int]] = []
    for each in changes:
        removed = b"".join(each.edits[0].old).decode()
        for word in ("a11", "b22", "c33", "d44", "Kim", "9"):
            assert (word in found[each.id].vanishing) == (word in removed.split() and word not in everything.split())
        for move in (*found[each.id].moved, *found[each.id].kept):
            there = split_lines(after[move.to_path])[move.to_line - 1]
            assert split_lines(base[move.path])[move.line - 1] == there
        targets += [(move.to_path, move.to_line) for move in found[each.id].moved]
    assert len(targets) == len(set(targets))


def texts(base: Folder) -> Callable[[str], Text]:
    return lambda path: split_lines(base.get(path, b""))


FOUR = {"a.md": b"aaaa\nbbbb\ncccc\ndddd\n"}


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (change("c", lines("a.md", 1, b"aaaa\n", b"")), False),
        (change("c", lines("a.md", 1, b"aaaa\nbbbb\n", b"")), True),
        (change("c", lines("a.md", 1, b"aaaa\n", b""), lines("a.md", 3, b"cccc\n", b"", "e2")), True),
        (change("c", lines("a.md", 1, b"aaaa\nbbbb\n", b"aaaa bbbb\n")), False),
        (change("c", lines("a.md", 1, b"aaaa\nbbbb\n", b"xxxx\nyyyy\n")), True),
        (change("c", lines("a.md", 1, b"aaaa\nbbbb\n", b"bbbb\naaaa\n")), False),
        (change("c", lines("a.md", 1, b"", b"more\n")), False),
        (change("c", delete("a.md", b"")), True),
        (change("c", create("n.md", b"x\n")), False),
        (change("c", FileEdit(id="e1", path="a.md", act=Act.RENAME, to="b.md")), False),
        (change("c", lines("a.md", 5, b"", b"x\n"), kind=Kind.PRUNE), True),
        (change("c", lines("a.md", 5, b"", b"x\n"), kind=Kind.QUARANTINE), True),
        (change("c", kind=Kind.CONFLICT), True),
    ],
)
def test_a_change_is_destructive_by_what_it_takes(made: Change, expected: bool) -> None:
    assert is_destructive(made, Derived(), texts(FOUR)) is expected


def test_a_change_that_makes_a_literal_vanish_is_destructive() -> None:
    small = change("c", lines("a.md", 1, b"aaaa\n", b"aaab\n"))
    assert not is_destructive(small, Derived(), texts(FOUR))
    assert is_destructive(small, Derived(vanishing=("aaaa",)), texts(FOUR))


def test_a_change_whose_base_cannot_be_read_is_destructive() -> None:
    def broken(path: str) -> Text:
        raise StoreError(path)

    assert is_destructive(change("c", lines("a.md", 1, b"aaaa\n", b"")), Derived(), broken)


TEN = b"".join(b"- row %d of ten is dug\n" % number for number in range(10))


@pytest.mark.parametrize(
    ("edits", "takes_away"),
    [
        ((delete("a.md", TEN),), False),
        ((create("b.md", b"new\n"),), True),
        ((FileEdit(id="e1", path="a.md", act=Act.RENAME, to="b.md"),), False),
        ((FileEdit(id="e1", path="a.md", act=Act.MODE, old_mode=0o644, mode=0o755),), False),
        ((lines("a.md", 1, TEN, b""),), False),
        ((lines("a.md", 1, b"- row 0 of ten is dug\n", b"- row 0 of ten is wet\n"),), False),
        ((lines("a.md", 1, b"- row 0 of ten is dug\n", b"- row 0 of ten is dug on 2026-03-04\n"),), True),
        ((lines("a.md", 1, b"- row 0 of ten is dug\n", TEN),), True),
        ((delete("a.md", TEN), create("b.md", TEN)), True),
    ],
)
def test_taking_back_is_judged_by_what_goes_then(edits: tuple[FileEdit, ...], takes_away: bool) -> None:
    assert takes_away_when_taken_back(change("c", *edits), lambda _: split_lines(TEN)) is takes_away


def test_taking_back_takes_away_where_the_base_cannot_be_read() -> None:
    def unreadable(path: str) -> Text:
        raise StoreError(f"{path}: gone")

    made_already = change("c", lines("a.md", 1, b"- row 0 of ten is dug\n", b"- row 0 of ten is wet\n"))
    assert takes_away_when_taken_back(made_already, unreadable)
