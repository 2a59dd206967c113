"""What reaches the user's editor: its own words and one private file, and nothing of the memory in names."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from dreamreview.errors import UsageError
from dreamreview.settings import Settings
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.external import edit_outside
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.host import Clock, Host
from tests.workspace.stores import FOREIGN, lay, leave_copy, texts

TOKEN = "ghp_" + "Qm4t7Bx1Vz8Ls3Nd6Kr0Wy5Hc2Gp9JfUaTe"

EDITOR = """
import json, os, stat, sys
file = sys.argv[-1]
folder = os.path.dirname(file)
told = {
    "words": sys.argv[1:],
    "folder_mode": stat.S_IMODE(os.stat(folder).st_mode),
    "file_mode": stat.S_IMODE(os.stat(file).st_mode),
    "beside": os.listdir(folder),
    "environment": dict(os.environ),
    "contents": open(file, "rb").read().hex(),
}
json.dump(told, open(%r, "w"))
with open(file, "ab") as stream:
    stream.write(b"added\\n")
"""


@dataclass
class Seen:
    """What the editor saw."""

    words: list[str]
    folder_mode: int
    file_mode: int
    beside: list[str]
    environment: dict[str, str]
    contents: str


class Spy:
    """An editor that writes down what it was given and adds one line."""

    def __init__(self, folder: Path) -> None:
        self._told = folder / "told.json"
        script = folder / "an editor.py"
        script.write_text(EDITOR % str(self._told))
        self.command = shlex.join([sys.executable, str(script)])

    def seen(self) -> Seen:
        return Seen(**json.loads(self._told.read_text()))


@pytest.fixture
def spy(tmp_path: Path) -> Spy:
    return Spy(tmp_path)


def edited(command: str, data: bytes) -> bytes:
    return edit_outside(command, data, b"\n", contextlib.nullcontext())


def test_the_editor_gets_its_own_words_and_then_one_file(spy: Spy) -> None:
    edited(f"{spy.command} --wait -c 'set tw=60'", b"one\n")
    *words, file = spy.seen().words
    assert words == ["--wait", "-c", "set tw=60"]
    assert os.path.isabs(file)
    assert os.path.basename(file) == "edit.md"


def test_words_of_the_command_are_given_as_they_are_and_no_shell_reads_them(
    spy: Spy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAMP", "green")
    edited(f"{spy.command} '$(touch pwn)' $LAMP '*' ';' touch pwn '`touch pwn`' '~'", b"one\n")
    assert spy.seen().words[:-1] == ["$(touch pwn)", "$LAMP", "*", ";", "touch", "pwn", "`touch pwn`", "~"]
    assert not (tmp_path / "pwn").exists()


def test_the_file_is_alone_in_a_private_folder_that_goes_afterwards(spy: Spy) -> None:
    previous = os.umask(0)
    try:
        edited(spy.command, b"one\n")
    finally:
        os.umask(previous)
    seen = spy.seen()
    assert (seen.folder_mode, seen.file_mode) == (0o700, 0o600)
    assert seen.beside == ["edit.md"]
    assert not os.path.exists(os.path.dirname(seen.words[-1]))


def test_the_file_goes_where_the_editor_fails_as_well(spy: Spy, tmp_path: Path) -> None:
    failing = tmp_path / "failing.sh"
    failing.write_text(f'#!/bin/sh\n{spy.command} "$1"\nexit 3\n')
    failing.chmod(0o700)
    with pytest.raises(UsageError, match="status 3"):
        edited(str(failing), b"one\n")
    assert not os.path.exists(os.path.dirname(spy.seen().words[-1]))


def test_the_environment_is_the_users_own_and_holds_nothing_of_the_text(
    spy: Spy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMP", "green")
    ours = dict(os.environ)
    edited(spy.command, b"the heron nests on plate 14\n")
    seen = spy.seen().environment
    # The interpreter that runs the spy may set a few of its own; none of ours may be added, changed or missing.
    assert {name: value for name, value in seen.items() if name in ours} == ours
    assert not any("heron" in value for value in seen.values())


@pytest.mark.parametrize(
    ("data", "contents"),
    [
        pytest.param(b"one\ntwo\n", b"one\ntwo\n", id="plain"),
        pytest.param(b"one\r\ntwo\r\n", b"one\ntwo\n", id="line ends stay outside"),
        pytest.param(b"no end", b"no end", id="no final newline"),
        pytest.param(b"a\x1b]52;c;eA==\x07b\n", "a␛]52;c;eA==␇b\n".encode(), id="escape sequences are drawn"),
        pytest.param(f"key: {TOKEN}\n".encode(), "key: ⟦secret 1⟧\n".encode(), id="a secret is a label"),
    ],
)
def test_the_file_holds_the_text_as_it_is_safe_to_show(spy: Spy, data: bytes, contents: bytes) -> None:
    edited(spy.command, data)
    assert bytes.fromhex(spy.seen().contents) == contents


@pytest.mark.parametrize("name", ["$(touch pwn).md", "'; touch pwn; '.md", "-dash.md", "new\nline.md", "a b.md"])
async def test_the_name_of_a_memory_never_reaches_the_editor(
    spy: Spy, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lay(tmp_path / "s", {name: b"one\ntwo\n"})
    leave_copy(folder, {name: b"one\n2\n"})
    monkeypatch.chdir(folder)
    workspace = Workspace(folder, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock(), spy.command), FOREIGN, watch=None)
    monkeypatch.setattr(app, "suspend", contextlib.nullcontext)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.sees("0 of 1 decided")
        await host.press("E")
        await host.sees("1 of 1 decided")
    seen = spy.seen()
    assert [os.path.basename(word) for word in seen.words] == ["edit.md"]
    seen.environment.pop("PYTEST_CURRENT_TEST")
    assert not any(name in word for word in (*seen.words, *seen.environment.values()))
    assert bytes.fromhex(seen.contents) == b"2\n"
    workspace.apply()
    assert texts(folder) == {name: b"one\n2\nadded\n"}
    assert not (folder / "pwn").exists()
