"""The six commands of the memory tool, carried out on the working copy: view, create, str_replace, insert, ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from dreamreview.dream.claude.addresses import ROOT, address_of, name_of
from dreamreview.dream.claude.framing import cut
from dreamreview.dream.claude.veil import UnknownTokenError
from dreamreview.dream.claude.weaving import WIDEST
from dreamreview.dream.claude.working_copy import RefusedError
from dreamreview.model.edits import LF, terminator_of
from dreamreview.model.inert import inert
from dreamreview.model.proposal import Kind
from dreamreview.model.secrets import find_secrets

if TYPE_CHECKING:
    from dreamreview.dream.claude.cards import Card
    from dreamreview.dream.claude.framing import Frame
    from dreamreview.dream.claude.veil import Veil
    from dreamreview.dream.claude.weaving import Line
    from dreamreview.dream.claude.working_copy import WorkingCopy

MOST_NAMES = 3_000
"""Files that one listing names."""
MOST_SHOWN = 120_000
"""Characters of a file that one view shows."""
LONGEST_TEXT = 200_000
"""Characters that one edit may bring."""
MOST_BROUGHT = 500_000
"""Characters that the edits of one dream may bring; a whole memory is seldom as long."""
AROUND = 2
"""Lines shown above and below an edit."""

_JOINERS = frozenset("\t\u200c\u200d")
"""Signs that are not seen and still part of good writing."""

Input = Mapping[str, object]


class MemoryTool:
    """The memory tool of the API over a working copy; whatever it cannot do raises `RefusedError`."""

    def __init__(self, copy: WorkingCopy, veil: Veil, frame: Frame) -> None:
        self._copy = copy
        self._veil = veil
        self._frame = frame
        self._brought = 0
        self._commands: Mapping[str, Callable[[Input, Card | None], str]] = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._str_replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }

    def run(self, given: Input, card: Card | None) -> str:
        """Carry out one command under the open card, and say what came of it."""
        command = given.get("command")
        run = self._commands.get(command) if isinstance(command, str) else None
        if run is None:
            raise RefusedError(f"command is one of {', '.join(self._commands)}")
        if command != "view" and card is None:
            raise RefusedError("no card is open: say with open_card what you are about to change and why, then edit")
        if command != "view" and card is not None and card.kind is Kind.CONFLICT:
            raise RefusedError("the sides of a conflict are all it needs: the person chooses one, you edit nothing")
        self._bring(given)
        return run(given, card)

    def _bring(self, given: Input) -> None:
        texts = (given.get(key) for key in ("file_text", "new_str", "insert_text"))
        self._brought += sum(len(text) for text in texts if isinstance(text, str))
        if self._brought > MOST_BROUGHT:
            raise RefusedError(f"edits of one dream bring at most {MOST_BROUGHT:,} characters; end with your summary")

    def shown(self, name: str) -> tuple[str, ...]:
        """Return the lines of a file as it stands now, as they are sent."""
        document = self._copy.base_of(name)
        if document is not None and not document.is_text:
            raise RefusedError(f"{address_of(name)} is not plain text; leave it as it is")
        texts = [_text_of(line) for line in self._copy.lines(name)]
        return self._veil.lines(texts) if texts else ()

    def _view(self, given: Input, _card: Card | None) -> str:
        name = name_of(given.get("path"))
        names = self._copy.names()
        if name not in names:
            inside = [each for each in names if not name or each.startswith(name + "/")]
            if not inside and name:
                raise RefusedError(f"the path {address_of(name)} does not exist")
            return self._listing(inside)
        texts = self.shown(name)
        first, last = _range(given.get("view_range"), len(texts))
        return self._frame.around(address_of(name), self._numbered(texts, first, last, MOST_SHOWN))

    def _listing(self, names: Sequence[str]) -> str:
        rows = [self._veil.text(address_of(name)) for name in names[:MOST_NAMES]]
        if len(names) > MOST_NAMES:
            rows.append(f"and {len(names) - MOST_NAMES} more")
        return self._frame.around(ROOT, "\n".join(rows) if rows else "(no files)")

    def _numbered(self, texts: Sequence[str], first: int, last: int, most: int) -> str:
        rows: list[str] = []
        size = 0
        for number in range(first, last + 1):
            row = f"{number:>6}\t{texts[number - 1]}"
            size += len(row) + 1
            if size > most:
                rows.append(f"(cut here: view lines {number} to {last} by themselves)" if rows else cut(row, most))
                break
            rows.append(row)
        return "\n".join(rows) if rows else "(empty file)"

    def _create(self, given: Input, card: Card | None) -> str:
        name = name_of(given.get("path"))
        pieces = _pieces(_text(given, "file_text"))
        self._copy.create(name, tuple(self._encoded(piece, (), "\n") for piece in pieces), _number(card))
        return f"created {address_of(name)}"

    def _str_replace(self, given: Input, card: Card | None) -> str:
        name = name_of(given.get("path"))
        old, new = _text(given, "old_str"), _text(given, "new_str", can_be_missing=True)
        shown = self.shown(name)
        lines = self._copy.lines(name)
        whole = "\n".join(shown) + ("\n" if lines and lines[-1].data.endswith(LF) else "")
        at = _only_place(whole, old, address_of(name))
        first, last = whole.count("\n", 0, at), whole.count("\n", 0, at + len(old))
        begin = whole.rfind("\n", 0, at) + 1
        end = whole.find("\n", at + len(old))
        end = len(whole) if end < 0 else end
        pieces = (whole[begin:at] + new + whole[at + len(old) : end]).split("\n")
        if last == len(lines) and pieces[-1] == "":
            pieces.pop()
        stop = min(last + 1, len(lines))
        self._put(name, lines, (first, stop), shown, pieces, card)
        return self._edited(name, first, first + len(pieces))

    def _insert(self, given: Input, card: Card | None) -> str:
        name = name_of(given.get("path"))
        at = given.get("insert_line")
        lines = self._copy.lines(name)
        if type(at) is not int or not 0 <= at <= len(lines):
            raise RefusedError(f"insert_line is a line number from 0 to {len(lines)}")
        pieces = _pieces(_text(given, "insert_text"))
        self._put(name, lines, (at, at), self.shown(name), pieces, card)
        return self._edited(name, at, at + len(pieces))

    def _delete(self, given: Input, card: Card | None) -> str:
        name = name_of(given.get("path"))
        if name not in self._copy.names() and any(each.startswith(name + "/") for each in self._copy.names()):
            raise RefusedError("a folder cannot be deleted: delete files one by one, each under a card that says why")
        if not name:
            raise RefusedError("the memory itself cannot be deleted")
        self._copy.delete(name, _number(card))
        return f"deleted {address_of(name)}"

    def _rename(self, given: Input, card: Card | None) -> str:
        name, to = name_of(given.get("old_path")), name_of(given.get("new_path"))
        if name not in self._copy.names():
            raise RefusedError(f"there is no file {address_of(name)}; only files are renamed, one by one")
        if self._veil.tokens_of(to) or find_secrets(to):
            raise RefusedError("a name holds no credential")
        self._copy.rename(name, to, _number(card))
        return f"renamed {address_of(name)} to {address_of(to)}"

    def _put(
        self,
        name: str,
        lines: Sequence[Line],
        span: tuple[int, int],
        shown: Sequence[str],
        pieces: Sequence[str],
        card: Card | None,
    ) -> None:
        """Put pieces in the place of lines; what says the same as before stays the line it was, byte for byte."""
        start, stop = span
        old = shown[start:stop]
        usual = terminator_of(line.data for line in lines)
        new: list[bytes] = []
        for number, (piece, kept) in enumerate(_kept(old, pieces)):
            instead = lines[start + min(number, stop - start - 1)].data if stop > start else b""
            end = instead[len(instead.rstrip(b"\r\n")) :] or usual
            new.append(lines[start + kept].data if kept is not None else self._encoded(piece, old, end.decode()))
        if new and stop > start and stop == len(lines) and not lines[-1].data.endswith(LF):
            new[-1] = new[-1].rstrip(b"\r\n")
        self._copy.rewrite(name, start, stop, tuple(new), _number(card))

    def _encoded(self, piece: str, old: Sequence[str], end: str) -> bytes:
        """Return a new line as bytes, its tokens turned back."""
        if self._frame.nonce in piece:
            raise RefusedError("the marks around quoted memory are no part of it; leave them out")
        before = "\n".join(old)
        try:
            text = self._veil.revealed(piece, self._veil.tokens_of(before))
        except UnknownTokenError as error:
            raise RefusedError(
                f"{error.args[0]} stands for a secret of another place: a secret is kept where it is or taken out, "
                "never copied"
            ) from None
        if any(span for span in find_secrets(piece) if piece[span.start : span.stop] not in before):
            raise RefusedError("that text reads as if it held a credential; write it without")
        text = text.rstrip("\r")
        unseen = {sign for sign in text if sign not in _JOINERS and inert(sign) != sign} - {*before}
        if unseen:
            named = inert("".join(sorted(unseen)[:8]))
            raise RefusedError(f"that text holds {named}, which nobody sees; write it without")
        return (text + end).encode("utf-8")

    def _edited(self, name: str, start: int, stop: int) -> str:
        texts = self.shown(name) if name in self._copy.names() else ()
        first, last = max(start - AROUND + 1, 1), min(stop + AROUND, len(texts))
        shown = self._numbered(texts, first, last, MOST_SHOWN // 10) if texts else "(empty file)"
        return f"edited {address_of(name)}; it now reads there:\n" + self._frame.around(address_of(name), shown)


def _text_of(line: Line) -> str:
    return line.data.rstrip(b"\r\n").decode("utf-8", "replace")


def _text(given: Input, key: str, *, can_be_missing: bool = False) -> str:
    value = given.get(key, "" if can_be_missing else None)
    if not isinstance(value, str) or "\0" in value or len(value) > LONGEST_TEXT:
        raise RefusedError(f"{key} is a text of at most {LONGEST_TEXT:,} characters")
    return value.replace("\r\n", "\n")


def _pieces(text: str) -> list[str]:
    """Return the lines of a text that is put in as whole lines."""
    pieces = text.split("\n")
    if pieces[-1] == "":
        pieces.pop()
    if not pieces:
        raise RefusedError("that text is empty")
    return pieces


def _range(given: object, count: int) -> tuple[int, int]:
    """Return the first and last line that a view asks for; ``[n, -1]`` is up to the end."""
    if given is None:
        return 1, count
    if not isinstance(given, list) or len(given) != 2 or not all(type(number) is int for number in given):
        raise RefusedError("view_range is the first and the last line, such as [1, 40]")
    first, last = given
    last = count if last == -1 else min(last, count)
    if not 1 <= first <= max(last, 1):
        raise RefusedError(f"view_range lies within 1 and {count}")
    return first, last


def _only_place(whole: str, old: str, address: str) -> int:
    """Return where a text stands that must stand exactly once."""
    if not old:
        raise RefusedError("old_str is empty; use insert to add lines")
    at = whole.find(old)
    if at < 0:
        raise RefusedError(f"old_str does not stand in {address} word for word; view the file and copy it")
    again = whole.find(old, at + 1)
    if again >= 0:
        rows = whole.count("\n", 0, at) + 1, whole.count("\n", 0, again) + 1
        raise RefusedError(
            f"old_str stands in {address} more than once, at lines {rows[0]} and {rows[1]}; take more of it"
        )
    return at


def _kept(old: Sequence[str], pieces: Sequence[str]) -> list[tuple[str, int | None]]:
    """Pair each new line with the old line that it leaves as it is, None for one that is new."""
    kept: list[int | None] = [None] * len(pieces)
    front = 0
    while front < min(len(old), len(pieces)) and old[front] == pieces[front]:
        kept[front] = front
        front += 1
    back = 0
    while back < min(len(old), len(pieces)) - front and old[-1 - back] == pieces[-1 - back]:
        kept[-1 - back] = len(old) - 1 - back
        back += 1
    middle, news = old[front : len(old) - back], pieces[front : len(pieces) - back]
    if max(len(middle), len(news)) <= WIDEST:
        for at, to, size in SequenceMatcher(None, list(middle), list(news), autojunk=False).get_matching_blocks():
            for number in range(size):
                kept[front + to + number] = front + at + number
    return list(zip(pieces, kept, strict=True))


def _number(card: Card | None) -> int:
    return card.number if card is not None else 0
