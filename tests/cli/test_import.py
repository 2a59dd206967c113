from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.workspace.repositories import commit, git

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., Any]

LINES = [f"line {number}\n" for number in range(12)]
GOOD = "--- a/notes.md\n+++ b/notes.md\n@@ -2,3 +2,3 @@\n line 1\n-line 2\n+line two\n line 3\n"
BAD = "@@ -9 +9 @@\n-no such line\n+x\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "notes.md").write_text("".join(LINES))
    return folder


def test_a_diff_from_stdin_is_a_proposal_like_any_other(command: Command, store: Path) -> None:
    answer = command("import", store, "-", stdin=GOOD)
    assert (answer.code, answer.out, answer.err) == (0, "proposal 20260105T080000000: 1 change: 1 edit\n", "")
    (change,) = command("show", store, "--json").json()["changes"]
    assert command("decide", store, "2026", "--accept", f"{change['id']}@{change['seen']}").code == 0
    assert (store / "notes.md").read_text() == "".join(LINES)
    assert command("apply", store, "--yes").code == 0
    assert (store / "notes.md").read_text().splitlines()[2] == "line two"
    assert command("undo", store).code == 0
    assert (store / "notes.md").read_text() == "".join(LINES)


def test_what_fits_comes_and_the_rest_is_named(command: Command, store: Path) -> None:
    answer = command("import", store, "-", "--json", stdin=GOOD + BAD)
    assert answer.code == 4
    assert answer.json() == {
        "proposal": "20260105T080000000",
        "source": "patch",
        "summary": "1 change: 1 edit, 1 left out",
        "counts": {"edit": 1},
        "done": 0,
        "left": [
            {
                "what": "notes.md",
                "place": "line 8 of stdin",
                "reason": "its old lines do not stand in the file, at line 9 or elsewhere",
            }
        ],
        "warnings": [],
    }
    assert answer.err == (
        "dreamreview: left out: notes.md (line 8 of stdin): "
        "its old lines do not stand in the file, at line 9 or elsewhere\n"
    )
    assert "Left out: notes.md (line 8 of stdin)" in command("show", store).out


def test_nothing_that_fits_is_a_failure(command: Command, store: Path) -> None:
    answer = command("import", store, "-", stdin="--- a/notes.md\n+++ b/notes.md\n" + BAD)
    assert (answer.code, answer.out) == (1, "no proposal: nothing to change, 1 left out\n")
    assert not (store / ".dream-proposals").exists()


def test_nothing_to_import_is_no_failure(command: Command, store: Path, tmp_path: Path) -> None:
    assert (command("import", store, "-").code, command("import", store, "-").out) == (
        0,
        "no proposal: nothing to change\n",
    )
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "notes.md").write_text("".join(LINES))
    assert command("import", store, tmp_path / "copy").code == 0
    assert not (store / ".dream-proposals").exists()


def test_the_same_twice_is_one_proposal(command: Command, store: Path) -> None:
    command("import", store, "-", stdin=GOOD)
    again = command("import", store, "-", stdin=GOOD)
    assert again.code == 0
    assert again.err == "dreamreview: proposal 20260105T080000000 holds the same changes already\n"
    assert len(command("proposals", store, "--json").json()) == 1


def test_a_copy_is_told_to_have_an_unknown_base(command: Command, store: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "notes.md").write_text("".join(LINES[:-1]))
    answer = command("import", store, tmp_path / "copy")
    assert answer.code == 0
    assert answer.err == (
        "dreamreview: base-unknown: what 1 change was made from is not known; the folder as it stands is taken for it\n"
    )


def test_a_revision_is_imported(command: Command, store: Path) -> None:
    git(store, "init", "-q")
    commit(store, {"notes.md": "".join(LINES).encode()})
    (store / "notes.md").write_text("".join(LINES[2:]))
    assert command("import", store, "git:HEAD").out == "proposal 20260105T080000000: 1 change: 1 edit\n"
    assert git(store, "status", "--porcelain") == b" M notes.md\n"


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("git:--upload-pack=x", 2, "git:'--upload-pack=x' is no single revision"),
        ("git:HEAD", 1, "lies in no git repository, so there is no git:HEAD"),
        ("nowhere", 2, "cannot read nowhere: no such file or directory"),
        (".", 2, "is the memory folder itself"),
    ],
)
def test_a_source_that_is_none_is_one_line(
    command: Command, store: Path, monkeypatch: pytest.MonkeyPatch, source: str, code: int, line: str
) -> None:
    monkeypatch.chdir(store)
    answer = command("import", store, source)
    assert (answer.code, answer.out) == (code, "")
    assert line in answer.err
    assert answer.err.count("\n") == 1


def test_hostile_names_are_drawn_inert_and_secrets_masked(command: Command, store: Path) -> None:
    name = '"b/\\033]52;c;aGk=\\007/../x.md"'
    secret = "--- /dev/null\n+++ b/key.md\n@@ -0,0 +1 @@\n+The password: Heron-8841-Causeway\n"
    answer = command("import", store, "-", stdin=f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n{secret}")
    assert answer.code == 4
    assert "\x1b" not in answer.err
    shown = command("show", store)
    assert "Causeway" not in shown.out
    assert "secret" in command("show", store, "--json").json()["changes"][0]["flags"]


def test_another_holder_of_the_store_is_waited_for_and_then_named(
    command: Command, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamreview.workspace.importing.PUBLISH_WAIT", 0.0)
    (store / ".dream.lock").write_text("99999999999999")
    answer = command("import", store, "-", stdin=GOOD)
    assert answer.code == 3
    assert "another program" in answer.err
