"""Every command, option and key that is promised somewhere is there, and does something."""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from textual.binding import Binding

import dreamreview
from dreamreview.cli import COMMANDS
from dreamreview.cli.commands import cli, load
from dreamreview.cli.evaluation.command import evaluation
from dreamreview.cli.main import run
from dreamreview.cli.plain.answers import (
    EVERYWHERE,
    ON_A_CARD,
    ON_A_CHANGE,
    ON_A_CONFLICT,
    Verb,
    explained,
    question,
    rows,
    understood,
)
from dreamreview.model.proposal import Change, Kind, Option
from dreamreview.tui.commands.everywhere import APP_COMMANDS
from dreamreview.tui.screens.review.screen import ReviewScreen
from tests.workspace.stores import FOREIGN, lay, leave_copy

PACKAGE = Path(dreamreview.__file__).parent
README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


# --- commands and options ------------------------------------------------------------------------------


def _texts(layer: str) -> Iterator[str]:
    """Yield what the sources of a layer can print: string constants, and f-strings with a gap for each value."""
    for source in sorted((PACKAGE / layer).rglob("*.py")):
        tree = ast.parse(source.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


LAYERS = ("cli", "tui", "daemon", "workspace", "store", "model")
ADVERTISED = sorted(
    {
        name
        for layer in LAYERS
        for text in _texts(layer)
        for name in re.findall(r"`dreamreview ([a-z]+)|\bdreamreview ([a-z]+) \{\}", text)
        for name in name
        if name
    }
)
OPTIONS = {
    option
    for command in (cli, evaluation, *map(load, (*COMMANDS, "app")))
    for parameter in command.params
    for option in (*parameter.opts, *parameter.secondary_opts)
    if isinstance(parameter, click.Option)
} | {"--help"}


@pytest.mark.parametrize("name", ADVERTISED)
def test_every_command_that_a_text_advertises_is_there(name: str) -> None:
    assert name in COMMANDS


@pytest.mark.parametrize("layer", ["cli", "tui", "workspace"])
def test_every_option_that_a_text_advertises_is_there(layer: str) -> None:
    named = {option for text in _texts(layer) for option in re.findall(r"(?<![-\w])--[a-z][a-z-]+", text)}
    assert named - OPTIONS == set()


def test_every_option_of_the_readme_is_there() -> None:
    table = "\n".join(line for line in README.splitlines() if line.startswith("| `dreamreview"))
    assert set(re.findall(r"(?<![-\w])--[a-z][a-z-]+", table)) - OPTIONS == set()


RUNS = {
    "demo": ("demo", "--keep", "{away}"),
    "dream": ("dream", "{store}"),
    "import": ("import", "{store}", "{copy}"),
    "proposals": ("proposals", "{store}"),
    "show": ("show", "{store}"),
    "review": ("review", "{store}", "--plain"),
    "decide": ("decide", "{store}", FOREIGN, "--kind", "edit", "--accept"),
    "apply": ("apply", "{store}", "--yes"),
    "undo": ("undo", "{store}", "--dry-run"),
    "history": ("history", "{store}"),
    "discard": ("discard", "{store}", FOREIGN),
    "status": ("status", "{store}"),
    "doctor": ("doctor", "{store}"),
    "watch": ("watch", "{store}", "--once"),
    "forget": ("forget", "{store}", "a.md:1", "--dry-run"),
    "compare": ("compare", "The gate is oiled in May.", "The gate is oiled in June."),
}
"""One run of each command that ends well on a store with a proposal."""
ENDS = {"status": 5, "watch": 5}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.delenv("DREAMREVIEW_CONFIG", raising=False)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    store = lay(tmp_path / "store", {"a.md": b"- The gate is oiled in May.\n"})
    leave_copy(store, {"a.md": b"- The gate is oiled in May.\n- The hinge too.\n"})
    copy = lay(tmp_path / "copy", {"a.md": b"- The gate is oiled in June.\n"})
    words = [word.format(store=store, copy=copy, away=tmp_path / "away") for word in RUNS[name]]
    if name == "undo":
        assert [
            run(["decide", str(store), FOREIGN, "--kind", "edit", "--accept"]),
            run(["apply", str(store), "--yes"]),
        ] == [0, 0]
    capfd.readouterr()
    assert run(words) == ENDS.get(name, 0)
    printed = capfd.readouterr()
    assert printed.out
    assert "Traceback" not in printed.err


def test_every_command_has_such_a_run() -> None:
    assert set(RUNS) == set(COMMANDS)


# --- keys ----------------------------------------------------------------------------------------------


def test_every_key_of_the_readme_is_bound_in_the_review() -> None:
    table = README.partition("| key | does |")[2].partition("\n\n")[0]
    keys = {key for row in table.splitlines()[2:] for key in re.findall(r"`([^`]+)`", row.split("|")[1])}
    keys = {"comma" if key == "," else key for key in keys}  # alone it parts keys, and has a name of its own
    promised = {binding.key for key in keys for binding in Binding.make_bindings([Binding(key, "x")])}
    bound = {
        binding.key
        for command in (*ReviewScreen.COMMANDS_HERE, *APP_COMMANDS)
        for binding in Binding.make_bindings([command.binding()])
    }
    assert promised
    assert promised - bound == set()


# --- answers of the plain review -----------------------------------------------------------------------

CARD = Change(id="c1", kind=Kind.EDIT, title="t", reason="", confidence=1.0, fingerprint="0" * 64)
CONFLICT = Change(
    id="c2",
    kind=Kind.CONFLICT,
    title="t",
    reason="",
    confidence=1.0,
    fingerprint="0" * 64,
    options=(Option(key="A", label="one"), Option(key="B", label="two"), Option(key="E", label="three")),
)
PLACES = {"card": CARD, "conflict": CONFLICT, "end": None}
TABLES = {
    "card": {**EVERYWHERE, **ON_A_CHANGE, **ON_A_CARD},
    "conflict": {**EVERYWHERE, **ON_A_CHANGE, **ON_A_CONFLICT},
    "end": EVERYWHERE,
}


@pytest.mark.parametrize("place", PLACES)
def test_every_answer_that_the_help_names_is_understood(place: str) -> None:
    told = [word for words, _ in rows(PLACES[place]) for word in words]
    assert {"", "p", "u", "w", "q"} <= set(told)
    assert [word for word in told if understood(word, PLACES[place]) is None] == []


@pytest.mark.parametrize("place", PLACES)
def test_every_answer_is_named_in_the_help(place: str) -> None:
    told = {word.partition(" ")[0] for words, _ in rows(PLACES[place]) for word in words}
    assert set(TABLES[place]) - told == set()


@pytest.mark.parametrize("place", PLACES)
def test_the_help_has_a_line_for_each_answer(place: str) -> None:
    lines = list(explained(PLACES[place]))
    assert len(lines) == len(list(rows(PLACES[place])))
    assert [line for line in lines if not re.fullmatch(r"[^:].*?: .+\.", line)] == []


@pytest.mark.parametrize("place", PLACES)
def test_every_answer_that_a_question_names_is_understood(place: str) -> None:
    asked = question(PLACES[place])
    words = [*re.findall(r"\((\w+)\)", asked), *re.findall(r"keep \w+", asked), "?", ""]
    assert [word for word in words if understood(word, PLACES[place]) is None] == []


def test_a_side_whose_letter_means_something_else_is_kept_by_its_whole_name() -> None:
    short, whole = understood("e", CONFLICT), understood("keep e since it is newer", CONFLICT)
    assert short is not None
    assert short.verb is Verb.EDIT
    assert whole is not None
    assert (whole.verb, whole.choice, whole.rest) == (Verb.CHOOSE, "E", "since it is newer")
