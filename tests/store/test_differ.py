from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.errors import StoreError
from dreamreview.model.edits import Hunk, between, compose, difference, render, split_lines, terminator_of
from dreamreview.store import git
from dreamreview.store.differ import GitDiffer, Pair

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
LINES = (
    b"alpha\n",
    b"beta\r\n",
    b"lone\rreturn\n",
    b"\r\r\n",
    b"vertical\x0btab\n",
    b"form\x0cfeed\n",
    b"\x1cfile\x85nel\n",
    "sep\u2028arated\n".encode(),
    b"\xff\xfe bad\n",
    b"--- a/0\n",
    b"-- a\n",
    b"+++ b/0\n",
    b"++ b\n",
    b"@@ -1 +1 @@\n",
    b"diff --git a/0 b/0\n",
    b"\\ No newline at end of file\n",
    b"\n",
    b"same\n",
    b"same\n",
    b"same\r\n",
    b"<<<<<<< A\n",
)
TAILS = (b"", b"last", b"last\r", b"same", b"\r", b"\xff")

bodies = st.builds(lambda lines, tail: b"".join(lines) + tail, st.lists(st.sampled_from(LINES)), st.sampled_from(TAILS))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A text and either another or one that a few edits made of it."""
    base = draw(bodies)
    if draw(st.booleans()):
        return base, draw(bodies)
    lines = list(split_lines(base))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(LINES), max_size=2))
    return base, b"".join(lines)


@pytest.fixture
def scratch(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield str(tmp_path)
    assert os.listdir(str(tmp_path)) == []


def test_a_changed_an_inserted_and_a_deleted_line_are_hunks() -> None:
    differ = GitDiffer()
    base = (b"a\n", b"b\n", b"c\n")
    assert differ(base, (b"a\n", b"B\n", b"c\n"), b"\n") == (Hunk(1, 2, 1, 2),)
    assert differ(base, (b"a\n", b"b\n", b"n\n", b"c\n"), b"\n") == (Hunk(2, 2, 2, 3),)
    assert differ(base, (b"n\n", b"a\n", b"b\n", b"c\n"), b"\n") == (Hunk(0, 0, 0, 1),)
    assert differ(base, (b"b\n", b"c\n"), b"\n") == (Hunk(0, 1, 0, 0),)
    assert differ(base, (b"a\n", b"b\n"), b"\n") == (Hunk(2, 3, 2, 2),)


def test_two_changes_with_one_line_between_are_two_hunks() -> None:
    base = (b"a\n", b"b\n", b"c\n")
    assert GitDiffer()(base, (b"A\n", b"b\n", b"C\n"), b"\n") == (Hunk(0, 1, 0, 1), Hunk(2, 3, 2, 3))


def test_a_final_terminator_alone_is_no_hunk() -> None:
    assert GitDiffer()((b"a\n", b"b"), (b"a\n", b"b\n"), b"\n") == ()
    assert GitDiffer()((b"a\r\n", b"b"), (b"a\r\n", b"b\n"), b"\r\n") == (Hunk(1, 2, 1, 2),)


def test_text_with_nul_differs_as_a_whole() -> None:
    assert GitDiffer()((b"a\n", b"\0b\n"), (b"a\n", b"\0c\n", b"d\n"), b"\n") == (Hunk(0, 2, 0, 3),)
    assert GitDiffer()((b"a\n", b"b\n"), (b"a\n", b"b\0\n"), b"\n") == (Hunk(0, 2, 0, 2),)


def test_an_empty_side_is_one_hunk() -> None:
    assert GitDiffer()((), (b"a\n", b"b\n"), b"\n") == (Hunk(0, 0, 0, 2),)
    assert GitDiffer()((b"a\n",), (), b"\n") == (Hunk(0, 1, 0, 0),)
    assert GitDiffer()((), (), b"\n") == ()


@pytest.mark.usefixtures("scratch")
def test_many_pairs_are_answered_in_their_order_by_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Sequence[str]] = []
    run = git.run

    def count(args: Sequence[str], *, cwd: str, codes: tuple[int, ...]) -> bytes:
        calls.append(args)
        return run(args, cwd=cwd, codes=codes)

    monkeypatch.setattr(git, "run", count)
    asked: list[Pair] = [((b"%d\n" % n, b"x\n"), (b"x\n", b"%d\n" % n), b"\n") for n in range(12)]
    asked[3] = ((b"x\n",), (b"x\n",), b"\n")
    answers = GitDiffer().many(asked)
    assert answers == [GitDiffer()(*pair) for pair in asked]
    assert answers[3] == ()
    assert answers[11] == (Hunk(0, 1, 0, 0), Hunk(2, 2, 1, 2))
    assert len(calls) == 1 + 11


@pytest.mark.usefixtures("scratch")
def test_texts_are_given_to_git_in_private_files(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    run = git.run

    def look(args: tuple[str, ...], *, cwd: str, codes: tuple[int, ...]) -> bytes:
        for folder, names, files in os.walk(cwd):
            paths = [os.path.join(folder, name) for name in (".", *names, *files)]
            seen.extend((os.path.relpath(path, cwd), os.stat(path).st_mode) for path in paths)
        return run(args, cwd=cwd, codes=codes)

    monkeypatch.setattr(git, "run", look)
    GitDiffer()((b"a\n",), (b"b\n",), b"\n")
    assert {name: mode & 0o777 for name, mode in seen} == {
        ".": 0o700,
        "a": 0o700,
        "b": 0o700,
        "a/0": 0o600,
        "b/0": 0o600,
    }


def test_an_answer_that_lacks_a_pair_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "run", lambda *_args, **_kw: b"")
    with pytest.raises(StoreError, match="compared 0 of 1 texts"):
        GitDiffer()((b"a\n",), (b"b\n",), b"\n")


def test_a_repository_around_the_scratch_folder_changes_nothing(scratch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    around = os.path.join(scratch, "around")
    os.makedirs(os.path.join(around, ".git"))
    with open(os.path.join(around, ".git", "config"), "w", encoding="ascii") as file:
        file.write("[diff]\n\tnoprefix = true\n\tinterHunkContext = 9\n[core\n broken")
    monkeypatch.setattr(tempfile, "tempdir", around)
    assert GitDiffer()((b"a\n", b"b\n", b"c\n"), (b"A\n", b"b\n", b"C\n"), b"\n") == (
        Hunk(0, 1, 0, 1),
        Hunk(2, 3, 2, 3),
    )
    os.remove(os.path.join(around, ".git", "config"))
    os.removedirs(os.path.join(around, ".git"))
    os.makedirs(scratch, exist_ok=True)


@settings(max_examples=max(1, int(60 * SCALE)), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(pairs(), min_size=1, max_size=25))
def test_edits_between_any_two_texts_give_the_new_bytes_and_none_the_base(texts: list[tuple[bytes, bytes]]) -> None:
    asked: list[Pair] = []
    for base, new in texts:
        asked.append((split_lines(base), split_lines(new), terminator_of(split_lines(base))))
    for (base, new), (lines, wanted, terminator), hunks in zip(texts, asked, GitDiffer().many(asked), strict=True):
        edits = between(lines, wanted, hunks)
        assert render(compose(lines, edits), terminator) == new
        assert render(compose(lines, ()), terminator) == base


@settings(max_examples=max(1, int(40 * SCALE)), deadline=None)
@given(st.binary(max_size=40), st.binary(max_size=40))
def test_any_bytes_at_all_are_compared_exactly(base: bytes, new: bytes) -> None:
    lines = split_lines(base)
    terminator = terminator_of(lines)
    edits = difference(lines, split_lines(new), terminator, GitDiffer())
    assert render(compose(lines, edits), terminator) == new
