"""What an agent adds needs no decision; what we write ourselves is never taken for somebody else's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.edits import Hunk, Text, split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.settling import added, carried, is_addition


def state(data: bytes | None, mode: int = 0o644) -> FileState | None:
    return None if data is None else FileState(split_lines(data), mode)


def by_line(base: Text, new: Text, _end: bytes) -> tuple[Hunk, ...]:
    """Compare two texts line by line, as if none had moved; good enough where each line is on its own."""
    size = min(len(base), len(new))
    hunks = [Hunk(at, at + 1, at, at + 1) for at in range(size) if base[at] != new[at]]
    if len(base) != len(new):
        hunks.append(Hunk(size, len(base), size, len(new)))
    return tuple(hunks)


@pytest.mark.parametrize(
    ("path", "before", "after", "is_one"),
    [
        ("m.md", b"a\n", b"a\nb\n", True),
        ("m.md", b"a", b"a\nb\n", True),
        ("m.md", b"a half", b"a half line\n", True),
        ("m.md", b"a\n", b"b\na\n", False),
        ("m.md", b"a\nb\n", b"a\n", False),
        ("m.md", b"a\n", b"a\n", False),
        ("m.md", b"a\n", None, False),
        ("m.md", b"", b"a\n", False),
        ("memory/2026-09-15.md", None, b"# today\n", True),
        ("2026-09-15/note.md", None, b"new\n", False),
        ("note.md", None, b"new\n", False),
    ],
)
def test_lines_at_the_end_and_the_note_of_a_day_are_additions(
    path: str, before: bytes | None, after: bytes | None, *, is_one: bool
) -> None:
    assert is_addition(path, state(before), state(after)) == is_one


def test_neither_a_link_nor_a_change_of_mode_is_an_addition() -> None:
    assert not is_addition("m.md", FileState((b"a",), LINK_MODE), FileState((b"a/b",), LINK_MODE))
    assert not is_addition("m.md", state(b"a\n"), state(b"a\nb\n", 0o755))


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"a\n", b"a\nb\n", (b"b\n",)),
        (b"a", b"a\nb\n", (b"b\n",)),
        (b"a half", b"a half line\nb\n", (b"a half line\n", b"b\n")),
        (None, b"x\n", (b"x\n",)),
    ],
)
def test_the_lines_of_an_addition_come_whole(before: bytes | None, after: bytes, lines: Text) -> None:
    now = state(after)
    assert now is not None
    assert added(state(before), now) == lines


def test_what_others_changed_and_we_left_alone_is_still_theirs() -> None:
    base, before, after = state(b"a\nb\nc\n"), state(b"A\nb\nc\n"), state(b"A\nb\nC\n")
    assert carried(base, before, after, by_line) == state(b"a\nb\nC\n")


def test_what_others_changed_and_we_wrote_over_is_settled() -> None:
    base, before, after = state(b"a\nb\nc\n"), state(b"A\nb\nC\n"), state(b"ours\nb\nC\n")
    assert carried(base, before, after, by_line) == state(b"ours\nb\nc\n")


def test_a_file_that_others_made_is_still_theirs_after_we_wrote_to_it() -> None:
    assert carried(None, state(b"a\n"), state(b"b\n"), by_line) is None


def test_a_file_that_we_delete_is_gone_whoever_changed_it_before() -> None:
    assert carried(state(b"a\n"), state(b"b\n"), None, by_line) is None


def test_a_file_that_others_deleted_and_we_make_again_is_as_we_made_it() -> None:
    assert carried(state(b"a\n"), None, state(b"b\n"), by_line) == state(b"b\n")


def test_an_executable_bit_that_others_gave_is_still_theirs_after_we_wrote_to_the_file() -> None:
    base, before, after = state(b"a\nb\n"), state(b"a\nb\n", 0o755), state(b"a\nB\n", 0o755)
    assert carried(base, before, after, by_line) == state(b"a\nB\n", 0o644)


TEXTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n"]), max_size=5).map(b"".join)


@given(TEXTS, TEXTS)
def test_where_others_did_nothing_a_step_of_ours_is_the_whole_truth(before: bytes, after: bytes) -> None:
    assert carried(state(before), state(before), state(after), by_line) == state(after)


@given(TEXTS, TEXTS)
def test_a_step_that_changes_nothing_leaves_what_others_did_as_it_is(base: bytes, before: bytes) -> None:
    found = carried(state(base), state(before), state(before), by_line)
    assert found is not None
    assert found.text == split_lines(base)
