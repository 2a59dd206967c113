"""Which drafts may stand side by side: no two of them touch the same lines, and the weightier one stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dreamreview.model.edits import Edit, overlap
from dreamreview.model.memory import Document, Role, Shape
from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option, fingerprint_of

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus, Draft

PRIORITY = {
    kind: rank
    for rank, kinds in enumerate(
        (
            (Kind.REDACT, Kind.QUARANTINE),
            (Kind.CONFLICT,),
            (Kind.MERGE,),
            (Kind.SUPERSEDE,),
            (Kind.PRUNE,),
            (Kind.DATE,),
            (Kind.REWRITE, Kind.PROMOTE, Kind.ADD),
            (Kind.LINK,),
            (Kind.INDEX,),
        )
    )
    for kind in kinds
}
"""The weight of each kind where two drafts want the same lines; the first wins."""
CONTENT = frozenset((Kind.REDACT, Kind.QUARANTINE, Kind.CONFLICT, Kind.MERGE, Kind.SUPERSEDE, Kind.PRUNE, Kind.DATE))
"""Kinds that change what a note says; a note takes part in one of them."""
SAYING = frozenset((Kind.CONFLICT, Kind.MERGE, Kind.SUPERSEDE))
"""Kinds that take statements away because others are held to say them, or to say otherwise."""
ID_SIZE = 8
"""Hex digits of a fingerprint that make an id."""
SPOKEN = frozenset((Role.TEXT, Role.CODE, Role.MANAGED))
"""Roles of lines that say something."""
LEAVES = frozenset((Shape.BULLET, Shape.PARAGRAPH, Shape.ROW, Shape.ENTRY, Shape.POINTER))


@dataclass
class _Admitted:
    """What the drafts let in so far take up."""

    edits: dict[str, list[FileEdit]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    prints: set[str] = field(default_factory=set)
    merged: set[str] = field(default_factory=set)
    """Files that a merge takes away: a person may reject that, and the file stays."""


def fingerprint(draft: Draft) -> str:
    """Return what makes a draft the same suggestion again."""
    return fingerprint_of(draft.kind.value, (option.key for option in draft.options), draft.texts)


def all_edits(draft: Draft) -> Iterator[FileEdit]:
    """Yield the edits of a draft and of each of its options."""
    yield from draft.edits
    for option in draft.options:
        yield from option.edits


def arbitrate(
    drafts: Iterable[Draft], corpus: Corpus, is_known: Callable[[str], bool] = lambda _: False
) -> tuple[Draft, ...]:
    """Return the drafts that fit together, in the order they are shown; which ones is a function of the set alone.

    `is_known` tells of a fingerprint whether it was suggested before. A contradiction between places of a known one is
    that one again, whichever two of them it names.
    """
    drafts = tuple(drafts)
    known = [_sides(draft) for draft in drafts if draft.kind is Kind.CONFLICT and is_known(fingerprint(draft))]
    doomed = {edit.path for draft in drafts if draft.kind is Kind.PRUNE for edit in draft.edits if _deletes(edit)}
    admitted = _Admitted()
    kept: list[Draft] = []
    for draft in sorted(drafts, key=_order):
        if _is_empty(draft) or _rests_on(draft, doomed) or not _fits(draft, admitted, corpus):
            continue
        if draft.kind is Kind.CONFLICT and not is_known(fingerprint(draft)) and any(map(_sides(draft).issubset, known)):
            continue
        kept.append(_in_view_of(draft, admitted))
        if draft.kind is Kind.MERGE:
            admitted.merged |= {edit.path for edit in draft.edits if edit.act is Act.DELETE}
        admitted.prints.add(fingerprint(draft))
        for edit in all_edits(draft):
            admitted.edits[edit.path].append(edit)
            if edit.to is not None:
                admitted.edits[edit.to].append(edit)
        if draft.kind in CONTENT:
            for path, span in _notes(draft, corpus):
                admitted.notes[path].append(span)
    return tuple(sorted(kept, key=_shown))


def _order(draft: Draft) -> tuple[int, float, str, int, str]:
    path, line = _place(draft)
    return PRIORITY.get(draft.kind, len(PRIORITY)), -draft.confidence, path, line, fingerprint(draft)


def _shown(draft: Draft) -> tuple[int, str, int, str]:
    path, line = _place(draft)
    return PRIORITY.get(draft.kind, len(PRIORITY)), path, line, fingerprint(draft)


def _place(draft: Draft) -> tuple[str, int]:
    places = [(item.path, item.first) for item in draft.evidence]
    places += [(item.path, item.first) for option in draft.options for item in option.evidence]
    places += [(edit.path, edit.start + 1) for edit in all_edits(draft)]
    return min(places, default=("", 0))


def _is_empty(draft: Draft) -> bool:
    """Tell whether a draft would change nothing: an edit whose new lines are its old ones is none."""
    return not draft.options and not any(_changes(edit) for edit in draft.edits)


def _deletes(edit: FileEdit) -> bool:
    return edit.act is Act.DELETE


def _sides(draft: Draft) -> frozenset[tuple[str, int]]:
    """Return the places that a contradiction is about."""
    return frozenset((item.path, item.first) for option in draft.options for item in option.evidence)


def _rests_on(draft: Draft, doomed: Collection[str]) -> bool:
    """Tell whether a merge is with a file that is offered for removal: what another says would stand only there."""
    if draft.kind is not Kind.MERGE:
        return False
    losing = {edit.path for edit in draft.edits if _deletes(edit)}
    return any(item.path in doomed and item.path not in losing for item in draft.evidence)


def _changes(edit: FileEdit) -> bool:
    return edit.act is not Act.LINES or edit.old != edit.new


def _fits(draft: Draft, admitted: _Admitted, corpus: Corpus) -> bool:
    if fingerprint(draft) in admitted.prints:
        return False
    if any(clash(edit, other) for edit in all_edits(draft) for other in admitted.edits.get(edit.path, ())):
        return False
    if any(edit.to is not None and admitted.edits.get(edit.to) for edit in all_edits(draft)):
        return False
    gone = [path for path in _about(draft) if _is_gone(path, admitted)]
    if draft.kind in (Kind.INDEX, Kind.LINK) and gone and not _is_missing_entry(draft, admitted):
        return False
    if draft.kind not in CONTENT:
        return True
    if draft.kind in SAYING and any(_empties(edits, admitted, corpus) for edits in _choices(draft)):
        return False
    return not any(
        span[0] <= other[1] and other[0] <= span[1]
        for path, span in _notes(draft, corpus)
        for other in admitted.notes.get(path, ())
    )


def _choices(draft: Draft) -> list[Sequence[FileEdit]]:
    """Return the edits of a draft, of each option by itself."""
    return [option.edits for option in draft.options] or [draft.edits]


def _empties(edits: Sequence[FileEdit], admitted: _Admitted, corpus: Corpus) -> bool:
    """Tell whether a typed note would have nothing left to say, with all that is taken away already."""
    for path in {edit.path for edit in edits if edit.act is Act.LINES and not edit.new}:
        document = corpus.documents.get(path)
        if document is None or document.frontmatter is None:
            continue
        several = [edit for edit in (*admitted.edits.get(path, ()), *edits) if edit.path == path]
        lost = {line for edit in several if not edit.new for line in range(edit.start, edit.stop)}
        if all(at in lost for at, role in enumerate(document.roles) if role in SPOKEN):
            return True
    return False


def _about(draft: Draft) -> Iterator[str]:
    """Yield the files that a draft names: where its evidence stands, and of a missing entry the file that lacks it."""
    yield from (item.path for item in draft.evidence)
    yield from draft.texts


def _is_missing_entry(draft: Draft, admitted: _Admitted) -> bool:
    """Tell whether a draft adds the index entry of a file that only a merge takes away."""
    return draft.kind is Kind.INDEX and len(draft.texts) == 1 and draft.texts[0] in admitted.merged


def _in_view_of(draft: Draft, admitted: _Admitted) -> Draft:
    """Return a draft that says of itself when it is needed, where another change makes it needless."""
    if not _is_missing_entry(draft, admitted):
        return draft
    needed = "Another change makes one note of it and its like; this entry is needed only where that one is rejected."
    return replace(draft, reason=f"{draft.reason} {needed}")


def _is_gone(path: str, admitted: _Admitted) -> bool:
    return any(edit.act is Act.DELETE and edit.path == path for edit in admitted.edits.get(path, ()))


def clash(one: FileEdit, other: FileEdit) -> bool:
    """Tell whether two edits of one path cannot stand in different changes."""
    if one.act is not Act.LINES or other.act is not Act.LINES:
        return True
    return overlap(Edit(one.start, one.stop, one.new), Edit(other.start, other.stop, other.new))


def _notes(draft: Draft, corpus: Corpus) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the notes a draft is about: those it edits, and those it names as evidence one by one."""
    for edit in all_edits(draft):
        if edit.act is Act.LINES:
            yield from _leaves(corpus, edit.path, (edit.start + 1, max(edit.stop, edit.start + 1)))
    sides = [*draft.evidence, *(item for option in draft.options for item in option.evidence)]
    for item in sides:
        document = corpus.documents.get(item.path)
        if document and any(_is_leaf(document, item.first, item.last)):
            yield item.path, (item.first, item.last)


