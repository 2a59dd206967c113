"""What a tree becomes by a set of edits: lines, creations, deletions, renames and modes of many paths at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from dreamreview.model.edits import Edit, Text, compose, render, split_lines, terminator_of
from dreamreview.model.files import FileState
from dreamreview.model.proposal import Act, Change, FileEdit


def default_edits(changes: Iterable[Change]) -> Iterator[FileEdit]:
    """Yield the edits that a copy renders: those of every change but conflicts, which have no default."""
    for change in changes:
        yield from change.edits


def names_of(edit: FileEdit) -> Iterator[str]:
    """Yield the one or two names that an edit is about."""
    yield edit.path
    if edit.to is not None:
        yield edit.to


def composed(base: Mapping[str, FileState], edits: Iterable[FileEdit]) -> dict[str, FileState]:
    """Return a tree with a set of edits made; texts as `compose` gives them, not yet rendered.

    Args:
        base: path to what stands there.
        edits: edits of any of its paths, none overlapping another.

    Raises:
        ValueError: edits overlap, reach past the end of a text, or give one name twice.
    """
    by_path: dict[str, list[FileEdit]] = defaultdict(list)
    for edit in edits:
        by_path[edit.path].append(edit)
    tree = {path: state for path, state in base.items() if path not in by_path}
    for path, on_path in by_path.items():
        state = _state(base.get(path), on_path)
        if state is None:
            continue
        name = next((edit.to for edit in on_path if edit.to is not None), path)
        if name in tree:
            raise ValueError(f"{name!a} is given twice")
        tree[name] = state
    return tree


def rendered(state: FileState, base: Text) -> FileState:
    """Return a composed path as it is written: each line closed that another follows, with the base's terminator."""
    data = render(state.text, terminator_of(base))
    return FileState(text=split_lines(data), mode=state.mode)


def _state(before: FileState | None, edits: list[FileEdit]) -> FileState | None:
    """Return what a path holds after its edits; None where it does not exist any more."""
    acts = {edit.act: edit for edit in edits}
    text = compose(before.text if before else (), [line_edit for edit in edits for line_edit in _lines(edit)])
    if not text and Act.CREATE not in acts and (before is None or Act.DELETE in acts):
        return None
    mode = before.mode if before else 0o644
    for act in (Act.MODE, Act.CREATE):
        if act in acts:
            given = acts[act].mode
            mode = mode if given is None else given
    return FileState(text=text, mode=mode)


def _lines(edit: FileEdit) -> Iterator[Edit]:
    if edit.act in (Act.LINES, Act.CREATE, Act.DELETE):
        yield Edit(edit.start, edit.stop, edit.new, edit.rank)
