"""`dreamreview [FOLDER] --serve` as a command: what it says, and how it ends."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import pytest

from dreamreview.cli import output
from dreamreview.tui.browser import server

Command = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[2]
START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from dreamreview.__main__ import main; main()"
)
"""The command, which an interrupt reaches even where the tests run in the background."""


@contextmanager
def serving(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command, and end it with the test."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def status(address: str) -> int:
    there = urlsplit(address)
    with closing(http.client.HTTPConnection(there.netloc, timeout=30)) as connection:
        connection.request("GET", there.path)
        return connection.getresponse().status


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_an_address_and_ends_when_it_is_interrupted(bare: Path, number: signal.Signals) -> None:
    with serving(str(bare), "--serve") as process:
        address = line(process)
        assert status(address) == 200
        process.send_signal(number)
        printed, said = process.communicate(timeout=30)
    assert (process.returncode, printed) == (130, "")
    assert said.splitlines() == [
        f"dreamreview: open to a browser of this machine until ctrl+c: {bare}",
        "dreamreview: whoever has this address can review that memory, and change it:",
    ]


def test_the_options_may_stand_before_the_folder_and_name_the_port(bare: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with serving("--port", str(port), "--serve", str(bare)) as process:
        assert line(process).startswith(f"http://127.0.0.1:{port}/")


def test_it_listens_at_the_loopback_address_alone(bare: Path) -> None:
    with serving(str(bare), "--serve") as process:
        port = int(line(process).split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port), timeout=30):
            pass
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.2", port), timeout=30)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[str, ...], str]]:
    """Stand for the server: the arguments and the title it was given."""
    given: list[tuple[tuple[str, ...], str]] = []

    def serve(arguments: Sequence[str], title: str, port: int | None, _announce: object) -> NoReturn:
        assert port is None
        given.append((tuple(arguments), title))
        raise KeyboardInterrupt

    monkeypatch.setattr(server, "serve", serve)
    return given


def memory_of_claude(home: Path, name: str) -> str:
    folder = home / ".claude/projects" / name / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- the beans are in row two\n")
    return str(folder)


def test_without_a_folder_the_stores_that_are_found_are_served_as_the_app_opens_them(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, served: list[tuple[tuple[str, ...], str]]
) -> None:
    monkeypatch.chdir(tmp_path)
    one = memory_of_claude(tmp_path / "home", "-one")
    answer = command("--serve")
    assert (answer.code, answer.err) == (130, f"dreamreview: {one}, named by Claude Code\n")
    memory_of_claude(tmp_path / "home", "-two")
    assert command("--serve").code == 130
    monkeypatch.setenv("DREAMREVIEW_FOLDER", one)
    assert command("--serve").code == 130
    assert served == [((one,), one), ((), "2 memory folders"), ((one,), one)]


def test_without_a_folder_and_without_a_store_nothing_is_served(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, served: list[tuple[tuple[str, ...], str]]
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = command("--serve")
    assert (answer.code, served) == (2, [])
    assert answer.err.startswith("dreamreview: no memory folder: name one")


def test_each_start_has_another_key(bare: Path) -> None:
    with serving(str(bare), "--serve") as one, serving(str(bare), "--serve") as other:
        addresses = [line(one), line(other)]
        stale = addresses[0].split("/")[3]
        there = addresses[1].replace(addresses[1].split("/")[3], stale)
        assert (status(addresses[1]), status(there)) == (200, 403)


def test_a_port_in_use_ends_it_with_one_line(bare: Path, command: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = command(bare, "--serve", "--port", port)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == f"dreamreview: port {port} is in use: name another with --port, or leave it out\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--port", "8123"], "--port is where --serve listens: give both"),
        (["--serve", "--port", "0"], "0 is not in the range"),
        (["--serve", "--port", "65536"], "65536 is not in the range"),
        (["--serve", "--port", "high"], "'high' is not a valid integer"),
    ],
)
def test_a_port_that_cannot_be_meant_is_wrong_usage(
    bare: Path, command: Command, words: list[str], complaint: str
) -> None:
    answer = command(bare, *words)
    assert (answer.code, answer.out) == (2, "")
    assert complaint in answer.err
    assert answer.err.count("\n") == 1


def test_only_the_app_is_served(bare: Path, command: Command) -> None:
    answer = command("--serve", "dream", bare)
    assert (answer.code, answer.err) == (2, "dreamreview: --serve and --port are for the app, not for dream\n")


def test_a_folder_that_is_not_there_is_not_served(tmp_path: Path, command: Command) -> None:
    answer = command(tmp_path / "nothing", "--serve")
    assert (answer.code, answer.out) == (2, "")
    assert "is neither a command nor a folder" in answer.err


def test_the_help_tells_of_it(command: Command) -> None:
    assert "--serve " in command("--help").out


def test_without_a_terminal_the_app_says_that_it_can_be_served(bare: Path, command: Command) -> None:
    assert f"  dreamreview {bare} --serve\n" in command(bare).out


def test_an_address_keeps_its_key_though_keys_are_masked_elsewhere(capfd: pytest.CaptureFixture[str]) -> None:
    address = "http://127.0.0.1:8123/?token=fc5827a9ace2870a9af8e6e4260cac66"
    assert output.safe(address) != address
    output.address(address)
    assert capfd.readouterr().out == f"{address}\n"
