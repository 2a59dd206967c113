"""Which lines hold a credential that does not belong into a memory?"""

from __future__ import annotations

from collections.abc import Iterator

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import evidence, raw_text, replace_lines
from dreamreview.model.edits import split_lines
from dreamreview.model.memory import Document
from dreamreview.model.proposal import Kind
from dreamreview.model.secrets import REDACTED, SecretSpan, find_secrets

_ENDINGS = (".md", ".markdown", ".mdx", ".txt")
_NAMES = {
    "key-prefix": "a key of a known vendor",
    "jwt": "a signed token",
    "private-key": "a private key",
    "url-password": "a password in an address",
    "url-query": "a key in an address",
    "bearer": "a bearer token",
    "netrc": "a login",
    "basic-auth": "a login",
    "flag": "a password on a command line",
    "assignment": "a password or key",
    "near-word": "what looks like a key",
}
_UNSURE = frozenset({"near-word", "flag"})


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:  # noqa: ARG001 - every detector takes both
    """Yield one draft for each run of lines that holds secrets; the edit puts ``[redacted]`` in place of each value."""
    for path, document in corpus.documents.items():
        if document.is_text and not document.is_output and path.casefold().endswith(_ENDINGS):
            yield from _in_document(document)


def _in_document(document: Document) -> Iterator[Draft]:
    text = b"".join(document.lines).decode("utf-8", "surrogateescape")
    group: list[SecretSpan] = []
    for span in find_secrets(text):
        if group and "\n" in text[group[-1].stop : span.start]:
            yield _draft(document, text, group)
            group = []
        group.append(span)
    if group:
        yield _draft(document, text, group)


def _draft(document: Document, text: str, spans: list[SecretSpan]) -> Draft:
    first = text.count("\n", 0, spans[0].start) + 1
    last = text.count("\n", 0, spans[-1].stop) + 1
    reach = text.rfind("\n", 0, spans[0].start) + 1
    end = text.find("\n", spans[-1].stop)
    new = ""
    for span in spans:
        new += text[reach : span.start] + REDACTED
        reach = span.stop
    new += text[reach : len(text) if end < 0 else end + 1]
    named = " and ".join(dict.fromkeys(_NAMES[span.rule] for span in spans))
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    return Draft(
        kind=Kind.REDACT,
        phase="gather",
        title=f"Secret in {document.path}, {lines}",
        reason=f"The text holds {named}; every agent and every copy of the memory would read it. "
        f"Change the secret where it is used, this takes it out of the file alone.",
        confidence=0.75 if all(span.rule in _UNSURE for span in spans) else 0.95,
        evidence=(evidence(document, first, last),),
        texts=(raw_text(document, first, last),),
        edits=(replace_lines(document, first, last, split_lines(new.encode("utf-8", "surrogateescape"))),),
        flags=("secret",),
        detector="redaction",
    )
