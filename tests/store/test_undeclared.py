from __future__ import annotations

import os
from collections.abc import Mapping

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.model.edits import Text, close, split_lines
from dreamreview.model.files import FileState
from dreamreview.model.manifest import check_changes, dumps, loads
from dreamreview.model.proposal import LINK_MODE, Act, Base, Change, FileEdit, Kind, Proposal
from dreamreview.store.differ import GitDiffer
from dreamreview.store.undeclared import REASON, differences

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
Tree = Mapping[str, FileState]

LINES = (
    b"alpha\n",
    b"beta\r\n",
    b"gam\rma\n",
    b"one\x0ctwo\n",
    "x\u2028y\n".encode(),
    b"\xff\xfe bad\n",
    b"---\n",
    b"+++ b/f\n",
    b"@@ -1 +1 @@\n",
    b"\\ No newline at end of file\n",
    b"\n",
    b"- [x] done\n",
    b"nul\0\n",
    b"same\n",
    b"same\n",
)
TAILS = (b"", b"", b"last", b"\x85", b"last\r")
NAMES = (
    "MEMORY.md",
    "memory.md",
    "a.md",
    "dir/b.md",
    "dir",
    "sp ace.md",
    "\u00e9.md",
    "e\u0301.md",
    "x b/y.md",
    ":c.md",
    "-d.md",
    'q"uote.md',
    "tab\tn.md",
    "new\nline.md",
    "bad\udcff.md",
    "a.md/part1.md",
    "a.md/part2.md",
    "deep/er/z.md",
    "deep/er",
)

bodies = st.builds(
    lambda lines, tail: b"".join(lines) + tail, st.lists(st.sampled_from(LINES), max_size=8), st.sampled_from(TAILS)
)
modes = st.sampled_from((0o644, 0o644, 0o600, 0o755, 0o700))


def file(data: bytes, mode: int = 0o644) -> FileState:
    return FileState(text=split_lines(data), mode=mode)


def link(target: str) -> FileState:
    return FileState(text=split_lines(os.fsencode(target)), mode=LINK_MODE)


files = st.builds(file, bodies, modes)
links = st.builds(link, st.sampled_from(("../../secret", "a.md", "missing")))
states = st.one_of(files, files, files, links)


def _without_clashes(tree: dict[str, FileState]) -> dict[str, FileState]:
    """Keep what one folder can hold: no path below a file."""
    return {path: state for path, state in tree.items() if not any(path.startswith(f"{other}/") for other in tree)}


trees = st.dictionaries(st.sampled_from(NAMES), states, max_size=8).map(_without_clashes)


@st.composite
def tree_pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """A tree and what somebody made of it: kept, edited, moved, dropped, added."""
    base = draw(trees)
    copy: dict[str, FileState] = {}
    for path, state in base.items():
        deed = draw(st.sampled_from(("keep", "edit", "edit", "move", "drop", "mode", "swap")))
        if deed == "edit" and not state.is_link:
            lines = list(state.text)
            at = draw(st.integers(0, len(lines)))
            lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(LINES), max_size=2))
            copy[path] = file(b"".join(close(line, b"\n") for line in lines[:-1]) + b"".join(lines[-1:]), state.mode)
        elif deed == "move":
            copy[draw(st.sampled_from(NAMES))] = state
        elif deed == "mode" and not state.is_link:
            copy[path] = FileState(state.text, draw(modes))
        elif deed == "swap":
            copy[path] = draw(states)
        elif deed != "drop":
            copy[path] = state
    return base, _without_clashes({**copy, **draw(st.dictionaries(st.sampled_from(NAMES), states, max_size=2))})


