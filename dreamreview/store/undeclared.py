"""What changed between two trees when nobody said: one change for each edit, so that nothing is dropped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from dreamreview.model.edits import Edit, Text, between, terminator_of
from dreamreview.model.files import FileState
from dreamreview.model.manifest import ranked, undeclared_fingerprint, undeclared_id
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind
from dreamreview.model.secrets import find_secrets, mask
from dreamreview.store.moves import EXECUTABLE, Claim, is_executable, sort_out

if TYPE_CHECKING:
    from dreamreview.store.differ import GitDiffer

CONFIDENCE = 0.5
"""Nobody vouches for an undeclared change, and nobody doubts it."""

BASE_UNKNOWN = "base-unknown"
"""Flag of a change whose base was taken from live when the copy was first seen."""

REASON = "Found in the copy; nobody said why."

_QUOTED_LINES = 20
_QUOTED_CHARACTERS = 2_000


def differences(
    base: Mapping[str, FileState],
    copy: Mapping[str, FileState],
    differ: GitDiffer,
    *,
    reason: str = REASON,
    flags: Sequence[str] = (),
    has_own_modes: bool = False,
) -> tuple[Change, ...]:
    """Return the changes that lead from one tree to another, in path order.

    All of them together give the copy byte for byte and any of them composes; of modes only the executable bit counts.
    Paths that stand equal on both sides may be left out of both.

    Args:
        base: path to what stands there in the base.
        copy: the same of the copy.
        differ: where hunks come from; it is asked once.
        reason: why, for the reader.
        flags: flags that every change carries.
        has_own_modes: whether the other tree's permission bits are as its owner gave them; those of a copy may have
            been lost on the way, but for the executable one.

    Raises:
        StoreError: git is missing or failed.
    """
    edits = edits_between(base, copy, differ, has_own_modes=has_own_modes)
    return as_changes(edits, base, reason=reason, flags=flags)


def edits_between(
    base: Mapping[str, FileState], copy: Mapping[str, FileState], differ: GitDiffer, *, has_own_modes: bool = False
) -> list[list[FileEdit]]:
    """Return the edits that lead from one tree to another, those in one list that belong to one change."""
    gone = {path: state for path, state in base.items() if _is_other(state, copy.get(path))}
    came = {path: state for path, state in copy.items() if _is_other(state, base.get(path))}
    renames, claims = sort_out(gone, came, has_own_modes=has_own_modes)
    stayed = [(path, state, copy[path]) for path, state in base.items() if path not in gone]
    return [
        *([FileEdit(id="e1", path=move.path, act=Act.RENAME, to=move.to)] for move in renames),
        *(_claim(claim, gone, came) for claim in claims),
        *_kept(stayed, differ, has_own_modes=has_own_modes),
    ]


def as_changes(
    groups: Iterable[list[FileEdit]],
    base: Mapping[str, FileState],
    *,
    reason: str = REASON,
    flags: Sequence[str] = (),
    unknown: Collection[str] = (),
) -> tuple[Change, ...]:
    """Return one change for each group of edits, in path order and ranked; arguments as for `differences`.

    A change of a path in `unknown` is flagged `BASE_UNKNOWN`.
    """
    changes = []
    for edits in groups:
        own = (*flags, BASE_UNKNOWN) if unknown and any(edit.path in unknown for edit in edits) else flags
        changes.append(_change(edits, base, reason, own))
    changes.sort(key=lambda change: (change.edits[0].path, change.edits[0].start, change.edits[0].stop))
    return ranked(changes)


def _is_other(state: FileState, other: FileState | None) -> bool:
    """Tell whether a path went or came rather than changed: links are never edited line by line."""
    if other is None or state.is_link != other.is_link:
        return True
    return state.is_link and state.text != other.text


def _claim(claim: Claim, gone: Mapping[str, FileState], came: Mapping[str, FileState]) -> list[FileEdit]:
    """Return what goes before what comes, so that a name is free when it is wanted."""
    edits: list[FileEdit] = []
    for path in claim.gone:
        text, mode = gone[path].text, gone[path].mode
        edits.append(FileEdit(f"e{len(edits) + 1}", path, Act.DELETE, stop=len(text), old=text, mode=mode))
    for path in claim.came:
        edits.append(FileEdit(f"e{len(edits) + 1}", path, Act.CREATE, new=came[path].text, mode=came[path].mode))
    return edits


def _kept(
    paths: Iterable[tuple[str, FileState, FileState]], differ: GitDiffer, *, has_own_modes: bool
) -> Iterator[list[FileEdit]]:
    changed: list[tuple[str, Text, Text]] = []
    for path, before, after in paths:
        if is_executable(before.mode) != is_executable(after.mode):
            mode = after.mode if has_own_modes else given_mode(before.mode, after.mode)
            yield [FileEdit(id="e1", path=path, act=Act.MODE, old_mode=before.mode, mode=mode)]
        if before.text != after.text:
            changed.append((path, before.text, after.text))
    answers = differ.many([(old, new, terminator_of(old)) for _, old, new in changed])
    for (path, old, new), hunks in zip(changed, answers, strict=True):
        for edit in between(old, new, hunks):
            yield [line_edit(path, old, edit)]


def line_edit(path: str, base: Text, edit: Edit) -> FileEdit:
    """Return an edit of a text as the edit of a path, with the lines that it replaces."""
    return FileEdit("e1", path, Act.LINES, edit.start, edit.stop, base[edit.start : edit.stop], edit.new)


def given_mode(old: int, new: int) -> int:
    """Return the old mode with the new one's executable bit: whoever may read may run, and nobody else."""
    return old | (old & 0o444) >> 2 if is_executable(new) else old & ~EXECUTABLE


