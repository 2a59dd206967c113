from __future__ import annotations

import os
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.derived import Arrived, LinkAt
from dreamreview.model.edits import Text, split_lines
from dreamreview.model.files import FileState
from dreamreview.model.link_effects import LinkEffects, link_effects
from dreamreview.model.loss import derive
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind, Option

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
Folder = Mapping[str, str]


def change(name: str, *edits: FileEdit, options: tuple[Option, ...] = ()) -> Change:
    return Change(
        id=name, kind=Kind.REWRITE, edits=edits, options=options, title="", reason="", confidence=1.0, fingerprint="f"
    )


def text(words: str) -> Text:
    return split_lines(words.encode())


def swap(path: str, line: int, old: str, new: str) -> FileEdit:
    gone = text(old)
    return FileEdit("e1", path, start=line - 1, stop=line - 1 + len(gone), old=gone, new=text(new))


def delete(path: str, old: str) -> FileEdit:
    return FileEdit("e9", path, act=Act.DELETE, old=text(old), stop=len(text(old)), mode=0o644)


def create(path: str, new: str) -> FileEdit:
    return FileEdit("e8", path, act=Act.CREATE, new=text(new), mode=0o644)


def rename(path: str, to: str) -> FileEdit:
    return FileEdit("e7", path, act=Act.RENAME, to=to)


def look(base: Folder, after: Folder, *changes: Change) -> LinkEffects:
    def of(folder: Folder, path: str) -> Text | None:
        return text(folder[path]) if path in folder else None

    return link_effects(changes, lambda path: of(base, path), lambda path: of(after, path), after)


def broken(found: LinkEffects) -> dict[str, list[str]]:
    return {name: [f"{at.path}:{at.line} {at.target}" for at in ats] for name, ats in found.broken.items() if ats}


def mended(found: LinkEffects) -> dict[str, list[str]]:
    return {name: [f"{at.path}:{at.line} {at.target}" for at in ats] for name, ats in found.mended.items() if ats}


INDEX = "- [Oven](oven.md): heat\n- [Yard](yard.md): gate\n"


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("See [the oven](oven.md).\n", "oven.md"),
        ("See [[Oven]].\n", "Oven"),
        ("See `oven.md`.\n", "oven.md"),
        ("oven.md says how hot.\n", "oven.md"),
        ("See [it](./oven.md#heat).\n", "./oven.md"),
    ],
)
def test_a_deleted_file_breaks_the_links_that_stay(line: str, target: str) -> None:
    base = {"a.md": f"# A\n{line}", "oven.md": "hot\n"}
    found = look(base, {"a.md": base["a.md"]}, change("c1", delete("oven.md", "hot\n")))
    assert broken(found) == {"c1": [f"a.md:2 {target}"]}


def test_a_broken_link_is_told_by_the_line_it_has_in_the_base() -> None:
    base = {"a.md": "one\ntwo\nsee [the oven](oven.md)\n", "oven.md": "hot\n"}
    after = {"a.md": "see [the oven](oven.md)\n"}
    found = look(base, after, change("c1", delete("oven.md", "hot\n")), change("c2", swap("a.md", 1, "one\ntwo\n", "")))
    assert found.broken == {"c1": [LinkAt("a.md", 3, "oven.md")]}


def test_a_broken_link_in_a_renamed_file_is_told_by_the_name_that_it_still_has() -> None:
    base = {"a.md": "see [the oven](oven.md)\n", "oven.md": "hot\n"}
    after = {"n.md": "see [the oven](oven.md)\n"}
    found = look(base, after, change("c1", delete("oven.md", "hot\n")), change("c2", rename("a.md", "n.md")))
    assert found.broken == {"c1": [LinkAt("a.md", 1, "oven.md")]}


def test_a_broken_link_that_a_change_brings_is_told_as_new() -> None:
    base = {"a.md": "one\n"}
    after = {"a.md": "one\nsee [the oven](oven.md)\n"}
    found = look(base, after, change("c1", swap("a.md", 2, "", "see [the oven](oven.md)\n")))
    assert found.broken == {"c1": [LinkAt("a.md", 2, "oven.md", is_new=True)]}


