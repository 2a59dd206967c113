"""What an agent reads beside its memory, held against it: notes that say it over again, and notes at odds with it.

Files such as ``CLAUDE.md`` are never changed from here. A note that restates one is offered for pruning; where both
cannot hold, a person chooses, and only the note can give way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.dream.blocks import without
from dreamreview.dream.candidates import candidates
from dreamreview.dream.claims import know
from dreamreview.dream.contradictions import disputed, giving_way, suggested
from dreamreview.dream.duplicates import SAME, excerpt, leads, place, seen
from dreamreview.dream.engine import Draft, Measure
from dreamreview.dream.evidence import delete_file, raw_text
from dreamreview.dream.judging import WHOLE, judge
from dreamreview.dream.merging import has_secret
from dreamreview.dream.references import References
from dreamreview.dream.relation import Kinship
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind, Option
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim, Knowledge
    from dreamreview.dream.engine import Corpus, Policy
    from dreamreview.dream.judging import Verdict
    from dreamreview.model.proposal import FileEdit

QUOTED = 200
"""Characters of a line beside the memory that a card quotes."""
_OUTSIDE = "../"
"""How the path of what lies beside the memory begins; no path inside it does."""


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:  # noqa: ARG001 - every detector takes both
    """Yield prunes of notes that restate what the agent reads anyway, and conflicts of notes with it."""
    if not corpus.context:
        return
    names = {f"{_OUTSIDE}{number}/{name.rpartition('/')[2]}": name for number, name in enumerate(corpus.context)}
    beside = {path: parse(path, b"".join(corpus.context[name].lines)) for path, name in names.items()}
    store = know(replace(corpus, documents={**corpus.documents, **beside}, context={}))
    standing, references = leads(store), References(corpus)
    done: set[int] = set()
    for verdict in _verdicts(store):
        if verdict.one.place in done or has_secret(verdict.one) or has_secret(verdict.other):
            continue
        name = f"{names[verdict.other.path]}, line {verdict.other.note.first}"
        if verdict.relation.kinship is Kinship.DUPLICATE:
            draft = _prune(corpus, store, verdict, name, standing, references)
        else:
            draft = _conflict(verdict, name, standing)
        if draft is not None:
            done.add(verdict.one.place)
            yield draft


def _verdicts(store: Knowledge) -> Iterator[Verdict]:
    """Yield the verdicts on a note (first) and what stands beside the memory that are not merely distinct."""
    claims = store.claims
    sources = frozenset(claim.place for claim in claims if claim.is_source)
    for pair in candidates([claim.bag for claim in claims], store.weights, WHOLE, sources):
        note, other = sorted((claims[place] for place in pair), key=_is_beside)
        if _is_beside(note) or not _is_beside(other):
            continue
        verdict = judge(note, other, store.weights)
        if verdict.relation.kinship in (Kinship.DUPLICATE, Kinship.CONFLICT):
            yield verdict


def _is_beside(claim: Claim) -> bool:
    return claim.path.startswith(_OUTSIDE)


def _prune(
    corpus: Corpus, store: Knowledge, verdict: Verdict, name: str, standing: frozenset[int], references: References
) -> Draft | None:
    note = verdict.one
    if note.note.pinned:
        return None
    edits = _gone(corpus, store, note, standing, references)
    if not edits:
        return None
    return Draft(
        kind=Kind.PRUNE,
        phase="prune",
        title=f"The agent reads it anyway: {excerpt(note.note.text)}",
        reason=f"{name}, which the agent reads in every session, says this already: {_quote(verdict.other)}",
        confidence=round(0.4 + verdict.relation.score * 0.45, 2),
        evidence=(seen(note),),
        texts=(_text(note), _text(verdict.other)),
        edits=edits,
        detector="surroundings",
        measures=(Measure("likeness", verdict.relation.score, SAME),),
    )


def _gone(
    corpus: Corpus, store: Knowledge, note: Claim, standing: frozenset[int], references: References
) -> tuple[FileEdit, ...]:
    """Return what takes a note away, its file with it where that says nothing else; nothing where it rests on it."""
    if note.place not in standing:
        return (without(note.document, note.note, note.note.first, note.note.last),)
    if len(store.by_path[note.path]) > 1:
        return ()
    return (delete_file(note.document, corpus.modes.get(note.path)), *references.dropped(note.path, None))


def _conflict(verdict: Verdict, name: str, standing: frozenset[int]) -> Draft | None:
    note, winner = verdict.one, suggested(verdict)
    edits = giving_way(verdict, standing, is_first=True)
    if not edits:
        return None
    return Draft(
        kind=Kind.CONFLICT,
        phase="consolidate",
        title=f"Which holds? {disputed(verdict)}",
        reason=f"Both cannot hold: {verdict.relation.reason}. {name}, which the agent reads in every session, says: "
        f"{_quote(verdict.other)} It is never changed from here: where the note is right, mend that file by hand.",
        confidence=round(0.5 + verdict.relation.score * 0.45, 2),
        evidence=(),
        texts=(_text(note), _text(verdict.other)),
        options=(
            Option("A", f"Keep what {place(note)} says", (seen(note),)),
            Option("B", f"Keep what {name} says: {_quote(verdict.other)}", (), edits),
        ),
        suggested=None if winner is None else "A" if winner is note else "B",
        detector="surroundings",
        measures=(Measure("sameness of topic", verdict.relation.score),),
    )


def _text(claim: Claim) -> str:
    return raw_text(claim.document, claim.note.first, claim.note.last)


def _quote(claim: Claim) -> str:
    text = " ".join(mask(claim.note.text).split())
    return f"“{text if len(text) <= QUOTED else text[: QUOTED - 1].rstrip() + '…'}”"
