"""Laws of the copy that the model edits: what its cards do is what stands in it, whatever is moved or dropped."""

from __future__ import annotations

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.arbitration import to_changes
from dreamreview.dream.claude.working_copy import RefusedError, WorkingCopy
from dreamreview.dream.engine import Corpus, Draft
from dreamreview.model.files import FileState
from dreamreview.model.manifest import check_changes
from dreamreview.model.proposal import Evidence, FileEdit, Kind
from dreamreview.store.composing import composed, default_edits
from tests.dream.claude.acting import corpus_of

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
FILES: dict[str, str | bytes] = {"a.md": "1\n2\n3\n", "b.md": b"1\r\n2", "sub/c.md": "", "d.md": "- x\n"}
NAMES = st.sampled_from([*FILES, "new.md", "sub/new.md", "A.md", "d.md/e.md", "f.md"])
CARDS = st.integers(1, 3)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("rewrite"), CARDS, NAMES, st.integers(0, 4), st.integers(0, 3)),
        st.tuples(st.just("create"), CARDS, NAMES, st.just(0), st.just(0)),
        st.tuples(st.just("delete"), CARDS, NAMES, st.just(0), st.just(0)),
        st.tuples(st.just("rename"), CARDS, NAMES, st.integers(0, 8), st.just(0)),
        st.tuples(st.just("drop"), CARDS, st.just(""), st.just(0), st.just(0)),
    ),
    max_size=10,
)
TARGETS = ["x.md", "new.md", "a.md", "b.md", "sub/c.md", "sub/x.md", "d.md", "f.md", "B.md"]


def act(copy: WorkingCopy, step: tuple[str, int, str, int, int]) -> None:
    what, card, name, at, length = step
    if what == "rewrite":
        size = len(copy.lines(name))
        copy.rewrite(name, min(at, size), min(at + length, size), (b"new\n",) * (at % 3), card)
    elif what == "create":
        copy.create(name, (b"made\n",), card)
    elif what == "delete":
        copy.delete(name, card)
    elif what == "rename":
        copy.rename(name, TARGETS[at], card)
    else:
        copy.drop(card)


def standing(copy: WorkingCopy) -> dict[str, bytes]:
    return {name: b"".join(line.data for line in copy.lines(name)) for name in copy.names()}


def draft(edits: tuple[FileEdit, ...], number: int) -> Draft:
    piece = Evidence(path="a.md", first=1, last=1, quote="1")
    return Draft(Kind.REWRITE, "consolidate", "t", "r", 0.5, (piece,), (str(number),), edits)


def rendered(corpus: Corpus, copy: WorkingCopy) -> dict[str, bytes]:
    """Return the files as the changes of all cards make them."""
    drafts = [draft(edits, number) for number in (1, 2, 3) if (edits := copy.edits_of(number))]
    changes = to_changes(drafts)
    check_changes(changes)
    base = {path: FileState(text=document.lines, mode=0o644) for path, document in corpus.documents.items()}
    return {path: b"".join(state.text) for path, state in composed(base, default_edits(changes)).items()}


@settings(max_examples=int(150 * SCALE), deadline=None)
@given(STEPS)
def test_the_changes_of_all_cards_make_what_stands_in_the_copy(steps: list[tuple[str, int, str, int, int]]) -> None:
    corpus = corpus_of(FILES)
    copy = WorkingCopy(corpus)
    for step in steps:
        before = standing(copy)
        try:
            act(copy, step)
        except RefusedError:
            assert standing(copy) == before
    assert rendered(corpus, copy) == standing(copy)


@settings(max_examples=int(60 * SCALE), deadline=None)
@given(STEPS)
def test_a_copy_whose_cards_are_all_dropped_is_the_store(steps: list[tuple[str, int, str, int, int]]) -> None:
    copy = WorkingCopy(corpus_of(FILES))
    before = standing(copy)
    for step in steps:
        try:
            act(copy, step)
        except RefusedError:
            continue
    for card in (1, 2, 3):
        copy.drop(card)
    assert standing(copy) == before
