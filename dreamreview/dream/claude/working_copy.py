"""The copy that the model edits: it lives in memory, and knows of every line and name which card made it so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.claude.weaving import ForeignLineError, Line, rewritten, weave
from dreamreview.dream.evidence import create_file, delete_file
from dreamreview.dream.whole_files import KEPT_NAMES
from dreamreview.errors import UnsafePathError
from dreamreview.model.claims import path_problem
from dreamreview.model.edits import Edit, overlap
from dreamreview.model.inert import inert
from dreamreview.model.memory import Document, Role
from dreamreview.model.proposal import Act, FileEdit
from dreamreview.store.moves import fold
from dreamreview.store.scan import check_memory_path

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus
    from dreamreview.model.edits import Text

ENDINGS = (".md", ".markdown", ".mdx", ".txt")
"""Endings of files that may be made: only what holds memory."""


class RefusedError(Exception):
    """An edit that the working copy does not take; the argument is a sentence for whoever asked."""


@dataclass(slots=True)
class _Acts:
    """What one card does, path by path; all edits are spoken against the base."""

    lines: dict[str, tuple[Edit, ...]] = field(default_factory=dict)
    created: dict[str, Text] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    held: list[tuple[str, int, int]] = field(default_factory=list)
    """Base lines ``[start, stop)`` that an option of a conflict would change."""

    @property
    def paths(self) -> set[str]:
        """Every base path it has a hand in."""
        return {*self.lines, *self.created, *self.deleted, *self.renamed, *(path for path, _, _ in self.held)}


class WorkingCopy:
    """A store as edited so far; every method that edits raises `RefusedError` and then changes nothing."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._acts: dict[int, _Acts] = {}

    def names(self) -> tuple[str, ...]:
        """Return every file of the copy under its present name, in order."""
        gone = {path for acts in self._acts.values() for path in (*acts.deleted, *acts.renamed)}
        made = {name for acts in self._acts.values() for name in (*acts.created, *acts.renamed.values())}
        return tuple(sorted((self._corpus.files - gone) | made))

    def base_of(self, name: str) -> Document | None:
        """Return the document of the store that a present name stands for; None for a file that a card made."""
        for acts in self._acts.values():
            for path, to in acts.renamed.items():
                if to == name:
                    return self._corpus.documents.get(path)
            if name in acts.deleted or name in acts.renamed or name in acts.created:
                return None
        return self._corpus.documents.get(name)

    def is_memory(self, name: str) -> bool:
        """Tell whether a file of the copy holds text that can be read."""
        document = self.base_of(name)
        return document.is_text if document is not None else any(name in acts.created for acts in self._acts.values())

    def standing(self, path: str) -> frozenset[int]:
        """Return which base lines (0-based) of a file are still there, under whatever name."""
        document = self._corpus.documents.get(path)
        if document is None or any(path in acts.deleted for acts in self._acts.values()):
            return frozenset()
        lines = weave(document.lines, self._by_card(path))
        return frozenset(line.base for line in lines if line.base is not None)

    def lines(self, name: str) -> tuple[Line, ...]:
        """Return the lines of a file as it stands now.

        Raises:
            RefusedError: there is no such file, or it holds no text.
        """
        for number, acts in self._acts.items():
            if name in acts.created:
                return tuple(Line(data, None, number) for data in acts.created[name])
        document = self.base_of(name)
        if document is None:
            known = name in self.names()
            raise RefusedError(
                f"{name} holds no memory text; leave it as it is" if known else f"there is no file {name}"
            )
        return weave(document.lines, self._by_card(document.path))

    def rewrite(self, name: str, start: int, stop: int, new: Text, card: int) -> None:
        """Put other lines in the place of lines ``[start, stop)`` of a file as it stands now."""
        acts = self._of(card)
        if name in acts.created:
            text = acts.created[name]
            acts.created[name] = (*text[:start], *new, *text[stop:])
            return
        lines = self.lines(name)
        document = self.base_of(name)
        if document is None:
            raise RefusedError(f"{name} was made by another card of this dream: open that change's subject again there")
        self._check_touch(document, name, card)
        _check_managed(document, name, lines, start, stop)
        by_card = self._by_card(document.path)
        try:
            own = rewritten(document.lines, by_card, card, (start, stop), new)
        except ForeignLineError as error:
            raise RefusedError(f"those lines of {name} belong to card {error.args[0]}: choose other lines") from None
        self._check_held(document.path, own, card)
        acts.lines[document.path] = own
        if not own:
            del acts.lines[document.path]

    def create(self, name: str, text: Text, card: int) -> None:
        """Make a file."""
        self._check_new(name)
        self._of(card).created[name] = text

    def delete(self, name: str, card: int) -> None:
        """Delete a file."""
        acts = self._of(card)
        if acts.created.pop(name, None) is not None:
            return
        document = self._whole(name, card)
        acts.lines.pop(document.path, None)
        acts.renamed.pop(document.path, None)
        acts.deleted.add(document.path)

    def rename(self, name: str, to: str, card: int) -> None:
        """Give a file another name."""
        acts = self._of(card)
        self._check_new(to)
        if name in acts.created:
            acts.created[to] = acts.created.pop(name)
            return
        document = self._whole(name, card)
        acts.renamed[document.path] = to
        if document.path == to:
            del acts.renamed[document.path]

    def hold(self, path: str, start: int, stop: int, card: int) -> None:
        """Keep base lines ``[start, stop)`` for the options of a conflict."""
        document = self._corpus.documents[path]
        self._check_touch(document, path, card)
        if Role.MANAGED in document.roles[start:stop]:
            raise RefusedError(f"{path} holds a block that another program writes there; leave it as it is")
        span = Edit(start, stop, ())
        for number, acts in self._acts.items():
            if number == card:
                continue
            taken = any(overlap(span, edit) for edit in acts.lines.get(path, ()))
            if taken or path in {*acts.deleted, *acts.renamed}:
                raise RefusedError(f"those lines of {path} belong to card {number}")
        self._check_held(path, (span,), card)
        self._of(card).held.append((path, start, stop))

    def drop(self, card: int) -> None:
        """Take all edits of a card back."""
        self._acts.pop(card, None)

    def edits_of(self, card: int) -> tuple[FileEdit, ...]:
        """Return what a card does to the store, in path order."""
        acts = self._acts.get(card, _Acts())
        found: list[FileEdit] = []
        for path in sorted(acts.paths):
            document = self._corpus.documents.get(path)
            if path in acts.created:
                found.append(create_file(path, acts.created[path]))
            if document is None:
                continue
            if path in acts.deleted:
                found.append(delete_file(document, self._corpus.modes.get(path)))
            if path in acts.renamed:
                found.append(FileEdit(id="", path=path, act=Act.RENAME, to=acts.renamed[path]))
            found += (_line_edit(document, edit) for edit in acts.lines.get(path, ()))
        return tuple(found)

    def _of(self, card: int) -> _Acts:
        return self._acts.setdefault(card, _Acts())

    def _by_card(self, path: str) -> dict[int, tuple[Edit, ...]]:
        return {number: acts.lines[path] for number, acts in self._acts.items() if path in acts.lines}

    def _whole(self, name: str, card: int) -> Document:
        """Return the document of a file that a card may delete or rename as a whole."""
        self.lines(name)
        document = self.base_of(name)
        if document is None:
            raise RefusedError(f"{name} was made by another card of this dream")
        if not document.is_text:
            raise RefusedError(f"{name} is not plain text; leave it as it is")
        if document.is_output:
            raise RefusedError(f"{name} was written by a dream or kept as a backup; leave it as it is")
        other = next((n for n, acts in self._acts.items() if n != card and document.path in acts.paths), None)
        if other is not None:
            raise RefusedError(f"card {other} edits {name}; a file is deleted or renamed by one card alone")
        if document.path.rpartition("/")[2].casefold() in KEPT_NAMES:
            raise RefusedError(f"{name} is looked for by its name; edit it, and leave it where it is")
        if Role.MANAGED in document.roles:
            raise RefusedError(f"{name} holds a block that another program writes; leave the file as it is")
        return document

    def _check_touch(self, document: Document, name: str, card: int) -> None:
        if not document.is_text:
            raise RefusedError(f"{name} is not plain text; leave it as it is")
        if document.is_output:
            raise RefusedError(f"{name} was written by a dream or kept as a backup; leave it as it is")
        for number, acts in self._acts.items():
            if number != card and document.path in {*acts.deleted, *acts.renamed}:
                raise RefusedError(f"card {number} renames {name}; a file is renamed by one card alone")

    def _check_held(self, path: str, edits: tuple[Edit, ...], card: int) -> None:
        for number, held, start, stop in self._held():
            if number != card and held == path and any(overlap(Edit(start, stop, ()), edit) for edit in edits):
                raise RefusedError(f"lines {start + 1} to {stop} of {path} are in dispute in card {number}")

    def _held(self) -> Iterator[tuple[int, str, int, int]]:
        for number, acts in self._acts.items():
            for path, start, stop in acts.held:
                yield number, path, start, stop

    def _check_new(self, name: str) -> None:
        check_name(name)
        if not name.lower().endswith(ENDINGS):
            raise RefusedError(f"{name} is no memory file; a name ends in {', '.join(ENDINGS)}")
        if "\\" in name or inert(name) != name or any(part != part.strip() for part in name.split("/")):
            raise RefusedError("a name is made of letters, digits and signs that are seen, without backslashes")
        every = {*self.names(), *self._corpus.files, *(path for acts in self._acts.values() for path in acts.paths)}
        folded = fold(name)
        for other in every:
            if fold(other) == folded:
                raise RefusedError(f"{other} exists; edit it, or choose another name")
            if folded.startswith(fold(other) + "/") or fold(other).startswith(folded + "/"):
                raise RefusedError(f"{name} cannot stand beside {other}: one would be a folder and a file at once")


