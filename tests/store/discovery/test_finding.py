from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamreview.store.discovery import finding
from dreamreview.store.discovery.finding import Found, Places, find
from dreamreview.store.discovery.slugs import slug_of


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home/work/api").mkdir(parents=True)
    return tmp_path / "home"


def note(folder: Path, name: str = "MEMORY.md") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("- a fact\n")
    return folder


def of_claude(home: Path, project: Path | str) -> Path:
    return home / ".claude/projects" / slug_of(str(project)) / "memory"


def look(home: Path, here: Path, *configured: Path, moved: Path | None = None) -> Found:
    return find(
        Places(str(here), str(home), str(home / ".claude"), tuple(map(str, configured)), str(moved) if moved else None)
    )


def told(found: Found) -> list[tuple[str, str, str]]:
    return [(store.source, store.label, store.problem) for store in found.stores]


def test_a_home_without_memory_has_none(home: Path) -> None:
    assert look(home, home) == Found()


def test_every_way_to_a_store_is_told_nearest_first(home: Path) -> None:
    api, site = home / "work/api", home / "work/my-site"
    note(home / "notes")
    note(api / ".serena/memories", "build.md")
    note(of_claude(home, api))
    note(of_claude(home, site))
    site.mkdir()
    note(of_claude(home, home / "gone-by"))
    note(home / "moved")
    found = look(home, api, home / "notes", moved=home / "moved")
    assert told(found) == [
        ("the configuration", "~/notes", ""),
        (".serena/memories", "~/work/api", ""),
        ("Claude Code's settings", "~/moved", ""),
        ("Claude Code", "~/work/api", ""),
        ("Claude Code", "~/gone-by", ""),
        ("Claude Code", "~/work/my-site", ""),
    ]
    assert found.usable == found.stores
    assert found.stores[3].folder == str(of_claude(home, api))


def test_the_current_folder_may_be_a_memory_itself(home: Path) -> None:
    assert told(look(home, note(home / "work/api"))) == [("the current folder", "~/work/api", "")]


def test_deep_in_a_repository_its_root_is_looked_at(home: Path) -> None:
    api = home / "work/api"
    (api / ".git").mkdir()
    (api / "src/deep").mkdir(parents=True)
    note(api / "memory-bank", "progress.md")
    note(of_claude(home, api))
    note(of_claude(home, home / "aa"))
    found = look(home, api / "src/deep")
    assert [(store.source, store.label) for store in found.stores] == [
        ("memory-bank", "~/work/api"),
        ("Claude Code", "~/work/api"),
        ("Claude Code", "~/aa"),
    ]


def test_empty_memories_are_left_out_but_for_those_of_the_configuration(home: Path) -> None:
    of_claude(home, "/srv/x").mkdir(parents=True)
    (home / ".claude/projects/no-memory-at-all").mkdir()
    (home / ".claude/projects/a-file").write_text("")
    (home / "work/api/memory-bank").mkdir()
    (home / "empty").mkdir()
    assert told(look(home, home / "work/api", home / "empty")) == [("the configuration", "~/empty", "")]


def test_a_store_that_several_ways_lead_to_is_there_once(home: Path) -> None:
    notes = note(home / "notes")
    for name in ("/srv/one", "/srv/two"):
        of_claude(home, name).parent.mkdir(parents=True)
        of_claude(home, name).symlink_to(notes)
    (home / "alias").symlink_to(notes)
    assert told(look(home, notes, home / "alias", moved=notes)) == [("the configuration", "~/alias", "")]


def test_what_cannot_be_looked_at_is_named_behind_the_others(home: Path) -> None:
    broken = of_claude(home, "/srv/aa")
    broken.parent.mkdir(parents=True)
    broken.symlink_to(home / "nowhere")
    note(of_claude(home, "/srv/zz"))
    found = look(home, home, home / "not-there")
    assert told(found) == [
        ("Claude Code", "-srv-zz", ""),
        ("the configuration", "~/not-there", "there is no such folder"),
        ("Claude Code", "-srv-aa", "the link leads nowhere"),
    ]
    assert [store.label for store in found.usable] == ["-srv-zz"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_stops_only_itself(home: Path) -> None:
    shut = note(of_claude(home, "/srv/shut"))
    note(of_claude(home, "/srv/open"))
    shut.chmod(0)
    try:
        found = look(home, home)
    finally:
        shut.chmod(0o700)
    assert told(found) == [
        ("Claude Code", "-srv-open", ""),
        ("Claude Code", "-srv-shut", "it cannot be read: permission denied"),
    ]


def test_projects_that_cannot_be_listed_are_a_problem(home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/projects").write_text("a file")
    assert look(home, home).problems == (f"{home}/.claude/projects cannot be read: not a directory",)


def test_hundreds_of_projects_are_found_and_no_more_than_the_limit(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(300):
        note(of_claude(home, f"/srv/p{number:03}"))
    found = look(home, home)
    assert [store.label for store in found.stores] == [f"-srv-p{number:03}" for number in range(300)]
    monkeypatch.setattr(finding, "PROJECTS", 10)
    fewer = look(home, home)
    assert len(fewer.stores) == 10
    assert fewer.problems == (f"{home}/.claude/projects holds 300 projects; only the first 10 were looked at",)
