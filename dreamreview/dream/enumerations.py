"""A list and the paragraph of another file that says it in one breath: the same things by name, the same of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING

from dreamreview.dream.barriers import apart
from dreamreview.dream.blocks import without
from dreamreview.dream.candidates import POSTINGS_LIMIT
from dreamreview.dream.claims import LABELS
from dreamreview.dream.duplicates import excerpt, leads, place
from dreamreview.dream.engine import Draft, Measure
from dreamreview.dream.evidence import evidence, insert_before, raw_text
from dreamreview.dream.forms import is_step
from dreamreview.dream.kin_words import kin
from dreamreview.dream.lists import Home, home
from dreamreview.dream.merging import Kept, has_secret, lacks_literals
from dreamreview.dream.paraphrase import restates
from dreamreview.dream.relation import Kinship, relate
from dreamreview.dream.slots import Reading, read
from dreamreview.dream.values import agreements
from dreamreview.model.edits import terminator_of
from dreamreview.model.memory import Role, Shape
from dreamreview.model.proposal import Kind

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim, Knowledge
    from dreamreview.dream.judging import Verdict
    from dreamreview.model.proposal import FileEdit

FEWEST = 3
"""Items from which a paragraph that names them all in their order is no chance."""
MOST = 12
"""Items up to which somebody would say them in one paragraph."""
SUPPORTED = 0.66
"""Share of the items of which the paragraph says something that the item says as well, beside its name."""

_SAYING = frozenset((Role.TEXT, Role.CODE, Role.MANAGED))
_BOM = b"\xef\xbb\xbf"

Items = tuple["Claim", ...]


def find_told(store: Knowledge, verdicts: Iterable[Verdict], gone: frozenset[str]) -> Iterator[Draft]:
    """Yield a merge for each list that a paragraph of another file says as well; files in `gone` are merged already.

    Both together have to say the same as any two statements would; that the names come in one order, each with
    something that its item says as well, tells a list told over again from a text about the same things. No word of
    either is lost.
    """
    disputed = {
        frozenset((verdict.one.place, verdict.other.place))
        for verdict in verdicts
        if verdict.relation.kinship is not Kinship.DUPLICATE
    }
    lists = [items for items in _lists(store) if items[0].path not in gone]
    told, standing = _saying(store, {key for items in lists for item in items for key in item.lead}), leads(store)
    for items in lists:
        for claim in _candidates(items, told):
            if claim.path in gone or claim.place in standing:
                continue
            if any({claim.place, item.place} in disputed for item in items):
                continue
            draft = _merge(store, items, claim)
            if draft is not None:
                yield draft


def _lists(store: Knowledge) -> Iterator[Items]:
    """Yield the lists of which every item opens with a name of its own."""
    homes: dict[Home, list[Claim]] = defaultdict(list)
    for claim in store.claims:
        homes[home(claim)].append(claim)
    for claims in homes.values():
        items = tuple(claim for claim in claims if claim.note.shape is Shape.BULLET)
        if not FEWEST <= len(items) <= MOST or not all(item.lead and _may_go(item) for item in items):
            continue
        is_run = all(near.note.last + 1 == far.note.first for near, far in pairwise(items))
        if is_run and len(frozenset().union(*(item.lead for item in items))) >= len(items):
            yield items


def _may_go(claim: Claim) -> bool:
    """Tell whether a statement may be moved or have something moved to it: what is told of one day may not."""
    is_of_day = claim.is_source or claim.in_log or claim.is_stamped
    return not (is_of_day or claim.note.pinned or claim.is_done is not None or has_secret(claim))


def _is_free(claim: Claim) -> bool:
    """Tell whether no text below needs a statement, as a list that it leads into does, and its file says more."""
    document, last = claim.document, claim.note.last
    if is_step(claim) or claim.note.text.rstrip().endswith((":", "：")) or _is_all(claim):
        return False
    below = next((at for at in range(last, len(document.roles)) if document.roles[at] is not Role.BLANK), None)
    if below is None or document.roles[below] is Role.HEADING:
        return True
    is_glued = below == last and claim.note.shape is Shape.PARAGRAPH
    return not (is_glued or LABELS.match(document.line_text(below + 1)))


def _is_all(claim: Claim) -> bool:
    """Tell whether a file would be left without text."""
    roles = claim.document.roles
    return not any(role in _SAYING for role in (*roles[: claim.note.first - 1], *roles[claim.note.last :]))


def _saying(store: Knowledge, keys: Iterable[str]) -> Mapping[str, list[Claim]]:
    """Return for each of some words the statements that say it."""
    wanted = frozenset(keys)
    found: dict[str, list[Claim]] = defaultdict(list)
    for claim in store.claims:
        for key in claim.bag & wanted:
            found[key].append(claim)
    return found


def _candidates(items: Items, told: Mapping[str, list[Claim]]) -> Iterator[Claim]:
    """Yield the statements of other files that name every item."""
    names = frozenset().union(*(item.lead for item in items))
    rarest = min((told.get(key, []) for key in sorted(names)), key=len)
    for claim in rarest if len(rarest) <= POSTINGS_LIMIT else ():
        is_prose = Role.CODE not in claim.document.roles[claim.note.first - 1 : claim.note.last]
        if claim.path != items[0].path and names <= claim.bag and is_prose and _may_go(claim) and _is_free(claim):
            yield claim


def _merge(store: Knowledge, items: Items, claim: Claim) -> Draft | None:
    share = _share_told(items, claim.reading)
    if share < SUPPORTED or any(apart(item, claim) for item in items):
        return None
    whole = read("\n".join(item.note.text for item in items), store.names)
    relation = relate(whole, claim.reading, store.weights)
    if relation.kinship is Kinship.DISTINCT:
        relation = restates(whole, claim.reading, store.weights) or relation
    if relation.kinship is not Kinship.DUPLICATE or not _agrees(items, whole, claim.reading):
        return None
    is_held = claim.bag <= whole.bag and not lacks_literals(Kept.of((whole.text,), store.names), claim.reading)
    lead_in = () if is_held else _lead_in(items[0], claim)
    return None if lead_in is None else _draft(items, claim, lead_in, relation.score, share)


def _agrees(items: Items, whole: Reading, told: Reading) -> bool:
    """Tell whether a list states every amount that a paragraph does; how many it lists needs no saying."""
    stated = [value for value in told.values if (value.dimension, value.amount) != ("count", len(items))]
    return agreements(stated, whole.values) == len(stated)


def _lead_in(first: Claim, claim: Claim) -> tuple[FileEdit, ...] | None:
    """Return the edit that puts a paragraph above a list; None where one that leads into it stands there.

    None as well where a program marked the paragraph as its own, or the mark that opens a file would end up inside it.
    """
    document, line = first.document, first.note.first
    is_marked = claim.note.first > 1 and claim.document.roles[claim.note.first - 2] is Role.COMMENT
    above = next((at for at in range(line - 1, 0, -1) if document.roles[at - 1] is not Role.BLANK), 0)
    is_led = above and document.roles[above - 1] is not Role.HEADING
    if claim.note.shape is not Shape.PARAGRAPH or is_marked or is_led or document.line_text(line)[:1].isspace():
        return None
    if document.lines[line - 1].startswith(_BOM):
        return None
    end = terminator_of(document.lines)
    moved = claim.document.lines[claim.note.first - 1 : claim.note.last]
    return (insert_before(document, line, (*(text.removeprefix(_BOM).rstrip(b"\r\n") + end for text in moved), end)),)


def _share_told(items: Sequence[Claim], told: Reading) -> float:
    """Return the share of a list's items of which a text says the same; 0 where it names them in another order."""
    names: frozenset[str] = reduce(frozenset.union, (item.lead for item in items), frozenset())
    if not names <= set(told.keys):
        return 0.0
    starts = [min(told.keys.index(key) for key in item.lead) for item in items]
    if any(near >= far for near, far in pairwise(starts)):
        return 0.0
    parts = (told.keys[near:far] for near, far in pairwise((*starts, len(told.keys))))
    return sum(
        any(kin(mine, theirs) or mine == theirs for mine in item.bag - names for theirs in set(part) - names)
        for item, part in zip(items, parts, strict=True)
    ) / len(items)


def _draft(items: Items, claim: Claim, lead_in: tuple[FileEdit, ...], score: float, share: float) -> Draft:
    spans = [
        (items[0].document, items[0].note.first, items[-1].note.last),
        (claim.document, claim.note.first, claim.note.last),
    ]
    goes = "goes above it, so that no word is lost" if lead_in else "says nothing that the list does not"
    return Draft(
        kind=Kind.MERGE,
        phase="consolidate",
        title=f"Say it once: {excerpt(claim.note.text)}",
        reason=f"{place(items[0])} lists the {len(items)} things that {place(claim)} names in the same order, and says "
        f"the same of them. The list stays; the paragraph {goes}.",
        confidence=round(0.5 + score / 2, 2),
        evidence=tuple(evidence(*span) for span in spans),
        texts=tuple(raw_text(*span) for span in spans),
        edits=(*lead_in, without(claim.document, claim.note, claim.note.first, claim.note.last)),
        detector="enumerations",
        measures=(Measure("items told in both", share, SUPPORTED),),
    )