def composed(base: Tree, changes: list[Change]) -> dict[str, tuple[bytes, str]]:
    """Make a set of changes by the laws alone, apart from the code: path to bytes and kind of what stands there."""
    tree = dict(base)
    edits = [edit for change in changes for edit in change.edits]
    for path in {edit.path for edit in edits}:
        own = sorted((edit for edit in edits if edit.path == path), key=lambda edit: (edit.start, edit.stop, edit.rank))
        old = base[path].text if path in base else ()
        mode = base[path].mode if path in base else 0
        lines: list[bytes] = []
        at = 0
        for edit in own:
            if edit.act in (Act.LINES, Act.DELETE):
                lines += [*old[at : edit.start], *edit.new]
                assert old[edit.start : edit.stop] == edit.old
                at = edit.stop
            elif edit.act is Act.CREATE:
                lines += edit.new
            if edit.act in (Act.CREATE, Act.MODE):
                assert edit.mode is not None
                mode = edit.mode
        lines += old[at:]
        acts = {edit.act for edit in own}
        tree.pop(path, None)
        if lines or Act.CREATE in acts or (path in base and Act.DELETE not in acts):
            name = next((edit.to for edit in own if edit.to), path)
            assert name not in tree
            tree[name] = FileState(_closed(lines, old), mode)
    assert _without_clashes(tree) == tree
    return seen(tree)


def _closed(lines: list[bytes], base: Text) -> Text:
    crlf = sum(line.endswith(b"\r\n") for line in base)
    end = b"\r\n" if crlf > sum(line.endswith(b"\n") for line in base) - crlf else b"\n"
    return tuple(line if line.endswith(b"\n") or line is lines[-1] else line + end for line in lines)


def seen(tree: Tree) -> dict[str, tuple[bytes, str]]:
    kinds = {True: "link", False: "file"}
    return {
        path: (b"".join(state.text), "executable" if state.mode & 0o100 and not state.is_link else kinds[state.is_link])
        for path, state in tree.items()
    }


def only(changes: tuple[Change, ...]) -> tuple[Change, FileEdit]:
    (change,) = changes
    (edit,) = change.edits
    return change, edit


