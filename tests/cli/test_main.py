from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click
import pytest

from dreamreview.cli import COMMANDS, commands, main
from dreamreview.errors import StoreLockedError


def _raising(error: BaseException) -> Callable[..., NoReturn]:
    def command(**_: object) -> NoReturn:
        raise error

    return command


def _run_raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(commands.cli, "commands", {"broken": click.Command("broken", callback=_raising(error))})
    return main.run(["broken"])


def test_an_error_of_ours_is_one_line_and_its_exit_status(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _run_raising(StoreLockedError("held by\nanother \x1b[2J program"), monkeypatch) == 3
    assert capfd.readouterr().err == "dreamreview: held by another ␛[2J program\n"


def test_an_error_nobody_expected_is_one_line_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _run_raising(ZeroDivisionError("so it goes"), monkeypatch) == 1
    assert capfd.readouterr().err == "dreamreview: unexpected ZeroDivisionError: so it goes\n"


def test_those_who_debug_see_the_traceback(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DREAMREVIEW_DEBUG", "1")
    assert _run_raising(ZeroDivisionError("so it goes"), monkeypatch) == 1
    assert "Traceback (most recent call last)" in capfd.readouterr().err


def test_an_interrupt_ends_as_shells_count_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _run_raising(KeyboardInterrupt(), monkeypatch) == 130
    assert capfd.readouterr().err == ""


def test_a_wrong_option_ends_as_wrong_usage(capfd: pytest.CaptureFixture[str]) -> None:
    assert main.run(["show", "--nonsense"]) == 2
    error = capfd.readouterr().err
    assert error.startswith("dreamreview: No such option")
    assert error.endswith("(see dreamreview show --help)\n")
    assert error.count("\n") == 1


def test_a_word_that_is_neither_command_nor_folder_ends_as_wrong_usage(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main.run([str(tmp_path / "shwo")]) == 2
    assert "neither a command nor a folder" in capfd.readouterr().err


def test_help_and_version_end_well(capfd: pytest.CaptureFixture[str]) -> None:
    assert main.run(["--help"]) == 0
    assert main.run(["--version"]) == 0
    assert "dreamreview 0.1.0" in capfd.readouterr().out


def test_every_command_tells_its_options(capfd: pytest.CaptureFixture[str]) -> None:
    assert [name for name in COMMANDS if main.run([name, "--help"]) != 0] == []
    assert "Usage: dreamreview" in capfd.readouterr().out


def test_a_reader_that_leaves_early_is_no_failure() -> None:
    program = (
        "import sys\n"
        "from dreamreview.cli import commands, main, output\n"
        "import click\n"
        "commands.cli.commands['flood'] = click.Command('flood', callback=lambda: output.say_all(['x' * 99] * 9999))\n"
        "sys.exit(main.run(['flood']))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(main.__file__).parents[2])}
    reader, writer = os.pipe()
    os.close(reader)
    answer = subprocess.run(
        [sys.executable, "-c", program], env=environment, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (answer.returncode, answer.stderr) == (0, "")
