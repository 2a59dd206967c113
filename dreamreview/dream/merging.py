"""How several notes become one: the fuller text stays, and what only the others say is added word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.dream.barriers import leads_part
from dreamreview.dream.blocks import without
from dreamreview.dream.evidence import raw_text, replace_lines
from dreamreview.dream.forms import is_step
from dreamreview.dream.kin_words import kin
from dreamreview.dream.paraphrase import closeness
from dreamreview.dream.relation import anchors
from dreamreview.dream.similarity import Weights
from dreamreview.dream.slots import Reading, read
from dreamreview.dream.values import Value, agreements
from dreamreview.model.memory import Document, Shape
from dreamreview.model.secrets import find_secrets

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import FileEdit

FRESH = 0.5
"""A sentence is added for its words alone where more than this share of them is new."""
COVERED = 0.7
"""Share of a sentence that one sentence of the kept text must say, where any of its words is new."""
EVEN = Weights({})
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_TAIL = re.compile(rb"\s*(?:\[score=[^\]]*\]|<!--.*?-->)?\s*$")


@dataclass(frozen=True, slots=True)
class Kept:
    """What a text that stays says already."""

    bag: frozenset[str]
    values: tuple[Value, ...]
    flat: str
    """Case folded, blanks squeezed."""
    sentences: tuple[frozenset[str], ...] = ()
    """The words of each sentence."""

    @classmethod
    def of(cls, texts: Iterable[str], names: frozenset[str]) -> Kept:
        """Read what several texts say together."""
        text = "\n".join(texts)
        reading = read(text, names)
        said = tuple(read(piece, names).bag for piece in _SENTENCES.split(text))
        return cls(reading.bag, reading.values, " ".join(text.casefold().split()), said)


def missing_sentences(kept: Kept, text: str, names: frozenset[str]) -> tuple[str, ...]:
    """Return the sentences of a text that carry what the kept text lacks: a literal, a name, or mostly new words."""
    found: list[str] = []
    for sentence in (" ".join(piece.split()) for piece in _SENTENCES.split(text)):
        reading = read(sentence, names)
        if not reading.bag or sentence.casefold().rstrip(".;。； ") in kept.flat:
            continue
        if _lacks(kept, reading):
            found.append(sentence)
            flat = f"{kept.flat} {sentence.casefold()}"
            kept = Kept(kept.bag | reading.bag, kept.values + reading.values, flat, (*kept.sentences, reading.bag))
    return tuple(found)


def lacks_literals(kept: Kept, reading: Reading) -> bool:
    """Tell whether a text states an amount, a name, a quotation or a piece of code that the kept text lacks."""
    is_valued = agreements(reading.values, kept.values) < len(reading.values)
    literals = {literal for literal in reading.literals | reading.idents if literal not in kept.flat}
    quoted = any(quote not in kept.flat for quote in reading.quotes)
    names = {name for name in reading.names if name not in kept.flat}
    return bool(is_valued or literals or names) or quoted


def _lacks(kept: Kept, reading: Reading) -> bool:
    if lacks_literals(kept, reading):
        return True
    fresh = {key for key in reading.bag - kept.bag if not any(kin(key, far) for far in kept.bag)}
    if len(fresh) > FRESH * len(reading.bag):
        return True
    covered = (closeness(reading.bag, said, EVEN).weight / len(reading.bag) for said in kept.sentences)
    return bool(fresh) and max(covered, default=0.0) < COVERED


def better(group: Sequence[Claim], protected: frozenset[int]) -> Claim:
    """Return the note that the others are merged into: one that must stay, else the fuller, else the newer one.

    A step stays where it is, so that its procedure stays whole.
    """
    return max(
        group,
        key=lambda claim: (
            claim.place in protected,
            claim.note.shape is not Shape.ROW,
            is_step(claim),
            len(claim.bag),
            claim.note.date or "",
            -claim.place,
        ),
    )


def worth_merging(group: Sequence[Claim], protected: frozenset[int], names: frozenset[str]) -> tuple[Claim, ...]:
    """Return the notes of a group that one can stand for, with that one; fewer than two where there are none.

    A note that has to be added whole to the one that stays is only moved by that. Where neither an amount nor a code
    nor a person is named by both, it has to be worth it: not inside one file, nor below another label. Inside one
    typed note it never is, for one part says the rule and another how to apply it. A row stays in its table beside a
    sentence of the same file.
    """
    keep = better(group, protected)
    kept = Kept.of((keep.note.text,), names)
    return tuple(claim for claim in group if claim is keep or _is_held(keep, claim, kept, names))


def _is_held(keep: Claim, other: Claim, kept: Kept, names: frozenset[str]) -> bool:
    is_one_file = keep.path == other.path
    if is_one_file and other.note.shape is Shape.ROW and keep.note.shape is not Shape.ROW:
        return False
    text = _as_prose(other)
    said = [piece for piece in _SENTENCES.split(text) if read(piece, names).bag]
    if len(missing_sentences(kept, text, names)) < max(len(said), 1):
        return True
    if is_one_file and keep.document.frontmatter is not None:
        return False
    is_named = anchors(keep.reading, other.reading) > 0 or bool(keep.reading.names & other.reading.names)
    return is_named or not (is_one_file or leads_part(keep, other))


def merge_edits(keep: Claim, others: Sequence[Claim], names: frozenset[str]) -> tuple[tuple[FileEdit, ...], int]:
    """Return the edits that merge notes into one, and how many sentences they add to it."""
    added: list[str] = []
    for other in others:
        kept = Kept.of((keep.note.text, *added), names)
        added += missing_sentences(kept, _as_prose(other), names)
    edits = [append_text(keep.document, keep.note.last, added)] if added else []
    edits += coalesce([without(other.document, other.note, other.note.first, other.note.last) for other in others])
    return tuple(edits), len(added)


def _as_prose(claim: Claim) -> str:
    if claim.note.shape is not Shape.ROW:
        return claim.note.text
    cells = [cell.strip() for cell in claim.note.text.split(" | ")]
    return ", ".join(cell for cell in cells if cell) + "."


def append_text(document: Document, line: int, sentences: Sequence[str]) -> FileEdit:
    """Return the edit that adds sentences to the end of a line, before a promotion tail and the line's terminator."""
    data = document.lines[line - 1]
    tail = _TAIL.search(data)
    at = tail.start() if tail else len(data)
    body, rest = data[:at].decode("utf-8", "surrogateescape"), data[at:]
    for sentence in map(_opened, sentences):
        wide = ord(body[-1]) > 0x2E7F if body else False
        if body and body[-1] not in '.!?;:。！？；：…)）"”」':
            body += "。" if wide else "."
        body += sentence if wide else f" {sentence}"
    return replace_lines(document, line, line, (body.encode("utf-8", "surrogateescape") + rest,))


