"""How the stores of the inbox and their proposals are told: in rows, and for the one at the cursor in full."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from dreamreview.tui.detail.rows import BLANK, Words
from dreamreview.tui.flow import pad
from dreamreview.tui.inbox.stores import is_open
from dreamreview.tui.inert import Part, own, said, shorten_path
from dreamreview.tui.wording import count, moment

if TYPE_CHECKING:
    from dreamreview.tui.inbox.stores import StoreState
    from dreamreview.workspace.values import ProposalLine, Status

NAME_CELLS = 44
"""Cells that the name of a store takes at most in its row."""
WIDE = 100
"""Cells from which a row says when a store last dreamed, too."""
NO_PROPOSALS = "No proposals yet."
MAKERS = {"watch": "made by others", "import": "imported"}
"""Names of engines that are none, for people."""
NARROW = 50
"""Cells below which a row of a proposal tells when it was made and what is left of it, no more."""


def draw_proposal(line: ProposalLine, indent: int = 0, width: int = WIDE) -> Sequence[Part]:
    """Return a proposal in one row; a row of few cells tells its counts in fewer."""
    counts, can_be_decided = line.counts, is_open(line)
    glyph = own(" " * indent + "● ", "open") if can_be_decided else own(" " * indent + "  ", "dim")
    when = said(f"{moment(line.created_at) or line.id}  ", "text" if can_be_decided else "dim")
    if line.problem is not None:
        return own(" " * indent + "! ", "danger"), when, said(line.problem, "danger")
    long, short = f"{count(counts.changes, 'change')}, {counts.undecided}", f"{counts.undecided}/{counts.changes}"
    what = f"{short if width < NARROW else long} undecided"
    stale = own(f", {counts.stale} stale" if counts.stale else "", "warn")
    maker = MAKERS.get(line.engine, line.engine)
    rest = said(f"  {maker}  {line.id}" if width >= NARROW else f"  {maker}" if maker in MAKERS.values() else "", "dim")
    state = own("") if can_be_decided else said(f"  {line.status}", "dim")
    return glyph, when, own(what, "kind" if can_be_decided else "dim"), stale, state, rest


def draw_store(store: StoreState, names: int, width: int, *, is_dreaming: bool) -> Sequence[Part]:
    """Return a store in one row.

    Args:
        store: which.
        names: cells of the widest name in the list.
        width: cells of the row.
        is_dreaming: whether it is dreamed right now.
    """
    cells = min(names, NAME_CELLS, max(width * 2 // 5, 10))
    name = pad([Part(shorten_path(store.label, cells), "title")], cells)
    return _glyph(store), *name, own("  "), *_standing(store, width, is_dreaming=is_dreaming)


def name_cells(stores: Collection[StoreState]) -> int:
    """Return the cells of the widest name."""
    return max((cell_len(shorten_path(store.label, NAME_CELLS)) for store in stores), default=0)


def _glyph(store: StoreState) -> Part:
    if store.problem:
        return own("! ", "danger")
    if store.waiting:
        return own("● ", "open")
    return own("  " if store.is_looked_at else "… ", "dim")


def _standing(store: StoreState, width: int, *, is_dreaming: bool) -> Iterator[Part]:
    status = store.status
    if store.problem:  # where it lies stands elsewhere
        yield said(store.problem.removeprefix(store.folder).lstrip(": "), "danger")
        return
    if status is None:
        yield own("reading …", "dim")
        return
    if status.pending:
        pending = f"{status.pending} pending · " if width >= NARROW else ""  # its proposals stand below it
        yield own(f"{pending}{status.undecided} undecided", "kind")
    else:
        yield own("nothing pending", "dim")
    if store.stale:
        yield own(f" · {store.stale} stale", "warn")
    if status.alarms:
        yield own(" · ALARM", "danger")
    if is_dreaming:
        yield own(" · dreaming", "kind")
    elif status.locked_by:
        yield own(" · held", "warn")
    if status.last_status == "failed":
        yield own(" · last dream failed", "warn")
    if store.offered.source and width >= NARROW:
        yield said(f"  {store.offered.source}", "dim")
    if width >= WIDE:
        yield said(f" · {_last_dream(status)}", "dim")


def totals(stores: Collection[StoreState]) -> Iterator[Part]:
    """Yield what all stores come to."""
    read = [store.status for store in stores if store.status is not None]
    yield own(f"{count(len(stores), 'store')} · ", "title")
    pending, undecided = sum(one.pending for one in read), sum(one.undecided for one in read)
    yield own(f"{pending} pending · {undecided} undecided", "kind")
    broken = sum(bool(store.problem) for store in stores)
    if broken:
        yield own(f" · {broken} cannot be read", "danger")
    left = sum(not store.is_looked_at for store in stores)
    if left:
        yield own(f" · reading {len(stores) - left + 1} of {len(stores)} …", "dim")


def where(store: StoreState, width: int) -> Iterator[Part]:
    """Yield where a store lies, as whole as `width` cells allow, and who led to it."""
    source = said(f" · {store.offered.source}" if store.offered.source else "", "dim")
    yield Part(shorten_path(store.folder, max(width - cell_len(source.text), width // 2)), "path")
    yield source


def facts(store: StoreState, *, with_counts: bool) -> Iterator[Part]:
    """Yield how a store stands: what waits, and when it last dreamed."""
    status = store.status
    if store.problem:
        # Of a single store, the rest of the screen tells why, in full.
        yield own("cannot be read", "danger") if with_counts else said(store.problem, "danger")
        return
    if status is None:
        yield own("reading …", "dim")
        return
    if with_counts:
        yield own(f"{status.pending} pending · {status.undecided} undecided", "kind")
        if store.stale:
            yield own(f" · {store.stale} stale", "warn")
        yield own(" · ", "dim")
    yield said(_last_dream(status), "dim")
    if status.last_status:
        yield said(f" ({status.last_status})", "warn" if status.last_status == "failed" else "dim")


def prospects(store: StoreState) -> Iterator[Part]:
    """Yield whether a dream is due and how far it is to that, who holds the store, and what was odd."""
    status = store.status
    if status is None:
        return
    parts = [said(f"ALARM: {alarm}", "danger") for alarm in status.alarms]
    if status.locked_by:
        parts.append(said(f"held by {status.locked_by}", "warn"))
    if status.missing:
        since = " since then" if status.last_dream else ""
        parts.append(said(f"no dream due: {status.missing}{since}", "dim"))
        parts += [] if status.locked_by else [own("D dreams anyway", "dim")]
    elif status.next:
        parts.append(own("a dream is due: D dreams", "dim"))
    odd = (text for text in status.warnings if not text.startswith(tuple(store.proposals)))
    parts += [said(text, "warn") for text in odd]
    for place, part in enumerate(parts):
        yield own(" · " if place else "", "dim")
        yield part


def _last_dream(status: Status) -> str:
    return f"last dream {moment(status.last_dream)}" if status.last_dream else "never dreamed"


def advice(store: StoreState) -> Iterator[Words]:
    """Yield what to do where there is no proposal, or none can be read."""
    if store.problem:
        yield Words((said(store.problem, "danger"),))
        yield Words((own("^l looks at the folder again.", "dim"),))
        return
    has_dreamed = store.status is not None and store.status.last_status == "completed"
    yield Words((own("No proposals: the last dream suggested nothing." if has_dreamed else NO_PROPOSALS, "title"),))
    yield BLANK
    yield Words((own("D", "key"), own("  dreams now: the memory is read, and what can be tidied is proposed")), hang=3)
    yield Words((own("   Nothing in the memory changes before you accept and apply it.", "dim"),), hang=3)
    yield BLANK
    folder = shorten_path(store.folder + "/.dream-proposals", 60)
    yield Words((own("Proposals that appear in ", "dim"), Part(folder, "path"), own(" show up here.", "dim")))


def idle(stores: Collection[StoreState]) -> Iterator[Part]:
    """Yield what to do where several stores were read and nothing waits in any."""
    is_read = all(store.is_looked_at for store in stores) and any(store.status for store in stores)
    if is_read and not any(store.waiting for store in stores):
        yield own("Nothing waits.  ", "title")
        yield own("D", "key")
        yield own(" dreams the store at the cursor, ", "dim")
        yield own("dreamreview dream --all", "code")
        yield own(" all of them", "dim")
