"""Small facts of open folders: which names are temporary, how a path is shown, what an error advises."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.store.folder import Folder, MissingPathError, is_temp, shown, telling, write_all


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (".dream-tmp-0123456789abcdef", True),
        (".dream-tmp-0123456789abcde", False),
        (".dream-tmp-0123456789abcdefa", False),
        (".dream-tmp-0123456789ABCDEF", False),
        (".dream-tmp-notes.md", False),
        ("0123456789abcdef", False),
        ("x.dream-tmp-0123456789abcdef", False),
    ],
)
def test_only_our_own_names_are_temporary(name: str, answer: bool) -> None:
    assert is_temp(name) is answer


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("notes/日本語 a.md", "notes/日本語 a.md"),
        ("a\nb", r"'a\nb'"),
        ("\x1b[2J", r"'\x1b[2J'"),
        ("a\u202eb", r"'a\u202eb'"),
        ("bad\udcff", r"'bad\udcff'"),
        (" a", "' a'"),
    ],
)
def test_a_path_is_shown_on_one_line_and_inert(path: str, text: str) -> None:
    assert shown(path) == text
    assert shown(path).isprintable()


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "the disk is full; free some space and try again"),
        (errno.EDQUOT, "your share of the disk is full; free some space and try again"),
        (errno.EACCES, "permission denied; check who may use it"),
        (errno.EROFS, "the file system is read-only; make it writable or work on a copy"),
        (errno.ENAMETOOLONG, "the name is too long for this file system; shorten it"),
        (errno.ENOTTY, "inappropriate ioctl for device"),
    ],
)
def test_an_error_says_what_where_and_what_to_do(number: int, advice: str) -> None:
    with pytest.raises(StoreError) as caught, telling("write", "a.md", "/notes"):
        raise OSError(number, os.strerror(number))
    assert str(caught.value) == f"cannot write a.md in /notes: {advice}"
    assert not isinstance(caught.value, MissingPathError)


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, bytes(data[:3])))
    fd = os.open(tmp_path / "a", os.O_WRONLY | os.O_CREAT)
    write_all(fd, b"0123456789")
    os.close(fd)
    assert (tmp_path / "a").read_bytes() == b"0123456789"


def test_a_folder_without_directory_sync_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(number: int) -> None:
        def fsync(_fd: int) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", fsync)

    with Folder.top(str(tmp_path)) as folder:
        refuse(errno.EINVAL)
        folder.sync()
        refuse(errno.EIO)
        with pytest.raises(OSError, match="Input/output error"):
            folder.sync()
