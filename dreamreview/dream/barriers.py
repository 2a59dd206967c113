"""What keeps two statements apart whatever their words: where they stand, what they are about, what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.dream.claims import names_in
from dreamreview.dream.cues import RESOLUTIONS, STAMPS
from dreamreview.dream.forms import (
    OUTSIDE,
    code_lead,
    is_labelled,
    is_literal,
    is_pointer,
    is_stamp,
    is_step,
    is_task,
    outside,
)
from dreamreview.dream.kin_words import kin
from dreamreview.dream.paraphrase import FEWEST, closeness, example
from dreamreview.dream.relation import ANCHOR, anchors
from dreamreview.dream.roles import fills_role
from dreamreview.dream.similarity import Weights, stem
from dreamreview.dream.slots import other_scope
from dreamreview.model.memory import Shape

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim
    from dreamreview.dream.paraphrase import Closeness

ROW = 0.8
"""Share of the shorter one's words that a table row and a sentence must have in common to say the same."""
FRAGMENT = 4
"""Words below which a text is a heading in a list rather than a statement."""
NESTED = 8
"""Words below which a nested list item says little without the item that holds it."""
SHORT = 4
"""Words up to which an amount or a labelled value says little without the heading above it."""
NAMELESS = 3
"""Words below which any statement does."""
BARE = 6
"""Words below which a statement is about what its own heading says."""
LEADS = 2
"""Shared anchors from which two statements are one although they open with different leads."""
SAID = 3
"""Words that a fact and the record of a day share at least when the one says the other over again."""
TWICE = 0.55
"""Share of the longer of two brief sentences that both must say, so that what stands above them does not matter."""
SAME_WORDS = 0.95
"""Share of a text from which another says all of it."""
SENTENCE = 4
"""Words of a brief sentence from which another that says all of them says the same, whatever stands above."""
SLACK = 0.5
"""By how much words that are near in meaning may fall short of equal ones."""
HELD = 3.0
"""Weight of anchors from which so few words do: two pieces of code, or one and an amount."""
_RESOLUTIONS = frozenset(map(stem, RESOLUTIONS))
EVEN = Weights({})
"""Every word counts the same."""
SIBLING = 0.75
"""Share of the shorter one's words that two entries of one list must have in common to say the same."""


def apart(one: Claim, other: Claim) -> str | None:
    """Say why two statements do not meet at all, before their words are looked at."""
    if one.note.pinned or other.note.pinned:
        return "pinned"
    if one.note.text.rstrip().endswith(("?", "？")) or other.note.text.rstrip().endswith(("?", "？")):
        return "a question"
    if one.is_stamped and other.is_stamped and one.reading.plain != other.reading.plain:
        return "entries of a log"
    if one.in_log and other.in_log and one.reading.plain != other.reading.plain:
        return "two days of a log"
    rows = one.note.shape is Shape.ROW, other.note.shape is Shape.ROW
    if all(rows) and one.reading.plain != other.reading.plain and (one.path == other.path or _key(one) != _key(other)):
        return "rows about different things"
    for near, far in ((one, other), (other, one)):
        owners, names = _owners(near), far.reading.names or far.owners
        if owners and names and not names & (owners | near.reading.names) and not owners & far.about:
            return f"about {min(owners)} and about {min(names)}"
    parted = _parting(one, other) if one.path == other.path else (frozenset[str](), frozenset[str]())
    if all(parted) and not parted[0] & parted[1]:
        return f"below {min(parted[0])} and below {min(parted[1])}"
    return other_scope(one.reading, other.reading)


