"""Names and bytes as file systems really hold them: links, line ends, odd names, swaps of file and folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.review import Op
from tests.workspace.stores import FOREIGN, Files, accept_all, lay, leave_copy, memory, reviewed, texts, workspace


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n", id="crlf"),
        pytest.param(b"\xef\xbb\xbfa\nb", b"\xef\xbb\xbfa\nB", id="bom and no final newline"),
        pytest.param(b"a\nb\n", b"\xef\xbb\xbfa\nb\n", id="bom added"),
        pytest.param(b"progress 1\rprogress 2\nend\n", b"progress 1\rprogress 2\nthe end\n", id="lone cr"),
        pytest.param(b"one\x0ctwo\nthree\n", b"one\x0ctwo\nthree!\n", id="form feed"),
        pytest.param(b"one\x0b\x1c\x85\nx\r\r\n", b"one\x0b\x1c\x85\ny\r\r\n", id="other separators"),
        pytest.param("x\u2028y\nz\n".encode(), "x\u2028y\nZ\n".encode(), id="line separator"),
        pytest.param("hi\n".encode("utf-16"), "ho\n".encode("utf-16"), id="utf-16"),
        pytest.param(b"\x89PNG\x00\x01", b"\x89PNG\x00\x02", id="binary"),
        pytest.param(b"<<<<<<< A\nx\n=======\ny\n>>>>>>> B\n", b"<<<<<<< A\nx\n=======\nz\n>>>>>>> B\n", id="markers"),
        pytest.param(b"l1\nl2\nl3", b"l1\nl2\nl2.2\nl3\n", id="final newline and a line"),
        pytest.param(b"hello\nworld", b"hello\nworld\ntail", id="append without newline"),
        pytest.param(b"x\nfoo\ny\nfoo\n", b"x\nfoo\ny\nfoo\nnew\n", id="repeated context"),
    ],
)
def test_accepting_gives_the_copy_to_the_byte_and_undo_the_start(tmp_path: Path, before: bytes, after: bytes) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": before}, {"m.md": after})
    accept_all(review)
    opened.apply()
    assert texts(tmp_path / "s") == {"m.md": after}
    opened.undo()
    assert texts(tmp_path / "s") == {"m.md": before}


NAMES = (
    "x b/y.md",
    "a -> b.md",
    '"q".md',
    "tab\there.md",
    "new\nline.md",
    "trail .md ",
    "é.md",
    ":c.md",
    "-d.md",
    "$(touch pwn).md",
    "'; touch pwn; '.md",
    "[br].md",
    os.fsdecode(b"bad\xff.md"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_name_whatever_it_holds(tmp_path: Path, name: str) -> None:
    opened, review = reviewed(tmp_path / "s", {name: b"a\n", "k.md": b"k\n"}, {name: b"b\n", "k.md": b"k\n"})
    accept_all(review)
    assert opened.apply().written == (name,)
    assert texts(tmp_path / "s")[name] == b"b\n"
    assert not (tmp_path / "s" / "pwn").exists()
    opened.undo()
    assert texts(tmp_path / "s")[name] == b"a\n"


def test_renames_between_spaced_names_and_case_alone(tmp_path: Path) -> None:
    before: Files = {"old name.md": b"one\n", "Readme.md": b"two\n"}
    after: Files = {"new b/old name.md": b"one\n", "README.md": b"two\n"}
    opened, review = reviewed(tmp_path / "s", before, after)
    accept_all(review)
    opened.apply()
    assert texts(tmp_path / "s") == {"new b/old name.md": b"one\n", "README.md": b"two\n"}
    opened.undo()
    assert texts(tmp_path / "s") == before


def test_names_that_differ_in_composition_stay_two_files(tmp_path: Path) -> None:
    before: Files = {"Ame\u0301lie.md": b"decomposed\n"}
    after: Files = {"Ame\u0301lie.md": b"decomposed\n", "Am\u00e9lie.md": b"composed\n"}
    opened, review = reviewed(tmp_path / "s", before, after)
    accept_all(review)
    opened.apply()
    assert texts(tmp_path / "s") == after


def test_a_file_and_a_folder_of_one_name_change_places_as_one_change(tmp_path: Path) -> None:
    before: Files = {"notes.md": b"all\n"}
    after: Files = {"notes.md/part1.md": b"all\n"}
    opened, review = reviewed(tmp_path / "s", before, after)
    assert len(review.proposal.changes) == 1
    accept_all(review)
    opened.apply()
    assert texts(tmp_path / "s") == after
    opened.undo()
    assert texts(tmp_path / "s") == before


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
def test_a_mode_and_a_text_are_accepted_apart(tmp_path: Path, first: int, second: int) -> None:
    opened, review = reviewed(tmp_path / "s", {"run.md": (b"a\n", 0o644)}, {"run.md": (b"b\n", 0o755)})
    changes = sorted(review.proposal.changes, key=lambda change: change.kind != "mode")
    review.decide(Op.ACCEPT, changes[first].id)
    opened.apply()
    wanted = (0o755, b"a\n") if first == 0 else (0o644, b"b\n")
    assert memory(tmp_path / "s") == {"run.md": wanted}
    opened.open().decide(Op.ACCEPT, changes[second].id)
    opened.apply()
    assert memory(tmp_path / "s") == {"run.md": (0o755, b"b\n")}


def test_links_are_shown_and_never_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"outside\n")
    folder = lay(tmp_path / "s", {"a.md": b"a\n", "out.md": (b"../secret", LINK_MODE), "none.md": (b"gone", LINK_MODE)})
    opened = workspace(folder)
    opened.dream()
    assert secret.read_bytes() == b"outside\n"
    messages = {finding.path: finding.message for finding in opened.doctor().findings}
    assert "never followed" in messages["out.md"]
    assert "never followed" in messages["none.md"]


def test_a_file_that_became_a_link_meanwhile_is_not_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"a\nb\n")
    opened, review = reviewed(tmp_path / "s", {"m.md": b"a\nb\n"}, {"m.md": b"a\nB\n"})
    accept_all(review)
    (tmp_path / "s" / "m.md").unlink()
    (tmp_path / "s" / "m.md").symlink_to(outside)
    assert len(opened.apply().stale) == 1
    assert outside.read_bytes() == b"a\nb\n"


def test_a_folder_that_became_a_link_meanwhile_leads_nowhere(tmp_path: Path) -> None:
    outside = lay(tmp_path / "outside", {"m.md": b"a\n"})
    opened, review = reviewed(tmp_path / "s", {"d/m.md": b"a\n"}, {"d/m.md": b"b\n"})
    accept_all(review)
    os.rename(tmp_path / "s" / "d", tmp_path / "moved")
    (tmp_path / "s" / "d").symlink_to(outside)
    assert len(opened.apply().stale) == 1
    assert texts(outside) == {"m.md": b"a\n"}


def test_a_root_that_is_itself_a_link_works(tmp_path: Path) -> None:
    lay(tmp_path / "real", {"m.md": b"a\n"})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    opened = workspace(tmp_path / "link")
    review = opened.open(leave_copy(tmp_path / "real", {"m.md": b"b\n"}))
    accept_all(review)
    opened.apply()
    assert texts(tmp_path / "real") == {"m.md": b"b\n"}


def test_a_copy_left_by_a_folder_in_crlf_applies_to_a_crlf_file(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"a\r\nb\r\n"}, {"m.md": b"a\r\nb\r\nc\r\n"})
    accept_all(review)
    (tmp_path / "s" / "m.md").write_bytes(b"top\r\na\r\nb\r\n")
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"top\r\na\r\nb\r\nc\r\n"
    assert opened.open(FOREIGN).counts.applied == 1 if opened.resolve(None) else True