def _opened(sentence: str) -> str:
    """Return a sentence with a capital at its head, where it begins with a plain word."""
    word = re.match(r"[a-z]+(?=[\s,])", sentence)
    return sentence[0].upper() + sentence[1:] if word else sentence


def coalesce(edits: Sequence[FileEdit]) -> list[FileEdit]:
    """Join deletions that touch or overlap in one file, so that the edits of a change stand apart."""
    joined: list[FileEdit] = []
    for edit in sorted(edits, key=lambda edit: (edit.path, edit.start, edit.stop)):
        last = joined[-1] if joined else None
        if last and last.path == edit.path and edit.start <= last.stop and not last.new and not edit.new:
            extra = edit.old[max(0, last.stop - edit.start) :]
            joined[-1] = replace(last, stop=max(last.stop, edit.stop), old=last.old + extra)
        else:
            joined.append(edit)
    return joined


def has_secret(claim: Claim) -> bool:
    """Tell whether a note holds a credential: it is never copied anywhere."""
    return bool(find_secrets(raw_text(claim.document, claim.note.first, claim.note.last)))


def closed(lines: Text) -> Text:
    """Return lines of which each but the last ends in a terminator."""
    return tuple(line if line.endswith(b"\n") else line + b"\n" for line in lines[:-1]) + lines[-1:]
