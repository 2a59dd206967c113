"""Which lines give orders to the agent that reads the memory, planted by whoever wrote the text it came from?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dreamreview.dream.blocks import Block, blocks, without
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import evidence, raw_text, replace_lines
from dreamreview.dream.orders import Order, find_order
from dreamreview.dream.quoted import is_quoted, quoted_spans
from dreamreview.dream.repeats import folded
from dreamreview.model.edits import split_lines
from dreamreview.model.memory import Role
from dreamreview.model.proposal import FileEdit, Kind

_COMMENT = re.compile(r"<!--(?P<body>.*?)(?:-->|\Z)", re.DOTALL)
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”»)]?(?=\s|$)|\n\s*\n")
_OPENING = re.compile(r"[ \t]*(?:>[ \t]*)*(?:(?:[-*+•]|\d+[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?")
_FEW_WORDS = 4
"""Fewer words than this beside an order are a lead-in to it and go with it."""


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:  # noqa: ARG001 - every detector takes both
    """Yield one draft for each planted order; the edit takes it away and leaves other sentences in place."""
    yield from folded(
        draft
        for document in corpus.documents.values()
        if document.is_text and not document.is_output
        for block in blocks(document, Role.TEXT, Role.COMMENT, Role.HEADING, Role.FRONTMATTER)
        for draft in _in_block(block)
    )


def _in_block(block: Block) -> Iterator[Draft]:
    text = block.text
    comments = list(_COMMENT.finditer(text))
    for comment in comments:
        order = find_order(comment["body"], is_hidden=True, topic=block.topic)
        if order:
            yield _draft(block, comment.start(), comment.end(), order, is_hidden=True)
    if block.role is Role.COMMENT:
        return
    shown = _COMMENT.sub(lambda match: re.sub(r"[^\r\n]", " ", match[0]), text)
    if block.role is Role.FRONTMATTER:
        yield from _in_frontmatter(block)
    elif order := find_order(shown, topic=block.topic):
        start, stop = (order.start, order.stop) if order.is_apart else _whole_sentences(shown, order)
        yield _draft(block, start, stop, order, is_hidden=False)


def _in_frontmatter(block: Block) -> Iterator[Draft]:
    for line in range(block.first, block.last + 1):
        text = block.document.line_text(line)
        _, colon, value = text.partition(":")
        order = find_order(value, topic="") if colon and not text.startswith((" ", "-", "#")) else None
        if order:
            one = Block(block.document, line, line, block.role, block.note)
            yield _draft(one, 0, len(one.text), order, is_hidden=False)


def _whole_sentences(text: str, order: Order) -> tuple[int, int]:
    """Widen an order to the sentences it is part of; to everything, if it is quoted or hardly anything is left."""
    opening = _OPENING.match(text)
    begin = opening.end() if opening else 0
    if is_quoted(quoted_spans(text, ("quote",)), order.start, order.stop):
        return 0, len(text)
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    start = max([begin, *(end for end in ends if end <= order.start)])
    stop = min([end for end in ends if end >= order.stop], default=len(text))
    if len((text[begin:start] + " " + text[stop:]).split()) < _FEW_WORDS:
        return 0, len(text)
    return start, stop


def _draft(block: Block, start: int, stop: int, order: Order, *, is_hidden: bool) -> Draft:
    document = block.document
    first, last = block.line_at(start), block.line_at(max(start, len(block.text[:stop].rstrip()) - 1))
    if last < first:
        last = first
    hiding = " in a comment that the rendered page does not show" if is_hidden else ""
    return Draft(
        kind=Kind.QUARANTINE,
        phase="gather",
        title="Planted order to the agent",
        reason=f"The text speaks to the agent that reads it{hiding}: it {order.why}. Nothing in it was followed.",
        confidence=0.9 if is_hidden or ";" in order.why else 0.8,
        evidence=(evidence(document, first, last, block.note.date if block.note else None),),
        texts=(raw_text(document, first, last),),
        edits=(_cut(block, start, stop, first, last),),
        flags=("instruction-like",),
        detector="instructions",
    )


def _cut(block: Block, start: int, stop: int, first: int, last: int) -> FileEdit:
    """Return the edit that takes a range out of a block, whole lines if nothing else stands on them."""
    text = block.text
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", stop - 1 if stop and text[stop - 1] == "\n" else stop)
    end = len(text) if end < 0 else end + 1
    opening = _OPENING.match(text, begin)
    lead_end = opening.end() if opening else begin
    left, right = text[begin:start].rstrip(), text[stop:end].strip()
    if start <= lead_end:
        left = text[begin:lead_end].rstrip() if right else ""
    if not left.strip() and not right:
        return without(block.document, block.note, first, last)
    line_end = re.search(r"\r?\n?\Z", text[begin:end])
    new = " ".join(part for part in (left, right) if part) + (line_end[0] if line_end else "")
    return replace_lines(block.document, first, last, split_lines(new.encode("utf-8", "surrogateescape")))
