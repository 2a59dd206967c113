from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from dreamreview.cli.hints import command as command_line
from tests.cli.conftest import DECLARED_ID, Command


def test_plain_words_stand_as_they_are() -> None:
    assert command_line("apply", "/srv/notes", "20260105") == "dreamreview apply /srv/notes 20260105"


@pytest.mark.parametrize("folder", ["/srv/my notes", "/srv/it's", "/srv/$HOME", "/srv/a;b", "/srv/näher"])
def test_a_shell_reads_back_the_words_that_were_meant(folder: str) -> None:
    assert shlex.split(command_line("review", folder, "--plain")) == ["dreamreview", "review", folder, "--plain"]


def _hinted(text: str, folder: Path) -> list[list[str]]:
    """Return the commands of a text that name the folder, as a shell reads them."""
    lines = [line[line.index("dreamreview ") :] for line in text.splitlines() if "dreamreview " in line]
    return [words for words in map(shlex.split, lines) if str(folder) in words]


def test_every_hint_with_a_folder_can_be_pasted(command: Command, declared: Path) -> None:
    folder = declared.rename(declared.with_name("the agent's notes"))
    listed = command(folder).out
    plain = command("review", folder, "--plain", stdin="A").out
    applied = command("apply", folder, "--yes").out
    named = str(folder)
    assert _hinted(listed, folder) == [
        ["dreamreview", "show", named],
        ["dreamreview", "review", named, "--plain"],
        ["dreamreview", named, "--serve"],
    ]
    assert _hinted(plain, folder) == [["dreamreview", "apply", named, DECLARED_ID]]
    assert _hinted(applied, folder) == [["dreamreview", "undo", named, "a1"]]
