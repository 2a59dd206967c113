"""Which other files a text refers to, where in its line each reference stands, and which file of the store is meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from posixpath import normpath
from urllib.parse import unquote

from dreamreview.model.memory import Frontmatter, Link, LinkForm

GRAPH_KEYS = ("relates_to", "supersedes", "superseded_by")
"""Frontmatter keys that name other files; a merge has to rewrite both ends."""
NOTE_ENDINGS = (".md", ".markdown", ".mdx")

_CODE_MARK = re.compile(r"`+")
_TOKEN = re.compile(r"\\.|!?\[\[|\]\]|\[|\]")
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://\S+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(?!\d)")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_WORD = re.compile(r"[\w./~@+%-]+")
_SUFFIX = re.compile(r"(?::\d+(?:[-:]\d+)?|#[^\s#]*)$")
_PLACEHOLDER = re.compile(r"[*?<>{}$|]|\.\.\.|YYYY|XXXX", re.ASCII)
_DEFINITION = re.compile(r" {0,3}\[([^\[\]]{1,200})\]:[ \t]+(\S{1,1000})")
_PARENTHESES = re.compile(r"\(((?:[^()\\]|\\.|\([^()]*+\))*+)\)")
_ENDING = re.compile(r"\.\w{1,10}$")
_MAX_TARGET = 1000


@dataclass(frozen=True, slots=True)
class Span:
    """One reference in a line, in characters."""

    start: int
    stop: int
    form: LinkForm
    target: str
    label: str = ""


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return the character ranges of the code spans of a line, backticks included."""
    marks = [(match.start(), match.end()) for match in _CODE_MARK.finditer(text)]
    ahead: dict[int, list[int]] = {}
    for index in range(len(marks) - 1, -1, -1):
        ahead.setdefault(marks[index][1] - marks[index][0], []).append(index)
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(marks):
        start, stop = marks[index]
        waiting = ahead[stop - start]
        while waiting and waiting[-1] <= index:
            waiting.pop()
        is_escaped = start > 0 and text[start - 1] == "\\"
        if not waiting or is_escaped:
            index += 1
            continue
        spans.append((start, marks[waiting[-1]][1]))
        index = waiting[-1] + 1
    return spans


def find_spans(text: str) -> list[Span]:
    """Return the references to local files in one line, in order; web addresses and bare anchors are none."""
    if "[" not in text and ".m" not in text.casefold():
        return []
    code = code_spans(text)
    spans = list(_bracketed(text, code))
    if definition := _DEFINITION.match(text):
        target, is_local = _target(definition[2])
        if is_local and not definition[1].startswith("^"):
            spans = [Span(0, definition.end(), LinkForm.MARKDOWN, target, definition[1])]
    taken = [(span.start, span.stop) for span in spans]
    spans += _coded(text, _outside(code, taken))
    taken = sorted(taken + code + [(match.start(), match.end()) for match in _URL.finditer(text)])
    spans += _bare(text, taken)
    return sorted(spans, key=lambda span: span.start)


