"""Starting without a folder: on the one store there is, on one inbox over several, or with a list of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli import launch, output
from dreamreview.errors import UsageError
from dreamreview.settings import Settings
from dreamreview.tui import app
from dreamreview.tui.inbox.stores import Offered

Command = Callable[..., Any]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home/work/api"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def note(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- the beans are in row two\n")
    return folder


def of_claude(tmp_path: Path, name: str) -> Path:
    return note(tmp_path / "home/.claude/projects" / name / "memory")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Offered] | str]:
    """Stand for a terminal and for the app: what it was opened on."""
    opened: list[Sequence[Offered] | str] = []

    def several(offered: Sequence[Offered], settings: Settings) -> int:
        assert settings.source is None
        opened.append(offered)
        return 0

    def one(workspace: Any, _proposal: str | None = None) -> int:
        opened.append(workspace.folder)
        return 0

    monkeypatch.setattr(output, "is_terminal", lambda: True)
    monkeypatch.setattr(app, "run_several", several)
    monkeypatch.setattr(launch, "open_app", one)
    return opened


def test_several_stores_open_one_inbox_over_all_of_them(
    command: Command, here: Path, tmp_path: Path, shown: list[Any]
) -> None:
    serena, one, two = note(here / ".serena/memories"), of_claude(tmp_path, "-one"), of_claude(tmp_path, "-two")
    answer = command()
    assert (answer.code, answer.err, answer.out) == (0, "", "")
    assert [(each.folder, each.label, each.source) for each in shown[0]] == [
        (str(serena), "~/work/api", ".serena/memories"),
        (str(one), "-one", "Claude Code"),
        (str(two), "-two", "Claude Code"),
    ]
    assert [each.enter().workspace.folder for each in shown[0]] == [str(serena), str(one), str(two)]


def test_the_only_store_opens_as_if_it_were_named_and_that_is_said(
    command: Command, tmp_path: Path, shown: list[Any]
) -> None:
    one = of_claude(tmp_path, "-one")
    answer = command()
    assert (answer.code, shown) == (0, [str(one)])
    assert answer.err == f"dreamreview: {one}, named by Claude Code\n"


def test_a_store_that_is_broken_is_offered_beside_others_and_named_beside_one(
    command: Command, tmp_path: Path, shown: list[Any]
) -> None:
    of_claude(tmp_path, "-one")
    broken = tmp_path / "home/.claude/projects/-two/memory"
    broken.parent.mkdir()
    broken.symlink_to("nowhere")
    answer = command()
    assert shown == [str(tmp_path / "home/.claude/projects/-one/memory")]
    assert f"{broken} (Claude Code) is left out: the link leads nowhere" in answer.err
    of_claude(tmp_path, "-three")
    assert command().code == 0
    assert [each.label for each in shown[1]] == ["-one", "-three", "-two"]


@pytest.mark.parametrize("chooser", ["environment", "configuration", "command line"])
def test_what_is_chosen_goes_before_what_is_found(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chooser: str, shown: list[Any]
) -> None:
    of_claude(tmp_path, "-one")
    of_claude(tmp_path, "-two")
    chosen = note(tmp_path / "chosen")
    words: list[str] = [str(chosen)] if chooser == "command line" else []
    if chooser == "environment":
        monkeypatch.setenv("DREAMREVIEW_FOLDER", str(chosen))
    elif chooser == "configuration":
        (tmp_path / "config.toml").write_text(f'stores = ["{chosen}"]\n')
        monkeypatch.setenv("DREAMREVIEW_CONFIG", str(tmp_path / "config.toml"))
    assert command(*words).code == 0
    assert shown == [str(chosen)]


def test_several_configured_stores_are_offered_with_the_others(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_claude(tmp_path, "-one")
    notes = note(tmp_path / "notes")
    (tmp_path / "config.toml").write_text(f'stores = ["{notes}", "{tmp_path}"]\n')
    monkeypatch.setenv("DREAMREVIEW_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.chdir("/")
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    offered: list[Offered] = []

    def several(given: Sequence[Offered], _settings: Settings) -> int:
        offered.extend(given)
        return 0

    monkeypatch.setattr(app, "run_several", several)
    assert command().code == 0
    assert [each.source for each in offered] == ["the configuration", "the configuration", "Claude Code"]
    with pytest.raises(UsageError, match="is inside the memory folder"):
        offered[1].enter()


def test_without_a_terminal_the_stores_are_told_in_lines(command: Command, tmp_path: Path) -> None:
    one, two = of_claude(tmp_path, "-one"), of_claude(tmp_path, "-two")
    answer = command()
    assert answer.code == 0
    assert answer.err == "dreamreview: no folder is named, and 2 are found:\n"
    lines = answer.out.splitlines()
    assert lines[0].startswith(f"{one} (Claude Code): nothing pending · never dreamed")
    assert lines[1].startswith(f"{two} (Claude Code): nothing pending · never dreamed")
    assert "  dreamreview proposals --all" in lines


def test_a_home_without_memory_says_what_to_do(command: Command, shown: list[Any]) -> None:
    answer = command()
    assert (answer.code, shown, answer.err.count("\n")) == (2, [], 1)
    assert "no memory folder: name one" in answer.err


def test_names_of_stores_are_printed_harmless(command: Command, here: Path, tmp_path: Path) -> None:
    note(here / ".claude/agent-memory/\x1b[31m[/]\u202ex")
    of_claude(tmp_path, "-one")
    answer = command("proposals", "--all")
    assert answer.code == 0
    assert not {"\x1b", "\u202e"} & set(answer.out + answer.err)


def test_a_folder_that_is_named_looks_for_no_other(here: Path, tmp_path: Path) -> None:
    note(here / "memory-bank")
    probe = (
        "import sys\n"
        "from dreamreview.cli.main import run\n"
        f"run([{str(here / 'memory-bank')!r}])\n"
        "sys.exit(' '.join(name for name in sys.modules if 'discovery' in name or 'several' in name) or 0)\n"
    )
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "PYTHONPATH": str(root)}
    answer = subprocess.run([sys.executable, "-c", probe], env=environment, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
