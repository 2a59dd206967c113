from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command

ODD = 'theme = "mauve"\n[keymap]\n"deciding.acept" = "ctrl+y"\n"deciding.accept" = "ctrl+n"\n'


def _told(command: Command, monkeypatch: pytest.MonkeyPatch, folder: Path, settings: str, *words: str) -> str:
    """Return what the doctor says on stderr under a configuration; on a folder in which nothing is wrong."""
    file = folder.with_name("settings.toml")
    file.write_text(settings)
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("DREAMREVIEW_CONFIG", str(file))
    answer = command("doctor", folder, *words)
    assert answer.code == 0
    return answer.err.replace(str(file), "FILE")


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_settings_that_the_app_would_stumble_over_are_told_in_a_line_each(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str]
) -> None:
    assert _told(command, monkeypatch, tmp_path / "well", ODD, *words).splitlines() == [
        "dreamreview: FILE: [keymap] names deciding.acept, which is no command: the help and the palette name them",
        "dreamreview: FILE: there is no theme mauve: dream is drawn in its place",
    ]


@pytest.mark.parametrize("settings", ["", 'theme = "nord"\n', '[keymap]\n"deciding.accept" = "ctrl+y"\n'])
def test_settings_that_are_sound_are_not_spoken_of(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: str
) -> None:
    assert _told(command, monkeypatch, tmp_path / "well", settings) == ""