def _change(edits: list[FileEdit], base: Mapping[str, FileState], reason: str, flags: Sequence[str]) -> Change:
    kind = _kind(edits)
    path, to, old, new = _identity(edits)
    own = [*flags]
    if any(_is_link(edit) for edit in edits):
        own.append("link")
    is_secret = any(find_secrets(_shown(edit.old + edit.new)) for edit in edits)
    if is_secret:
        own.append("secret")
    return Change(
        id=undeclared_id(kind, path, to, min(edit.start for edit in edits) + 1, old, new),
        kind=kind,
        title=_title(kind, edits),
        reason=reason,
        confidence=CONFIDENCE,
        fingerprint=undeclared_fingerprint(kind, path, old, new),
        evidence=tuple(
            found
            for edit in edits
            if edit.path in base
            for found in _evidence(edit, base[edit.path], is_secret=is_secret)
        ),
        edits=tuple(edits),
        flags=tuple(own),
    )


def _identity(edits: Sequence[FileEdit]) -> tuple[str, str | None, Text, Text]:
    """Return what ids are made of: path, other names, old and new; of a mode, its digits stand for the text."""
    edit = edits[0]
    if edit.act is Act.MODE:
        return edit.path, None, (b"%o" % (edit.old_mode or 0),), (b"%o" % (edit.mode or 0),)
    others = [edit.to] if edit.to else [one.path for one in edits[1:]]
    old = tuple(chain.from_iterable(one.old for one in edits))
    return edit.path, "\0".join(others) or None, old, tuple(chain.from_iterable(one.new for one in edits))


def _kind(edits: Sequence[FileEdit]) -> Kind:
    acts = {edit.act for edit in edits}
    kinds = {Act.CREATE: Kind.CREATE, Act.DELETE: Kind.DELETE, Act.RENAME: Kind.RENAME, Act.MODE: Kind.MODE}
    return next((kind for act, kind in kinds.items() if act in acts), Kind.EDIT)


def _is_link(edit: FileEdit) -> bool:
    return edit.act in (Act.CREATE, Act.DELETE) and FileState(text=(), mode=edit.mode or 0).is_link


def _shown(lines: Text) -> str:
    return b"".join(lines).decode("utf-8", "replace")


def _evidence(edit: FileEdit, state: FileState, *, is_secret: bool) -> Iterator[Evidence]:
    """Yield the lines that an edit is about, or for an insertion the line it stands beside."""
    if edit.act in (Act.CREATE, Act.RENAME, Act.MODE) or not state.text:
        return
    first, last = edit.start, edit.stop
    if first == last:
        first = max(first - 1, 0)
        last = first + 1
        is_secret = True
    quote = _shown(state.text[first : min(last, first + _QUOTED_LINES)])
    quote = mask(quote) if is_secret else quote
    if len(quote) > _QUOTED_CHARACTERS:
        quote = quote[:_QUOTED_CHARACTERS] + "…"
    yield Evidence(path=edit.path, first=first + 1, last=last, quote=quote)


@lru_cache(maxsize=1024)
def _named(path: str) -> str:
    """Return a path as it stands in a title, which is made for reading."""
    return mask(path)


def _title(kind: Kind, edits: Sequence[FileEdit]) -> str:
    edit = edits[0]
    if kind is Kind.EDIT:
        return _line_title(edit)
    if kind is Kind.RENAME:
        return f"Rename {_named(edit.path)} to {_named(edit.to or '')}"
    if kind is Kind.MODE:
        return f"Make {_named(edit.path)} {'' if is_executable(edit.mode or 0) else 'not '}executable"
    gone = [one.path for one in edits if one.act is Act.DELETE]
    came = [one.path for one in edits if one.act is Act.CREATE]
    if gone and came:
        return f"Replace {_listed(gone)} by {_listed(came)}" if gone != came else f"Replace {_listed(gone)}"
    return f"Create {_listed(came)}" if came else f"Delete {_listed(gone)}"


def _line_title(edit: FileEdit) -> str:
    if edit.start == edit.stop:
        count = f"{len(edit.new)} lines" if len(edit.new) > 1 else "a line"
        return f"Add {count} to {_named(edit.path)} " + (f"after line {edit.start}" if edit.start else "at the top")
    lines = f"line {edit.stop}" if edit.stop - edit.start == 1 else f"lines {edit.start + 1} to {edit.stop}"
    return f"Edit {_named(edit.path)} {lines}" if edit.new else f"Remove {lines} of {_named(edit.path)}"


def _listed(paths: Sequence[str]) -> str:
    return _named(paths[0]) if len(paths) == 1 else f"{_named(paths[0])} and {len(paths) - 1} more"
