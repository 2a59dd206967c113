from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.model.edits import close, split_lines
from dreamreview.model.files import FileState
from dreamreview.model.manifest import check_changes, ranked
from dreamreview.model.proposal import LINK_MODE, Act, Change, FileEdit, Kind
from dreamreview.store.composing import composed, default_edits, rendered
from dreamreview.store.differ import GitDiffer
from dreamreview.store.reconcile import reconcile, text_before
from dreamreview.store.undeclared import as_changes, differences

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
Tree = Mapping[str, FileState]
NAMES = ("a.md", "b.md", "A.md", "a.md/part.md", "dir/c.md", "dir", "n\new.md")
lines = st.lists(st.sampled_from((b"a\n", b"b\n", b"c\r\n", b"same\n", b"\n")), max_size=7)
bodies = st.builds(lambda body, tail: b"".join(body) + tail, lines, st.sampled_from((b"", b"", b"end", b"end\r")))
files = st.builds(lambda data, mode: FileState(split_lines(data), mode), bodies, st.sampled_from((0o644, 0o755)))
links = st.builds(lambda target: FileState((target,), LINK_MODE), st.sampled_from((b"a.md", b"../out")))
states = st.one_of(files, files, files, links)


def _fit(tree: Mapping[str, FileState]) -> dict[str, FileState]:
    return {path: state for path, state in tree.items() if not any(path.startswith(f"{other}/") for other in tree)}


trees = st.dictionaries(st.sampled_from(NAMES), states, max_size=5).map(_fit)


def _edited(draw: st.DrawFn, tree: Tree) -> dict[str, FileState]:
    """Return a tree that somebody worked on: lines put in, taken out and changed, paths moved, dropped and added."""
    made: dict[str, FileState] = {}
    for path, state in tree.items():
        deed = draw(st.sampled_from(("keep", "lines", "lines", "lines", "move", "drop", "mode", "swap")))
        if deed == "lines" and not state.is_link:
            text = list(state.text)
            for _ in range(draw(st.integers(1, 3))):
                at = draw(st.integers(0, len(text)))
                text[at : at + draw(st.integers(0, 2))] = draw(
                    st.lists(st.sampled_from((b"x\n", b"y\n", b"a\n")), max_size=2)
                )
            closed = [close(line, b"\n") for line in text[:-1]] + text[-1:]
            made[path] = FileState(tuple(closed), state.mode)
        elif deed == "move":
            made[draw(st.sampled_from(NAMES))] = state
        elif deed == "mode" and not state.is_link:
            made[path] = FileState(state.text, state.mode ^ 0o111)
        elif deed == "swap":
            made[path] = draw(states)
        elif deed != "drop":
            made[path] = state
    return _fit({**made, **draw(st.dictionaries(st.sampled_from(NAMES), states, max_size=1))})


@st.composite
def reviews(draw: st.DrawFn) -> tuple[Tree, tuple[Change, ...], Tree]:
    """A base, changes declared over it (some of several edits), and the copy after somebody worked on it by hand."""
    base = draw(trees)
    copy = _edited(draw, base)
    declared: list[Change] = []
    for number, change in enumerate(differences(base, copy, GitDiffer())):
        is_joined: bool = draw(st.booleans())
        if declared and is_joined and all(edit.act is Act.LINES for edit in change.edits):
            last = declared[-1]
            if all(edit.act is Act.LINES for edit in last.edits):
                own = tuple(replace(edit, id=f"e{at}") for at, edit in enumerate((*last.edits, *change.edits)))
                declared[-1] = replace(last, edits=own)
                continue
        declared.append(replace(change, id=f"c{number}"))
    by_hand = draw(st.sampled_from(("nothing", "little", "little", "much")))
    after = copy if by_hand == "nothing" else _edited(draw, copy if by_hand == "little" else _edited(draw, copy))
    return base, ranked(declared), after


def seen(tree: Tree, base: Tree) -> dict[str, tuple[bytes, int]]:
    found = {}
    for path, state in tree.items():
        text = rendered(state, base[path].text if path in base else ()).text
        found[path] = (b"".join(text), state.mode if state.is_link else state.mode & 0o100)
    return found


