from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


def test_all_without_a_configuration_is_wrong_usage(command: Command) -> None:
    answer = command("dream", "--all")
    assert answer.code == 2
    assert "no stores are listed in" in answer.err


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
