"""What a frontmatter block says, read tolerantly line by line: no YAML loader, nothing is ever written back."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dreamreview.model.memory import Frontmatter

FENCE = "---"
_ENDS = (FENCE, "...")
_KEY = re.compile(
    r"(?P<indent>[ \t]*)(?P<key>\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|[^\s:#\-\[\]{}\"'|>][^:\n]{0,79}?)[ \t]*:(?=[ \t]|$)"
)
_JSON_KEY = re.compile(r"[ \t]*\"(?P<key>[^\"\n]{1,80})\"[ \t]*:[ \t]*(?P<value>.*?)[ \t]*,?[ \t]*$")
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w.-]{0,63}[ \t]*:(?:[ \t]|$)")
_LOWER_KEY = re.compile(r"[a-z_][\w.-]{0,63}:(?:[ \t]|$)")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+|$)")
_WIKI = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?[+-]?(?:[ \t]+#.*)?$")
_SPECIAL = "`@%&*!|>,]}[{"
LONGEST_BLOCK = 400
"""Lines a block may have; the longest seen in the wild has some forty."""


def find_block(texts: Sequence[str], start: int = 0) -> tuple[int, int] | None:
    """Return the 0-based lines of both fences of the block that opens at `start`; None where that is no frontmatter.

    A top ``---`` with no key below it is a rule. A block that is never closed ends with its last key line, and then
    the second number is that line's.
    """
    if start + 1 >= len(texts) or texts[start].rstrip() != FENCE or not _opens(texts[start + 1]):
        return None
    last_key = start
    for number in range(start + 1, min(len(texts), start + LONGEST_BLOCK)):
        text = texts[number]
        if text.rstrip() in _ENDS:
            return start, number
        if number == last_key + 1 and text.strip() and (_is_content(text) or text[0] in " \t"):
            last_key = number
    return (start, last_key) if _PLAIN_KEY.match(texts[start + 1]) else None


def find_embedded(texts: Sequence[str], start: int) -> int | None:
    """Return the closing fence of a YAML block in the middle of a file that opens at `start`, if one does."""
    if start + 2 >= len(texts) or not _LOWER_KEY.match(texts[start + 1]):
        return None
    for number in range(start + 1, min(len(texts), start + 60)):
        text = texts[number]
        if text.rstrip() == FENCE:
            return number
        if not text.strip() or not (_is_content(text) or text[0] in " \t"):
            return None
    return None


def _opens(text: str) -> bool:
    stripped = text.strip()
    return (
        bool(stripped)
        and (
            stripped in _ENDS
            or stripped[0] in "{#"
            or _PLAIN_KEY.match(stripped) is not None
            or (_KEY.match(text) is not None and " " not in stripped.partition(":")[0])
        )
        and not re.match(r"#{2,6} ", stripped)
    )


def _is_content(text: str) -> bool:
    return _KEY.match(text) is not None or _ITEM.match(text) is not None or text.lstrip()[:1] in ("#", "{", "}", '"')


@dataclass(slots=True)
class _Reader:
    """What has been read of a block so far."""

    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    problem: str | None = None
    parents: list[tuple[int, str]] = field(default_factory=list)
    key: str = ""
    is_block_scalar: bool = False
    pending: str = ""
    """A list, mapping or quoted value that goes on over several lines, as far as read."""

    def refuse(self, line: int, why: str) -> None:
        self.problem = self.problem or f"line {line}: {why}"


def read(texts: Sequence[str], first: int, last: int) -> Frontmatter:
    """Read the block whose fences are at the 0-based lines `first` and `last` of a file."""
    is_closed = last > first and texts[last].rstrip() in _ENDS
    stop = last if is_closed else last + 1
    body = range(first + 1, stop)
    opening = next((texts[number].strip() for number in body if texts[number].strip()), "")
    reader = _Reader()
    if opening.startswith("{"):
        _read_json(reader, texts, body)
    else:
        for number in body:
            _read_line(reader, texts[number], number + 1)
        _finish(reader, stop)
    if not is_closed:
        reader.problem = f"line {first + 1}: the block is never closed"
    for key, items in reader.lists.items():
        reader.values[key] = reader.values.get(key) or ", ".join(items)
    return Frontmatter(
        first=first + 1,
        last=last + 1,
        values=reader.values,
        lists={key: tuple(items) for key, items in reader.lists.items()},
        lines=reader.lines,
        problem=reader.problem,
    )


def merge(block: Frontmatter, other: Frontmatter) -> Frontmatter:
    """Return the first of two blocks that stand back to back, with the keys that only the second has."""
    return Frontmatter(
        first=block.first,
        last=block.last,
        values={**other.values, **block.values},
        lists={**{key: items for key, items in other.lists.items() if key not in block.values}, **block.lists},
        lines={**other.lines, **block.lines},
        problem=block.problem or other.problem,
    )


def _read_line(reader: _Reader, text: str, line: int) -> None:
    stripped = text.strip()
    indent = len(text) - len(text.lstrip())
    if not stripped or (stripped.startswith("#") and not reader.is_block_scalar):
        return
    if reader.pending:
        if indent or stripped[0] in "]}":
            reader.pending += " " + stripped
            if _is_complete(reader.pending):
                _finish(reader, line)
            return
        _finish(reader, line - 1)
    if "\t" in text[:indent]:
        reader.refuse(line, "a tab indents the line")
    if reader.is_block_scalar and indent > (reader.parents[-1][0] if reader.parents else 0):
        _continue(reader, stripped)
        return
    reader.is_block_scalar = False
    if item := _ITEM.match(text):
        _read_item(reader, indent, text[item.end() :].strip(), line)
    elif match := _KEY.match(text):
        _read_key(reader, match, text[match.end() :].strip(), line)
    else:
        if not (indent and reader.key):
            reader.refuse(line, "neither a key nor part of a value")
        _continue(reader, stripped)


def _continue(reader: _Reader, text: str) -> None:
    if reader.lists.get(reader.key):
        reader.lists[reader.key][-1] += " " + text
    elif reader.key:
        reader.values[reader.key] = f"{reader.values[reader.key]} {text}".strip()


def _is_complete(value: str) -> bool:
    if value[0] in "\"'":
        return _closing_quote(value) > 0
    plain = value.partition(" #")[0].rstrip()
    return plain.endswith("]" if value[0] == "[" else "}") or value.endswith("]" if value[0] == "[" else "}")


def _finish(reader: _Reader, line: int) -> None:
    """Take what was read of a value over several lines as the value of its key."""
    value, reader.pending = reader.pending, ""
    if value:
        _check(reader, value, line)
        _set(reader, reader.key, value)


def _set(reader: _Reader, key: str, value: str) -> None:
    items = _flow_items(value)
    if items is not None:
        reader.lists[key] = items
    reader.values[key] = value if items is not None else _unquote(value)


def _read_item(reader: _Reader, indent: int, text: str, line: int) -> None:
    while reader.parents and reader.parents[-1][0] > indent:
        reader.parents.pop()
    reader.key = reader.parents[-1][1] if reader.parents else ""
    if not reader.key or (reader.values[reader.key] and reader.key not in reader.lists):
        reader.refuse(line, "a list item without a key")
        return
    _check(reader, text, line, may_map=True)
    items = [_plain_name(found) for found in _WIKI.findall(text)] or [_unquote(text)]
    reader.lists.setdefault(reader.key, []).extend(item for item in items if item)


def _read_key(reader: _Reader, match: re.Match[str], value: str, line: int) -> None:
    indent = len(match["indent"].expandtabs(4))
    while reader.parents and reader.parents[-1][0] >= indent:
        reader.parents.pop()
    prefix = f"{reader.parents[-1][1]}." if reader.parents else ""
    if indent and not reader.parents:
        reader.refuse(line, "a nested key without a holder")
    key = prefix + _unquote(match["key"].strip())
    if key in reader.lines and prefix[:-1] not in reader.lists:
        reader.refuse(line, f"the key {key!r} stands there twice")
    reader.parents.append((indent, key))
    reader.key = key
    reader.lines[key] = line
    reader.lists.pop(key, None)
    reader.is_block_scalar = _BLOCK_SCALAR.match(value) is not None
    if reader.is_block_scalar:
        reader.values[key] = ""
        return
    if value and value[0] in "[{\"'" and not _is_complete(value):
        reader.pending = value
        reader.values[key] = _unquote(value)
        return
    _check(reader, value, line)
    _set(reader, key, value)


def _flow_items(value: str) -> list[str] | None:
    if "[[" in value and (names := _WIKI.findall(value)) and not _WIKI.sub("", value).strip(" ,[]\"'"):
        return [_plain_name(name) for name in names]
    if not (value.startswith("[") and value.endswith("]")):
        return None
    inner = value[1:-1]
    items: list[str] = []
    start = 0
    quote = ""
    is_blank = True
    for place, char in enumerate(inner):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and is_blank:
            quote = char
        elif char == ",":
            items.append(inner[start:place])
            start, is_blank = place + 1, True
            continue
        is_blank = is_blank and char == " "
    items.append(inner[start:])
    return [item for item in (_unquote(item.strip()) for item in items) if item]


def _plain_name(name: str) -> str:
    return name.partition("|")[0].partition("#")[0].strip()


def _closing_quote(value: str) -> int:
    """Return where the quote that opens `value` closes, -1 if nowhere."""
    quote = value[0]
    place = 1
    while (found := value.find(quote, place)) > 0:
        if quote == "'" and value[found + 1 : found + 2] == "'":
            place = found + 2
        elif quote == '"' and _is_escaped(value, found):
            place = found + 1
        else:
            return found
    return -1


def _is_escaped(value: str, place: int) -> bool:
    start = place
    while start and value[start - 1] == "\\":
        start -= 1
    return (place - start) % 2 == 1


def _unquote(value: str) -> str:
    if len(value) < 2 or value[0] not in "\"'" or _closing_quote(value) != len(value) - 1:
        return value
    inner = value[1:-1]
    if value[0] == "'":
        return inner.replace("''", "'")
    return re.sub(r"\\([\"\\/])", r"\1", inner)


def _check(reader: _Reader, value: str, line: int, *, may_map: bool = False) -> None:
    """Note why a strict YAML reader would refuse a value."""
    if not value:
        return
    if value[0] in "\"'":
        close = _closing_quote(value)
        if close < 0:
            reader.refuse(line, "a quote is never closed")
        elif (rest := value[close + 1 :]).strip() and not rest.startswith(" #") and not (may_map and rest[0] == ":"):
            reader.refuse(line, "text stands after a closing quote")
    elif value[0] in "[{":
        if not value.partition(" #")[0].rstrip().endswith("]" if value[0] == "[" else "}"):
            reader.refuse(line, f"the value starts with {value[0]!r} but is no list or mapping")
    elif value[0] in _SPECIAL:
        reader.refuse(line, f"the value starts with {value[0]!r}")
    else:
        plain = value.partition(" #")[0].rstrip()
        if (": " in plain or plain.endswith(":")) and not may_map:
            reader.refuse(line, "an unquoted value holds a colon")


def _read_json(reader: _Reader, texts: Sequence[str], body: range) -> None:
    for number in body:
        if (match := _JSON_KEY.match(texts[number])) and match["key"] not in reader.lines:
            reader.lines[match["key"]] = number + 1
            reader.values[match["key"]] = _unquote(match["value"].rstrip(","))
    try:
        loaded: object = json.loads(
            "\n".join(texts[number] for number in body), parse_float=str, parse_int=str, parse_constant=str
        )
    except (ValueError, RecursionError):
        reader.refuse(body.start + 1, "a brace opens it, but it is no JSON")
        return
    reader.values.clear()
    for key in list(loaded)[:LONGEST_BLOCK] if isinstance(loaded, dict) else ():
        holding = (number + 1 for number in body if f'"{key}"' in texts[number])
        reader.lines.setdefault(key, next(holding, body.start + 1))
    _flatten(reader, loaded, "", body.start + 1)


def _flatten(reader: _Reader, value: object, key: str, line: int, depth: int = 0) -> None:
    if isinstance(value, dict) and depth < 8:
        for name, inner in value.items():
            _flatten(reader, inner, f"{key}.{name}" if key else str(name), line, depth + 1)
        return
    if isinstance(value, list):
        reader.lists[key] = [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in value]
        value = ""
    if not key:
        return
    if isinstance(value, bool):
        value = "true" if value else "false"
    reader.values[key] = value if isinstance(value, str) else ""
    reader.lines.setdefault(key, reader.lines.get(key.rpartition(".")[2], line))
