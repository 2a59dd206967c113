"""How long notes of a type are kept, as the owner wrote it in the ``## Retention`` section of ``mem0.md``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

FILE_NAME = "mem0.md"
"""Where the section stands, at the root of the store. The name is mem0's."""

DEFAULT_DAYS: Mapping[str, int | None] = {"session_state": 90, "compact_summary": 90}
"""What holds where nobody wrote anything. Defaults of mem0's dream skill."""

KNOWN_TYPES = frozenset({"user", "feedback", "project", "reference", "session_state", "compact_summary"})
"""Types that need no note of theirs in the store to be named: Claude Code's four and mem0's two."""

_HEADING = re.compile(r" {0,3}##(?!#)[ \t]+(?P<title>.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})")
_RULE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(?P<key>[^:：]+?)[ \t]*[:：](?P<value>.*)$")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_DAYS = re.compile(r"([0-9]{1,6})d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RetentionWarning:
    """A line of the section that does not mean what its writer hoped."""

    line: int
    """1-based."""
    message: str


@dataclass(frozen=True, slots=True)
class Retention:
    """What the section says."""

    days: Mapping[str, int | None]
    """Type to days, None for ever; what could not be read is kept for ever."""
    warnings: tuple[RetentionWarning, ...] = ()
    is_stated: bool = False
    """True where the section holds at least one line that was meant as a rule, well written or not."""

    def or_default(self) -> Mapping[str, int | None]:
        """Return the rules that hold: those stated, or the default where nothing was."""
        return self.days if self.is_stated else DEFAULT_DAYS


def parse_retention(text: str, known: Collection[str] = KNOWN_TYPES) -> Retention:
    """Read the ``## Retention`` section of a text: ``type: <N>d`` or ``type: forever``, one a line, bullets allowed.

    Comments (``#`` lines) and fenced text are left out and the first section counts. A line that cannot be read never
    falls back to the default: its type is kept for ever, and a warning names the line.

    Args:
        text: the whole file.
        known: types that may be named without a warning, besides those of `KNOWN_TYPES`.
    """
    days: dict[str, int | None] = {}
    warnings: list[RetentionWarning] = []
    is_stated = False
    for number, line in _section(text, warnings):
        is_stated = True
        key, kept, problem = _read_rule(line)
        if problem is None and key in days:
            problem = f"“{key}” is named twice; the last line counts"
        if problem is None and key not in KNOWN_TYPES and key not in known:
            problem = f"no note has the type “{key}”"
        if problem is not None:
            warnings.append(RetentionWarning(number, problem))
        if key:
            days[key] = kept
    return Retention(days=days, warnings=tuple(sorted(warnings, key=lambda each: each.line)), is_stated=is_stated)


def _read_rule(line: str) -> tuple[str, int | None, str | None]:
    """Return the type of a line (empty without one), its days and what is wrong with it."""
    match = _RULE.match(line)
    key = match["key"].strip("*_`\"' ").casefold() if match else ""
    if not match or not _KEY.fullmatch(key):
        return "", None, "not a rule of the form “type: 30d” or “type: forever”; left out"
    value = re.sub(r"(?:^|\s)(?:#.*|<!--.*)$", "", match["value"]).strip().strip("*_`\"' ").casefold()
    if value == "forever":
        return key, None, None
    number = _DAYS.fullmatch(value)
    if number and int(number[1]) > 0:
        return key, int(number[1]), None
    if number:
        return key, None, f"0 days would prune every “{key}” at once; it is kept for ever"
    return key, None, f"“{value[:40]}” is neither “<N>d” nor “forever”; “{key}” is kept for ever"


def _section(text: str, warnings: list[RetentionWarning]) -> Iterator[tuple[int, str]]:
    """Yield the lines of the first section that may be rules, and warn of a second section."""
    fence = ""
    is_inside = was_seen = in_comment = False
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.rstrip("\r")
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark["mark"].startswith(fence) else fence
        elif in_comment or line.lstrip().startswith("<!--"):
            in_comment = "-->" not in line
        elif mark:
            fence = mark["mark"]
        elif heading := _HEADING.match(line):
            is_retention = heading["title"].casefold() == "retention"
            if is_retention and was_seen:
                warnings.append(RetentionWarning(number, "a second Retention section; only the first counts"))
            is_inside = is_retention and not was_seen
            was_seen = was_seen or is_retention
        elif is_inside and line.strip() and not line.lstrip().startswith(("#", ">")):
            yield number, line
