"""What a proposal says about which lines, as it is held against a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.cli.evaluation.places import Span
from dreamreview.model.proposal import Act, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dreamreview.cli.evaluation.key import Item
    from dreamreview.model.proposal import Change, Evidence, FileEdit


def spans_of(evidence: Iterable[Evidence]) -> tuple[Span, ...]:
    """Return where pieces of evidence stand."""
    return tuple(Span(each.path, each.first, each.last) for each in evidence)


def told(change: Change) -> tuple[Span, ...]:
    """Return what a change is about, options included; what meets something named before is left out."""
    found: list[Span] = []
    for span in (*spans_of(change.evidence), *(at for each in change.options for at in spans_of(each.evidence))):
        if not span.meets_any(found):
            found.append(span)
    return tuple(found)


def touched(change: Change) -> tuple[Span, ...]:
    """Return what a change is about or rewrites."""
    return (*told(change), *(_at(edit) for edit in change.edits if edit.act is Act.LINES))


def rewritten(change: Change, item: Item) -> Iterator[str]:
    """Yield what a change writes in place of the lines of an item."""
    for edit in change.edits:
        if edit.act is Act.LINES and _at(edit).meets(item.span):
            yield written(edit)


def written(edit: FileEdit) -> str:
    """Return the lines that an edit writes."""
    return b"".join(edit.new).decode("utf-8", "replace")


def names(change: Change, name: str) -> bool:
    """Tell whether an edit of a change names a file: at its place, in what goes or in what comes."""
    return any(
        name in f"{edit.path} {b''.join(edit.old + edit.new).decode('utf-8', 'replace')}" for edit in change.edits
    )


def of_kind(changes: Iterable[Change], *kinds: Kind) -> tuple[Change, ...]:
    """Return the changes of some kinds."""
    return tuple(change for change in changes if change.kind in kinds)


def _at(edit: FileEdit) -> Span:
    return Span(edit.path, edit.start + 1, edit.stop)
