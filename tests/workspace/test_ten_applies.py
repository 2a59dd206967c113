"""Ten applies, undone in any order with edits by hand in between: what fits is back, what is by hand stays."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.workspace.stores import accept_all, lay, leave_copy, left_over, memory, texts, workspace

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = 3 if SCALE <= 1 else int(40 * SCALE)
APPLIES = 10
FILES = 4


def first(rnd: Random) -> dict[str, bytes]:
    return {f"n{name}.md": b"".join(b"line %d\n" % at for at in range(rnd.randint(5, 12))) for name in range(FILES)}


def edited(held: dict[str, bytes], rnd: Random, mark: bytes) -> dict[str, bytes]:
    """Return a folder with a few of its lines changed, removed or added, a file made or removed."""
    after = dict(held)
    for path in rnd.sample(sorted(after), min(len(after), rnd.randint(1, 3))):
        lines = after[path].splitlines(keepends=True)
        for number in range(rnd.randint(1, 2)):
            at = rnd.randrange(len(lines) + 1)
            lines[at : at + rnd.choice((0, 0, 1))] = rnd.choice(([mark + b" %d\n" % number], []))
        after[path] = b"".join(lines) or b"left\n"
    if rnd.random() < 0.2:
        after[f"made-{mark.decode().replace(' ', '-')}.md"] = mark + b" makes it\n"
    if rnd.random() < 0.1 and len(after) > 2:
        del after[rnd.choice(sorted(after))]
    return after


def by_hand(folder: Path, rnd: Random, mark: bytes) -> tuple[str, bytes]:
    """Add a line of its own to a file of a folder, and return both."""
    path = rnd.choice(sorted(path for path in texts(folder)))
    lines = (folder / path).read_bytes().splitlines(keepends=True)
    line = b"by hand " + mark + b"\n"
    lines.insert(rnd.randrange(len(lines) + 1), line)
    (folder / path).write_bytes(b"".join(lines))
    return path, line


def ten(folder: Path, rnd: Random) -> list[str]:
    """Carry out ten proposals one after the other and return their applies."""
    applies = []
    for number in range(APPLIES):
        held = texts(folder)
        after = edited(held, rnd, b"apply %d" % number)
        if after == held:
            after["n0.md"] = after.get("n0.md", b"") + b"apply %d\n" % number
        applies.append(carried_out(folder, after, number))
    return applies


def carried_out(folder: Path, after: dict[str, bytes], number: int) -> str:
    """Carry out a proposal that makes a folder of another, and return its apply."""
    opened = workspace(folder)
    review = opened.open(leave_copy(folder, after, f"20260915T13{number:02d}00000"))
    accept_all(review)
    done = opened.apply(review.proposal.id)
    assert done.stale == ()
    assert texts(folder) == after
    return done.apply or ""


def all_carried_out(folder: Path, *versions: dict[str, bytes]) -> list[str]:
    """Carry out one proposal for each of several folders, and return their applies."""
    return [carried_out(folder, after, number) for number, after in enumerate(versions)]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_ten_applies_are_undone_in_any_order_once_what_clashed_is_asked_for_again(number: int, tmp_path: Path) -> None:
    rnd = Random(number)
    folder = lay(tmp_path / "s", first(rnd))
    before, opened = memory(folder), workspace(folder)
    applies = ten(folder, rnd)
    rnd.shuffle(applies)
    left = applies
    for _ in applies:
        # What a later apply wrote over clashes while that one stands, and no longer once it was taken back.
        left = [apply for apply in left if opened.undo(apply).stale]
    assert left == []
    assert memory(folder) == before
    assert all(line.undone for line in opened.history())
    assert left_over(folder) == []


@pytest.mark.parametrize("number", range(ROUNDS))
def test_what_is_written_by_hand_between_ten_undos_is_kept_and_all_that_does_not_clash_is_back(
    number: int, tmp_path: Path
) -> None:
    rnd = Random(1000 + number)
    folder = lay(tmp_path / "s", first(rnd))
    before, opened = texts(folder), workspace(folder)
    applies = ten(folder, rnd)
    rnd.shuffle(applies)
    written: list[tuple[str, bytes]] = []
    clashed: set[str] = set()
    for count, apply in enumerate(applies):
        written.append(by_hand(folder, rnd, b"%d" % count))
        held = texts(folder)
        done = opened.undo(apply)
        clashed |= {clash.path for clash in done.clashes}
        if done.stale and done.apply is None:
            assert texts(folder) == held
        for path, line in written:
            assert line in (folder / path).read_bytes()
    for path, data in texts(folder).items():
        rest = b"".join(one for one in data.splitlines(keepends=True) if not one.startswith(b"by hand "))
        if path not in clashed:
            assert rest == before.get(path, b"")
    assert {path for path in before if path not in clashed} <= texts(folder).keys()
    assert left_over(folder) == []


def test_a_line_goes_where_an_earlier_apply_replaced_all_that_stood_there(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"kept\n"})
    texts_of_b = (b"one\ntwo\n", b"left\n", b"new\nleft\n", b"new\nleft\nlast\n")
    assert len(all_carried_out(folder, *({"a.md": b"kept\n", "b.md": text} for text in texts_of_b))) == 4


def test_a_line_that_was_gone_before_its_file_went_stays_gone_with_it(tmp_path: Path) -> None:
    kept, folder = {"kept.md": b"kept\n"}, lay(tmp_path / "s", {"kept.md": b"kept\n", "a.md": b"one\ntwo\n"})
    first, second, third = all_carried_out(folder, {**kept, "a.md": b"two\n"}, kept, {**kept, "a.md": b"begun anew\n"})
    opened = workspace(folder)
    assert opened.undo(first).stale == ()
    assert texts(folder) == {**kept, "a.md": b"begun anew\n"}
    assert opened.undo(third).stale == ()
    assert texts(folder) == kept
    assert opened.undo(second).stale == ()
    assert texts(folder) == {**kept, "a.md": b"one\ntwo\n"}


def test_what_came_and_went_in_a_file_can_be_taken_back_also_once_its_creation_was(tmp_path: Path) -> None:
    kept, folder = {"kept.md": b"kept\n"}, lay(tmp_path / "s", {"kept.md": b"kept\n"})
    one, both = {**kept, "a.md": b"one\n"}, {**kept, "a.md": b"one\ntwo\n"}
    first, second, third = all_carried_out(folder, one, both, one)
    opened = workspace(folder)
    assert opened.undo(first).stale == ()
    assert texts(folder) == kept
    assert len(opened.undo(third).stale) == 1, "the line would bring its file back"
    assert opened.undo(second).stale == ()
    assert opened.undo(third).stale == ()
    assert texts(folder) == kept
    assert all(line.undone for line in opened.history())


def test_a_deletion_is_not_taken_back_while_another_stands_that_came_later(tmp_path: Path) -> None:
    kept, folder = {"kept.md": b"kept\n"}, lay(tmp_path / "s", {"kept.md": b"kept\n", "a.md": b"one\ntwo\n"})
    anew, empty = {**kept, "a.md": b"anew\n"}, {**kept, "a.md": b""}
    first, second, third, fourth = all_carried_out(folder, kept, anew, kept, empty)
    opened = workspace(folder)
    assert len(opened.undo(first).stale) == 1
    for apply, left in ((fourth, kept), (third, anew), (second, kept)):
        assert opened.undo(apply).stale == ()
        assert texts(folder) == left
    assert opened.undo(first).stale == ()
    assert texts(folder) == {**kept, "a.md": b"one\ntwo\n"}


def test_a_file_that_was_put_back_by_hand_counts_as_taken_back_also_where_a_line_had_gone_before(
    tmp_path: Path,
) -> None:
    kept, whole = {"kept.md": b"kept\n"}, b"one\ntwo\nthree\n"
    folder = lay(tmp_path / "s", {**kept, "a.md": whole})
    first, second = all_carried_out(folder, {**kept, "a.md": b"one\nthree\n"}, kept)
    (folder / "a.md").write_bytes(b"one\nthree\n")
    opened = workspace(folder)
    assert opened.undo(second).stale == ()
    assert texts(folder) == {**kept, "a.md": b"one\nthree\n"}
    assert opened.undo(first).stale == ()
    assert texts(folder) == {**kept, "a.md": whole}


def test_a_creation_whose_lines_all_went_can_be_taken_back_and_then_what_was_before(tmp_path: Path) -> None:
    kept, folder = {"kept.md": b"kept\n"}, lay(tmp_path / "s", {"kept.md": b"kept\n", "a.md": b"one\n"})
    applies = all_carried_out(folder, kept, {**kept, "a.md": b"anew\n"}, {**kept, "a.md": b""})
    opened = workspace(folder)
    left = [applies[1], applies[2], applies[0]]
    for _ in applies:
        left = [apply for apply in left if opened.undo(apply).stale]
    assert left == []
    assert texts(folder) == {**kept, "a.md": b"one\n"}
