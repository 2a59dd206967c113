from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dreamreview.errors import UsageError
from dreamreview.model.inert import inert
from dreamreview.tui.editing import editable
from dreamreview.tui.external import edit_outside

EXAMPLES = int(200 * float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1")))
TOKEN = "ghp_" + "Zq3v8Lw2Xk9Rb4Tn6Ys1Pd7Fm5Hc0JgUaVe"
ODD = list("ab\r\t\x0b\x0c\x1b\x85\u2028\u2029\x00é日\u202e␛\ue000")

hostile_bytes = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from([part.encode() for part in ODD] + [b"\n", b"\r\n", b"\xff", b"\x9b"]), max_size=30).map(
        b"".join
    ),
)


@given(hostile_bytes)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_text_that_nobody_touched_comes_back_byte_for_byte(data: bytes) -> None:
    start = editable(data)
    assert start.back(start.text) == data


@given(hostile_bytes)
@settings(max_examples=EXAMPLES, deadline=None)
def test_what_the_editor_holds_is_safe_to_draw_and_splits_at_line_feeds_only(data: bytes) -> None:
    text = editable(data).text
    assert text.count("\n") == data.count(b"\n")
    left = {char for char in text if char not in "\n\t" and inert(char) != char}
    assert all("\ue000" <= char <= "\uf8ff" for char in left)
    assert [line for line in text.splitlines() if "\r" in line or "\x1b" in line] == []


@given(hostile_bytes, st.integers(0, 8))
@example(b"\n\r\n", 1)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_line_put_in_leaves_all_other_lines_as_they_were(data: bytes, place: int) -> None:
    start = editable(data)
    lines = start.text.split("\n")
    at = min(place, len(lines) - 1)
    result = start.back("\n".join([*lines[:at], "a line of its own", *lines[at:]]))
    assert result.replace(b"a line of its own\n", b"", 1) == data


Case = tuple[bytes, str, str, bytes]

CASES: dict[str, Case] = {
    "a line that is changed keeps its line end": (b"one\r\ntwo\nthree\n", "one\n", "one!\n", b"one!\r\ntwo\nthree\n"),
    "a missing final newline stays missing": (b"one\ntwo", "two", "two!", b"one\ntwo!"),
    "a final newline can be taken away": (b"one\ntwo\n", "two\n", "two", b"one\ntwo"),
    "a final newline can be given": (b"one\ntwo", "two", "two\n", b"one\ntwo\n"),
    "a lone carriage return stays data": (b"p 1\rp 2\nend\n", "end", "END", b"p 1\rp 2\nEND\n"),
    "form feeds and their kin split nothing": (
        "a\x0cb\x85c\u2028d\nend\n".encode(),
        "end",
        "END",
        "a\x0cb\x85c\u2028d\nEND\n".encode(),
    ),
    "a byte that is no UTF-8 stays": (b"caf\xe9\nend\n", "end", "END", b"caf\xe9\nEND\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_editing(name: str) -> None:
    data, old, new, expected = CASES[name]
    start = editable(data)
    assert start.back(start.text.replace(old, new)) == expected


def test_lines_that_are_new_take_the_line_end_of_the_file() -> None:
    start = editable(b"one\r\ntwo\r\n", b"\r\n")
    assert start.back(start.text + "three\n") == b"one\r\ntwo\r\nthree\r\n"


def test_a_control_character_beside_a_change_survives_it() -> None:
    start = editable(b"a\x1b[1mb\n")
    assert start.text == "a␛[1mb\n"
    assert start.back("a␛[1mb!\n") == b"a\x1b[1mb!\n"


def test_a_secret_is_shown_as_a_label_and_written_back_whole() -> None:
    start = editable(f"token: {TOKEN}\nend\n".encode())
    assert TOKEN not in start.text
    assert "⟦secret 1⟧" in start.text
    assert start.back(start.text.replace("token:", "old token:")) == f"old token: {TOKEN}\nend\n".encode()
    assert start.back(start.text.replace("⟦secret 1⟧", "none")) == b"token: none\nend\n"


def test_a_broken_label_is_refused() -> None:
    start = editable(f"token: {TOKEN}\n".encode())
    with pytest.raises(UsageError, match="label"):
        start.back(start.text.replace("⟦secret 1⟧", "⟦secret 1"))


def editor(tmp_path: Path, body: str) -> str:
    script = tmp_path / "an editor.py"
    script.write_text(f"import sys\npath = sys.argv[-1]\n{body}\n")
    return f"'{sys.executable}' '{script}'"


def test_the_users_editor_gets_a_private_file_and_its_text_comes_back(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    body = f"""
import os, stat
open({str(seen)!r}, "w").write(oct(stat.S_IMODE(os.stat(path).st_mode)))
text = open(path).read()
open(path, "w").write(text.replace("two", "2"))
"""
    result = edit_outside(editor(tmp_path, body), b"one\x0bA\ntwo\n", b"\n", contextlib.nullcontext())
    assert result == b"one\x0bA\n2\n"
    assert seen.read_text() == oct(stat.S_IRUSR | stat.S_IWUSR)


@pytest.mark.parametrize(
    ("command", "told"),
    [("/nowhere/at/all", "cannot be started"), ("'unclosed", "quotes"), ("false", "ended with status 1")],
)
def test_an_editor_that_does_not_work_is_named(command: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        edit_outside(command, b"text\n", b"\n", contextlib.nullcontext())


def test_the_terminal_is_taken_back_before_anything_is_raised() -> None:
    order: list[str] = []

    @contextlib.contextmanager
    def suspend():  # type: ignore[no-untyped-def]
        order.append("handed over")
        yield
        order.append("taken back")

    with pytest.raises(UsageError):
        edit_outside("/nowhere/at/all", b"text\n", b"\n", suspend())
    assert order == ["handed over", "taken back"]