def _parting(one: Claim, other: Claim) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names in the outermost headings by which two statements of one file stand in different sections."""
    pairs = zip(one.note.headings, other.note.headings, strict=False)
    near, far = next(((near, far) for near, far in pairs if near != far), ("", ""))
    return names_in(near, one.known), names_in(far, other.known)


def _key(claim: Claim) -> str:
    return claim.note.text.partition("|")[0].strip().casefold()


def _owners(claim: Claim) -> frozenset[str]:
    """Return whom a statement is about by the heading above it, where it names nobody itself."""
    return frozenset() if claim.reading.names else claim.owners


def size(one: Claim, other: Claim) -> float:
    """Return how much the briefer of two statements says, in words."""
    return min(one.reading.size, other.reading.size)


def not_mergeable(one: Claim, other: Claim, close: Closeness | None) -> str | None:
    """Say why two statements that read alike are nevertheless kept apart, or return None.

    `close` is how much they have in common, None for the same words.
    """
    if one.is_source or other.is_source:
        return "the record of a day is a source and stays as it is"
    if one.is_done is not None and other.is_done is not None and one.is_done != other.is_done:
        return "open in one, done in the other"
    reason = _is_apart_by_form(one, other) or (_differs(one, other, close) if close else None)
    if reason:
        return reason
    if size(one, other) < FRAGMENT and one.bag != other.bag and not _is_sentence_twice(one, other, close):
        return "too brief to be a statement"
    if any(len({key for key in claim.reading.topic if len(key) > 1} - STAMPS) <= 1 for claim in (one, other)):
        return "a stamp"
    if size(one, other) < NESTED and (_is_out_of(one, other) or _is_out_of(other, one)):
        return "under different items of a list"
    has_value = any(claim.reading.values or claim.lead for claim in (one, other))
    is_attribute = has_value and size(one, other) <= SHORT
    has_anchor = bool(one.reading.literals or one.reading.idents or one.reading.names or '"' in one.note.text)
    if not has_anchor and size(one, other) <= SHORT and _are_listed_apart(one, other):
        return "brief items of two lists"
    if (
        (is_attribute or size(one, other) < NAMELESS)
        and not has_anchor
        and one.about
        and other.about
        and not _same_place(one, other)
        and not _is_sentence_twice(one, other, close)
    ):
        return "short, and under different headings"
    return None


def _is_apart_by_form(one: Claim, other: Claim) -> str | None:
    if is_pointer(one) or is_pointer(other):
        return "a pointer stands where somebody looks for it"
    if is_task(one) != is_task(other):
        return "a task in one, a statement in the other"
    if is_step(one) != is_step(other) and size(one, other) < BARE:
        return "a step in one, a statement in the other"
    return None


def needs_company(one: Claim, other: Claim) -> bool:
    """Tell whether two statements are one only where most of the lists that they stand in are."""
    return (is_step(one) and is_step(other)) or is_field(one, other)


def is_field(one: Claim, other: Claim) -> bool:
    """Tell whether two statements are fields of records, brief values or bare code, below different headings."""
    is_brief = (is_labelled(one) and is_labelled(other)) or is_literal(one) or is_literal(other)
    return is_brief and not _is_same_heading(one, other)


def _is_same_heading(one: Claim, other: Claim) -> bool:
    """Tell whether two statements stand below the same headings, outermost to innermost."""
    return one.note.headings == other.note.headings and (one.path == other.path or bool(one.note.headings))


def _is_out_of(nested: Claim, other: Claim) -> bool:
    """Tell whether a statement stands below a list item that the other one has nothing to do with."""
    if nested.under and other.under:
        return bool(nested.under - other.under and other.under - nested.under)
    return bool(nested.under) and not nested.under & (other.bag | other.about)


def _is_sentence_twice(one: Claim, other: Claim, close: Closeness | None) -> bool:
    """Tell whether two brief statements are sentences rather than labels, and hardly differ, or one is in the other."""
    if close is None or one.lead or other.lead:
        return False
    is_within = (
        close.light >= SAME_WORDS and close.count >= SENTENCE and one.reading.is_sentence and other.reading.is_sentence
    )
    return is_within or (close.heavy >= TWICE and close.count >= FEWEST)


def _differs(one: Claim, other: Claim, close: Closeness) -> str | None:
    has_row = Shape.ROW in (one.note.shape, other.note.shape)
    if has_row and (_light(one, other) < ROW or not anchors(one.reading, other.reading)):
        return "a row says less than a sentence"
    addresses = one.addresses, other.addresses
    if addresses[0] and addresses[1] and not addresses[0] & addresses[1]:
        return "different addresses"
    names = one.reading.names - other.reading.names, other.reading.names - one.reading.names
    if names[0] and names[1] and not any(kin(near, far) for near in names[0] for far in names[1]):
        return f"{min(names[0])} in one, {min(names[1])} in the other"
    if _are_siblings(one, other) and leads_part(one, other):
        return "under different leads"
    if _leads_differ(one, other) and anchors(one.reading, other.reading) < LEADS:
        return "under different leads"
    spoken = closeness(outside(one.reading), outside(other.reading), EVEN).count
    held = one.reading.literals & other.reading.literals
    if (
        held
        and spoken < OUTSIDE - SLACK
        and anchors(one.reading, other.reading) < HELD
        and not _is_whole(one, other, close)
    ):
        return "hardly more in common than what both mention"
    literals = one.reading.literals, other.reading.literals
    is_apart = bool(literals[0] and literals[1] and not literals[0] & literals[1])
    is_apart = is_apart and example(one.reading, other.reading) is None
    if (is_apart or _are_siblings(one, other)) and max(
        _light(one, other), close.light + ANCHOR * anchors(one.reading, other.reading)
    ) < SIBLING:
        return "two entries of one list" if not is_apart else "about different pieces of code"
    return None


def _is_whole(one: Claim, other: Claim, close: Closeness) -> bool:
    """Tell whether two statements are the same words throughout, or one is all in the other with its address."""
    is_same = close.heavy >= SAME_WORDS
    return is_same or (close.light >= SAME_WORDS and bool(one.addresses & other.addresses))


def _are_listed_apart(one: Claim, other: Claim) -> bool:
    """Tell whether two items stand in two lists of one file: what two things have in common is said of each."""
    is_listed = one.note.shape is Shape.BULLET and other.note.shape is Shape.BULLET
    return is_listed and one.path == other.path and one.note.headings != other.note.headings


def _leads_differ(one: Claim, other: Claim) -> bool:
    """Tell whether both statements open with a lead ("**Limits**", "Limits:") and these have no word in common."""
    near, far = one.lead, other.lead
    return bool(near and far and not near & far)


def leads_part(one: Claim, other: Claim) -> bool:
    """Tell whether each lead says something that the other does not: "Sales target" and "Staff target"."""
    return bool(one.lead and other.lead and one.lead - other.lead and other.lead - one.lead)


def _are_siblings(one: Claim, other: Claim) -> bool:
    """Tell whether two statements stand in one list: a writer seldom repeats there what stands a line above."""
    return one.path == other.path and one.note.headings == other.note.headings


def _light(one: Claim, other: Claim) -> float:
    return len(one.bag & other.bag) / max(min(len(one.bag), len(other.bag)), 1)


def _same_place(one: Claim, other: Claim) -> bool:
    if one.path == other.path and one.note.headings == other.note.headings:
        return True
    if any(near.lead and near.lead <= far.about for near, far in ((one, other), (other, one))):
        return True
    return len(one.reading.keys) >= 3 and bool(one.about & other.about)


def may_dispute(one: Claim, other: Claim) -> bool:
    """Tell whether two statements are of a kind that can be at odds at all.

    An entry of a log tells what was that day, unless it says that something is otherwise from then on, or says a
    lasting fact over again in the same words with another value; a task says nothing of how things are; a row
    of many columns is no sentence; a brief statement is about its own heading.
    """
    codes = code_lead(one), code_lead(other)
    if _are_siblings(one, other) and (leads_part(one, other) or (all(codes) and codes[0] != codes[1])):
        return False
    if is_stamp(one) and is_stamp(other) and not _is_same_heading(one, other):
        return False
    if _are_neighbours(one, other) or _are_fields_apart(one, other):
        return False
    is_elsewhere = one.path == other.path and not _are_siblings(one, other)
    if is_elsewhere and size(one, other) < BARE and not one.reading.names & other.reading.names:
        return False
    for claim in (one, other):
        is_news = claim.reading.is_correction or claim.reading.is_opinion or _is_resolved(claim)
        is_news = is_news or _says_over(one, other)
        if claim.is_stamped and not is_news:
            return False
        if (
            claim.is_done is False
            or is_task(claim)
            or (claim.note.shape is Shape.ROW and claim.note.text.count(" | ") != 1)
        ):
            return False
    return True


def _is_resolved(claim: Claim) -> bool:
    """Tell whether a dated line stands below a heading that says that such things were decided."""
    return not claim.about.isdisjoint(_RESOLUTIONS)


def _are_neighbours(one: Claim, other: Claim) -> bool:
    """Tell whether two statements are entries of one list, one right below the other: these list several things.

    Unless one of them says that something is otherwise now, or says nothing of its own but a value, or both give one
    part to two people.
    """
    near, far = one.reading, other.reading
    if len(near.topic ^ far.topic) == 2 and fills_role(near, far):
        return False
    if near.is_correction or far.is_correction or not (near.topic - far.topic and far.topic - near.topic):
        return False
    lines = sorted((claim.note.first, claim.note.last) for claim in (one, other))
    is_listed = all(claim.note.shape in (Shape.BULLET, Shape.ROW) for claim in (one, other))
    return is_listed and one.path == other.path and lines[1][0] == lines[0][1] + 1


def _are_fields_apart(one: Claim, other: Claim) -> bool:
    """Tell whether two statements are hardly more than a label with a value, in files about different things."""
    words = min(len({key for key in claim.reading.topic if len(key) > 1}) for claim in (one, other))
    return one.path != other.path and words <= 1 and not one.about & other.about


def _says_over(one: Claim, other: Claim) -> bool:
    """Tell whether the record of a day says a lasting fact in the very words, but for a value."""
    return one.in_log != other.in_log and one.reading.topic == other.reading.topic and len(one.reading.topic) >= SAID
