"""How a text is put into an editor and taken out again with every untouched line byte for byte as it was.

What an editor would normalise, obey or give away is replaced by stand-ins: characters that are not drawn as they are
by single glyphs, secrets by numbered labels. Line ends never enter the editor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from dreamreview.errors import UsageError
from dreamreview.model.edits import CRLF, LF, Text, split_lines
from dreamreview.model.inert import inert
from dreamreview.model.secrets import find_secrets

_PICTURES = 0x2400
"""Start of the control pictures, the stand-ins of control characters."""
_PRIVATE = 0xE000
"""Start of the private use area, for all other stand-ins."""
_OPEN, _CLOSE = "⟦", "⟧"
LINE_LIMIT = 20_000
"""Lines up to which an edited text is compared with the original line by line; difflib is quadratic beyond."""


@dataclass(frozen=True, slots=True)
class Editable:
    """A text as an editor may hold it, and the way back."""

    text: str
    """Lines joined by ``\\n``, with stand-ins."""
    _original: Text
    _terminator: bytes
    """Line end of lines that are new."""
    _stand_ins: tuple[tuple[str, str], ...]
    """Stand-in and the character behind it."""
    _labels: tuple[tuple[str, str], ...]
    """Label and the secret behind it."""

    def back(self, edited: str) -> bytes:
        """Return the bytes of what the editor holds now.

        A line that was changed keeps the line end it had.

        Raises:
            UsageError: a label of a secret was changed, so that it is unknown what to write.
        """
        lines = edited.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        origins = _origins(self.text.split("\n"), lines)
        last = lines.pop()
        out = [b"".join(self._line(line, origins.get(place))) for place, line in enumerate(lines)]
        if last:
            out.append(self._line(last, origins.get(len(lines)))[0])
        return b"".join(out)

    def _line(self, line: str, origin: tuple[int, bool] | None) -> tuple[bytes, bytes]:
        """Return what a line says and its line end, given the line it comes from and whether it is the same."""
        if origin is None or origin[0] >= len(self._original):
            return self._restore(line), self._terminator
        body, end = _parted(self._original[origin[0]])
        return body if origin[1] else self._restore(line), end or self._terminator

    def _restore(self, line: str) -> bytes:
        line = line.translate({ord(stand_in): char for stand_in, char in self._stand_ins})
        rest = line
        for label, secret in self._labels:
            line, rest = line.replace(label, secret), rest.replace(label, "")
        if self._labels and _OPEN + "secret" in rest:
            raise UsageError(
                "a label that stands for a secret was changed: keep labels as they are, or delete them whole"
            )
        return line.encode("utf-8", "surrogateescape")


def editable(data: bytes, terminator: bytes = LF) -> Editable:
    """Make a text ready for an editor; `terminator` is the line end of lines that are new."""
    original = split_lines(data)
    bodies = [_parted(line)[0].decode("utf-8", "surrogateescape") for line in original]
    text = "\n".join(bodies) + ("\n" if original and original[-1].endswith(b"\n") else "")
    text, labels = _label_secrets(text)
    stand_ins = _stand_ins(text)
    table = {ord(char): stand_in for stand_in, char in stand_ins}
    return Editable(text.translate(table), original, terminator, stand_ins, labels)


def _parted(line: bytes) -> tuple[bytes, bytes]:
    """Split a line into what it says and its line end."""
    for end in (CRLF, LF):
        if line.endswith(end):
            return line.removesuffix(end), end
    return line, b""


def _label_secrets(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Replace each secret by a label; one that spans lines gets a label on each of them."""
    labels: list[tuple[str, str]] = []
    out: list[str] = []
    reach = number = 0
    for span in find_secrets(text):
        out.append(text[reach : span.start])
        pieces: list[str] = []
        for piece in text[span.start : span.stop].split("\n"):
            number += 1
            while (label := f"{_OPEN}secret {number}{_CLOSE}") in text:
                number += 1
            labels.append((label, piece))
            pieces.append(label if piece else "")
        out.append("\n".join(pieces))
        reach = span.stop
    return "".join([*out, text[reach:]]), tuple(labels)


def _stand_ins(text: str) -> tuple[tuple[str, str], ...]:
    """Choose a glyph that the text does not hold for each character that must not be drawn as it is."""
    present = set(text)
    chosen: list[tuple[str, str]] = []
    spare = iter(range(_PRIVATE, 0xF8FF))
    for char in sorted(present - {"\n", "\t"}):
        if inert(char) == char:
            continue
        picture = chr(_PICTURES + ord(char)) if ord(char) < 0x20 else ""
        if not picture or picture in present:
            picture = next(chr(code) for code in spare if chr(code) not in present)
        chosen.append((picture, char))
    return tuple(chosen)


def _origins(shown: Sequence[str], lines: Sequence[str]) -> dict[int, tuple[int, bool]]:
    """Return for edited lines which original line each comes from, and whether it is the same.

    What is the same at both ends is settled first: of lines that look alike, only so does each stay what it was.
    """
    found, head, tail = _same_ends(shown, lines)
    if max(len(shown), len(lines)) > LINE_LIMIT:
        return found
    before, after = shown[head : len(shown) - tail], lines[head : len(lines) - tail]
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        steps = range(min(a2 - a1, b2 - b1))
        found.update({head + b1 + step: (head + a1 + step, tag == "equal") for step in steps})
    return found


def _same_ends(shown: Sequence[str], lines: Sequence[str]) -> tuple[dict[int, tuple[int, bool]], int, int]:
    """Return the origins of the lines that are the same at the start and at the end, and how many there are of each."""
    size = min(len(shown), len(lines))
    head = next((place for place in range(size) if shown[place] != lines[place]), size)
    tail = next((step for step in range(size - head) if shown[-step - 1] != lines[-step - 1]), size - head)
    found = {place: (place, True) for place in range(head)}
    found |= {len(lines) - step: (len(shown) - step, True) for step in range(1, tail + 1)}
    return found, head, tail
