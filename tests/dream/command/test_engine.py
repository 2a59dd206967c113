"""Any program can dream: what it is given and told, and in which words each way to go wrong ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dreamreview.dream.command import engine as command_engine
from dreamreview.dream.command import running
from dreamreview.dream.command.engine import CommandEngine, readable
from dreamreview.dream.command.prompt import LIMIT, prompt
from dreamreview.dream.engine import Corpus, DreamCancelledError, Dreamt, EngineError, Progress, Rejection, Task
from dreamreview.model.budget import Budget
from dreamreview.model.markdown import parse

CORPUS = Corpus({"a.md": parse("a.md", b"The boat is blue.\n")}, frozenset({"a.md"}), date(2026, 9, 15))
KEY = "sk-ant-api03-q8Zr51vLm0TxWc7Yd2Kp94Hs6Bn3Gf"
"""Invented."""


def _engine(code: str, *arguments: str, seconds: float = 60.0) -> CommandEngine:
    return CommandEngine((sys.executable, "-c", code, *arguments), seconds, {"PATH": os.environ["PATH"]})


def _dream(engine: CommandEngine, folder: Path, task: Task | None = None) -> Dreamt:
    given = task or Task(CORPUS)
    (folder / "copy").mkdir(exist_ok=True)
    (folder / "scratch").mkdir(exist_ok=True)
    return engine.dream(replace(given, folder=str(folder / "copy"), scratch=str(folder / "scratch")))


def _refused(engine: CommandEngine, folder: Path, task: Task | None = None) -> str:
    with pytest.raises(EngineError) as caught:
        _dream(engine, folder, task)
    assert "\n" not in str(caught.value)
    return str(caught.value)


SHOW = "import json, os, sys; print(json.dumps([dict(os.environ), os.getcwd(), sys.argv[1:], sys.stdin.read()]))"


def _seen(
    engine: CommandEngine, folder: Path, task: Task | None = None
) -> tuple[Mapping[str, str], str, list[str], str]:
    environment, here, arguments, said = json.loads(_dream(engine, folder, task).narrative)
    return environment, here, arguments, said


def test_it_runs_in_the_copy_and_answers_a_tree(tmp_path: Path) -> None:
    dreamt = _dream(_engine("print('Merged two notes.'); open('new.md', 'w').write('x')"), tmp_path)
    assert (dreamt.is_tree, dreamt.drafts, dreamt.narrative) == (True, (), "Merged two notes.")
    assert (tmp_path / "copy" / "new.md").read_text() == "x"
    assert dreamt.usage.turns == 1


def test_it_sees_no_key_that_the_configuration_does_not_name(tmp_path: Path) -> None:
    secrets = {"ANTHROPIC_API_KEY": "one", "OPENAI_API_KEY": "two", "AWS_SECRET_ACCESS_KEY": "three", "SECRET": "four"}
    given = {"PATH": os.environ["PATH"], "HOME": "/home/kay", "LC_TIME": "de_DE", **secrets}
    engine = CommandEngine((sys.executable, "-c", SHOW), 60.0, given, ("OPENAI_API_KEY",))
    environment, here, _, _ = _seen(engine, tmp_path)
    assert {name for name in environment if name in secrets} == {"OPENAI_API_KEY"}
    assert (environment["HOME"], environment["LC_TIME"]) == ("/home/kay", "de_DE")
    assert environment["TMPDIR"] == str(tmp_path / "scratch")
    assert environment["PWD"] == here == str(tmp_path / "copy")


def test_it_is_told_on_stdin_what_a_dream_is(tmp_path: Path) -> None:
    _, _, arguments, said = _seen(_engine(SHOW, "--in", "{folder}/a.md"), tmp_path)
    assert arguments == ["--in", f"{tmp_path / 'copy'}/a.md"]
    assert said == prompt(Task(CORPUS))
    assert "Today is 2026-09-15." in said


def test_it_is_told_in_an_argument_where_the_configuration_says_so(tmp_path: Path) -> None:
    _, _, arguments, said = _seen(_engine(SHOW, "-p", "<{prompt}>"), tmp_path)
    assert arguments == ["-p", f"<{prompt(Task(CORPUS))}>"]
    assert said == ""


def test_a_placeholder_in_what_it_is_told_stays_as_it_is(tmp_path: Path) -> None:
    task = Task(CORPUS, rejections=(Rejection("Merge {folder}", "no {prompt}"),))
    _, _, arguments, _ = _seen(_engine(SHOW, "{prompt}"), tmp_path, task)
    assert "- Merge {folder}: no {prompt}\n" in arguments[0] + "\n"


def test_reasons_sessions_and_context_reach_it() -> None:
    told = prompt(
        Task(
            Corpus(
                CORPUS.documents,
                CORPUS.files,
                CORPUS.today,
                context={"../CLAUDE.md": parse("CLAUDE.md", b"Be brief.\n")},
            ),
            transcripts=("/sessions/1.jsonl",),
            since=datetime(2026, 9, 1, 8, 30, tzinfo=UTC),
            rejections=(Rejection("Merge the boats", "they are two boats", ("The boat is blue.",)),),
        )
    )
    assert "- Merge the boats: they are two boats\n    > The boat is blue.\n" in told
    assert "- /sessions/1.jsonl\n" in told
    assert "The last dream was at 2026-09-01T08:30+00:00." in told
    assert "The agent reads ../CLAUDE.md beside its memory." in told
    assert "Be brief." in told


def test_what_it_is_told_fits_into_one_argument() -> None:
    much = parse("CLAUDE.md", "ä".encode() * 200_000)
    context = {f"{number}/CLAUDE.md": much for number in range(20)}
    told = prompt(Task(Corpus(CORPUS.documents, CORPUS.files, CORPUS.today, context=context)))
    assert len(told.encode()) <= LIMIT < 128 * 1024


def test_a_key_in_the_context_is_masked() -> None:
    held = parse("CLAUDE.md", f"api_key = '{KEY}'\n".encode())
    assert KEY not in prompt(Task(Corpus(CORPUS.documents, CORPUS.files, CORPUS.today, context={"CLAUDE.md": held})))


def test_its_output_is_kept_without_colours_control_characters_and_keys() -> None:
    printed = f"\x1b[31mDone\x1b[0m\x07 \x1b]0;title\x07with\r\n{KEY} \u202eok\xff\n".encode("latin-1", "replace")
    told = readable(printed)
    assert KEY not in told
    assert told.startswith("Done with\n")
    assert all(sign == "\n" or sign.isprintable() for sign in told)


def test_it_says_so_where_the_program_says_nothing(tmp_path: Path) -> None:
    assert _dream(_engine(""), tmp_path).narrative == f"{os.path.basename(sys.executable)} said nothing of what it did."


def test_a_status_that_is_not_zero_is_told_with_the_complaint(tmp_path: Path) -> None:
    told = _refused(_engine("import sys; print('no\\nlogin', file=sys.stderr); sys.exit(3)"), tmp_path)
    assert "ended with status 3: no login; nothing was kept" in told
    assert "--engine local" in told


def test_a_complaint_is_masked(tmp_path: Path) -> None:
    told = _refused(_engine(f"import sys; sys.exit('bad key {KEY}')"), tmp_path)
    assert "ended with status 1: bad key" in told
    assert KEY not in told


def test_a_command_that_takes_too_long_says_what_to_raise(tmp_path: Path) -> None:
    told = _refused(_engine("import time; time.sleep(600)", seconds=0.2), tmp_path)
    assert "took longer than 0.2 seconds and was stopped; nothing was kept; raise `timeout`" in told


def test_the_budget_of_seconds_bounds_a_command(tmp_path: Path) -> None:
    told = _refused(_engine("import time; time.sleep(600)"), tmp_path, Task(CORPUS, budget=Budget(seconds=0.1)))
    assert "took longer than 0.1 seconds" in told


def test_a_flood_of_output_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "FLOOD", 100_000)
    assert "printed more than" in _refused(_engine("while True: print('x' * 1000)"), tmp_path)


def test_a_stop_is_obeyed(tmp_path: Path) -> None:
    with pytest.raises(DreamCancelledError):
        _dream(_engine("open('never', 'w')"), tmp_path, Task(CORPUS, is_cancelled=lambda: True))
    assert not (tmp_path / "copy" / "never").exists()


def test_a_program_that_is_not_there_is_said_before_anything_is_copied() -> None:
    for name in ("no-such-dreamer", "/nowhere/dreamer"):
        engine = CommandEngine((name,), 60.0, {"PATH": os.environ["PATH"]})
        with pytest.raises(
            EngineError, match=r"correct `command` in the configuration, or dream with `--engine local`"
        ):
            engine.estimate(Task(CORPUS))


def test_a_program_is_never_looked_up_where_memory_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = tmp_path / "dreamer"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for path in (".", "", ":.", str(tmp_path / "other")):
        with pytest.raises(EngineError, match="was not found on PATH"):
            CommandEngine(("dreamer",), 60.0, {"PATH": path}).estimate(Task(CORPUS))
    with pytest.raises(EngineError, match="is a relative path"):
        CommandEngine(("./dreamer",), 60.0, {"PATH": str(tmp_path)}).estimate(Task(CORPUS))
    found = CommandEngine(("dreamer",), 60.0, {"PATH": str(tmp_path)}).estimate(Task(CORPUS))
    assert found is not None
    assert found.recipient == "dreamer"


def test_neither_the_program_nor_what_it_is_handed_may_lie_in_the_memory(tmp_path: Path) -> None:
    program = tmp_path / "store" / "dreamer"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "link").symlink_to(program)
    for command in ((str(program),), (str(tmp_path / "link"),), (sys.executable, str(program))):
        engine = CommandEngine(command, 60.0, {"PATH": os.environ["PATH"]}, store=str(tmp_path / "store"))
        with pytest.raises(EngineError, match="lies in the memory folder"):
            engine.estimate(Task(CORPUS))


def test_what_was_run_is_kept_for_the_record_without_keys(tmp_path: Path) -> None:
    told = _dream(_engine("", "--model", "two words", KEY), tmp_path).settings["command"]
    assert told.startswith(f"{sys.executable} -c '' --model 'two words' ")
    assert KEY not in told


def test_it_tells_how_many_files_are_other_by_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_engine, "WATCHED", 0.0)
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "old.md").write_text("goes\n")
    told: list[int] = []

    def hear(progress: Progress) -> None:
        told.append(progress.changes)
        if progress.changes == 2:
            (tmp_path / "heard").touch()

    code = (
        "import os, time; open('new.md', 'w').close(); os.remove('old.md')\n"
        f"while not os.path.exists({str(tmp_path / 'heard')!r}): time.sleep(0.01)"
    )
    _dream(_engine(code), tmp_path, Task(CORPUS, on_progress=hear))
    assert (told[0], told[-1]) == (0, 2)


def test_it_says_that_it_runs(tmp_path: Path) -> None:
    told: list[Progress] = []
    _dream(_engine(""), tmp_path, Task(CORPUS, on_progress=told.append))
    assert [progress.note for progress in told] == [f"running {os.path.basename(sys.executable)}"]