def _outside(spans: Iterable[tuple[int, int]], taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans that lie in none of `taken`; both are in order."""
    index = 0
    for start, stop in spans:
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        if index == len(taken) or taken[index][0] >= stop:
            yield start, stop


def _bracketed(text: str, code: Sequence[tuple[int, int]]) -> Iterator[Span]:
    code_starts = dict(code)
    skip = 0
    opened: list[int] = []
    ranges = iter(sorted(code_starts.items()))
    here = next(ranges, None)
    for match in _TOKEN.finditer(text):
        while here and here[1] <= match.start():
            here = next(ranges, None)
        if match.start() < skip or (here and here[0] <= match.start()) or match[0][0] == "\\":
            continue
        mark = match[0]
        if mark.endswith("[["):
            if span := _wiki(text, match.start(), match.end()):
                skip = span.stop
                yield span
                continue
            opened += [match.end() - 2, match.end() - 1]
        elif mark == "[":
            opened.append(match.start())
        else:
            for place in range(match.start(), match.end()):
                span = _markdown(text, opened.pop(), place) if opened else None
                if span:
                    opened.clear()
                    skip = span.stop
                    yield span
                    break


def _wiki(text: str, start: int, inner: int) -> Span | None:
    stop = text.find("]]", inner, inner + 300)
    body = text[inner:stop] if stop > 0 else ""
    name, _, alias = body.partition("|")
    target = name.partition("#")[0].strip()
    if not target or name[0].isspace() or any(char in body for char in '[]$="`') or target.startswith("-"):
        return None
    return Span(start, stop + 2, LinkForm.WIKI, target, (alias or name).strip())


def _markdown(text: str, start: int, close: int) -> Span | None:
    written = _PARENTHESES.match(text, close + 1)
    if written is None or written.end() - close > _MAX_TARGET or _is_subscript(text, start):
        return None
    target, is_local = _target(written[1])
    if not is_local:
        return None
    first = start - 1 if start and text[start - 1] == "!" else start
    return Span(first, written.end(), LinkForm.MARKDOWN, target, text[start + 1 : close])


def _is_subscript(text: str, start: int) -> bool:
    """Tell whether a bracket follows a word without a gap, as in ``row[i](x)``; CJK text has no gaps."""
    before = text[start - 1 : start] if start else ""
    return before.isascii() and before.isalnum()


def _target(written: str) -> tuple[str, bool]:
    """Return a link's target without title and anchor, and whether it can be a file at all."""
    written = written.strip()
    if written.startswith("<") and ">" in written:
        target = written[1 : written.index(">")]
    else:
        target = re.split(r"[ \t]+(?=[\"'(])", written, maxsplit=1)[0]
    if _SCHEME.match(target) and not _DRIVE.match(target):
        return target, False
    target = target.partition("#")[0].strip()
    is_plausible = not any(char.isspace() for char in target) or _ENDING.search(target) is not None
    return target, bool(target) and is_plausible and not _PLACEHOLDER.search(target)


def _is_file_name(name: str) -> bool:
    stem, dot, _ = name.rpartition(".")
    return (
        bool(dot)
        and name.casefold().endswith(NOTE_ENDINGS)
        and stem.rpartition("/")[2] not in ("", ".", "..")
        and not _PLACEHOLDER.search(name)
        and "//" not in name
    )


def _coded(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Span]:
    for start, stop in spans:
        if stop - start > _MAX_TARGET:
            continue
        body = text[start:stop].strip("`").strip()
        name = _SUFFIX.sub("", body)
        if _is_file_name(name) and not any(char.isspace() for char in name):
            yield Span(start, stop, LinkForm.CODE, name, body)


def _bare(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[Span]:
    words = ((match.start(), match.end()) for match in _WORD.finditer(text))
    for start, stop in _outside(words, taken):
        name = text[start:stop].rstrip(".-")
        if stop - start <= _MAX_TARGET and _is_file_name(name) and "@" not in name:
            yield Span(start, start + len(name), LinkForm.BARE, name, name)


def links_in(text: str, line: int, spans: Iterable[Span] | None = None) -> tuple[Link, ...]:
    """Return the references of a line with their place in bytes; `spans` if they are known already."""
    links: list[Link] = []
    chars = size = 0
    for span in find_spans(text) if spans is None else spans:
        start = size + _bytes(text[chars : span.start])
        stop = start + _bytes(text[span.start : span.stop])
        chars, size = span.stop, stop
        links.append(Link(line, start, stop, span.form, span.target, span.label))
    return tuple(links)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def key_links(frontmatter: Frontmatter, texts: Sequence[str]) -> tuple[Link, ...]:
    """Return the references that frontmatter keys make, each where its name stands; `texts` are the file's lines."""
    links: list[Link] = []
    for key, first in frontmatter.lines.items():
        if key.rpartition(".")[2] not in GRAPH_KEYS:
            continue
        later = [line for line in frontmatter.lines.values() if line > first]
        last = min([*later, frontmatter.last if frontmatter.last > first else len(texts) + 1]) - 1
        place = (first, texts[first - 1].find(":") + 1)
        for name in frontmatter.lists.get(key, (frontmatter.values.get(key, ""),)):
            found = _find_name(texts, name, place, last) if _names_file(name) else None
            if found:
                line, column = found
                place = (line, column + len(name))
                start = _bytes(texts[line - 1][:column])
                links.append(Link(line, start, start + _bytes(name), LinkForm.KEY, name, name))
    return tuple(sorted(links, key=lambda link: (link.line, link.start)))


def _names_file(name: str) -> bool:
    return bool(name) and (name.casefold().endswith(NOTE_ENDINGS) or not any(char.isspace() for char in name))


def _find_name(texts: Sequence[str], name: str, place: tuple[int, int], last: int) -> tuple[int, int] | None:
    line, column = place
    while line <= min(last, len(texts)):
        found = texts[line - 1].find(name, column)
        if found >= 0:
            return line, found
        line, column = line + 1, 0
    return None


@dataclass(frozen=True, slots=True)
class _Index:
    """The names of a store in the forms by which they are looked up."""

    exact: Mapping[str, str]
    """NFC path to path."""
    slugs: Mapping[str, str]
    """Slug of the stem to the path, the shortest path first."""


@lru_cache(maxsize=8)
def _index(files: frozenset[str]) -> _Index:
    ordered = sorted(files, key=lambda path: (path.count("/"), len(path), path))
    slugs: dict[str, str] = {}
    for path in ordered:
        if path.casefold().endswith(NOTE_ENDINGS):
            slugs.setdefault(slug(path.rpartition("/")[2].rpartition(".")[0]), path)
    exact = {unicodedata.normalize("NFC", path): path for path in reversed(ordered)}
    return _Index(exact={**exact, **{path: path for path in files}}, slugs=slugs)


def slug(name: str) -> str:
    """Return a name in the form by which wikilinks find it: NFC, case folded, runs of other characters one hyphen."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return re.sub(r"[\W_]+", "-", folded).strip("-") or folded


def _is_absolute(target: str) -> bool:
    return target.startswith(("/", "\\", "~")) or bool(_SCHEME.match(target) or _DRIVE.match(target))


def _joined(target: str, source_path: str) -> str:
    folder = source_path.rpartition("/")[0]
    return normpath(f"{folder}/{target}" if folder else target)


def is_outside(target: str, source_path: str) -> bool:
    """Tell whether a target leaves the store: a web address, an absolute path, or ``..`` above the root."""
    if _is_absolute(target):
        return True
    return bool(target) and (_joined(target, source_path) + "/").startswith("../")


def resolve(
    target: str,
    source_path: str,
    files: Collection[str],
    names: Mapping[str, str] | None = None,
    *,
    by_name: bool = False,
) -> str | None:
    """Return the file of the store that a target means, None if there is none or it lies outside.

    Looked for next to the source, then from the root, each also with ``.md`` added; a target without folder and ending
    is then looked for as a name: by the stem's slug, then in `names` (slug of a frontmatter name to path). With
    `by_name` a file name without folder is found in any folder too, as code spans and wikilinks mean it.
    Unicode forms (NFC, NFD) do not matter.
    """
    if not target or is_outside(target, source_path):
        return None
    index = _index(frozenset(files))
    for written in dict.fromkeys((target, unquote(target), _SUFFIX.sub("", unquote(target)))):
        for path in (_joined(written, source_path), normpath(written)):
            for candidate in (path, f"{path}.md"):
                key = candidate if candidate in index.exact else unicodedata.normalize("NFC", candidate)
                if key in index.exact:
                    return index.exact[key]
    has_ending = target.casefold().endswith(NOTE_ENDINGS)
    if "/" in target or (has_ending and not by_name):
        return None
    name = slug(target.rpartition(".")[0] if has_ending else target)
    return index.slugs.get(name) or (names or {}).get(name)


def resolve_link(
    link: Link, source_path: str, files: Collection[str], names: Mapping[str, str] | None = None
) -> str | None:
    """Return the file that a link means: markdown links by path, all other forms by name too."""
    return resolve(link.target, source_path, files, names, by_name=link.form is not LinkForm.MARKDOWN)
