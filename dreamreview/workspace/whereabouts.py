"""Where something stands that is to be forgotten: in the memory, in what was ever in a file, and where it stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.edits import split_lines
from dreamreview.model.forgetting.asking import stands_elsewhere, telling
from dreamreview.model.forgetting.receipt import Left
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store import bases, proposals
from dreamreview.store.copying import read_held
from dreamreview.store.forgetting import everywhere
from dreamreview.store.history import History
from dreamreview.store.scan import UNSEEN
from dreamreview.store.snapshots import Snapshots

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.forgetting.asking import Place
    from dreamreview.model.forgetting.wanted import Scope
    from dreamreview.workspace.context import Context

NAMED = 20
"""Places that are named where the same stays; the others are counted."""

UNREADABLE = "it cannot be read"
"""Why a file is left out whose bytes the system does not give."""


def memory_of(context: Context) -> tuple[dict[str, Text], dict[str, str]]:
    """Return the text of every file of the memory, and links and what is left out with the reason."""
    found = context.scan()
    left, texts = dict(found.excluded), {}
    for path, entry in found.entries.items():
        if entry.kind == "link":
            left[path] = "it is a link"
            continue
        data = read_held(context.root, path, entry.mode)
        if data is not None:
            texts[path] = split_lines(data)
        else:
            left[path] = UNREADABLE
    return texts, left


def is_unknown(reason: str) -> bool:
    """Tell whether what was left out for a reason is memory that nobody could look into."""
    return reason == UNREADABLE or reason.startswith(UNSEEN)


def lines_ever(context: Context, path: str) -> Iterator[bytes]:
    """Yield every line that anything tells of a path."""
    root, history = context.root, History(context.root)
    with suppress(DreamReviewError):
        uids = [uid for uid, woven in history.index().items() if woven.name == path]
        for weave in history.weaves(uids).values():
            yield from (strand.line for strand in weave.strands)
    for proposal in everywhere.ids_of(root):
        record, _ = bases.read(root, proposal)
        if record is not None and path in record.texts:
            yield from telling(split_lines(record.texts[path]))
        with suppress(DreamReviewError):
            yield from telling(split_lines(root.read(f"{proposals.place(proposal)}/{path}")))
    snapshots = Snapshots(root)
    with suppress(DreamReviewError):
        for state in snapshots.all():
            for before in (True, False):
                for data in snapshots.texts(state.ref, [path], before=before).values():
                    yield from telling(split_lines(data))


def places_left(
    context: Context, scope: Scope, place: Place | None, texts: Mapping[str, Text], left: Mapping[str, str]
) -> Iterator[Left]:
    """Yield where it stays: in the memory by wish, and where nothing is ever written."""
    if place is not None and place.line is not None:
        others = stands_elsewhere(texts, scope.wanted, place.path, place.line)
        yield from (Left(f"{path}:{line}", "the same stands here and stays") for path, line in others[:NAMED])
        if len(others) > NAMED:
            yield Left("", f"the same stands in {len(others) - NAMED} more places and stays")
    for path in texts:
        if scope.wanted.raw and scope.wanted.count(path.encode("utf-8", "surrogateescape")):
            yield Left(path, "the name of the file holds it; rename it")
    for path, reason in left.items():
        data = None
        for mode in (LINK_MODE, 0o644):
            data = read_held(context.root, path, mode) if data is None else data
        if data is not None and scope.wanted.count(data):
            yield Left(path, f"it is no memory and stays as it is ({reason})")
        elif data is None and is_unknown(reason):
            yield Left(path, f"whether it stands here is not known: {reason}")
    if context.root.exists(".git"):
        yield Left(".git", "a repository of your own is not looked into")