def check_name(name: str) -> None:
    """Make sure that a name leads to a place inside the store by its mere text.

    Raises:
        RefusedError: it does not.
    """
    problem = path_problem(name)
    if problem is None:
        try:
            check_memory_path(name)
        except UnsafePathError:
            problem = "leads out of the memory"
    if problem is None and any(ord(character) < 32 or ord(character) == 127 for character in name):
        problem = "holds a control character"
    if problem is not None:
        raise RefusedError(f"the path {problem}; only files inside /memories can be named")


def _check_managed(document: Document, name: str, lines: tuple[Line, ...], start: int, stop: int) -> None:
    """Refuse to change a line of a block that another program writes, and to put one between two of them."""

    def is_managed(line: Line) -> bool:
        return line.base is not None and document.roles[line.base] is Role.MANAGED

    inside = lines[start:stop] if start < stop else lines[max(start - 1, 0) : start + 1]
    if any(map(is_managed, inside)) if start < stop else len(inside) == 2 and all(map(is_managed, inside)):
        raise RefusedError(f"{name} holds a block that another program writes there; leave it as it is")


def _line_edit(document: Document, edit: Edit) -> FileEdit:
    return FileEdit(
        id="",
        path=document.path,
        start=edit.start,
        stop=edit.stop,
        old=document.lines[edit.start : edit.stop],
        new=edit.new,
    )
