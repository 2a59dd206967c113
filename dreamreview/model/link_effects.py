"""Which links a proposal breaks and which it mends, change by change; damage that was there before is neither."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from dreamreview.model.derived import LinkAt
from dreamreview.model.links import NOTE_ENDINGS, Span, find_spans, is_outside, resolve
from dreamreview.model.memory import LinkForm
from dreamreview.model.moves import bare
from dreamreview.model.proposal import Act, Change, FileEdit

if TYPE_CHECKING:
    from dreamreview.model.edits import Text

TextOf = Callable[[str], "Text | None"]

LONGEST = 4_000
"""Bytes of a line up to which it is read for links."""
_FENCES = (b"```", b"~~~")


@dataclass(slots=True)
class LinkEffects:
    """What becomes of links, by change; in the order the links stand."""

    broken: dict[str, list[LinkAt]] = field(default_factory=dict)
    """Links that lead nowhere once everything proposed is made, and led somewhere or were not there before."""
    mended: dict[str, list[LinkAt]] = field(default_factory=dict)
    """Links that led nowhere before, and lead somewhere or are gone afterwards."""
    broken_by_option: dict[tuple[str, str], list[LinkAt]] = field(default_factory=dict)
    """Of conflicts: change and option key to the links that break when it is chosen."""
    linked: dict[str, list[LinkAt]] = field(default_factory=dict)
    """Path of a side of a conflict to the links that lead to it in the base and still do afterwards."""


def link_effects(changes: Sequence[Change], before: TextOf, after: TextOf, after_paths: Iterable[str]) -> LinkEffects:
    """Work out what becomes of links.

    Files that no change touches are read only where a file comes, goes or is a side of a conflict.

    Args:
        changes: those of the proposal.
        before: what a path holds in the base, None where nothing does.
        after: the same of the proposed folder.
        after_paths: every path of the proposed folder.
    """
    return _Look(changes, before, after, frozenset(after_paths)).effects()


@dataclass(frozen=True, slots=True)
class _Found:
    """A link in a text."""

    path: str
    line: int
    span: Span
    raw: bytes

    @property
    def at(self) -> LinkAt:
        return LinkAt(self.path, self.line, self.span.target)


class _Look:
    def __init__(self, changes: Sequence[Change], before: TextOf, after: TextOf, after_paths: frozenset[str]) -> None:
        self._changes = changes
        self._before, self._after = before, after
        self._after_paths = after_paths
        self._gone: dict[str, str] = {}
        """Path that is deleted or renamed to the change that does it."""
        self._come: dict[str, str] = {}
        self._old_names: dict[str, str] = {}
        """Name a file has afterwards to the one it had."""
        self._touched: dict[str, None] = {}
        """Names of the files that are given a line that may hold a markdown link."""
        self._brought: dict[tuple[str, bytes], str] = {}
        for change in changes:
            for edit in change.edits:
                self._note(change, edit)
        self._before_paths = (after_paths - self._come.keys()) | self._gone.keys()
        self._sides = {piece.path for change in changes for option in change.options for piece in option.evidence}
        self._cuts = [
            (change.id, option.key, _paths_gone(option.edits), _lines_gone(option.edits))
            for change in changes
            for option in change.options
            if _paths_gone(option.edits)
        ]

    def _note(self, change: Change, edit: FileEdit) -> None:
        name = edit.path
        if edit.act in {Act.DELETE, Act.RENAME}:
            self._gone[edit.path] = change.id
        if edit.act is Act.CREATE:
            self._come[edit.path] = change.id
        if edit.act is Act.RENAME and edit.to is not None:
            name = edit.to
            self._come[name] = change.id
            self._old_names[name] = edit.path
        if any(b"](" in line for line in edit.new):
            self._touched[name] = None
        for line in edit.new:
            self._brought.setdefault((edit.path, bare(line)), change.id)

    def effects(self) -> LinkEffects:
        found = LinkEffects()
        stale = self._mended_by_words(found)
        is_wide = bool(self._gone or self._come or self._sides or self._cuts)
        for path in sorted(self._after_paths) if is_wide else self._touched:
            if path in self._after_paths:
                self._look_through(path, found, stale)
        return found

    def _mended_by_words(self, found: LinkEffects) -> set[str]:
        """Note the dangling links that edits take out; return the targets of all that edits remove."""
        removed: set[str] = set()
        for change in self._changes:
            kept = {
                link.span.target
                for edit in change.edits
                for link in _links_of(edit.path, edit.new)
                if self._dangles(link, edit.path, self._after_paths)
            }
            for edit in change.edits:
                dangling = [
                    link
                    for link in _links_of(edit.path, edit.old, edit.start + 1)
                    if self._dangles(link, edit.path, self._before_paths)
                ]
                removed.update(link.span.target for link in dangling)
                if edit.act is Act.LINES:
                    mended = [link.at for link in dangling if link.span.target not in kept]
                    found.mended.setdefault(change.id, []).extend(mended)
        return removed

    def _look_through(self, path: str, found: LinkEffects, removed: set[str]) -> None:
        text = self._after(path)
        if text is None:
            return
        name = self._old_names.get(path, path)
        standing: frozenset[bytes] | None = None
        for link in _links_of(path, text):
            was = self._resolved(link, name, self._before_paths)
            now = self._resolved(link, path, self._after_paths)
            if now is not None and now != path and now in self._sides and (stood := self._in_base(link, name)):
                found.linked.setdefault(now, []).append(stood)
            for change, key, paths, lines in self._cuts:
                if now in paths and path not in paths and (path, bare(link.raw)) not in lines:
                    found.broken_by_option.setdefault((change, key), []).append(self._seen(link, name))
            if was is not None and now is None and was in self._gone:
                found.broken.setdefault(self._gone[was], []).append(self._seen(link, name))
            elif was is None and (now in self._come or now is None):
                if standing is None:
                    standing = frozenset(bare(line) for line in self._before(name) or ())
                self._note_new(link, now, name, found, is_old=bare(link.raw) in standing, removed=removed)

    def _seen(self, link: _Found, name: str) -> LinkAt:
        """Return where a person sees a link: in the base, else in the text that a change brings."""
        return self._in_base(link, name) or replace(link.at, is_new=True)

    def _in_base(self, link: _Found, name: str) -> LinkAt | None:
        """Return where a link stands in the base; None where a change brings it."""
        base, at = self._before(name) or (), link.line - 1
        if at < len(base) and bare(base[at]) == bare(link.raw):
            return LinkAt(name, link.line, link.span.target)
        same = (each for each in _links_of(name, base) if each.span.target == link.span.target)
        like = sorted(same, key=lambda each: (bare(each.raw) != bare(link.raw), abs(each.line - link.line)))
        return like[0].at if like else None

    def _note_new(
        self, link: _Found, now: str | None, name: str, found: LinkEffects, *, is_old: bool, removed: set[str]
    ) -> None:
        """Note a link that led nowhere: mended by a file that comes, or brought so by a change."""
        if now is not None:
            if is_old:
                found.mended.setdefault(self._come[now], []).append(self._seen(link, name))
        elif not is_old and link.span.target not in removed and self._dangles(link, link.path, self._after_paths):
            change = self._brought.get((name, bare(link.raw))) or self._brought.get((link.path, bare(link.raw)))
            if change is not None:
                found.broken.setdefault(change, []).append(replace(link.at, is_new=True))

    def _dangles(self, link: _Found, source: str, paths: frozenset[str]) -> bool:
        """Tell whether a markdown link names a note that is not there; wikilinks may run ahead of their notes."""
        span = link.span
        if span.form is not LinkForm.MARKDOWN or is_outside(span.target, source):
            return False
        return unquote(span.target).casefold().endswith(NOTE_ENDINGS) and self._resolved(link, source, paths) is None

    def _resolved(self, link: _Found, source: str, paths: frozenset[str]) -> str | None:
        return resolve(link.span.target, source, paths, by_name=link.span.form is not LinkForm.MARKDOWN)


def _paths_gone(edits: Iterable[FileEdit]) -> frozenset[str]:
    return frozenset(edit.path for edit in edits if edit.act in {Act.DELETE, Act.RENAME})


def _lines_gone(edits: Iterable[FileEdit]) -> frozenset[tuple[str, bytes]]:
    return frozenset((edit.path, bare(line)) for edit in edits for line in edit.old)


def _links_of(path: str, text: Iterable[bytes], first: int = 1) -> Iterator[_Found]:
    """Yield the links of a text outside code fences, the first line having a number."""
    fence = b""
    for number, raw in enumerate(text, first):
        start = raw.lstrip()[:3]
        if start in _FENCES:
            fence = b"" if start == fence else fence or start
        elif not fence and len(raw) <= LONGEST and (b"[" in raw or b".m" in raw.lower()):
            for span in find_spans(bare(raw).decode("utf-8", "replace")):
                yield _Found(path, number, span, raw)
