"""How field tests dream small texts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from dreamreview.dream import cycle
from dreamreview.dream.engine import Corpus, Policy
from dreamreview.model.markdown import parse

if TYPE_CHECKING:
    from dreamreview.dream.engine import Draft
    from dreamreview.model.proposal import Kind

TODAY = date(2026, 9, 15)


def dreamed(files: dict[str, str], policy: Policy | None = None) -> tuple[Draft, ...]:
    """Return what a dream of some files suggests."""
    documents = {path: parse(path, text.encode()) for path, text in sorted(files.items())}
    corpus = Corpus(documents=documents, files=frozenset(documents), today=TODAY)
    return cycle.run(corpus, policy or Policy(), lambda _progress: None, lambda: False).drafts


def of_kind(files: dict[str, str], *kinds: Kind) -> list[Draft]:
    """Return the suggestions of some kinds."""
    return [draft for draft in dreamed(files) if draft.kind in kinds]


def new_text(drafts: tuple[Draft, ...] | list[Draft]) -> str:
    """Return all text that suggestions would put in, sides of conflicts included."""
    edits = [edit for draft in drafts for edit in (*draft.edits, *(e for o in draft.options for e in o.edits))]
    return b"".join(line for edit in edits for line in edit.new).decode()