def test_a_mended_link_is_told_by_the_line_it_has_in_the_base() -> None:
    base = {"a.md": "one\nsee [the oven](oven.md)\n"}
    after = {"a.md": "see [the oven](oven.md)\n", "oven.md": "hot\n"}
    found = look(base, after, change("c1", create("oven.md", "hot\n")), change("c2", swap("a.md", 1, "one\n", "")))
    assert found.mended["c1"] == [LinkAt("a.md", 2, "oven.md")]


def test_a_link_that_goes_with_its_file_is_not_broken() -> None:
    base = {"MEMORY.md": INDEX, "oven.md": "hot\n", "yard.md": "open\n"}
    after = {"MEMORY.md": "- [Yard](yard.md): gate\n", "yard.md": "open\n"}
    gone = change("c1", swap("MEMORY.md", 1, "- [Oven](oven.md): heat\n", ""), delete("oven.md", "hot\n"))
    found = look(base, after, gone)
    assert (broken(found), mended(found)) == ({}, {})


def test_a_rename_breaks_the_links_to_the_old_name() -> None:
    base = {"MEMORY.md": INDEX, "oven.md": "hot\n", "yard.md": "open\n"}
    after = {"MEMORY.md": INDEX, "kiln.md": "hot\n", "yard.md": "open\n"}
    assert broken(look(base, after, change("c1", rename("oven.md", "kiln.md")))) == {"c1": ["MEMORY.md:1 oven.md"]}


def test_what_led_nowhere_before_is_no_damage() -> None:
    base = {"a.md": "[x](never.md)\nold\n", "b.md": "b\n"}
    after = {"a.md": "[x](never.md)\nnew\n"}
    found = look(base, after, change("c1", swap("a.md", 2, "old\n", "new\n"), delete("b.md", "b\n")))
    assert broken(found) == {}


def test_a_line_that_moves_with_its_dangling_link_is_no_damage() -> None:
    line = "[x](never.md) and more\n"
    moved = change("c1", swap("a.md", 1, line, ""), swap("b.md", 2, "", line))
    found = look({"a.md": line, "b.md": "b\n"}, {"a.md": "", "b.md": f"b\n{line}"}, moved)
    assert broken(found) == {}


def test_a_new_line_with_a_link_to_nothing_is_damage() -> None:
    found = look(
        {"a.md": "x\n"}, {"a.md": "x\nsee [n](none.md)\n"}, change("c1", swap("a.md", 2, "", "see [n](none.md)\n"))
    )
    assert broken(found) == {"c1": ["a.md:2 none.md"]}


@pytest.mark.parametrize(
    "line", ["see [[later]]\n", "see [n](https://x.example/none.md)\n", "see [n](../out.md)\n", "see [n](pic.png)\n"]
)
def test_links_that_may_lead_nowhere_are_no_damage(line: str) -> None:
    assert broken(look({"a.md": "x\n"}, {"a.md": f"x\n{line}"}, change("c1", swap("a.md", 2, "", line)))) == {}


def test_links_in_code_fences_are_examples() -> None:
    body = "```\n[x](oven.md)\n```\n"
    found = look({"a.md": body, "oven.md": "hot\n"}, {"a.md": body}, change("c1", delete("oven.md", "hot\n")))
    assert broken(found) == {}


def test_a_file_that_comes_mends_the_links_to_it() -> None:
    found = look(
        {"MEMORY.md": INDEX, "yard.md": "y\n"},
        {"MEMORY.md": INDEX, "yard.md": "y\n", "oven.md": "hot\n"},
        change("c1", create("oven.md", "hot\n")),
    )
    assert mended(found) == {"c1": ["MEMORY.md:1 oven.md"]}


@pytest.mark.parametrize("new", ["", "- [Oven](yard.md): heat\n", "- Oven: heat\n"])
def test_a_dangling_link_that_is_turned_or_taken_out_is_mended(new: str) -> None:
    base = {"MEMORY.md": INDEX, "yard.md": "y\n"}
    after = {"MEMORY.md": new + "- [Yard](yard.md): gate\n", "yard.md": "y\n"}
    found = look(base, after, change("c1", swap("MEMORY.md", 1, "- [Oven](oven.md): heat\n", new)))
    assert (mended(found), broken(found)) == ({"c1": ["MEMORY.md:1 oven.md"]}, {})


def test_a_dangling_link_whose_line_is_reworded_is_not_mended() -> None:
    base = {"MEMORY.md": INDEX, "yard.md": "y\n"}
    after = {"MEMORY.md": INDEX.replace("heat", "how hot"), "yard.md": "y\n"}
    found = look(
        base, after, change("c1", swap("MEMORY.md", 1, "- [Oven](oven.md): heat\n", "- [Oven](oven.md): how hot\n"))
    )
    assert (mended(found), broken(found)) == ({}, {})


