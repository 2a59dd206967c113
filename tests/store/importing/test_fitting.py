from __future__ import annotations

from dreamreview.model.edits import split_lines
from dreamreview.store.importing.diff_text import read_diff
from dreamreview.store.importing.fitting import Fit, fit


def made(text: bytes, hunks: bytes, *, is_proven: bool = False, are_ends_believed: bool = True) -> Fit:
    (file,) = read_diff(b"--- a\n+++ a\n" + hunks, "a diff").files
    return fit(split_lines(text), file.hunks, is_proven=is_proven, are_ends_believed=are_ends_believed)


def text(found: Fit) -> bytes:
    return b"".join(found.text)


def reasons(found: Fit) -> list[str]:
    return [reason for _, reason in found.misfits]


def test_a_hunk_fits_at_its_own_line_though_its_lines_stand_elsewhere_too() -> None:
    found = made(b"a\na\na\na\n", b"@@ -3,2 +3,2 @@\n a\n-a\n+b\n")
    assert (text(found), found.moved) == (b"a\na\na\nb\n", [])


def test_a_hunk_whose_lines_moved_is_made_where_they_are() -> None:
    found = made(b"new\nnew\na\nb\nc\n", b"@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n")
    assert text(found) == b"new\nnew\na\nB\nc\n"
    assert [at for _, at in found.moved] == [3]


def test_hunks_behind_one_that_moved_move_with_it() -> None:
    found = made(b"new\na\nx\nx\nx\nx\n", b"@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@\n-x\n+y\n")
    assert text(found) == b"new\nA\nx\ny\nx\nx\n"


def test_a_hunk_that_fits_at_several_places_is_left() -> None:
    found = made(b"k\nx\na\nx\na\n", b"@@ -1,2 +1,2 @@\n x\n-a\n+b\n")
    assert text(found) == b"k\nx\na\nx\na\n"
    assert reasons(found) == ["its lines stand at several places (2, 4), and nothing tells which is meant"]


def test_what_fits_is_made_though_another_hunk_does_not() -> None:
    found = made(b"a\nb\nc\nd\n", b"@@ -1 +1 @@\n-z\n+Z\n@@ -4 +4 @@\n-d\n+D\n")
    assert text(found) == b"a\nb\nc\nD\n"
    assert reasons(found) == ["its old lines do not stand in the file, at line 1 or elsewhere"]


def test_a_hunk_that_overlaps_the_one_before_is_left() -> None:
    found = made(b"a\nb\nc\n", b"@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -2,2 +2,2 @@\n-b\n+x\n c\n")
    assert text(found) == b"a\nB\nc\n"
    assert reasons(found) == ["it overlaps the hunk before it, or stands out of order"]


def test_a_hunk_that_was_made_already_is_done() -> None:
    found = made(b"a\nB\nc\nd\ne\n", b"@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -4,2 +4,1 @@\n d\n-e\n")
    assert (text(found), found.done, found.made, found.misfits) == (b"a\nB\nc\nd\n", 1, 1, [])


def test_an_addition_without_context_is_made_at_its_line_and_told() -> None:
    found = made(b"a\nb\n", b"@@ -1,0 +2 @@\n+x\n")
    assert text(found) == b"a\nx\nb\n"
    assert len(found.unproven) == 1
    proven = made(b"a\nb\n", b"@@ -1,0 +2 @@\n+x\n", is_proven=True)
    assert (text(proven), proven.unproven) == (b"a\nx\nb\n", [])


def test_an_addition_without_context_is_made_once_unless_the_text_is_known_to_be_the_old_one() -> None:
    again = made(b"a\nx\nb\n", b"@@ -1,0 +2 @@\n+x\n")
    assert (text(again), again.done) == (b"a\nx\nb\n", 1)
    assert text(made(b"a\nx\nb\n", b"@@ -1,0 +2 @@\n+x\n", is_proven=True)) == b"a\nx\nx\nb\n"


def test_an_addition_behind_the_end_is_left() -> None:
    assert reasons(made(b"a\n", b"@@ -7,0 +8 @@\n+x\n")) == ["it adds after line 7, but the file has 1 lines"]


def test_a_diff_of_lf_fits_a_file_of_crlf_and_keeps_its_ends() -> None:
    found = made(b"a\r\nb\r\nc\r\n", b"@@ -1,3 +1,4 @@\n a\n-b\n+B\n+x\n c\n")
    assert text(found) == b"a\r\nB\r\nx\r\nc\r\n"


def test_a_diff_that_was_converted_takes_the_ends_of_the_file() -> None:
    assert text(made(b"a\nb\n", b"@@ -1,2 +1,2 @@\n a\n-b\n+B\n", are_ends_believed=False)) == b"a\nB\n"


def test_a_diff_of_crlf_that_fits_byte_for_byte_keeps_its_own_ends() -> None:
    assert text(made(b"a\nb\n", b"@@ -1,2 +1,2 @@\n a\n-b\n+b\r\n")) == b"a\nb\r\n"


def test_a_last_line_without_its_end_is_never_glued_to_another() -> None:
    found = made(b"a\nb", b"@@ -1,2 +1,3 @@\n a\n b\n\\ No newline at end of file\n+c\n")
    assert text(found) == b"a\nb\nc\n"
    closed = made(
        b"a\nb\nmore\n", b"@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    )
    assert text(closed) == b"a\nc\nmore\n"
