from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli import output
from dreamreview.store.lock import hold
from dreamreview.store.rooted import Root

Command = Callable[..., Any]


def _configure(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    monkeypatch.setenv("DREAMREVIEW_CONFIG", str(file))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")


def test_the_environment_names_the_folder_and_that_is_said(
    command: Command, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAMREVIEW_FOLDER", str(bare))
    answer = command("status", "--json")
    assert answer.json()["folder"] == str(bare)
    assert answer.err == f"dreamreview: {bare}, named by DREAMREVIEW_FOLDER\n"


def test_the_command_line_goes_before_the_environment(
    command: Command, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAMREVIEW_FOLDER", str(tmp_path / "other"))
    answer = command("status", bare, "--json")
    assert (answer.json()["folder"], answer.err) == (str(bare), "")


def test_the_current_folder_serves_where_it_is_a_memory(
    command: Command, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bare)
    answer = command()
    assert answer.code == 0
    assert answer.err == f"dreamreview: {bare}, named by the current folder\n"
    assert f"{bare}: 1 pending, 2 to decide" in answer.out


def test_a_terminal_that_only_prints_lines_gets_no_app(
    command: Command, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    answer = command(bare)
    assert answer.code == 0
    assert f"  dreamreview review {bare} --plain\n" in answer.out


def test_no_folder_at_all_is_wrong_usage(command: Command) -> None:
    answer = command("status")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "DREAMREVIEW_FOLDER" in answer.err


def test_all_stores_of_the_configuration_are_listed(
    command: Command, bare: Path, declared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(tmp_path, f'stores = ["{bare}", "{declared}"]\n', monkeypatch)
    answer = command("proposals", "--all", "--json")
    assert [(line["folder"], line["engine"]) for line in answer.json()] == [
        (str(bare), "unknown"),
        (str(declared), "local"),
    ]


def test_all_without_a_configuration_or_a_store_is_wrong_usage(command: Command) -> None:
    answer = command("dream", "--all")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "no stores are listed in" in answer.err
    assert "none were found" in answer.err


def _of_claude(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / "home/.claude/projects" / name / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- the beans are in row two\n")
    return folder


def test_all_without_a_configuration_means_what_is_found_and_says_so(command: Command, tmp_path: Path) -> None:
    one, two = _of_claude(tmp_path, "-srv-one"), _of_claude(tmp_path, "-srv-two")
    answer = command("proposals", "--all")
    assert answer.code == 0
    assert answer.err == (
        "dreamreview: no stores are configured; --all means the 2 found:\n"
        f"  {one} (Claude Code)\n"
        f"  {two} (Claude Code)\n"
    )
    assert answer.out == f"{one}\nno proposals in {one}\n{two}\nno proposals in {two}\n"
    assert command("proposals", "--all", "--json").json() == []


def test_what_is_found_but_cannot_be_read_is_named_and_left_out(command: Command, tmp_path: Path) -> None:
    _of_claude(tmp_path, "-srv-one")
    broken = tmp_path / "home/.claude/projects/-srv-two/memory"
    broken.parent.mkdir()
    broken.symlink_to("nowhere")
    answer = command("proposals", "--all")
    assert answer.code == 0
    assert f"{broken} (Claude Code) is left out: the link leads nowhere\n" in answer.err


def test_one_store_that_fails_stops_no_other(
    command: Command, bare: Path, declared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(tmp_path, f'stores = ["{bare}", "{tmp_path / "gone"}", "{declared}"]\n', monkeypatch)
    answer = command("proposals", "--all", "--json")
    assert answer.code == 1
    assert [line["folder"] for line in answer.json()] == [str(bare), str(declared)]
    assert answer.err == f"dreamreview: {tmp_path / 'gone'} does not exist; name a folder of markdown files\n"


def test_a_failure_outweighs_a_store_that_is_held(
    command: Command, bare: Path, declared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(tmp_path, f'stores = ["{bare}", "{declared}"]\n', monkeypatch)
    with hold(Root(bare), "test"):
        held = command("dream", "--all", "--json")
        _configure(tmp_path, f'stores = ["{bare}", "{tmp_path / "gone"}", "{declared}"]\n', monkeypatch)
        failed = command("dream", "--all", "--json")
    assert (held.code, [shape["folder"] for shape in held.json()]) == (3, [str(declared)])
    assert list(held.json()[0]) == ["folder", "proposal", "status", "summary", "counts", "usage", "seconds"]
    assert failed.code == 1
    assert str(bare) in held.err


def test_all_takes_no_folder(command: Command, bare: Path) -> None:
    for name in ("dream", "proposals"):
        answer = command(name, bare, "--all")
        assert (answer.code, "--all names every store, so it takes no FOLDER" in answer.err) == (2, True)


def test_a_wrong_configuration_is_one_line(
    command: Command, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure(tmp_path, "sizes = 3\n", monkeypatch)
    answer = command("status", bare)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "sizes" in answer.err


def test_a_folder_named_like_a_command_is_opened_by_its_path(command: Command, bare: Path) -> None:
    os.rename(bare, "status")
    answer = command("./status")
    assert answer.code == 0
    assert "1 pending, 2 to decide" in answer.out
