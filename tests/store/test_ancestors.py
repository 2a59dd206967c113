"""The base of a copy by another program is what was seen of the store before the copy was made, where it was seen."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.proposal import Engine, Kind
from dreamreview.settings import Settings
from dreamreview.store import bases
from dreamreview.store.rooted import Root
from dreamreview.workspace import Workspace
from tests.workspace.stores import accept_all, lay, leave_copy, texts

if TYPE_CHECKING:
    from pathlib import Path

    from dreamreview.workspace import OpenReview
    from tests.workspace.stores import Files

FIRST, SECOND = "20260910T090000000", "20260914T090000000"
SEEN = datetime(2026, 9, 12, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
EXAMPLES = int(15 * float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1")))
LINES = b"one\ntwo\nthree\nfour\nfive\nsix\n"


def at(folder: Path, when: datetime) -> Workspace:
    return Workspace(folder, Settings(), lambda: when)


def seen(folder: Path, files: Files) -> Workspace:
    """Lay a store and look at all of it, as opening an earlier copy does."""
    opened = at(lay(folder, files), SEEN)
    opened.open(leave_copy(folder, files, FIRST))
    return opened


def copied(folder: Path, live: Files, copy: Files) -> OpenReview:
    """Let live become something else, leave a copy younger than what was seen of it, and open that."""
    for path in folder.glob("*.md"):
        path.unlink()
    lay(folder, live)
    return at(folder, LATER).open(leave_copy(folder, copy, SECOND))


def told(review: OpenReview) -> list[tuple[Kind, str, bytes, bytes]]:
    return [
        (change.kind, edit.path, b"".join(edit.old), b"".join(edit.new))
        for change in review.proposal.changes
        for edit in change.edits
    ]


def flags(review: OpenReview) -> set[str]:
    return {flag for change in review.proposal.changes for flag in change.flags}


def test_what_was_written_live_since_is_not_taken_for_something_the_copy_removes(tmp_path: Path) -> None:
    seen(tmp_path / "s", {"m.md": LINES})
    live = LINES.replace(b"six\n", b"six\nwritten since\n")
    review = copied(
        tmp_path / "s", {"m.md": live, "new.md": b"written since\n"}, {"m.md": LINES.replace(b"two\n", b"2\n")}
    )
    assert told(review) == [(Kind.EDIT, "m.md", b"two\n", b"2\n")]
    assert flags(review) == set()
    accept_all(review)
    assert at(tmp_path / "s", LATER).apply().stale == ()
    assert texts(tmp_path / "s") == {"m.md": live.replace(b"two\n", b"2\n"), "new.md": b"written since\n"}


def test_what_was_deleted_live_since_does_not_come_back(tmp_path: Path) -> None:
    files: Files = {"m.md": LINES, "old.md": b"gone by now\n"}
    seen(tmp_path / "s", files)
    review = copied(tmp_path / "s", {"m.md": LINES}, {**files, "m.md": LINES + b"seven\n"})
    assert told(review) == [(Kind.EDIT, "m.md", b"", b"seven\n")]


def test_what_stands_in_both_is_no_change_whenever_it_was_written(tmp_path: Path) -> None:
    seen(tmp_path / "s", {"m.md": LINES, "k.md": b"k\n"})
    both = LINES.replace(b"one\n", b"one, put right\n")
    live: Files = {"m.md": both + b"live alone\n", "k.md": b"k\n", "diary.md": b"a day\n"}
    review = copied(
        tmp_path / "s", live, {"m.md": both.replace(b"four\n", b"4\n"), "k.md": b"k\n", "diary.md": b"a day\n"}
    )
    assert told(review) == [(Kind.EDIT, "m.md", b"four\n", b"4\n")]
    assert review.base_text("m.md")[0] == b"one, put right\n"


def test_what_the_copy_creates_and_deletes_is_told(tmp_path: Path) -> None:
    files: Files = {"m.md": LINES, "old.md": b"of no use\n"}
    seen(tmp_path / "s", files)
    review = copied(tmp_path / "s", files, {"m.md": LINES, "new.md": b"made by the dream\n"})
    assert told(review) == [
        (Kind.CREATE, "new.md", b"", b"made by the dream\n"),
        (Kind.DELETE, "old.md", b"of no use\n", b""),
    ]


def test_a_file_that_came_since_and_differs_is_compared_with_live_and_flagged(tmp_path: Path) -> None:
    seen(tmp_path / "s", {"m.md": LINES})
    review = copied(
        tmp_path / "s", {"m.md": LINES, "d.md": b"a day\n"}, {"m.md": LINES + b"seven\n", "d.md": b"another day\n"}
    )
    by_path = {change.edits[0].path: change.flags for change in review.proposal.changes}
    assert by_path == {"d.md": ("base-unknown",), "m.md": ()}


def test_a_text_that_is_kept_nowhere_is_compared_with_live_and_flagged(tmp_path: Path) -> None:
    seen(tmp_path / "s", {"m.md": LINES})
    shutil.rmtree(tmp_path / "s" / ".dream-proposals" / FIRST)
    review = copied(tmp_path / "s", {"m.md": LINES + b"live\n"}, {"m.md": LINES + b"copy\n"})
    assert flags(review) == {"base-unknown"}
    assert review.base_text("m.md")[-1] == b"live\n"


def test_without_a_look_that_came_before_live_is_the_base_and_that_is_said(tmp_path: Path) -> None:
    lay(tmp_path / "s", {"m.md": LINES})
    review = copied(tmp_path / "s", {"m.md": LINES}, {"m.md": LINES + b"seven\n"})
    assert flags(review) == {"base-unknown"}


def test_a_look_younger_than_the_copy_tells_nothing_of_it(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"m.md": LINES})
    at(folder, LATER).open(leave_copy(folder, {"m.md": LINES}, FIRST))
    review = copied(folder, {"m.md": LINES + b"live\n"}, {"m.md": LINES})
    assert flags(review) == {"base-unknown"}
    assert told(review) == [(Kind.EDIT, "m.md", b"live\n", b"")]


def test_a_dream_of_ours_has_seen_the_whole_store(tmp_path: Path) -> None:
    files: Files = {"m.md": LINES, "2026-09-11.md": b"# 2026-09-11\n\n- Yesterday the mixer was repaired.\n"}
    folder = lay(tmp_path / "s", files)
    assert at(folder, SEEN).dream().proposal is not None
    live = {**files, "m.md": LINES + b"live\n"}
    review = copied(folder, live, {**files, "m.md": LINES.replace(b"two\n", b"2\n")})
    assert told(review) == [(Kind.EDIT, "m.md", b"two\n", b"2\n")]
    assert flags(review) == set()


def test_what_an_apply_of_ours_wrote_before_the_copy_was_made_is_no_change(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"m.md": LINES})
    opened = at(folder, SEEN)
    review = opened.open(leave_copy(folder, {"m.md": LINES.replace(b"one\n", b"1\n")}, FIRST))
    accept_all(review)
    opened.apply()
    live = LINES.replace(b"one\n", b"1\n")
    review = copied(folder, {"m.md": live + b"live\n"}, {"m.md": live.replace(b"two\n", b"2\n")})
    assert told(review) == [(Kind.EDIT, "m.md", b"two\n", b"2\n")]


def test_the_base_stays_as_it_was_found(tmp_path: Path) -> None:
    seen(tmp_path / "s", {"m.md": LINES})
    first = copied(tmp_path / "s", {"m.md": LINES + b"live\n"}, {"m.md": LINES.replace(b"two\n", b"2\n")})
    (tmp_path / "s" / "m.md").write_bytes(b"all new\n")
    shutil.rmtree(tmp_path / "s" / ".dream-proposals" / FIRST)
    again = at(tmp_path / "s", LATER).open(SECOND)
    assert again.proposal == first.proposal
    leave_copy(tmp_path / "s", {"m.md": LINES.replace(b"three\n", b"3\n")}, SECOND)
    moved = at(tmp_path / "s", LATER).open(SECOND)
    assert told(moved) == [(Kind.EDIT, "m.md", b"three\n", b"3\n")]
    assert flags(moved) == set()


@pytest.mark.parametrize("engine", ["import", "somebody"])
def test_a_base_that_is_no_state_of_the_store_is_passed_over(tmp_path: Path, engine: str) -> None:
    seen(tmp_path / "s", {"m.md": LINES})
    root = Root(tmp_path / "s")
    record, _ = bases.read(root, FIRST)
    assert record is not None
    bases.write(root, replace(record, proposal=replace(record.proposal, engine=Engine(engine, "1"))))
    review = copied(tmp_path / "s", {"m.md": LINES + b"live\n"}, {"m.md": LINES})
    assert flags(review) == {"base-unknown"}


texts_of_lines = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\r\n", b"\n"]), max_size=8).map(b"".join)
stores = st.dictionaries(st.sampled_from(["k.md", "l.md", "m.md"]), texts_of_lines, min_size=1, max_size=3)


@given(then=stores, live=stores, copy=stores)
@settings(max_examples=EXAMPLES, deadline=None)
def test_whatever_was_seen_all_changes_give_the_copy_where_live_stood_still_and_none_touches_what_both_hold(
    tmp_path_factory: pytest.TempPathFactory, then: Files, live: Files, copy: Files
) -> None:
    folder = tmp_path_factory.mktemp("store")
    seen(folder, then)
    review = copied(folder, live, copy)
    touched = {edit.path for change in review.proposal.changes for edit in change.edits}
    assert not {path for path in live.keys() & copy.keys() if live[path] == copy[path]} & touched
    removed = {edit.path for change in review.proposal.changes for edit in change.edits if edit.act == "delete"}
    assert removed <= then.keys()
    accept_all(review)
    at(folder, LATER).apply()
    after = texts(folder)
    assert {path for path in live if live[path] == then.get(path) and after.get(path) != copy.get(path)} == set()