def test_sides_of_a_conflict_know_what_links_to_them_and_what_a_choice_would_break() -> None:
    folder = {"MEMORY.md": INDEX, "oven.md": "hot\n", "yard.md": "open\n"}
    options = (
        Option("A", "oven", (Evidence("oven.md", 1, 1, "hot"),), (delete("yard.md", "open\n"),)),
        Option(
            "B",
            "yard",
            (Evidence("yard.md", 1, 1, "open"),),
            (delete("oven.md", "hot\n"), swap("MEMORY.md", 1, "- [Oven](oven.md): heat\n", "")),
        ),
    )
    conflict = change("c1", options=options)
    found = look(folder, folder, conflict)
    assert found.linked == {
        "oven.md": [LinkAt("MEMORY.md", 1, "oven.md")],
        "yard.md": [LinkAt("MEMORY.md", 2, "yard.md")],
    }
    assert found.broken_by_option == {("c1", "A"): [LinkAt("MEMORY.md", 2, "yard.md")]}


def test_links_to_a_side_are_told_by_their_lines_in_the_base_and_not_where_a_change_brings_them() -> None:
    base = {"MEMORY.md": INDEX, "oven.md": "hot\n", "yard.md": "open\n", "list.md": "top\n"}
    claims = (Evidence("oven.md", 1, 1, "hot"),), (Evidence("yard.md", 1, 1, "open"),)
    conflict = change("c1", options=(Option("A", "oven", claims[0], ()), Option("B", "yard", claims[1], ())))
    oven, yard = "- [Oven](oven.md): heat\n", "- [Yard](yard.md): gate\n"
    reworded = "- [Yard](yard.md): the gate\n"
    after = {**base, "MEMORY.md": f"# Index\n{oven}{reworded}", "list.md": "top\n[Oven](oven.md)\n"}
    edits = (swap("MEMORY.md", 1, "", "# Index\n"), swap("MEMORY.md", 2, yard, reworded))
    added = change("c3", swap("list.md", 2, "", "[Oven](oven.md)\n"))
    assert look(base, after, conflict, change("c2", *edits), added).linked == {
        "oven.md": [LinkAt("MEMORY.md", 1, "oven.md")],
        "yard.md": [LinkAt("MEMORY.md", 2, "yard.md")],
    }


def test_what_is_derived_names_links_and_both_ends_of_a_move() -> None:
    base = {"a.md": "keep\nthe moved line\n", "b.md": "see [a](a.md)\n", "c.md": "c\n"}
    after = {"b.md": "see [a](a.md)\n", "c.md": "c\nthe moved line\n"}
    changes = [change("c1", delete("a.md", base["a.md"])), change("c2", swap("c.md", 2, "", "the moved line\n"))]

    def of(folder: Folder, path: str) -> FileState | None:
        return FileState(text(folder[path]), 0o644) if path in folder else None

    found = derive(changes, lambda path: of(base, path), lambda path: of(after, path), after)
    assert found["c1"].broken == (LinkAt("b.md", 1, "a.md"),)
    assert found["c2"].arrived == (Arrived("e1", 1, "a.md", 2),)
    assert [(moved.line, moved.to_path, moved.to_line) for moved in found["c1"].moved] == [(2, "c.md", 2)]


NAMES = st.sampled_from(["a.md", "b.md", "n/c.md"])
BODIES = st.lists(st.sampled_from(["[x](a.md)", "[[b]]", "[y](n/c.md)", "[z](zz.md)", "plain"]), max_size=4).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@given(st.dictionaries(NAMES, BODIES, min_size=1), NAMES)
@settings(max_examples=int(150 * SCALE), deadline=None)
def test_deleting_and_creating_a_file_are_opposites(folder: dict[str, str], name: str) -> None:
    without = {path: body for path, body in folder.items() if path != name}
    whole = without | {name: folder.get(name, "")}
    gone = look(whole, without, change("c1", delete(name, whole[name])))
    come = look(without, whole, change("c1", create(name, whole[name])))
    assert gone.broken.get("c1", []) == [at for at in come.mended.get("c1", []) if at.path != name]
    assert {at.path for at in come.broken.get("c1", [])} <= {name}
