"""The first message: what there is in the store, its text as far as it fits, and what the person rejected before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.dream.claude.addresses import address_of
from dreamreview.dream.claude.cards import CONTEXT, SESSION
from dreamreview.dream.claude.framing import cut

if TYPE_CHECKING:
    from dreamreview.dream.claude.framing import Frame
    from dreamreview.dream.claude.sessions import Sessions
    from dreamreview.dream.claude.veil import Veil
    from dreamreview.dream.engine import Task
    from dreamreview.model.memory import Document

WHOLE = 400_000
"""Characters of the memory that the first message holds; the rest is named and viewed on demand."""
LARGEST = 60_000
"""Characters above which one file is only named."""
MOST_NAMES = 5_000
"""Files that are named."""
MOST_REJECTIONS = 40


def briefing(task: Task, sessions: Sessions, veil: Veil, frame: Frame) -> list[str]:
    """Return the parts of the first message, all of them masked and framed."""
    corpus = task.corpus
    parts = [f"Today is {corpus.today.isoformat()}. The memory holds {len(corpus.documents)} text files."]
    parts.append(frame.around("files", "\n".join(_listing(task, veil))))
    room = WHOLE
    for document in _in_order(task):
        if sum(map(len, document.lines)) > min(LARGEST, room):
            continue
        text = numbered(document, veil)
        room -= len(text)
        parts.append(frame.around(veil.text(address_of(document.path)), text))
    for name, document in corpus.context.items():
        text = cut(numbered(document, veil), LARGEST)
        parts.append(
            "Beside the memory, read by the agent as well, never changed by you:\n"
            + frame.around(veil.text(CONTEXT + name), text)
        )
    parts += _about_sessions(sessions, frame)
    parts += _about_rejections(task, veil, frame)
    parts.append("Dream over this memory now.")
    return [part.encode("utf-8", "replace").decode("utf-8") for part in parts]


def _in_order(task: Task) -> Iterator[Document]:
    """Yield what is worth reading whole: the index first, and nothing that a dream wrote or that is no text."""
    corpus = task.corpus
    index = corpus.index
    ordered: Sequence[Document] = [index] if index is not None else []
    rest = (document for document in corpus.documents.values() if document is not index)
    for document in (*ordered, *rest):
        if document.is_text and not document.is_output:
            yield document


def numbered(document: Document, veil: Veil) -> str:
    """Return a document with its line numbers, as it is sent."""
    texts = [document.line_text(line) for line in range(1, len(document.lines) + 1)]
    lines = veil.lines(texts) if texts else ()
    return "\n".join(f"{number:>6}\t{text}" for number, text in enumerate(lines, start=1)) or "(empty file)"


def _listing(task: Task, veil: Veil) -> Iterator[str]:
    corpus = task.corpus
    for number, path in enumerate(sorted(corpus.files)):
        if number == MOST_NAMES:
            yield f"and {len(corpus.files) - MOST_NAMES} more"
            return
        document = corpus.documents.get(path)
        if document is None:
            said = "no memory text"
        elif not document.is_text:
            said = "not plain text"
        else:
            said = f"{len(document.lines)} lines" + (", written by a dream" if document.is_output else "")
        yield f"{veil.text(address_of(path))} ({said})"


def _about_sessions(sessions: Sessions, frame: Frame) -> Iterator[str]:
    names = sessions.names()
    if names:
        listed = "\n".join(SESSION + name for name in names)
        yield "Sessions since the last dream, newest first; search them:\n" + frame.around("sessions", listed)


def _about_rejections(task: Task, veil: Veil, frame: Frame) -> Iterator[str]:
    rows = [
        "\n".join([f"- {each.title}", f"  the person's reason: {each.reason}", *(f"  about: {q}" for q in each.quotes)])
        for each in task.rejections[:MOST_REJECTIONS]
    ]
    if rows:
        text = veil.text("\n".join(rows))
        yield "Rejected by the person before, with the reason:\n" + frame.around("rejected before", text)
