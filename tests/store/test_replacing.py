"""What others write to a file in the moment in which it is replaced is there afterwards."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.model.plan import digest
from dreamreview.store import exchanging, replacing
from dreamreview.store.replacing import Known, Replacing, carried, joined, take_place, with_missing
from dreamreview.store.rooted import Root

WHOLE = b"- one\n- two\n- three\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".dreamreview" / "place").mkdir(parents=True)
    (tmp_path / ".dreamreview" / "own").write_bytes(b"")
    (tmp_path / "a.md").write_bytes(WHOLE)
    return tmp_path


def made(folder: Path) -> Replacing:
    return Replacing(Root(folder), ".dreamreview/place", ".dreamreview/own")


def append(path: Path, line: bytes) -> None:
    with path.open("ab") as file:
        file.write(line)


def test_a_file_is_rewritten_and_keeps_the_given_mode(folder: Path) -> None:
    made(folder).rewrite("a.md", lambda now: now.replace(b"two", b"TWO"), 0o640)
    assert (folder / "a.md").read_bytes() == b"- one\n- TWO\n- three\n"
    assert (folder / "a.md").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("answer", [None, WHOLE])
def test_nothing_to_write_leaves_the_file_itself(folder: Path, answer: bytes | None) -> None:
    before = (folder / "a.md").stat().st_ino
    made(folder).rewrite("a.md", lambda _now: answer, 0o640)
    assert (folder / "a.md").stat().st_ino == before


def test_a_line_added_while_the_new_text_is_worked_out_is_in_it(folder: Path) -> None:
    seen: list[bytes] = []

    def shouted(now: bytes) -> bytes:
        if not seen:
            append(folder / "a.md", b"- four\n")
        seen.append(now)
        return now.replace(b"two", b"TWO")

    made(folder).rewrite("a.md", shouted, 0o644)
    assert (folder / "a.md").read_bytes() == b"- one\n- TWO\n- three\n- four\n"
    assert seen == [WHOLE, WHOLE + b"- four\n"]


def late_writer(folder: Path, monkeypatch: pytest.MonkeyPatch, line: bytes) -> Callable[[], int]:
    """Have a program open the file now that writes a line once it has lost its name, and closes it."""
    fd = os.open(folder / "a.md", os.O_WRONLY | os.O_APPEND)
    asked: list[object] = []

    def open_elsewhere(_root: Root, paths: list[str], _of_ours: str) -> None:
        if not asked:
            os.write(fd, line)
            os.close(fd)
        asked.append(paths)

    monkeypatch.setattr(replacing, "open_elsewhere", open_elsewhere)
    return lambda: len(asked)


def test_a_line_written_to_the_file_after_it_lost_its_name_is_carried_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = late_writer(folder, monkeypatch, b"- late\n")
    made(folder).rewrite("a.md", lambda now: now.replace(b"two", b"TWO"), 0o644)
    assert (folder / "a.md").read_bytes() == b"- one\n- TWO\n- three\n- late\n"
    assert asked() == 2


def test_a_file_that_was_written_to_while_it_was_taken_away_stays_with_that(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_writer(folder, monkeypatch, b"- late\n")
    made(folder).remove("a.md", Known(digest(WHOLE), lambda: WHOLE), 0o644)
    assert (folder / "a.md").read_bytes() == WHOLE + b"- late\n"


def test_a_file_that_nobody_wrote_to_is_taken_away(folder: Path) -> None:
    made(folder).remove("a.md", Known(digest(WHOLE), lambda: WHOLE), 0o644)
    assert not (folder / "a.md").exists()


def test_what_was_written_to_a_file_that_was_put_aside_is_carried_to_the_one_that_stands(folder: Path) -> None:
    (folder / ".dreamreview/place/aside").write_bytes(WHOLE + b"- late\n")
    (folder / "a.md").write_bytes(b"- zero\n" + WHOLE)
    made(folder).carry("a.md", Known(digest(WHOLE), lambda: WHOLE), ".dreamreview/place/aside", 0o644)
    assert (folder / "a.md").read_bytes() == b"- zero\n" + WHOLE + b"- late\n"


def test_a_file_that_never_stands_still_is_left_with_all_that_was_written(folder: Path) -> None:
    count = iter(range(1_000))

    def restless(now: bytes) -> bytes:
        append(folder / "a.md", b"- more %d\n" % next(count))
        return now.upper()

    with pytest.raises(StoreError, match=r"a\.md keeps changing"):
        made(folder).rewrite("a.md", restless, 0o644)
    assert (folder / "a.md").read_bytes() == WHOLE + b"".join(b"- more %d\n" % number for number in range(20))


def test_a_file_that_is_not_as_expected_stays_where_it_is(folder: Path) -> None:
    (folder / "ours").write_bytes(b"ours\n")
    assert not take_place(Root(folder), "ours", "a.md", (digest(b"else\n"), 0o644))
    assert ((folder / "a.md").read_bytes(), (folder / "ours").read_bytes()) == (WHOLE, b"ours\n")
    assert not take_place(Root(folder), "ours", "a.md", (None, None))
    assert (folder / "a.md").read_bytes() == WHOLE


def test_changes_that_clash_are_both_there() -> None:
    now = WHOLE.replace(b"two", b"2")
    assert carried(WHOLE, WHOLE.replace(b"two", b"II") + b"- four\n", now) == now + b"- II\n- four\n"


def test_missing_lines_are_added_once_and_after_a_whole_line() -> None:
    assert with_missing(b"a\nb", b"b\nc\r\nd\n", b"d\n") == b"a\nb\nc\r\n"
    assert with_missing(b"a\n", b"a\n") == b"a\n"


def test_a_line_that_was_written_again_is_missing_as_often_as_it_was() -> None:
    assert with_missing(b"a\nb\n", b"a\na\n", b"a\n") == b"a\nb\na\n"
    assert with_missing(b"b\n", b"a\na\n", b"a\n") == b"b\na\n"
    assert with_missing(b"a\nb\na\n", b"a\na\n", b"a\n") == b"a\nb\na\n"
    assert with_missing(b"a\n\nb\n", b"a\n\n\nb\nc\n") == b"a\n\nb\nc\n"


@pytest.mark.parametrize(
    ("before", "now", "both"),
    [
        (b"one\n\ntwo\n", b"new\n\nlast\n", b"one\n\ntwo\nnew\n\nlast\n"),
        (b"one\r\ntwo", b"new\r\n", b"one\r\ntwo\r\nnew\r\n"),
        (b"one\ntwo\n", b"one\nbetween\n", b"one\nbetween\ntwo\n"),
        (b"one\ntwo\n", b"one\ntwo\nnew\n", b"one\ntwo\nnew\n"),
        (b"", b"new\n", b"new\n"),
        (b"one\n", b"", b"one\n"),
    ],
)
def test_what_took_the_name_of_a_file_is_joined_with_it(before: bytes, now: bytes, both: bytes) -> None:
    assert joined(before, now) == both
    assert joined(before, both) == both


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL])
def test_where_names_cannot_change_places_what_is_not_as_expected_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    monkeypatch.setattr(exchanging, "renameat2", lambda *_args: code)
    (tmp_path / "ours").write_bytes(b"ours\n")
    (tmp_path / "a.md").write_bytes(b"made anew\n")
    assert take_place(Root(tmp_path), "ours", "a.md", (None, None)) is False
    assert take_place(Root(tmp_path), "ours", "a.md", (digest(b"another\n"), 0o644)) is False
    assert (tmp_path / "a.md").read_bytes() == b"made anew\n"
    (tmp_path / "a.md").chmod(0o644)
    assert take_place(Root(tmp_path), "ours", "a.md", (digest(b"made anew\n"), 0o644)) is True
    assert (tmp_path / "a.md").read_bytes() == b"ours\n"


def test_where_names_cannot_change_places_a_folder_is_no_free_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchanging, "renameat2", lambda *_args: errno.ENOSYS)
    (tmp_path / "ours").write_bytes(b"ours\n")
    (tmp_path / "a.md").mkdir()
    assert take_place(Root(tmp_path), "ours", "a.md", (None, None)) is False
    assert (tmp_path / "ours").read_bytes() == b"ours\n"
