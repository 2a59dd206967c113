from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.store.discovery import slugs
from dreamreview.store.discovery.slugs import Projects, from_home, slug_of


def _make(*folders: Path) -> None:
    for folder in folders:
        folder.mkdir(parents=True)


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/home/ada/api", "-home-ada-api"),
        ("/home/ada/my.site_2", "-home-ada-my-site-2"),
        ("/home/ada/.config/x", "-home-ada--config-x"),
        ("/srv/日本", "-srv---"),
        ("/srv/🜁", "-srv---"),
    ],
)
def test_a_path_reads_as_its_letters_and_digits(path: str, slug: str) -> None:
    assert slug_of(path) == slug


@given(st.text())
def test_a_name_is_plain_whatever_the_path(path: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9-]*", slug_of(path))


@pytest.mark.parametrize("name", ["api", "api-server", "my.site_2", ".dot files", "日本", "a--b"])
def test_a_folder_that_exists_is_made_out_again(tmp_path: Path, name: str) -> None:
    _make(tmp_path / "api", tmp_path / "api-serve", tmp_path / name / "x-y")
    projects = Projects(str(tmp_path))
    assert projects.folder_of(slug_of(str(tmp_path / name))) == str(tmp_path / name)
    assert projects.label(slug_of(str(tmp_path / name / "x-y"))) == f"~/{name}/x-y"


def test_where_the_longer_name_leads_nowhere_the_shorter_is_tried(tmp_path: Path) -> None:
    _make(tmp_path / "a-b" / "other", tmp_path / "a" / "b" / "c")
    assert Projects("/nowhere").folder_of(slug_of(str(tmp_path / "a/b/c"))) == str(tmp_path / "a/b/c")


def test_a_folder_that_is_gone_is_told_as_far_as_its_name_goes(tmp_path: Path) -> None:
    projects = Projects(str(tmp_path))
    assert projects.label(slug_of(str(tmp_path)) + "-gone-far") == "~/gone-far"
    assert projects.label("-nowhere-at-all") == "-nowhere-at-all"
    assert projects.label("C--Users-ada") == "C--Users-ada"


def test_making_out_a_name_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path
    for _ in range(12):
        _make(deep / "a" / "a", deep / "a-a")
        deep = deep / "a"
    asked: list[str] = []
    listed = slugs._folders
    monkeypatch.setattr(slugs, "LISTINGS", 30)

    def counted(folder: str) -> tuple[tuple[str, str], ...]:
        asked.append(folder)
        return listed(folder)

    monkeypatch.setattr(slugs, "_folders", counted)
    assert Projects("/").folder_of(slug_of(str(tmp_path)) + "-a" * 24 + "-no") is None
    assert 0 < len(asked) <= 30


def test_a_path_is_told_from_home_on() -> None:
    assert from_home("/home/ada/x", "/home/ada") == "~/x"
    assert from_home("/home/ada", "/home/ada") == "~"
    assert from_home("/home/adam/x", "/home/ada") == "/home/adam/x"
