"""What is looked for: in any marks, any script, any coding, and not in what merely looks alike."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.forgetting.wanted import Scope, Wanted, joined, scrubbed, unescaped, wanted_line

LINE = "- The spare key of Zoë's shed hangs at «peg 12».\n".encode()


@pytest.mark.parametrize(
    "data",
    [
        LINE,
        "> **The spare key** of Zoë's shed hangs at peg 12".encode(),
        json.dumps({"quote": LINE.decode()}).encode(),
        json.dumps({"quote": LINE.decode()}, ensure_ascii=False).encode(),
        b'{"old_b64": "' + base64.b64encode(b"x\xff\n" + LINE) + b'"}',
        b'{"old_b64": "' + base64.b64encode(b"xy\xff\n" + LINE) + b'"}',
        b'{"old_b64": "' + base64.b64encode(b"xyz\xff\n" + LINE) + b'"}',
        "The spare key of\nZoë's shed hangs\nat peg 12".encode(),
        "“The spare key of Zoë’s shed hangs at peg 12”—so".encode(),
    ],
)
def test_a_line_is_found_in_any_marks_and_any_coding(data: bytes) -> None:
    assert wanted_line(LINE).count_coded(data) == 1


@pytest.mark.parametrize("data", [b"The spare key hangs at peg 12", b"peg 12", b"", b"\n- \n", b"at peg 123"])
def test_parts_of_it_are_not_it(data: bytes) -> None:
    assert wanted_line(LINE).count_coded(data) == 0


def test_a_script_that_parts_no_words_is_found_inside_of_a_sentence() -> None:
    assert wanted_line("- 鍵は納屋にある。\n".encode()).count("昨日「鍵は納屋にある」と言った".encode()) == 1
    assert wanted_line("- 鍵は納屋にある。\n".encode()).count("鍵は納屋になる".encode()) == 0


def test_a_word_alone_is_not_found_inside_of_another() -> None:
    assert wanted_line(b"ok\n").count(b"token lookup OK") == 0
    assert wanted_line(b"ok\n").count(b"it is ok.") == 1


def test_bytes_are_found_inside_of_words_too() -> None:
    assert Wanted(raw=(b"ok",)).count(b"token lookup") == 2


@pytest.mark.parametrize("line", [b"", b"\n", b"---\r\n", b"  * * *\n", b"| --- | --- |\n"])
def test_a_line_without_a_word_is_nothing_to_look_for(line: bytes) -> None:
    assert not wanted_line(line)


def test_a_secret_that_was_cut_in_its_middle_is_found_too() -> None:
    line = b"- api_key = 'zq81Lmv02XcPq9Rt7Wd4Ks55Hy'\n"
    assert wanted_line(line).count("the key is api_key = 'zq81Lm…55Hy'".encode()) == 1


def test_what_a_mask_leaves_of_a_line_without_its_secret_is_not_it() -> None:
    line = b"- password: hunter2-moor\n"
    assert wanted_line(line).count(b"- password: ***\n- password: another") == 0


def test_bytes_that_are_no_text_are_found_as_they_are_and_as_they_are_told() -> None:
    line = b"caf\xe9 number 44\n"
    wanted = wanted_line(line)
    assert wanted.count(line) == 1
    assert wanted.count(line.decode("utf-8", "replace").encode()) == 1


def test_two_lines_are_a_find_together_only_where_many_words_meet() -> None:
    assert wanted_line(b"red blue\n").lines((b"- red\n", b"- blue\n")) == frozenset()
    assert wanted_line(b"red blue green grey\n").lines((b"x\n", b"red blue\n", b"green grey\n")) == {1, 2}


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_escapes_of_json_are_taken_back(text: str, is_ascii: bool) -> None:
    assert unescaped(json.dumps(text, ensure_ascii=is_ascii).encode()) == b'"' + text.encode() + b'"'


def test_strings_that_hold_it_become_empty_and_all_else_stays() -> None:
    scope = Scope(Wanted(raw=(b"quince",)))
    value = {"a": ["a quince", 1, None], "b": base64.b64encode(b"no quince here").decode(), "a quince": 2, "c": "pear"}
    assert scrubbed(scope, value) == {"a": ["", 1, None], "b": "", "c": "pear"}


def test_a_path_that_is_dropped_loses_every_line_and_others_what_is_wanted() -> None:
    scope = Scope(wanted_line(b"one two\n"), gone=frozenset({"a.md"}))
    text = (b"one two\n", b"three\n")
    assert (scope.left("a.md", text), scope.left("b.md", text)) == ((), (b"three\n",))


def test_where_only_some_paths_are_meant_words_about_the_memory_stay() -> None:
    scope = Scope(joined([wanted_line(b"one two\n")]), only=frozenset({"a.md"}))
    assert scope.left("b.md", (b"one two\n",)) == (b"one two\n",)
    assert scope.prose("about one two") == "about one two"
    assert Scope(scope.wanted).prose("about one two") == ""