@settings(max_examples=max(1, int(250 * SCALE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(tree_pairs(), st.data())
def test_all_changes_give_the_copy_none_the_base_and_any_subset_composes(
    pair: tuple[Tree, Tree], data: st.DataObject
) -> None:
    base, copy = pair
    changes = list(differences(base, copy, GitDiffer()))
    assert composed(base, changes) == seen(copy)
    assert composed(base, []) == seen(base)
    some = data.draw(st.lists(st.sampled_from(changes), unique_by=lambda change: change.id)) if changes else []
    assert composed(base, some) == composed(base, list(reversed(some)))
    check_changes(changes)
    assert len({change.id for change in changes}) == len(changes)


@settings(max_examples=max(1, int(60 * SCALE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(tree_pairs())
def test_changes_survive_the_manifest(pair: tuple[Tree, Tree]) -> None:
    changes = differences(*pair, GitDiffer())
    at = "2026-09-01T12:00:00Z"
    proposal = Proposal(id="20260901T120000000", created_at=at, base=Base("first-sight", "", at), changes=changes)
    back = loads(dumps(proposal)).changes
    assert [change.edits for change in back] == [change.edits for change in changes]
    assert [change.id for change in back] == [change.id for change in changes]


def test_each_edit_is_a_change_of_its_own() -> None:
    base = {"MEMORY.md": file(b"a\nb\nc\nd\n")}
    changes = differences(base, {"MEMORY.md": file(b"A\nb\nc\nd\ne\nf\n")}, GitDiffer())
    assert [(c.kind, c.title, c.edits[0].start, c.edits[0].stop, c.edits[0].rank) for c in changes] == [
        (Kind.EDIT, "Edit MEMORY.md line 1", 0, 1, 0),
        (Kind.EDIT, "Add 2 lines to MEMORY.md after line 4", 4, 4, 1),
    ]
    assert [(c.reason, c.confidence, c.flags) for c in changes] == [(REASON, 0.5, ())] * 2
    assert [(e.first, e.last, e.quote) for c in changes for e in c.evidence] == [(1, 1, "a\n"), (4, 4, "d\n")]


def test_an_unchanged_tree_has_no_changes() -> None:
    tree = {"a.md": file(b"a"), "b": link("a.md")}
    assert differences(tree, dict(tree), GitDiffer()) == ()


def test_a_byte_order_mark_alone_is_an_edit_of_its_line() -> None:
    _, edit = only(differences({"a": file(b"x\ny\n")}, {"a": file(b"\xef\xbb\xbfx\ny\n")}, GitDiffer()))
    assert (edit.old, edit.new) == ((b"x\n",), (b"\xef\xbb\xbfx\n",))


def test_a_final_terminator_alone_is_an_edit() -> None:
    change, edit = only(differences({"a": file(b"x\ny")}, {"a": file(b"x\ny\n")}, GitDiffer()))
    assert (edit.start, edit.stop, edit.old, edit.new) == (1, 2, (b"y",), (b"y\n",))
    assert change.title == "Edit a line 2"


def test_the_executable_bit_is_a_change_beside_the_text() -> None:
    changes = differences({"a": file(b"x\n", 0o640)}, {"a": file(b"y\n", 0o755)}, GitDiffer())
    mode, text = changes
    assert (mode.kind, mode.title) == (Kind.MODE, "Make a executable")
    assert (mode.edits[0].old_mode, mode.edits[0].mode) == (0o640, 0o750)
    assert (text.kind, text.edits[0].old, text.edits[0].new) == (Kind.EDIT, (b"x\n",), (b"y\n",))
    assert composed({"a": file(b"x\n", 0o640)}, [text]) == {"a": (b"y\n", "file")}


def test_other_permission_bits_are_no_change() -> None:
    assert differences({"a": file(b"x\n", 0o600)}, {"a": file(b"x\n", 0o644)}, GitDiffer()) == ()


def test_a_mode_taken_away_leaves_who_may_read() -> None:
    _, edit = only(differences({"a": file(b"x\n", 0o755)}, {"a": file(b"x\n", 0o600)}, GitDiffer()))
    assert (edit.act, edit.old_mode, edit.mode) == (Act.MODE, 0o755, 0o644)


def test_a_created_and_a_deleted_file_keep_mode_and_text() -> None:
    changes = differences({"a b.md": file(b"x\n", 0o600)}, {"c.md": file(b"", 0o755)}, GitDiffer())
    gone, came = (change.edits[0] for change in changes)
    assert (changes[0].kind, changes[0].title, gone.act, gone.old, gone.mode) == (
        Kind.DELETE,
        "Delete a b.md",
        Act.DELETE,
        (b"x\n",),
        0o600,
    )
    assert (changes[1].kind, changes[1].title, came.act, came.new, came.mode) == (
        Kind.CREATE,
        "Create c.md",
        Act.CREATE,
        (),
        0o755,
    )


def test_the_same_bytes_under_another_name_are_a_rename() -> None:
    change, edit = only(differences({"x b/y.md": file(b"x\n")}, {"a -> b.md": file(b"x\n")}, GitDiffer()))
    assert (change.kind, edit.act, edit.path, edit.to) == (Kind.RENAME, Act.RENAME, "x b/y.md", "a -> b.md")


def test_a_rename_in_case_or_unicode_form_alone_is_a_rename() -> None:
    change, edit = only(differences({"Readme.md": file(b"x\n")}, {"README.md": file(b"x\n")}, GitDiffer()))
    assert (change.kind, edit.path, edit.to) == (Kind.RENAME, "Readme.md", "README.md")
    change, edit = only(differences({"Ame\u0301lie.md": file(b"x\n")}, {"Am\u00e9lie.md": file(b"x\n")}, GitDiffer()))
    assert (change.kind, edit.path, edit.to) == (Kind.RENAME, "Ame\u0301lie.md", "Am\u00e9lie.md")


def test_names_that_differ_in_case_alone_go_and_come_together() -> None:
    (change,) = differences({"Readme.md": file(b"x\n")}, {"README.md": file(b"y\n")}, GitDiffer())
    assert [(edit.act, edit.path) for edit in change.edits] == [(Act.DELETE, "Readme.md"), (Act.CREATE, "README.md")]


def test_empty_or_repeated_bytes_are_no_rename() -> None:
    kinds = [change.kind for change in differences({"a": file(b"")}, {"b": file(b"")}, GitDiffer())]
    assert kinds == [Kind.DELETE, Kind.CREATE]
    two = differences({"a": file(b"x\n"), "b": file(b"x\n")}, {"c": file(b"x\n")}, GitDiffer())
    assert [change.kind for change in two] == [Kind.DELETE, Kind.DELETE, Kind.CREATE]


def test_a_file_that_becomes_a_folder_is_one_change() -> None:
    base = {"notes.md": file(b"x\n")}
    copy = {"notes.md/part1.md": file(b"x\n"), "notes.md/part2.md": file(b"y\n")}
    (change,) = differences(base, copy, GitDiffer())
    assert change.kind is Kind.CREATE
    assert [(edit.id, edit.act, edit.path) for edit in change.edits] == [
        ("e1", Act.DELETE, "notes.md"),
        ("e2", Act.CREATE, "notes.md/part1.md"),
        ("e3", Act.CREATE, "notes.md/part2.md"),
    ]
    (back,) = differences(copy, base, GitDiffer())
    assert [(edit.act, edit.path) for edit in back.edits] == [
        (Act.DELETE, "notes.md/part1.md"),
        (Act.DELETE, "notes.md/part2.md"),
        (Act.CREATE, "notes.md"),
    ]


def test_a_file_that_becomes_a_link_is_one_flagged_change() -> None:
    (change,) = differences({"x.md": file(b"x\n")}, {"x.md": link("../../secret")}, GitDiffer())
    assert (change.kind, change.flags) == (Kind.CREATE, ("link",))
    assert [(edit.act, edit.mode, edit.old, edit.new) for edit in change.edits] == [
        (Act.DELETE, 0o644, (b"x\n",), ()),
        (Act.CREATE, LINK_MODE, (), (b"../../secret",)),
    ]


def test_a_link_that_points_elsewhere_is_one_flagged_change() -> None:
    (change,) = differences({"x": link("a")}, {"x": link("b")}, GitDiffer())
    assert change.flags == ("link",)
    assert [(edit.act, edit.mode) for edit in change.edits] == [(Act.DELETE, LINK_MODE), (Act.CREATE, LINK_MODE)]


def test_binary_content_is_replaced_as_a_whole() -> None:
    _, edit = only(differences({"p.png": file(b"\x89PNG\n\0a\nb")}, {"p.png": file(b"\x89PNG\n\0a\nc\n")}, GitDiffer()))
    assert (edit.start, edit.stop, edit.new) == (0, 3, (b"\x89PNG\n", b"\0a\n", b"c\n"))


def test_the_second_of_two_insertions_lands_where_it_was_made() -> None:
    base = {"a": file(b"a\n" * 11)}
    copy = {"a": file(b"c\nb\n" + b"a\n" * 5 + b"b\n" + b"a\n" * 6)}
    changes = differences(base, copy, GitDiffer())
    assert composed(base, [changes[1]])["a"][0] == b"a\n" * 5 + b"b\n" + b"a\n" * 6


def test_a_secret_is_flagged_and_masked_in_the_evidence() -> None:
    key = "sk-" + "a1B2c3D4e5" * 3
    change, _ = only(differences({"a": file(f"key {key}\n".encode())}, {"a": file(b"")}, GitDiffer()))
    assert change.flags == ("secret",)
    assert key not in change.evidence[0].quote


def test_flags_are_given_to_every_change() -> None:
    changes = differences({"a": file(b"x")}, {"b": link("a")}, GitDiffer(), flags=("base-unknown",))
    assert [change.flags for change in changes] == [("base-unknown",), ("base-unknown", "link")]
