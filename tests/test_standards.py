"""What every file of the project keeps to, whoever wrote it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "dreamreview"
MODULE_LINES = 400
FUNCTION_LINES = 40
AT_THE_ROOT = {"pyproject.toml", "README.md", "dreamreview", "tests", "screenshots"}
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
HEAVY = ("textual", "rich", "git", "anthropic", "numpy", "watchdog", "unidiff")
BOUNDARIES = {"cli/main.py"}
"""Modules that may catch everything, since nothing stands above them."""


def _modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _catches_everything(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or getattr(kind, "id", "") in {"Exception", "BaseException"} for kind in kinds)


def test_no_module_is_longer_than_its_limit() -> None:
    long = {_name(path): count for path in _modules() if (count := path.read_text().count("\n")) > MODULE_LINES}
    assert long == {}


def test_no_function_is_longer_than_its_limit() -> None:
    long = [
        f"{_name(path)}:{node.lineno} {node.name}"
        for path in _modules()
        for node in _functions(ast.parse(path.read_text()))
        if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    ]
    assert long == []


def test_only_the_outermost_boundary_catches_everything() -> None:
    broad = [
        f"{_name(path)}:{node.lineno}"
        for path in _modules()
        if _name(path) not in BOUNDARIES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler) and _catches_everything(node)
    ]
    assert broad == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = [_name(path) for path in PACKAGE.rglob("*") if path.stem in VAGUE_NAMES]
    assert vague == []


def test_nothing_is_left_to_be_done_later() -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "Not" + "ImplementedError")
    left = [f"{_name(path)}: {mark}" for path in _modules() for mark in marks if mark in path.read_text()]
    assert left == []


def test_one_module_of_the_command_line_prints() -> None:
    printing = [
        f"{_name(path)}:{node.lineno}"
        for path in _modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in {"stdout", "stderr"}
        and getattr(node.value, "id", "") == "sys"
        and _name(path) != "cli/output.py"
    ]
    assert printing == []


def test_the_root_holds_the_agreed_five() -> None:
    answer = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    roots = {name.split("/")[0] for name in answer.stdout.split("\0") if name}
    assert {name for name in roots if not name.startswith(".")} - AT_THE_ROOT == set()


@pytest.mark.parametrize("command", [["--help"], ["decide", "--help"], ["status", "."]])
def test_quick_commands_load_no_heavy_library(command: list[str], tmp_path: Path) -> None:
    probe = (
        "import sys\n"
        "from dreamreview.cli.main import run\n"
        f"code = run({command!r})\n"
        f"sys.exit(' '.join(name for name in {HEAVY!r} if name in sys.modules) or code)\n"
    )
    (tmp_path / "MEMORY.md").write_text("- a fact\n")
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        [sys.executable, "-c", probe], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.tools
@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports"]],
    ids=["style", "format", "types", "layers"],
)
def test_the_tools_find_nothing(command: list[str]) -> None:
    tools = Path(sys.executable).parent
    answer = subprocess.run([tools / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
