"""States of a store are kept whole, in little room, under a lock of their own, and only as many as are wanted."""

from __future__ import annotations

import os
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store import snapshots
from dreamreview.store.git import run
from dreamreview.store.rooted import Root
from dreamreview.store.snapshots import REPOSITORY, Held, Snapshots, looking

AT = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
ODD = 'spaced "quoted"\nand \\ broken \udcff.md'
FIRST: dict[str, Held] = {
    "a.md": (b"a\r\n\0\xff", 0o600),
    "deep/b.md": (b"", 0o755),
    "link": (b"../elsewhere", LINK_MODE),
    ODD: (b"odd\n", 0o644),
}


@pytest.fixture
def kept(tmp_path: Path) -> Snapshots:
    return Snapshots(Root(tmp_path))


def objects(folder: Path) -> bytes:
    """Return the bytes of every object that is kept."""
    command = ["git", f"--git-dir={folder / REPOSITORY}", "cat-file", "--batch-all-objects", "--batch"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def test_a_state_is_kept_to_the_byte(kept: Snapshots) -> None:
    commit = kept.keep(1, AT, FIRST, {})
    assert kept.texts(commit, FIRST) == {path: data for path, (data, _) in FIRST.items()}
    assert kept.modes(commit) == {"a.md": 0o644, "deep/b.md": 0o755, "link": LINK_MODE, ODD: 0o644}


def test_the_next_state_is_told_by_what_differs_alone(kept: Snapshots) -> None:
    first = kept.keep(1, AT, FIRST, {})
    second = kept.keep(2, AT, {"a.md": None, "a.md/c.md": (b"below\n", 0o644), "link": None}, {}, first)
    assert kept.modes(second) == {"a.md/c.md": 0o644, "deep/b.md": 0o755, ODD: 0o644}
    assert kept.texts(second, ["a.md", "a.md/c.md", ODD]) == {"a.md/c.md": b"below\n", ODD: b"odd\n"}
    assert kept.texts(first, ["a.md"]) == {"a.md": b"a\r\n\0\xff"}


def test_what_stood_there_before_others_changed_it_is_kept_beside_and_only_as_long_as_it_is_asked_for(
    kept: Snapshots,
) -> None:
    first = kept.keep(1, AT, FIRST, {})
    second = kept.keep(2, AT, {"a.md": (b"theirs\n", 0o644), "gone.md": None}, {"a.md": FIRST["a.md"]}, first)
    third = kept.keep(3, AT, {}, {}, second)
    assert kept.texts(second, ["a.md"]) == {"a.md": FIRST["a.md"][0]}
    assert kept.texts(second, ["a.md"], before=False) == {"a.md": b"theirs\n"}
    assert kept.texts(third, ["a.md"]) == {"a.md": b"theirs\n"}
    assert "before/a.md" not in kept.modes(third)


def test_an_empty_store_can_be_kept(kept: Snapshots) -> None:
    first = kept.keep(1, AT, {}, {})
    assert kept.modes(first) == {}
    assert kept.modes(kept.keep(2, AT, {"a.md": (b"a\n", 0o644)}, {}, first)) == {"a.md": 0o644}


def test_states_are_in_the_order_they_were_kept_in_though_the_clock_was_set_back(kept: Snapshots) -> None:
    first = kept.keep(1, AT, FIRST, {})
    kept.keep(2, AT - timedelta(days=400), {"a.md": None}, {}, first)
    assert [(one.number, one.at) for one in kept.all()] == [(1, AT), (2, AT - timedelta(days=400))]


def test_old_states_go_and_what_only_they_held_goes_with_them(kept: Snapshots, tmp_path: Path) -> None:
    old = kept.keep(1, AT - timedelta(days=9, hours=2), {"a.md": (b"only then\n", 0o644)}, {})
    later = kept.keep(2, AT - timedelta(days=9), {"a.md": (b"later that day\n", 0o644)}, {}, old)
    newest = kept.keep(3, AT, {"a.md": (b"now\n", 0o644)}, {}, later)
    assert kept.thin(AT, current=3) == 1
    assert [one.number for one in kept.all()] == [2, 3]
    assert b"only then" not in objects(tmp_path)
    assert kept.texts(later, ["a.md"]) == {"a.md": b"later that day\n"}
    assert kept.texts(newest, ["a.md"]) == {"a.md": b"now\n"}


def test_the_current_state_stays_with_all_that_is_undecided_whatever_the_clock_says(kept: Snapshots) -> None:
    before = {"a.md": (b"undecided\n", 0o644)}
    first = kept.keep(1, AT - timedelta(days=500), before, {})
    commit = kept.keep(2, AT - timedelta(days=500), {"a.md": None}, before, first)
    kept.thin(AT, current=2, bound=0)
    assert [one.number for one in kept.all()] == [2]
    assert kept.texts(commit, ["a.md"]) == {"a.md": b"undecided\n"}


def test_states_are_bounded_in_size_and_the_oldest_go_first(kept: Snapshots, tmp_path: Path) -> None:
    commit = None
    for number in range(1, 9):
        noise = os.urandom(64 * 1024)
        commit = kept.keep(number, AT, {"a.md": (noise, 0o644)}, {}, commit)
    kept.thin(AT, current=8, bound=1024 * 1024)
    assert [one.number for one in kept.all()] == list(range(1, 9))
    kept.thin(AT - timedelta(seconds=1), current=8, bound=200 * 1024)
    numbers = [one.number for one in kept.all()]
    assert numbers == list(range(numbers[0], 9))
    assert 2 < numbers[0] <= 8
    size = sum(path.stat().st_size for path in (tmp_path / REPOSITORY / "objects").rglob("*.pack"))
    assert size <= 200 * 1024


def test_of_states_of_one_moment_the_last_stays_once_they_are_old(kept: Snapshots) -> None:
    for number in range(1, 4):
        kept.keep(number, AT, {"a.md": (b"%d\n" % number, 0o644)}, {})
    kept.keep(4, AT + timedelta(days=400), FIRST, {})
    assert kept.thin(AT + timedelta(days=400), current=4) == 2
    assert [one.number for one in kept.all()] == [3, 4]


def test_what_stood_before_goes_with_the_states_that_are_not_the_current_one(kept: Snapshots, tmp_path: Path) -> None:
    commit = None
    for number in range(1, 5):
        before = {"b.md": (b"%d before\n" % number, 0o644)}
        commit = kept.keep(number, AT + timedelta(hours=number), {"a.md": (b"%d\n" % number, 0o644)}, before, commit)
    kept.keep(5, AT + timedelta(days=400), {"a.md": None}, {"b.md": (b"5 before\n", 0o644)}, commit)
    kept.thin(AT + timedelta(days=400), current=5)
    states = kept.all()
    assert [one.number for one in states] == [4, 5]
    assert [dict(kept.whole(one).files) for one in states] == [{"a.md": (b"4\n", 0o644)}, {}]
    assert kept.texts(kept.whole(states[1]).commit, ["b.md"]) == {"b.md": b"5 before\n"}
    assert kept.texts(kept.whole(states[0]).commit, ["b.md"]) == {}
    held = run(["cat-file", "--batch-all-objects", "--batch"], git_dir=str(tmp_path / REPOSITORY))
    assert [number for number in range(1, 6) if b"%d before" % number in held] == [5]


def test_many_states_are_packed(kept: Snapshots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "LOOSE", 8)
    commit = None
    for number in range(1, 7):
        commit = kept.keep(number, AT, {f"n{number}.md": (b"%d\n" % number, 0o644)}, {}, commit)
    kept.thin(AT, current=6)
    folders = [path.name for path in (tmp_path / REPOSITORY / "objects").iterdir() if len(path.name) == 2]
    assert folders == []
    assert kept.texts(commit or "", ["n1.md", "n6.md"]) == {"n1.md": b"1\n", "n6.md": b"6\n"}


def test_a_number_that_a_killed_look_left_is_taken_again(kept: Snapshots) -> None:
    first = kept.keep(1, AT, {"a.md": (b"1\n", 0o644)}, {})
    kept.keep(2, AT, {"a.md": (b"cut off\n", 0o644)}, {}, first)
    commit = kept.keep(2, AT, {"a.md": (b"2\n", 0o644)}, {}, first)
    assert kept.texts(commit, ["a.md"]) == {"a.md": b"2\n"}
    assert [one.number for one in kept.all()] == [1, 2]


def test_a_lock_that_a_killed_git_left_is_no_hindrance(kept: Snapshots, tmp_path: Path) -> None:
    first = kept.keep(1, AT, FIRST, {})
    stale = tmp_path / REPOSITORY / "packed-refs.lock"
    stale.write_bytes(b"")
    os.utime(stale, (0, 0))
    kept.keep(2, AT, {"a.md": None}, {}, first)
    assert not stale.exists()


def test_a_repository_that_was_cut_off_while_it_was_made_is_made_again(kept: Snapshots, tmp_path: Path) -> None:
    (tmp_path / REPOSITORY).mkdir(parents=True)
    assert kept.modes(kept.keep(1, AT, FIRST, {})) != {}


def test_a_damaged_state_is_told_with_what_to_do(kept: Snapshots, tmp_path: Path) -> None:
    commit = kept.keep(1, AT, FIRST, {})
    for path in (tmp_path / REPOSITORY / "objects" / "pack").iterdir():
        path.unlink()
    with pytest.raises(StoreError, match="git ls-tree"):
        kept.texts(commit, FIRST)


def test_all_that_is_kept_is_private(kept: Snapshots, tmp_path: Path) -> None:
    kept.keep(1, AT, FIRST, {})
    for path in [tmp_path / ".dreamreview", *(tmp_path / ".dreamreview").rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_one_looks_at_a_time(tmp_path: Path) -> None:
    root = Root(tmp_path)
    with looking(root) as first:
        with looking(root) as second:
            assert (first, second) == (True, False)
        with looking(root, wait=0.1) as third:
            assert not third
    with looking(root) as later:
        assert later
