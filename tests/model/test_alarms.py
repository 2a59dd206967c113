"""A mass delete and a file that shrinks by more than a quarter are alarming; the rest is not."""

from __future__ import annotations

import pytest

from dreamreview.model.alarms import alarms_of
from dreamreview.model.proposal import Act, Change, FileEdit, Kind


def changed(*edits: FileEdit) -> Change:
    return Change("c", Kind.EDIT, "", "", 0.5, "0" * 64, edits=edits)


def gone(path: str) -> Change:
    return changed(FileEdit("e1", path, Act.DELETE, stop=1, old=(b"x\n",), mode=0o644))


def alarms(*changes: Change, sizes: dict[str, int] | None = None, files: int = 100) -> tuple[str, ...]:
    return alarms_of(changes, lambda path: (sizes or {}).get(path, 0), files)


@pytest.mark.parametrize(
    ("count", "files", "is_alarming"),
    [(9, 1000, False), (10, 1000, True), (2, 4, False), (3, 12, False), (3, 11, True), (1, 1, False)],
)
def test_a_mass_delete_is_ten_files_or_three_that_are_more_than_a_quarter(
    count: int, files: int, *, is_alarming: bool
) -> None:
    assert bool(alarms(*(gone(f"n{number}.md") for number in range(count)), files=files)) == is_alarming


def test_a_mass_delete_is_told_with_names() -> None:
    assert alarms(*(gone(f"n{number}.md") for number in range(5)), files=8) == (
        "5 of 8 files were deleted by others: n0.md, n1.md, n2.md and 2 more",
    )


@pytest.mark.parametrize(("lost", "is_alarming"), [(25, False), (26, True)])
def test_a_file_that_shrinks_by_more_than_a_quarter_is_alarming(lost: int, *, is_alarming: bool) -> None:
    edit = FileEdit("e1", "m.md", Act.LINES, 0, 1, (b"x" * lost,), ())
    told = ("m.md shrank by more than a quarter",) if is_alarming else ()
    assert alarms(changed(edit), sizes={"m.md": 100}) == told


def test_the_edits_of_a_file_count_together_and_what_is_added_counts_against_them() -> None:
    less = [FileEdit("e1", "m.md", Act.LINES, at, at + 1, (b"x" * 20,), ()) for at in (0, 5)]
    more = FileEdit("e1", "m.md", Act.LINES, 9, 9, (), (b"y" * 20,))
    assert alarms(*map(changed, less), sizes={"m.md": 100})
    assert not alarms(*map(changed, less), changed(more), sizes={"m.md": 100})


def test_files_that_came_or_were_renamed_alarm_nobody() -> None:
    came = [changed(FileEdit("e1", f"n{at}.md", Act.CREATE, new=(b"x\n",), mode=0o644)) for at in range(30)]
    moved = [changed(FileEdit("e1", f"o{at}.md", Act.RENAME, to=f"p{at}.md")) for at in range(30)]
    assert alarms(*came, *moved) == ()
