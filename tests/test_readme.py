"""The examples of README.md run, in their order, on the sample store they make."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dreamreview.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
IN_STEP = {0, 5}
"""Exit statuses of an example: done, or a look that found something."""


def _examples() -> list[list[str]]:
    blocks = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [shlex.split(line, comments=True) for line in lines]


def test_both_commands_for_a_newcomer_are_there() -> None:
    assert "python -m pip install -e . && dreamreview demo" in README
    assert "python -m pip install -e '.[test]' && python -m pytest" in README


def test_every_example_runs_in_its_order(tmp_path: Path) -> None:
    own = tmp_path / "FOLDER"
    own.mkdir()
    (own / "MEMORY.md").write_text("- [Ports](ports.md) — which service uses what\n")
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "DREAMREVIEW_NOW": "2026-01-05T08:00:00Z",
    }
    failed = {}
    for words in _examples():
        answer = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if answer.returncode not in IN_STEP:
            failed[" ".join(words)] = (answer.returncode, answer.stderr)
    assert failed == {}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_in_the_table(name: str) -> None:
    assert re.search(rf"^\| `dreamreview {name}\b", README, re.MULTILINE)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"^\| `dreamreview ([a-z]+)\b", README, re.MULTILINE))))
def test_every_command_of_the_table_exists(name: str) -> None:
    assert name in COMMANDS


@pytest.mark.parametrize("picture", re.findall(r"\]\((screenshots/[^)]+)\)", README))
def test_every_picture_is_there(picture: str) -> None:
    assert (ROOT / picture).is_file()
