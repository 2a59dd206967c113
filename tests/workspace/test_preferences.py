"""The theme that a person chose is kept in the configuration, and nothing else in it changes."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.errors import UsageError
from dreamreview.settings import Settings, load
from dreamreview.workspace.preferences import keep_theme, with_theme


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b'theme = "daylight"\n'),
        (b"hours = 2 # often\n", b'theme = "daylight"\nhours = 2 # often\n'),
        (b"hours = 2\r\n", b'theme = "daylight"\r\nhours = 2\r\n'),
        (b"hours = 2\ntheme = 'nord' # dark\n[keymap]\n", b'hours = 2\ntheme = "daylight"\n[keymap]\n'),
        (b"\xef\xbb\xbfhours = 2\n", b'\xef\xbb\xbftheme = "daylight"\nhours = 2\n'),
        (b"[keymap]\ntheme = 'x'\n", b"theme = \"daylight\"\n[keymap]\ntheme = 'x'\n"),
        (
            b'command = ["a", """\ntheme = 1\n"""]\ntheme = "nord"',
            b'command = ["a", """\ntheme = 1\n"""]\ntheme = "daylight"',
        ),
    ],
)
def test_the_theme_takes_the_place_of_the_old_one_or_the_top(before: bytes, after: bytes) -> None:
    assert with_theme(before, "daylight") == after


@pytest.mark.parametrize("data", [b"hours = ", b"\xff\xfe", b'theme = """\nnord"""\n', b'"theme" = "nord"\n'])
def test_what_cannot_be_changed_alone_is_left_to_the_person(data: bytes) -> None:
    with pytest.raises(UsageError, match='put theme = "daylight" into the configuration by hand'):
        with_theme(data, "daylight")


@given(st.lists(st.sampled_from(["hours = 3", "# theme = 1", "[keymap]", "theme = 'nord'", "ignore = [\n'a']", ""])))
def test_all_other_keys_stay_as_they_were(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    try:
        before = tomllib.loads(data.decode())
    except tomllib.TOMLDecodeError:
        return
    assert tomllib.loads(with_theme(data, "contrast").decode()) == before | {"theme": "contrast"}


def test_the_file_that_was_read_is_written_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "real.toml"
    file.write_bytes(b"hours = 2\n")
    file.chmod(0o600)
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    environment = {"DREAMREVIEW_CONFIG": str(link)}
    keep_theme(load(environment), "daylight", [str(tmp_path / "memory")])
    assert link.is_symlink()
    assert file.read_bytes() == b'theme = "daylight"\nhours = 2\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (load(environment).theme, load(environment).hours) == ("daylight", 2)


def test_without_a_file_one_is_made_in_its_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "new" / "config.toml"
    monkeypatch.setattr("dreamreview.workspace.preferences.default_file", lambda: str(place))
    keep_theme(Settings(), "contrast", [])
    assert place.read_bytes() == b'theme = "contrast"\n'


def test_nothing_is_written_into_a_memory_folder(tmp_path: Path) -> None:
    file = tmp_path / "memory" / "config.toml"
    file.parent.mkdir()
    with pytest.raises(UsageError, match="inside the memory folder"):
        keep_theme(Settings(source=str(file)), "contrast", [str(tmp_path / "memory")])
    assert list(file.parent.iterdir()) == []