def _is_leaf(document: Document, first: int, last: int) -> Iterator[bool]:
    for note in document.notes:
        if note.shape in LEAVES and note.first <= first and last <= note.last:
            yield True


def _leaves(corpus: Corpus, path: str, span: tuple[int, int]) -> Iterator[tuple[str, tuple[int, int]]]:
    document = corpus.documents.get(path)
    parents = {note.parent for note in document.notes} if document else set()
    for number, note in enumerate(document.notes if document else ()):
        if note.shape in LEAVES and number not in parents and note.first <= span[1] and span[0] <= note.last:
            yield path, (note.first, note.last)


def to_changes(drafts: Sequence[Draft]) -> tuple[Change, ...]:
    """Give drafts their ids, their edits ids and ranks.

    The id of a change is the beginning of its fingerprint, longer where two would be the same. Edits are ``e1`` ..,
    those of option A ``A1`` ..; ranks count per path in the order (start, stop, place).
    """
    prints = [fingerprint(draft) for draft in drafts]
    ids = _ids(prints)
    changes = [
        Change(
            id=change_id,
            kind=draft.kind,
            title=draft.title,
            reason=draft.reason,
            confidence=min(max(draft.confidence, 0.0), 1.0),
            fingerprint=print_,
            phase=draft.phase,
            evidence=draft.evidence,
            edits=_numbered(draft.edits, "e"),
            options=tuple(replace(option, edits=_numbered(option.edits, option.key)) for option in draft.options),
            suggested=draft.suggested,
            flags=draft.flags,
        )
        for draft, print_, change_id in zip(drafts, prints, ids, strict=True)
    ]
    return tuple(_ranked(changes))


