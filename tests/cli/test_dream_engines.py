"""Dreaming with an engine that is named or configured: what is said before and after, and what a report adds."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli.dream import _so_far, _used
from dreamreview.dream.engine import Progress
from dreamreview.model.proposal import Usage
from dreamreview.workspace import DreamResult

Command = Callable[..., Any]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs of these tests speak POSIX")

TIDY = "open('boat.md', 'w').write('Moored at pier 9, see `dock.toml`.\\n'); print('Changed 4 files.')"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "boat.md").write_text("The boat is moored at pier 4.\n")
    (folder / "fuel.md").write_text("Fuel is sold at the east pier.\n")
    return folder


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SOME_KEY", "invented")

    def write(code: str, more: str = "") -> None:
        file = tmp_path / "config.toml"
        file.write_text(f"command = {json.dumps([sys.executable, '-c', code])}\n{more}\n")
        monkeypatch.setenv("DREAMREVIEW_CONFIG", str(file))

    return write


def test_the_engine_is_local_until_one_is_named(command: Command, store: Path, configured: Callable[..., None]) -> None:
    configured(TIDY)
    assert command("dream", store, "--json").json()["summary"] == "nothing new in 2 files"
    answer = command("dream", store, "--engine", "command")
    told = r"proposal \d{8}T\d{9}: 1 change: 1 edit\nreview it with: dreamreview .*\n"
    assert re.fullmatch(told, answer.out)
    assert (store / "boat.md").read_text() == "The boat is moored at pier 4.\n"


def test_where_nothing_is_proposed_its_own_words_say_why(
    command: Command, store: Path, configured: Callable[..., None]
) -> None:
    configured("print('Read all.\\n\\nNothing to \\x1b[31mdo\\x07.')")
    answer = command("dream", store, "--engine", "command")
    assert answer.out == "completed: nothing new in 2 files\n  Read all.\n  Nothing to do.\n"
    assert command("dream", store).out.endswith("\n  Read 2 files. Found nothing to suggest.\n")


def test_what_it_needs_is_said_before_it_begins(command: Command, store: Path, configured: Callable[..., None]) -> None:
    configured(TIDY, 'engine = "command"')
    program = os.path.basename(sys.executable)
    answer = command("dream", store)
    assert answer.err == (f"dreamreview: about 15 tokens of memory, for {program}\ndreamreview: running {program}\n")


def test_a_command_gets_the_keys_that_the_configuration_names(
    command: Command, store: Path, configured: Callable[..., None]
) -> None:
    code = "import os; open('keys.md', 'w').write(os.environ.get('SOME_KEY', 'none'))"
    for more, held in (("", "none"), ('environment = ["SOME_KEY"]', "invented")):
        configured(code, more)
        shown = command("show", store, command("dream", store, "--engine", "command", "--json").json()["proposal"])
        assert f"+ {held}\n" in shown.out


def test_a_command_that_fails_is_one_line_that_offers_the_local_engine(
    command: Command, store: Path, configured: Callable[..., None]
) -> None:
    configured("import sys; sys.exit('not logged in')")
    answer = command("dream", store, "--engine", "command")
    assert (answer.code, answer.out) == (1, "")
    last = answer.err.splitlines()[-1]
    assert "ended with status 1: not logged in; nothing was kept; dream with `--engine local`" in last
    assert command("status", store).out.endswith("failed\n") or "failed" in command("status", store).out


def test_without_a_command_one_line_names_the_configuration(command: Command, store: Path) -> None:
    answer = command("dream", store, "--engine", "command")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "config.toml: command: it must say what the command engine runs" in answer.err


def test_all_stores_are_dreamed_with_the_engine_that_is_named(
    command: Command, store: Path, configured: Callable[..., None], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    configured(TIDY, f'stores = ["{store}", "{tmp_path / "empty"}"]')
    answer = command("dream", "--all", "--engine", "command")
    assert answer.out.count(": 1 change: 1 ") == 2


def test_a_report_tells_what_nothing_supports_and_what_was_miscounted(
    command: Command, store: Path, configured: Callable[..., None]
) -> None:
    configured(TIDY)
    command("dream", store, "--engine", "command")
    shown = command("show", store).out
    assert "  warning: summary-mismatch: it says “Changed 4 files”, and there is 1 file changed\n" in shown
    assert "  fidelity: 1 literal vanishes · 2 claims without support · no link breaks\n" in shown
    assert "    vanishes: 4 (in " in shown
    assert "    unsupported: 9, dock.toml (in " in shown
    report = command("show", store, "--json").json()["fidelity"]
    assert [(one["fault"], one["items"]) for one in report["findings"]] == [
        ("vanishes", ["4"]), ("unsupported", ["9", "dock.toml"])
    ]  # fmt: skip
    assert (report["mended"], report["indexes"], len(report["summary-mismatch"])) == (0, [], 1)


def test_the_worst_is_told_before_it_is_written(command: Command, store: Path, configured: Callable[..., None]) -> None:
    configured(TIDY)
    proposal = command("dream", store, "--engine", "command", "--json").json()["proposal"]
    command("decide", store, proposal, "--accept", command("show", store, "--json").json()["changes"][0]["id"])
    told = command("apply", store, "--dry-run").out
    assert told.index("vanishes: 4") < told.index("unsupported: 9, dock.toml") < told.index("summary-mismatch")


def test_progress_and_cost_are_told_in_numbers() -> None:
    assert _so_far(Progress("consolidate", 34, 3)) == "consolidate · 34 files read · 3 changes found"
    assert _so_far(Progress("prune", 34, 3, 12_345, 0.5)).endswith("3 changes found · 12,345 tokens · $0.50")
    usage = Usage(input_tokens=12_345, output_tokens=678, cache_read_tokens=9_000, cost_usd=0.123, turns=7)
    told = _used(DreamResult(None, "completed", "", usage=usage, seconds=61.25))
    assert told == "12,345 tokens in, 678 out, 9,000 from the cache, $0.12, 7 turns, 61.2 s"
    assert _used(DreamResult(None, "completed", "", usage=Usage(turns=1))) == ""


def test_on_a_terminal_one_line_tells_how_far_it_is(
    store: Path, configured: Callable[..., None], tmp_path: Path
) -> None:
    configured(TIDY, 'engine = "command"')
    ours, theirs = pty.openpty()
    given = {**os.environ, "TERM": "xterm", "HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-m", "dreamreview", "dream", str(store)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=given,
        check=True,
    )
    os.close(theirs)
    drawn = os.read(ours, 65_536).decode()
    os.close(ours)
    assert "\rdreaming: consolidate · 2 files read · 0 changes found" in drawn
    assert drawn.endswith("\r\x1b[K")
    assert ended.stdout.startswith(b"proposal ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_dream_that_is_ended_from_outside_cleans_up_after_itself(
    store: Path, configured: Callable[..., None], tmp_path: Path, number: signal.Signals
) -> None:
    mark = tmp_path / "begun"
    os.mkfifo(mark)
    configured(f"open('boat.md', 'w').close(); open({str(mark)!r}, 'w').close(); import time; time.sleep(600)")
    # What runs the tests may ignore the signals, and a program inherits that.
    start = (
        "import signal; from dreamreview.__main__ import main; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        "[signal.signal(one, signal.SIG_DFL) for one in (signal.SIGTERM, signal.SIGHUP)]; main()"
    )
    words = [sys.executable, "-c", start, "dream", str(store), "--engine", "command"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        mark.read_bytes()
        program.send_signal(number)
        out, err = program.communicate()
    assert (program.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "dreamreview: the dream was stopped; the memory is as it was"
    assert (store / "boat.md").read_text() == "The boat is moored at pier 4.\n"
    assert list((tmp_path / "cache" / "dreamreview" / "dreams").iterdir()) == []
