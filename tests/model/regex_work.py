"""How much work a regular expression makes of a text, counted in characters looked at, as backtracking matchers do it.

`re` does not tell its steps, so its parsed form is walked here the way its own engine walks it, without the short cuts
that the engine takes: what is counted is never less than what it does.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

_parser: Any = importlib.import_module("re._parser")
_Goes_on = Callable[[int], bool]
_LINE_END = "\n"


class Work:
    """A pattern and a text, and the steps that looking for all matches takes.

    Args:
        pattern: compiled.
        text: what it is tried on.
    """

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._nodes = list(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
        self._text = text
        self._flags = pattern.flags
        self.steps = 0

    def find_all(self) -> int:
        """Try the pattern at each place not yet taken by a match, as ``finditer`` does; return the steps."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 40_000))
        place = 0
        while place <= len(self._text):
            ends: list[int] = []
            taken = self._match(self._nodes, place, lambda end, ends=ends: not ends.append(end))  # type: ignore[misc]
            place = max(ends[-1], place + 1) if taken else place + 1
        return self.steps

    def _match(self, nodes: Sequence[Any], place: int, goes_on: _Goes_on) -> bool:
        if not nodes:
            return goes_on(place)
        (kind, value), rest = nodes[0], nodes[1:]
        name = str(kind)
        self.steps += 1
        if name in {"LITERAL", "NOT_LITERAL", "ANY", "IN"}:
            return self._takes(name, value, place) and self._match(rest, place + 1, goes_on)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            return self._repeat(name, value, place, lambda end: self._match(rest, end, goes_on))
        if name == "SUBPATTERN":
            return self._match([*value[3], *rest], place, goes_on)
        if name == "BRANCH":
            return any(self._match([*branch, *rest], place, goes_on) for branch in value[1])
        if name in {"ASSERT", "ASSERT_NOT"}:
            return self._looks(value, place) is (name == "ASSERT") and self._match(rest, place, goes_on)
        if name == "AT":
            return self._stands(str(value), place) and self._match(rest, place, goes_on)
        raise ValueError(f"a form that is not counted: {name}")

    def _repeat(self, name: str, value: Any, place: int, goes_on: _Goes_on) -> bool:
        least, most, body = int(value[0]), int(value[1]), list(value[2])
        if len(body) == 1 and str(body[0][0]) in {"LITERAL", "NOT_LITERAL", "ANY", "IN"}:
            return self._repeat_one(name, least, most, body[0], place, goes_on)

        def again(count: int, at: int) -> bool:
            def once_more(end: int) -> bool:
                return end > at and again(count + 1, end)

            if name == "MIN_REPEAT" and count >= least and goes_on(at):
                return True
            if count < most and self._match(body, at, once_more):
                return True
            return name != "MIN_REPEAT" and count >= least and goes_on(at)

        return again(0, place)

    def _repeat_one(self, name: str, least: int, most: int, one: Any, place: int, goes_on: _Goes_on) -> bool:
        kind, value = str(one[0]), one[1]
        if name == "MIN_REPEAT":
            end = place
            while end - place <= most:
                if end - place >= least and goes_on(end):
                    return True
                self.steps += 1
                if not self._takes(kind, value, end):
                    return False
                end += 1
            return False
        end = place
        while end - place < most:
            self.steps += 1
            if not self._takes(kind, value, end):
                break
            end += 1
        return any(goes_on(at) for at in range(end, place + least - 1, -1))

    def _looks(self, value: Any, place: int) -> bool:
        direction, nodes = value
        if direction > 0:
            return self._match(list(nodes), place, lambda _: True)
        width = nodes.getwidth()[1]
        return place >= width and self._match(list(nodes), place - width, lambda end: end == place)

    def _stands(self, where: str, place: int) -> bool:
        if where in {"AT_BEGINNING", "AT_BEGINNING_STRING"}:
            is_line = bool(self._flags & re.MULTILINE) and self._text[place - 1 : place] == _LINE_END
            return place == 0 or is_line
        if where in {"AT_END", "AT_END_STRING"}:
            return place == len(self._text) or self._text[place:] == _LINE_END
        before, after = self._text[place - 1 : place] if place else "", self._text[place : place + 1]
        is_edge = _is_word(before) is not _is_word(after)
        return is_edge is (where == "AT_BOUNDARY")

    def _takes(self, kind: str, value: Any, place: int) -> bool:
        if place >= len(self._text):
            return False
        char = self._text[place]
        if kind == "ANY":
            return char != _LINE_END or bool(self._flags & re.DOTALL)
        forms = {char, char.lower(), char.upper()} if self._flags & re.IGNORECASE else {char}
        if kind == "IN":
            return any(_is_in(value, ord(form)) for form in forms if len(form) == 1)
        return any(ord(form) == value for form in forms if len(form) == 1) is (kind == "LITERAL")


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": _is_word,
}


def _is_in(items: Sequence[Any], code: int) -> bool:
    is_negated, found = False, False
    for kind, value in items:
        name = str(kind)
        if name == "NEGATE":
            is_negated = True
        elif name == "LITERAL":
            found = found or value == code
        elif name == "RANGE":
            found = found or value[0] <= code <= value[1]
        elif name == "CATEGORY":
            is_not = "_NOT_" in str(value)
            found = found or _CATEGORIES[str(value).replace("_NOT_", "_")](chr(code)) is not is_not
    return found is not is_negated