def _ids(prints: Sequence[str]) -> list[str]:
    ids: list[str] = []
    for print_ in prints:
        size = ID_SIZE
        while print_[:size] in ids and size < 16:
            size += 1
        ids.append(print_[:size])
    return ids


def _numbered(edits: Sequence[FileEdit], prefix: str) -> tuple[FileEdit, ...]:
    return tuple(replace(edit, id=f"{prefix}{number}") for number, edit in enumerate(edits, start=1))


def _ranked(changes: Sequence[Change]) -> Iterator[Change]:
    places: dict[str, list[tuple[int, int, int, tuple[str, str]]]] = defaultdict(list)
    count = 0
    for change in changes:
        for edit in change.all_edits:
            places[edit.path].append((edit.start, edit.stop, count, (change.id, edit.id)))
            count += 1
    ranks = {key: rank for edits in places.values() for rank, (_, _, _, key) in enumerate(sorted(edits))}

    def ranked(change: Change, edits: Iterable[FileEdit]) -> tuple[FileEdit, ...]:
        return tuple(replace(edit, rank=ranks[change.id, edit.id]) for edit in edits)

    for change in changes:
        options: tuple[Option, ...] = tuple(
            replace(option, edits=ranked(change, option.edits)) for option in change.options
        )
        yield replace(change, edits=ranked(change, change.edits), options=options)