@settings(max_examples=max(1, int(250 * SCALE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(reviews())
def test_kept_changes_and_the_rest_give_the_copy_and_never_overlap(
    review: tuple[Tree, tuple[Change, ...], Tree],
) -> None:
    base, declared, copy = review
    told = reconcile(declared, base, copy, GitDiffer())
    together = ranked((*told.kept, *as_changes(told.rest, base)))
    assert seen(composed(base, default_edits(together)), base) == seen(copy, base)
    check_changes(together)
    assert {change.id for change in (*told.kept, *told.gone)} == {change.id for change in declared}
    assert all(
        edit.old == base[edit.path].text[edit.start : edit.stop] for group in told.rest for edit in group if edit.old
    )


@settings(max_examples=max(1, int(100 * SCALE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(reviews())
def test_a_copy_that_nobody_touched_shows_every_change(review: tuple[Tree, tuple[Change, ...], Tree]) -> None:
    base, declared, _ = review
    tree = composed(base, default_edits(declared))
    copy = {path: rendered(state, base[path].text if path in base else ()) for path, state in tree.items()}
    told = reconcile(declared, base, copy, GitDiffer())
    assert (told.kept, told.gone, told.rest) == (declared, (), ())


@settings(max_examples=max(1, int(150 * SCALE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(reviews())
def test_a_copy_put_back_to_its_base_shows_no_change(review: tuple[Tree, tuple[Change, ...], Tree]) -> None:
    base, declared, _ = review
    told = reconcile(declared, base, base, GitDiffer())
    assert seen(composed(base, default_edits(told.kept)), base) == seen(base, base)
    assert told.rest == ()


def _deletion(start: int, *old: bytes) -> Change:
    edit = FileEdit("e1", "a.md", start=start, stop=start + len(old), old=old)
    return Change("c1", Kind.PRUNE, "t", "", 0.5, "f", edits=(edit,))


def test_a_deleted_line_put_back_makes_its_deletion_gone() -> None:
    base = {"a.md": FileState((b"a\n", b"b\n", b"c\n"), 0o644)}
    copy = {"a.md": FileState((b"a\n", b"b\n", b"c\n", b"d\n"), 0o644)}
    told = reconcile([_deletion(1, b"b\n")], base, copy, GitDiffer())
    assert told.kept == ()
    assert told.rest == ([FileEdit("e1", "a.md", start=3, stop=3, new=(b"d\n",))],)


def test_one_of_many_equal_lines_put_back_makes_its_deletion_gone() -> None:
    base = {"a.md": FileState((b"x\n", b"same\n", b"same\n", b"same\n", b"y\n"), 0o644)}
    told = reconcile([_deletion(1, b"same\n")], base, base, GitDiffer())
    assert (told.kept, told.rest) == ((), ())


def test_another_line_put_where_one_was_deleted_leaves_the_deletion_shown() -> None:
    base = {"a.md": FileState((b"a\n", b"b\n", b"c\n"), 0o644)}
    copy = {"a.md": FileState((b"a\n", b"new\n", b"c\n"), 0o644)}
    told = reconcile([_deletion(1, b"b\n")], base, copy, GitDiffer())
    assert [change.id for change in told.kept] == ["c1"]
    assert told.rest == ([FileEdit("e1", "a.md", start=2, stop=2, new=(b"new\n",))],)


def test_a_text_before_its_edits_is_worked_out_of_the_text_after() -> None:
    edits = [
        FileEdit("e1", "a", start=0, stop=1, old=(b"one\n",), new=(b"ONE\n", b"more\n")),
        FileEdit("e2", "a", start=2, stop=3, old=(b"three\n",)),
        FileEdit("e3", "a", start=4, stop=4, new=(b"five",)),
    ]
    after = (b"ONE\n", b"more\n", b"two\n", b"four\n", b"five")
    assert text_before(after, edits) == (b"one\n", b"two\n", b"three\n", b"four\n")
    assert text_before((b"ONE\n", b"two\n", b"four\n", b"five"), edits) is None
    assert text_before((), edits) is None
