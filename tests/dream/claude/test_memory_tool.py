"""The six commands of the memory tool: what they do to bytes, and what they refuse in a sentence."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.arbitration import to_changes
from dreamreview.model.edits import Edit, compose, split_lines
from dreamreview.model.manifest import check_changes
from dreamreview.model.proposal import Act
from tests.dream.claude.acting import cites
from tests.dream.claude.bench import ANY, GROUND, Tools

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\nb\nc\n", "b", "B", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", "b", "B", b"a\r\nB\r\nc\r\n"),
        (b"a\r\nb\nc\r\n", "b", "B\nBB", b"a\r\nB\nBB\nc\r\n"),
        (b"a\nb\nc", "c", "C", b"a\nb\nC"),
        (b"a\nb\nc", "b\nc", "B\nC", b"a\nB\nC"),
        (b"a\nb\nc\n", "b\n", "", b"a\nc\n"),
        (b"a\nb\nc\n", "a\nb\nc\n", "", b""),
        (b"a\nb\nc", "\nc", "", b"a\nb"),
        (b"a\nb\nc\n", "a\nb\nc", "a\nx\nb\nc", b"a\nx\nb\nc\n"),
        (b"\xef\xbb\xbf# T\nb\n", "# T", "# U", b"\xef\xbb\xbf# U\nb\n"),
        (b"a  \nb\t\n", "b", "B", b"a  \nB\t\n"),
        ("日本\nб\n".encode(), "б", "Б", "日本\nБ\n".encode()),
        (b"a\x0cb\nc\x0bd\n", "c", "C", b"a\x0cb\nC\x0bd\n"),
        (b"a\r\rb\nc\n", "c", "C", b"a\r\rb\nC\n"),
    ],
)
def test_a_replacement_changes_its_lines_and_no_other_byte(before: bytes, old: str, new: str, after: bytes) -> None:
    tools = Tools({"x.md": before})
    tools.open()
    assert not tools.replace("x.md", old, new).is_error
    assert tools.bytes_of("x.md") == after


@pytest.mark.parametrize(
    ("before", "at", "text", "after"),
    [
        (b"a\nb\n", 0, "x", b"x\na\nb\n"),
        (b"a\nb\n", 1, "x\ny\n", b"a\nx\ny\nb\n"),
        (b"a\nb\n", 2, "x\n", b"a\nb\nx\n"),
        (b"a\r\nb\r\n", 2, "x", b"a\r\nb\r\nx\r\n"),
        (b"", 0, "x", b"x\n"),
        (b"a\n", 1, "x\r\ny", b"a\nx\ny\n"),
    ],
)
def test_an_insertion_adds_whole_lines(before: bytes, at: int, text: str, after: bytes) -> None:
    tools = Tools({"x.md": before})
    tools.open()
    assert not tools.memory("insert", path="/memories/x.md", insert_line=at, insert_text=text).is_error
    assert tools.bytes_of("x.md") == after


def test_a_last_line_without_an_end_keeps_it_that_way_below_what_is_added() -> None:
    tools = Tools({"x.md": b"a\nb"})
    tools.open()
    tools.memory("insert", path="/memories/x.md", insert_line=2, insert_text="c")
    assert [(edit.start, edit.stop, edit.new) for edit in tools.copy.edits_of(1)] == [(2, 2, (b"c\n",))]


@settings(max_examples=int(60 * SCALE), deadline=None)
@given(
    st.lists(st.sampled_from([b"a\n", b"b\n", b"a\r\n", b"\n", b"c \n"]), max_size=8),
    st.sampled_from([b"", b"end"]),
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 8), st.integers(1, 3), st.sampled_from(["", "n", "n\nm", "a\nb\n"])),
        max_size=6,
    ),
)
def test_any_edits_are_what_their_changes_compose_to(
    lines: list[bytes], last: bytes, steps: list[tuple[bool, int, int, str]]
) -> None:
    tools = Tools({"x.md": b"".join(lines) + last})
    for opens, at, length, text in steps:
        if opens:
            tools.open()
        texts = [line.data.decode().rstrip("\r\n") for line in tools.copy.lines("x.md")]
        if text == "n":
            tools.memory("insert", path="/memories/x.md", insert_line=min(at, len(texts)), insert_text=text)
        else:
            tools.replace("x.md", "\n".join(texts[at : at + length]), text)
    base = split_lines(b"".join(lines) + last)
    edits = [edit for number in range(1, 8) for edit in tools.copy.edits_of(number)]
    own = [Edit(edit.start, edit.stop, edit.new, rank) for rank, edit in enumerate(edits)]
    assert b"".join(compose(base, own)) == tools.bytes_of("x.md")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"command": "remove", "path": "/memories/x.md"}, "command is one of view, create"),
        ({"command": "view", "path": "/memories/none.md"}, "does not exist"),
        ({"command": "view", "path": 7}, "a path is a text"),
        ({"command": "view", "path": "/memories/x.md", "view_range": [3, 1]}, "view_range lies within"),
        ({"command": "view", "path": "/memories/x.md", "view_range": "all"}, "view_range is the first"),
        ({"command": "create", "path": "/memories/x.md", "file_text": "y"}, "x.md exists"),
        ({"command": "create", "path": "/memories/X.MD", "file_text": "y"}, "x.md exists"),
        ({"command": "create", "path": "/memories/x.md/y.md", "file_text": "y"}, "a folder and a file at once"),
        ({"command": "create", "path": "/memories/run.sh", "file_text": "y"}, "is no memory file"),
        ({"command": "create", "path": "/memories/cafe\u0301.md", "file_text": "y"}, "caf\u00e9.md exists"),
        ({"command": "create", "path": "/memories/caf\u00c9.md", "file_text": "y"}, "caf\u00e9.md exists"),
        ({"command": "create", "path": "/memories/a\u202eb.md", "file_text": "y"}, "signs that are seen"),
        ({"command": "create", "path": "/memories/\u200b.md", "file_text": "y"}, "signs that are seen"),
        ({"command": "create", "path": "/memories/..\\y.md", "file_text": "y"}, "without backslashes"),
        ({"command": "create", "path": "/memories/a /y.md", "file_text": "y"}, "signs that are seen"),
        ({"command": "create", "path": "/memories/y.md", "file_text": ""}, "empty"),
        ({"command": "create", "path": "/memories/y.md", "file_text": ["y"]}, "file_text is a text"),
        ({"command": "create", "path": "/memories/y.md", "file_text": "x" * 200_001}, "at most 200,000"),
        ({"command": "create", "path": "/memories/y.md", "file_text": "\ud800"}, "which nobody sees"),
        ({"command": "create", "path": "/memories/y.md", "file_text": "a\u202eb"}, "holds ⟨U+202E⟩, which nobody sees"),
        ({"command": "create", "path": "/memories/y.md", "file_text": "a\x1b[2J"}, "holds ␛, which nobody sees"),
        ({"command": "create", "path": "/memories/y.md", "file_text": "a\rb\u2028c"}, "holds ␍⟨U+2028⟩, which nobody"),
        ({"command": "create", "path": "/memories/y.md", "file_text": "\U000e0041"}, "holds ⟨U+E0041⟩, which nobody"),
        ({"command": "str_replace", "path": "/memories/x.md", "old_str": "zz", "new_str": "y"}, "word for word"),
        ({"command": "str_replace", "path": "/memories/x.md", "old_str": "one", "new_str": "y"}, "more than once"),
        ({"command": "str_replace", "path": "/memories/x.md", "old_str": "", "new_str": "y"}, "old_str is empty"),
        ({"command": "str_replace", "path": "/memories/bin.md", "old_str": "a", "new_str": "y"}, "not plain text"),
        ({"command": "insert", "path": "/memories/x.md", "insert_line": 9, "insert_text": "y"}, "from 0 to 3"),
        ({"command": "insert", "path": "/memories/x.md", "insert_line": True, "insert_text": "y"}, "from 0 to 3"),
        ({"command": "delete", "path": "/memories/sub"}, "a folder cannot be deleted"),
        ({"command": "delete", "path": "/memories"}, "the memory itself cannot be deleted"),
        ({"command": "delete", "path": "/memories/none.md"}, "there is no file"),
        ({"command": "rename", "old_path": "/memories/sub", "new_path": "/memories/sup"}, "only files are renamed"),
        ({"command": "rename", "old_path": "/memories/x.md", "new_path": "/memories/sub/z.md"}, "sub/z.md exists"),
        ({"command": "rename", "old_path": "/memories/x.md", "new_path": "/memories/x.py"}, "is no memory file"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(given: dict[str, object], said: str) -> None:
    tools = Tools({"x.md": "one\ntwo\none\n", "sub/z.md": "z\n", "bin.md": b"\xff\xfea\n", "caf\u00e9.md": "c\n"})
    tools.open()
    answer = tools.box.call("memory", given)
    assert answer.is_error
    assert said in answer.text
    assert tools.copy.edits_of(1) == ()


def test_signs_that_are_not_seen_may_stay_where_they_are_and_join_what_needs_joining() -> None:
    tools = Tools({"x.md": "a\u202eb\n", "y.md": "one\n"})
    tools.open()
    assert not tools.replace("x.md", "b", "c").is_error
    assert not tools.replace("y.md", "one", "\t\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645").is_error
    assert tools.bytes_of("x.md").decode() == "a\u202ec\n"


def test_edits_of_one_dream_bring_so_much_and_no_more() -> None:
    tools = Tools({"x.md": "one\n"})
    tools.open("add")
    grown = [
        tools.memory("insert", path="/memories/x.md", insert_line=0, insert_text="y" * 125_000 + "\n") for _ in range(5)
    ]
    assert [answer.is_error for answer in grown] == [False, False, False, True, True]
    assert "at most 500,000 characters" in grown[-1].text
    assert len(tools.bytes_of("x.md")) == 3 * 125_001 + 4


def test_blocks_of_other_programs_are_left_alone() -> None:
    name = "openclaw:dreaming:light"
    managed = f"# A\n\n<!-- {name}:start -->\n- kept by a program\n- and this\n<!-- {name}:end -->\n- mine\n"
    tools = Tools({"x.md": managed})
    tools.open()
    for answer in (
        tools.replace("x.md", "kept by a program", "mine now"),
        tools.memory("insert", path="/memories/x.md", insert_line=4, insert_text="- between"),
        tools.memory("delete", path="/memories/x.md"),
    ):
        assert answer.is_error
        assert "another program writes" in answer.text
    assert not tools.replace("x.md", "- mine", "- mine still").is_error
    tools.box.call("drop_card", {})
    sides = [{"label": "a", **cites("x.md", 4, 4, "kept by a program")}, {"label": "b", **cites(GROUND, 1, 1, ANY)}]
    assert "another program writes" in tools.open("conflict", sides=sides).text


def test_a_secret_stays_where_it_is_or_is_taken_out_and_is_never_copied() -> None:
    tools = Tools({"x.md": "- db password: hunter2zebra9 for tests\n- other\n", "y.md": "- y\n"})
    shown = tools.memory("view", path="/memories/x.md").text
    assert "hunter2zebra9" not in shown
    tools.open()
    kept = tools.replace("x.md", "password: [hidden-hidden1-1] for tests", "password for tests: [hidden-hidden1-1]")
    copied = tools.replace("y.md", "- y", "- password: [hidden-hidden1-1]")
    moved = tools.replace("x.md", "- other", "- other [hidden-hidden1-1]")
    made_up = tools.replace("y.md", "- y", "- password: correct4horse")
    assert [answer.is_error for answer in (kept, copied, moved, made_up)] == [False, True, True, True]
    assert tools.bytes_of("x.md") == b"- db password for tests: hunter2zebra9\n- other\n"
    assert tools.bytes_of("y.md") == b"- y\n"


def test_the_marks_around_memory_do_not_become_memory() -> None:
    tools = Tools({"x.md": "one\n"})
    tools.open()
    assert tools.replace("x.md", "one", "<<end marks1>>").is_error


def test_a_long_file_is_shown_in_parts() -> None:
    tools = Tools({"x.md": "word " * 20 + "\n" + "line of text\n" * 20_000})
    shown = tools.memory("view", path="/memories/x.md").text
    assert len(shown) < 121_000
    assert "(cut here: view lines " in shown
    part = tools.memory("view", path="/memories/x.md", view_range=[20_000, -1]).text
    assert part.splitlines()[1:-1] == [" 20000\tline of text", " 20001\tline of text"]


def test_renamed_and_made_files_can_be_edited_by_their_card_alone() -> None:
    tools = Tools({"x.md": "one\n", "index.md": "- [x](x.md)\n"})
    tools.open()
    tools.memory("rename", old_path="/memories/x.md", new_path="/memories/y.md")
    tools.memory("create", path="/memories/z.md", file_text=f"{ANY}\n")
    assert not tools.replace("y.md", "one", "one and two").is_error
    assert not tools.replace("z.md", ANY, f"{ANY} Still.").is_error
    assert tools.memory("view", path="/memories/x.md").is_error
    tools.close()
    tools.close()
    tools.open("link", cites("index.md", 1, 1, "- [x](x.md)"))
    assert "card 1" in tools.replace("y.md", "one and two", "three").text
    assert tools.replace("z.md", ANY, "other").is_error
    assert tools.memory("delete", path="/memories/z.md").is_error
    acts = [(edit.path, edit.act, edit.to) for edit in tools.copy.edits_of(1)]
    assert acts == [("x.md", Act.RENAME, "y.md"), ("x.md", Act.LINES, None), ("z.md", Act.CREATE, None)]


def test_a_card_that_is_dropped_leaves_the_copy_as_it_was() -> None:
    tools = Tools({"x.md": "one\n", "y.md": "two\n"})
    before = tools.copy.names()
    tools.open()
    tools.replace("x.md", "one", "1")
    tools.memory("create", path="/memories/z.md", file_text="new\n")
    tools.memory("delete", path="/memories/y.md")
    assert tools.copy.names() == (GROUND, "x.md", "z.md")
    assert not tools.box.call("drop_card", {}).is_error
    assert tools.copy.names() == before
    assert tools.bytes_of("x.md") == b"one\n"


def test_lines_in_dispute_are_not_edited_by_another_card() -> None:
    tools = Tools({"x.md": "- red wins\n- blue wins\n- green\n"})
    sides = [{"label": "r", **cites("x.md", 1, 1, "- red wins")}, {"label": "b", **cites("x.md", 2, 2, "- blue wins")}]
    assert not tools.open("conflict", sides=sides).is_error
    tools.open()
    assert "in dispute in card 1" in tools.replace("x.md", "red wins", "red won").text
    assert tools.memory("delete", path="/memories/x.md").is_error
    assert not tools.replace("x.md", "green", "green or so").is_error
    check_changes(to_changes(tools.box.drafts()))
    again = tools.open("conflict", sides=sides)
    assert again.is_error
