"""Where an index line says another amount than the file it points to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.dream.cues import PERIODS, STAMPS
from dreamreview.dream.duplicates import excerpt, seen
from dreamreview.dream.engine import Corpus, Draft
from dreamreview.dream.evidence import evidence, raw_text, replace_lines
from dreamreview.dream.similarity import overlap_share
from dreamreview.dream.slots import Reading, other_scope, other_thing, read
from dreamreview.dream.values import Value, clashes
from dreamreview.model.links import resolve
from dreamreview.model.proposal import FileEdit, Kind, Option

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim, Knowledge
    from dreamreview.model.memory import Document, Pointer

TOPIC = 0.6
"""Share of the hook's words that the sentence must have in common with it."""


def find_drift(corpus: Corpus, store: Knowledge) -> Iterator[Draft]:
    """Yield a conflict for each index line whose hook and file state different amounts of one thing."""
    for document in corpus.documents.values():
        if document.is_output:
            continue
        for pointer in document.pointers:
            path = resolve(pointer.target, document.path, corpus.files)
            claims = store.by_path.get(path, []) if path and path != document.path else []
            found = _drift(pointer, claims, store) if pointer.hook and claims else None
            if found:
                claim, mine, theirs = found
                yield _draft(document, pointer, claim, (mine, theirs))


def _drift(pointer: Pointer, claims: list[Claim], store: Knowledge) -> tuple[Claim, Value, Value] | None:
    keys = {value.key for claim in claims for value in claim.reading.values}
    for piece in re.split(r"[,;，；、]\s*|\s[—–-]\s", pointer.hook):
        hook = read(piece, store.names)
        if not hook.bag or any(value.key in keys for value in hook.values):
            continue
        for claim in claims:
            for clause in claim.clauses:
                pair = _clash(hook, clause, store)
                if pair:
                    return claim, *pair
    return None


def _clash(hook: Reading, clause: Reading, store: Knowledge) -> tuple[Value, Value] | None:
    found = [pair for pair in clashes(hook.values, clause.values) if pair[0].dimension != "number"]
    if any(pair[0].dimension == "date" for pair in found) and not _is_due(hook, clause):
        return None
    if len(found) != 1 or other_scope(hook, clause) or other_thing(hook, clause):
        return None
    off = {value.key for value in found[0]}
    mine, theirs = hook.bag - off, clause.bag - off
    light, _ = overlap_share(mine, theirs, store.weights)
    is_counted = found[0][0].dimension == "count"
    return found[0] if light >= TOPIC and len(mine & theirs) > is_counted else None


def _is_due(hook: Reading, clause: Reading) -> bool:
    """Tell whether a day is the point of a sentence and its hook, and does not merely say when they were written."""
    topic = {key for key in hook.topic if len(key) > 1}
    return bool(topic) and topic.isdisjoint(STAMPS) and topic <= clause.bag and not clause.said.isdisjoint(PERIODS)


def _draft(document: Document, pointer: Pointer, claim: Claim, pair: tuple[Value, Value]) -> Draft:
    mine, theirs = pair
    line = pointer.line
    return Draft(
        kind=Kind.CONFLICT,
        phase="index",
        title=f"Index and file differ: {excerpt(pointer.label or pointer.target)}",
        reason=f"The index says {mine.raw}, {claim.path} says {theirs.raw}. The file is what the index is made from.",
        confidence=0.75,
        evidence=(),
        texts=(raw_text(document, line, line), raw_text(claim.document, claim.note.first, claim.note.last)),
        options=(
            Option(
                "A",
                f"Keep what {document.path}:{line} says",
                (evidence(document, line, line),),
                _put(claim.document, (claim.note.first, claim.note.last), theirs, mine),
            ),
            Option(
                "B",
                f"Keep what {claim.path}:{claim.note.first} says",
                (seen(claim),),
                _put(document, (line, line), mine, theirs),
            ),
        ),
        suggested="B",
        detector="hooks",
    )


def _put(document: Document, span: tuple[int, int], old: Value, new: Value) -> tuple[FileEdit, ...]:
    spelled = re.compile(r"\s?".join(re.escape(part) for part in old.raw.split()))
    for line in range(span[0], span[1] + 1):
        text = document.lines[line - 1].decode("utf-8", "surrogateescape")
        if spelled.search(text):
            data = spelled.sub(lambda _: new.raw, text, count=1).encode("utf-8", "surrogateescape")
            return (replace_lines(document, line, line, (data,)),)
    return ()
