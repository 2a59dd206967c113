"""Which links between notes lead nowhere although the file they mean is there under another name?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import evidence, raw_text, replace_lines
from dreamreview.dream.link_targets import Names, is_dangling, turned
from dreamreview.dream.repeats import folded
from dreamreview.model.proposal import Kind

if TYPE_CHECKING:
    from dreamreview.model.memory import Document, Link


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:  # noqa: ARG001 - every detector takes both
    """Yield one draft for each line with links that can mean one file only; the index is another detector's."""
    names = Names(corpus)
    yield from folded(
        draft
        for document in corpus.documents.values()
        if document.is_text and not document.is_output and document is not corpus.index
        for draft in _in_document(corpus, document, names)
    )


def _in_document(corpus: Corpus, document: Document, names: Names) -> Iterator[Draft]:
    by_line: dict[int, dict[Link, str | None]] = {}
    for link in document.links:
        if is_dangling(corpus, document, link) and (path := names.meant(document, link.target)):
            by_line.setdefault(link.line, {})[link] = path
    for line, links in by_line.items():
        named = ", ".join(f"{link.target} is now {path}" for link, path in links.items())
        yield Draft(
            kind=Kind.LINK,
            phase="index",
            title=f"Link to {', '.join(path or '' for path in links.values())}",
            reason=f"There is no file of that name, and one alone that it can mean: {named}.",
            confidence=0.85,
            evidence=(evidence(document, line, line),),
            texts=(raw_text(document, line, line),),
            edits=(replace_lines(document, line, line, (turned(document, links),)),),
            detector="link_repairs",
        )
