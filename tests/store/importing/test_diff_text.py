from __future__ import annotations

import pytest

from dreamreview.errors import StoreError
from dreamreview.store.importing import diff_text
from dreamreview.store.importing.diff_text import is_diff, read_diff


def rows(data: bytes) -> list[list[tuple[bytes, bytes]]]:
    return [list(hunk.rows) for file in read_diff(data, "a diff").files for hunk in file.hunks]


def test_a_line_that_looks_like_a_header_belongs_to_the_hunk_that_counts_it() -> None:
    data = b"--- a\n+++ a\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n-@@ -1 +1 @@\n+\\ No newline at end of file\n"
    assert rows(data) == [
        [(b"-", b"-- x\n"), (b"+", b"++ y\n"), (b"-", b"@@ -1 +1 @@\n"), (b"+", b"\\ No newline at end of file\n")]
    ]


def test_a_line_without_its_end_is_told_by_the_line_below() -> None:
    data = b"--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n"
    assert rows(data) == [[(b"-", b"x"), (b"+", b"y")]]


def test_control_characters_part_no_lines() -> None:
    data = b"--- a\n+++ a\n@@ -1,2 +1,2 @@\n one\x0ctwo\x85\r three\n-a\rb\n+\xe2\x80\xa8\xff\n"
    assert rows(data) == [[(b" ", b"one\x0ctwo\x85\r three\n"), (b"-", b"a\rb\n"), (b"+", b"\xe2\x80\xa8\xff\n")]]


@pytest.mark.parametrize("counts", [b"-1,9 +1,9", b"-1 +1", b"-1,2 +1,1", b"-1,0 +1,0"])
def test_lines_are_believed_where_the_header_counts_others(counts: bytes) -> None:
    data = b"--- a\n+++ a\n@@ " + counts + b" @@\n x\n-y\n+z\n w\n--- b\n+++ b\n@@ -1 +1 @@\n-q\n+r\n"
    first, second = (file.hunks for file in read_diff(data, "a diff").files)
    assert first[0].rows == ((b" ", b"x\n"), (b"-", b"y\n"), (b"+", b"z\n"), (b" ", b"w\n"))
    assert first[0].is_recounted
    assert (second[0].rows, second[0].is_recounted) == (((b"-", b"q\n"), (b"+", b"r\n")), False)


def test_a_mails_signature_is_no_line_of_its_last_hunk() -> None:
    data = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.40.0\n\n"
    assert rows(data) == [[(b"-", b"a\n"), (b"+", b"b\n")]]


def test_an_empty_line_in_a_hunk_is_an_empty_line_of_the_file() -> None:
    assert rows(b"--- a\n+++ a\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n") == [
        [(b" ", b"a\n"), (b" ", b"\n"), (b"-", b"b\n"), (b"+", b"c\n")]
    ]


def test_a_diff_that_was_converted_to_crlf_is_read_as_it_was() -> None:
    lf = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    found = read_diff(lf.replace(b"\n", b"\r\n"), "a diff")
    assert found.is_converted
    assert found.files[0].names == (b"a/x", b"b/x")
    assert found.files[0].hunks[0].rows == ((b" ", b"a\n"), (b"-", b"b\n"), (b"+", b"c\n"))
    assert not read_diff(lf, "a diff").is_converted


def test_each_mail_of_a_series_is_a_section_with_its_subject() -> None:
    mail = (
        b"From %s Mon Sep 17 00:00:00 2001\nSubject: [PATCH 1/2] %s\n\n---\n"
        b"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"
    )
    found = read_diff(mail % (b"1" * 40, b"One") + mail % (b"2" * 40, b"Two"), "a mail box")
    assert found.subjects == ("", "One", "Two")
    assert [file.section for file in found.files] == [1, 2]
    assert found.files[0].marks == {b"old mode": b"100644", b"new mode": b"100755"}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"diff --git a/p b/p\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n", "it is a binary patch"),
        (b"diff --git a/p b/p\nBinary files a/p and b/p differ\n", "it is a binary patch"),
        (b"Binary files one/p and two/p differ\n", "it is a binary patch"),
        (b"diff --cc p\n@@@ -1,1 -1,1 +1,2 @@@\n", "it is the combined diff of a merge"),
        (b"Only in one: p\n", "it is named without its text"),
        (b"@@ -1 +1 @@\n-a\n+b\n", "no file is named above it"),
    ],
)
def test_what_cannot_be_made_says_why(data: bytes, problem: str) -> None:
    (file,) = read_diff(data, "a diff").files
    assert file.problem.startswith(problem)


def test_a_header_that_cannot_be_read_costs_its_own_hunk_alone() -> None:
    (file,) = read_diff(b"--- a\n+++ a\n@@ -x +y @@\n-a\n+b\n@@ -3 +3 @@\n-c\n+d\n", "a diff").files
    assert [(hunk.at, hunk.problem) for hunk in file.hunks] == [(3, "its header cannot be read"), (6, "")]


def test_too_much_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff_text, "MAX_HUNKS", 1)
    with pytest.raises(StoreError, match="my diff holds more than 1 hunks"):
        read_diff(b"--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-c\n+d\n", "my diff")


@pytest.mark.parametrize("data", [b"", b"hello\n", b"---\nname: x\n---\n", b"--- a\nthen text\n", b"- a\n+ b\n"])
def test_other_texts_are_no_diff(data: bytes) -> None:
    assert not is_diff(data)
