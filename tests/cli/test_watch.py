"""`dreamreview watch`: what others suggest and what they changed already, told once or as it happens."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from dreamreview.store import noticing
from tests.cli.conftest import Command

ROOT = Path(__file__).resolve().parents[2]
HEARING = """
import signal
import sys
from dreamreview.cli.main import run
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(run(sys.argv[1:]))
"""
"""The program with ctrl+c heard, which a shell that starts tests in the background has its programs ignore."""


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    for number in range(12):
        (folder / f"note_{number:02}.md").write_bytes(b"Rule %d\nholds.\n" % number)
    return folder


def test_the_first_look_says_that_the_store_is_kept(command: Command, memory: Path) -> None:
    answer = command("watch", memory, "--once")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{memory}: 12 files kept as they are; what others change is told from now on\n"
    again = command("watch", memory, "--once")
    assert (again.code, again.out) == (0, f"{memory}: 12 files, nothing changed by others\n")


def test_what_others_changed_is_named_and_wants_attention(command: Command, memory: Path) -> None:
    command("watch", memory, "--once")
    for number in range(11):
        (memory / f"note_{number:02}.md").unlink()
    answer = command("watch", memory, "--once")
    assert answer.code == 5
    assert "changed by others: 11 delete (proposal " in answer.out
    assert "ALARM: 11 of 12 files were deleted by others: note_00.md, note_01.md, note_02.md and 8 more" in answer.out
    status = command("status", memory)
    assert status.code == 5
    assert status.out.startswith("ALARM: 11 of 12 files were deleted by others")


def test_the_document_tells_the_same(command: Command, memory: Path) -> None:
    command("watch", memory, "--once")
    (memory / "note_00.md").unlink()
    answer = command("watch", memory, "--once", "--json")
    (found,) = answer.json()
    name = command("proposals", memory, "--json").json()[0]["id"]
    assert found == {
        "folder": str(memory),
        "files": 11,
        "first": False,
        "proposal": name,
        "counts": {"delete": 1},
        "alarms": [],
        "pending": 1,
        "undecided": 1,
    }
    assert answer.code == 5


def test_status_keeps_its_shape_and_tells_an_alarm_beside_it(command: Command, memory: Path) -> None:
    command("watch", memory, "--once")
    for number in range(11):
        (memory / f"note_{number:02}.md").unlink()
    command("watch", memory, "--once")
    answer = command("status", memory, "--json")
    assert sorted(answer.json()) == [
        "blocked", "folder", "last_dream", "last_status", "locked_by", "next", "pending", "undecided",
    ]  # fmt: skip
    assert answer.err.startswith("dreamreview: alarm: 11 of 12 files")


def gone_by_others(command: Command, memory: Path, count: int) -> dict[str, bytes]:
    """Let another program delete so many notes between two looks, and return what was there before."""
    command("watch", memory, "--once")
    before = {path.name: path.read_bytes() for path in memory.glob("*.md")}
    for number in range(count):
        (memory / f"note_{number:02}.md").unlink()
    command("watch", memory, "--once")
    return before


def test_deletions_are_decided_by_name_and_taken_back_by_apply(command: Command, memory: Path) -> None:
    before = gone_by_others(command, memory, 5)
    shown = command("show", memory, "--json").json()
    assert shown["base"]["kind"] == "observed"
    assert [change["title"] for change in shown["changes"]][:2] == ["Delete note_00.md", "Delete note_01.md"]
    ids = [change["id"] for change in shown["changes"]]
    command("decide", memory, shown["id"], "--reject", ids[0], "--reject", ids[1], "--accept", ids[2])
    answer = command("apply", memory, "--yes", "--json")
    assert answer.json()["written"] == ["note_00.md", "note_01.md"]
    after = {path.name: path.read_bytes() for path in memory.glob("*.md")}
    assert after == {name: data for name, data in before.items() if name not in {f"note_0{n}.md" for n in (2, 3, 4)}}
    left = command("show", memory, "--json").json()
    assert [change["title"] for change in left["changes"]] == ["Delete note_03.md", "Delete note_04.md"]


def test_before_any_decision_apply_says_that_none_was_made(command: Command, memory: Path) -> None:
    command("watch", memory, "--once")
    (memory / "note_00.md").unlink()
    command("watch", memory, "--once")
    answer = command("apply", memory)
    assert (answer.code, answer.out) == (0, "nothing is decided yet: 0 of 1 decided\n")
    assert "1 change, 1 undecided" in command("proposals", memory).out


def test_what_is_only_kept_is_settled_without_a_question(command: Command, memory: Path) -> None:
    command("watch", memory, "--once")
    (memory / "note_00.md").unlink()
    command("watch", memory, "--once")
    shown = command("show", memory, "--json").json()
    command("decide", memory, shown["id"], "--accept", shown["changes"][0]["id"])
    dry = command("apply", memory, "--dry-run")
    assert (dry.code, dry.out) == (
        0,
        "nothing would have to be written\n  keep    1 change as others made it\n",
    )
    done = command("apply", memory)
    assert (done.code, done.out) == (0, "nothing had to be written\n  keep    1 change as others made it\n")
    assert command("watch", memory, "--once").code == 0
    assert command("proposals", memory, "--json").json()[0]["status"] == "applied"


def test_without_the_guard_only_proposals_are_noticed(command: Command, memory: Path) -> None:
    answer = command("watch", memory, "--once", "--no-guard")
    assert (answer.code, answer.out) == (0, f"{memory}: proposals are noticed, changes in the folder are not\n")
    assert not (memory / ".dreamreview" / "snapshots").exists()
    copy = memory / ".dream-proposals" / "20260104T000000000"
    copy.mkdir(parents=True)
    (copy / "note_00.md").write_bytes(b"Rule 0\nholds no more.\n")
    answer = command("watch", memory, "--once", "--no-guard")
    assert answer.code == 5
    assert "1 pending, 12 to decide" in answer.out


def test_several_stores_are_looked_at_and_one_that_fails_stops_no_other(
    command: Command, memory: Path, tmp_path: Path
) -> None:
    answer = command("watch", tmp_path / "none", memory, "--once")
    assert answer.code == 1
    assert "does not exist" in answer.err
    assert "12 files kept" in answer.out


def test_a_folder_that_was_moved_is_one_line(command: Command, memory: Path, tmp_path: Path) -> None:
    command("watch", memory, "--once")
    memory.rename(tmp_path / "elsewhere")
    answer = command("watch", memory, "--once")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
    assert "does not exist" in answer.err


def test_json_needs_a_look_that_ends(command: Command, memory: Path) -> None:
    answer = command("watch", memory, "--json")
    assert answer.code == 2
    assert "--once" in answer.err


def test_control_characters_in_a_name_do_not_reach_the_terminal(command: Command, memory: Path) -> None:
    (memory / "odd\x1b[31m.md").write_bytes(b"line\nline\nline\nline\n")
    command("watch", memory, "--once")
    (memory / "odd\x1b[31m.md").write_bytes(b"line\n")
    answer = command("watch", memory, "--once")
    assert "ALARM: odd" in answer.out
    assert "\x1b" not in answer.out


@contextmanager
def going_on(memory: Path, home: Path) -> Iterator[tuple[subprocess.Popen[str], IO[str], IO[str]]]:
    """Watch in a process of its own; yields it with what it says and what it complains of."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("DREAMREVIEW", "GIT_"))},
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
    }
    with subprocess.Popen(
        [sys.executable, "-u", "-c", HEARING, "watch", str(memory)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        try:
            assert "12 files kept as they are" in program.stdout.readline()
            yield program, program.stdout, program.stderr
        finally:
            program.send_signal(signal.SIGINT)
        assert program.wait(timeout=20) == 130
        assert "Traceback" not in program.stderr.read()


def test_it_goes_on_till_it_is_interrupted_and_tells_what_happens(memory: Path, tmp_path: Path) -> None:
    with going_on(memory, tmp_path / "home") as (_, out, _):
        (memory / "note_03.md").unlink()
        assert "changed by others: 1 delete (proposal " in out.readline()
        shutil.copytree(memory, memory / ".dream-proposals" / ".tmp-x", ignore=shutil.ignore_patterns(".*"))
        (memory / ".dream-proposals" / ".tmp-x").rename(memory / ".dream-proposals" / "20260104T000000000")
        assert "proposal 20260104T000000000 arrived" in out.readline()


def test_a_folder_that_goes_while_it_is_watched_is_one_line_and_one_more_when_it_comes_back(
    memory: Path, tmp_path: Path
) -> None:
    with going_on(memory, tmp_path / "home") as (_, out, complaints):
        memory.rename(tmp_path / "elsewhere")
        assert complaints.readline() == f"dreamreview: {memory} does not exist; name a folder of markdown files\n"
        (tmp_path / "elsewhere" / "note_07.md").unlink()
        (tmp_path / "elsewhere").rename(memory)
        assert out.readline() == f"{memory}: it can be looked at again\n"
        assert "changed by others: 1 delete (proposal " in out.readline()


def test_another_folder_in_the_place_of_a_watched_one_is_left_alone(memory: Path, tmp_path: Path) -> None:
    """So it is with a drive that is unmounted: what stands there then is empty, and nothing was deleted."""
    with going_on(memory, tmp_path / "home") as (_, out, complaints):
        memory.rename(tmp_path / "elsewhere")
        memory.mkdir()
        told = complaints.readline()
        assert any(said in told for said in ("does not exist", "was moved or replaced", "is not the folder that was"))
        memory.rmdir()
        (tmp_path / "elsewhere").rename(memory)
        assert out.readline() == f"{memory}: it can be looked at again\n"
        assert list((memory / ".dream-proposals").glob("2*")) == []


def _names(memory: Path) -> list[str]:
    return sorted(path.name for path in memory.glob("*.md"))


def test_deletions_by_others_are_taken_back_in_bulk_but_kept_by_name(command: Command, memory: Path) -> None:
    before = gone_by_others(command, memory, 11)
    kept = command("decide", memory, "2", "--kind", "delete", "--accept")
    assert kept.code == 0
    assert kept.out == (
        "nothing was decided: all 11 changes were left out; name each with --accept ID · 0 of 11 decided\n"
    )
    assert "left out, since each takes something away" in kept.err
    back = command("decide", memory, "2", "--kind", "delete", "--reject")
    assert (back.code, back.err) == (0, "")
    assert back.out == "11 decided now · 11 of 11 decided · 11 rejected\n"
    assert command("apply", memory, "--yes").code == 0
    assert {path.name: path.read_bytes() for path in memory.glob("*.md")} == before


def test_what_others_created_or_wrote_is_not_taken_back_in_bulk(command: Command, memory: Path) -> None:
    command("watch", memory, "--once")
    (memory / "note_12.md").write_text("Rule 12\nholds too.\n")
    command("watch", memory, "--once")
    before = _names(memory)
    created = command("decide", memory, "2", "--kind", "create", "--reject")
    assert created.out == (
        "nothing was decided: the only change was left out; name each with --reject ID · 0 of 1 decided\n"
    )
    assert "left out, since taking each back takes something away, so that it has to be named: " in created.err
    command("apply", memory, "--yes")
    assert _names(memory) == before


def test_cut_lines_are_taken_back_in_bulk_but_not_lines_that_others_wrote_instead(
    command: Command, memory: Path
) -> None:
    command("watch", memory, "--once")
    (memory / "note_03.md").write_text("Rule 3\n")
    (memory / "note_04.md").write_text("Rule 4\nSee https://example.org/4 for it.\n")
    command("watch", memory, "--once")
    paths = {change["id"]: change["edits"][0]["path"] for change in command("show", memory, "--json").json()["changes"]}
    answer = command("decide", memory, "2", "--kind", "edit", "--reject", "--json")
    assert [paths[name] for name in answer.json()["decided"]] == ["note_03.md"]
    command("apply", memory, "--yes")
    assert (memory / "note_03.md").read_text() == "Rule 3\nholds.\n"
    assert (memory / "note_04.md").read_text() == "Rule 4\nSee https://example.org/4 for it.\n"
