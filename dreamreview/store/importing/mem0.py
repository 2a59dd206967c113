"""What a mem0 export adds to a store: a note for each of its memories that is not there yet.

The format is that of mem0's export skill: blocks of ``key: value`` lines between two lines ``---``, each followed by
the text of one memory. Unlike mem0's own parser, a line ``---`` inside a text is text unless a header follows it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import Change, Kind, squeeze
from dreamreview.store.importing.values import Left, Suggested, in_place_order, within_limit
from dreamreview.store.undeclared import CONFIDENCE, as_changes, edits_between

if TYPE_CHECKING:
    from dreamreview.store.importing.ground import Ground

MAX_MEMORIES = 10_000
MAX_HEADER = 64
"""Lines of a block's header."""

_KEY = re.compile(rb"([A-Za-z_][A-Za-z0-9_]*)[ \t]*:[ \t]*(.*)")
_WORD = re.compile(r"[a-z0-9]+")
_MARKER = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_FENCE = b"---"
_SLUG = 48
_HEADS = 40
_FILES = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory of an export."""

    at: int
    """Line of its block, 1-based."""
    header: tuple[tuple[str, bytes], ...]
    """Keys and raw values, in their order."""
    text: tuple[bytes, ...]
    """Lines without ends, blank ones around them taken off."""

    def get(self, key: str) -> str:
        """Return the value of a key as text, empty where it has none."""
        return next((value.decode("utf-8", "replace") for name, value in self.header if name == key), "")


def is_export(data: bytes) -> bool:
    """Tell whether some bytes look like a mem0 export: headers that bear an id, each followed by a text."""
    return next(read_export(data), None) is not None


def read_export(data: bytes) -> Iterator[Memory]:
    """Yield the memories of an export, those without text as well."""
    lines = [line.removesuffix(b"\r") for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    begins = [(at, *found) for at in range(len(lines)) if (found := _header(lines, at)) is not None]
    taken = -1
    blocks = []
    for at, stop, header in begins:
        if at >= taken:
            blocks.append((at, stop, header))
            taken = stop
    if not blocks or any(line.strip() for line in lines[: blocks[0][0]] if not line.startswith((b"#", b">", b"<!--"))):
        return
    for (at, stop, header), end in zip(blocks, [*(block[0] for block in blocks[1:]), len(lines)], strict=True):
        text = lines[stop:end]
        while text and not text[-1].strip():
            text.pop()
        while text and not text[0].strip():
            text.pop(0)
        yield Memory(at + 1, header, tuple(text))


def _header(lines: Sequence[bytes], at: int) -> tuple[int, tuple[tuple[str, bytes], ...]] | None:
    """Return where a header that begins at a line ends, and what it holds; None where none begins."""
    if lines[at].rstrip() != _FENCE:
        return None
    found: list[tuple[str, bytes]] = []
    for place in range(at + 1, min(at + 1 + MAX_HEADER, len(lines))):
        line = lines[place].strip()
        if line == _FENCE:
            keys = {key for key, _ in found}
            return (place + 1, tuple(found)) if "id" in keys and keys & _TELLING else None
        key = _KEY.fullmatch(line)
        if line and key is None:
            return None
        if key is not None:
            found.append((key[1].decode("ascii"), key[2]))
    return None


_TELLING = frozenset({"type", "confidence", "created_at", "categories", "branch", "files"})
"""Keys of which a header has at least one beside its id."""


def from_export(ground: Ground, name: str, data: bytes) -> Suggested:
    """Return a note for each memory that the store does not hold, and new texts for those it holds under the same id.

    Raises:
        StoreError: the export holds more than an import may, or the store cannot be read.
    """
    memories = list(read_export(data))
    within_limit(name, memories, MAX_MEMORIES, "memories")
    known = _Known(ground)
    left: list[Left] = []
    after: dict[str, FileState] = {}
    told: dict[str, Memory] = {}
    done = 0
    for memory in memories:
        path = known.path_of(memory, after)
        problem = ground.refusal(path) if memory.text else "it has no text"
        if problem:
            left.append(Left(f"memory {memory.get('id')[:80]}", f"line {memory.at} of {name}", problem))
            continue
        state, there = known.note(memory, path), ground.state(path)
        if (there is None and known.holds(memory)) or (there is not None and there.text == state.text):
            done += 1
            continue
        after[path], told[path] = state, memory
        known.add(memory)
    before = {path: there for path in after if (there := ground.state(path)) is not None}
    changes = as_changes(edits_between(before, after, ground.differ), before)
    return Suggested(
        source="mem0",
        changes=in_place_order(_explained(change, told[change.edits[0].path], name) for change in changes),
        before=before,
        left=tuple(left),
        done=done,
        narrative=f"Imported from the mem0 export {name}.",
    )


def _explained(change: Change, memory: Memory, name: str) -> Change:
    kind = Kind.ADD if change.kind is Kind.CREATE else Kind.REWRITE if change.kind is Kind.EDIT else change.kind
    parts = [f"mem0 holds it as {memory.get('id')[:80]}"]
    parts += [f"{key} {memory.get(key)[:80]}" for key in ("type", "confidence", "created_at") if memory.get(key)]
    return replace(
        change, kind=kind, reason=f"{', '.join(parts)} (line {memory.at} of {name}).", confidence=_confidence(memory)
    )


def _confidence(memory: Memory) -> float:
    try:
        found = float(memory.get("confidence"))
    except ValueError:
        return CONFIDENCE
    return found if 0.0 <= found <= 1.0 else CONFIDENCE


class _Known:
    """What a store holds already: texts, and the files of memories that came from mem0 before."""

    def __init__(self, ground: Ground) -> None:
        self.texts: set[str] = set()
        self.ids: dict[str, str] = {}
        for path in ground.live.entries:
            state = ground.state(path) if path.casefold().endswith(_FILES) else None
            if state is not None and not state.is_link:
                self._read(path, state)

    def _read(self, path: str, state: FileState) -> None:
        lines = [line.rstrip(b"\r\n") for line in state.text]
        if lines and lines[0].rstrip() == _FENCE:
            found = next(
                (key[2] for line in lines[1:_HEADS] if (key := _KEY.fullmatch(line)) and key[1] == b"id"), None
            )
            stop = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), 0)
            lines = lines[stop + 1 :]
            if found:
                self.ids.setdefault(found.decode("utf-8", "replace").strip("\"'"), path)
        block: list[str] = []
        for line in [*(line.decode("utf-8", "replace") for line in lines), ""]:
            self.texts.add(_key(line))
            if line.strip():
                block.append(line)
                continue
            self.texts.add(_key("\n".join(block)))
            block = []
        self.texts.add(_key(b"\n".join(lines).decode("utf-8", "replace")))

    def holds(self, memory: Memory) -> bool:
        return _key(_text(memory)) in self.texts

    def add(self, memory: Memory) -> None:
        self.texts.add(_key(_text(memory)))

    def path_of(self, memory: Memory, taken: dict[str, FileState]) -> str:
        """Return the file of a memory: the one that bears its id, else a name made of its words and its id."""
        name = memory.get("id")
        if name and name in self.ids:
            return self.ids[name]
        digest = hashlib.sha256((name or _text(memory)).encode("utf-8", "replace")).hexdigest()[:8]
        path = f"{_slug(memory) or 'mem0'}-{digest}.md"
        if path not in taken and name:
            self.ids[name] = path
        return path

    def note(self, memory: Memory, path: str) -> FileState:
        """Return the file of a memory: the export's own header lines, and above them what indexes ask for."""
        keys = {key for key, _ in memory.header}
        first = " ".join(re.split(r"\n\s*\n", _text(memory), maxsplit=1)[0].split())
        head = [_FENCE]
        head += [] if "name" in keys else [b"name: " + path.removesuffix(".md").rpartition("/")[2].encode()]
        head += [] if "description" in keys else [b"description: " + _quoted(first)]
        head += [key.encode("ascii") + (b": " + value if value else b":") for key, value in memory.header]
        data = b"\n".join([*head, _FENCE, b"", *memory.text, b""])
        return FileState(split_lines(data), 0o644)


def _text(memory: Memory) -> str:
    return b"\n".join(memory.text).decode("utf-8", "replace")


def _key(text: str) -> str:
    return squeeze(_MARKER.sub("", text))


def _slug(memory: Memory) -> str:
    """Return the first words of a memory as they may stand in a file's name."""
    slug = ""
    for word in _WORD.findall(_text(memory).casefold())[:6]:
        if len(slug) + len(word) + 1 > _SLUG:
            break
        slug = f"{slug}-{word}" if slug else word
    return slug


def _quoted(text: str) -> bytes:
    """Return a line of text as a YAML value, shortened."""
    short = text if len(text) <= 120 else text[:119].rstrip() + "…"
    is_plain = re.fullmatch(r"[\w(][^:#\"'\\{}\[\]]*", short) is not None
    return (short if is_plain else json.dumps(short, ensure_ascii=False)).encode("utf-8", "replace")
