"""What leaves the command line: the only module that prints or asks.

Every line is masked and made inert here, whatever its sender did before, so that neither a secret nor a control
character of a memory can reach the terminal. Results go to stdout, diagnostics and questions to stderr.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable

from dreamreview.model.inert import inert
from dreamreview.model.secrets import mask

_COLUMNS = 80
"""Width of a terminal that does not tell it."""


def safe(text: str) -> str:
    """Return one line of text as it may be drawn: secrets masked, control and invisible characters made visible."""
    return inert(mask(text), keep_tabs=True)


def printable(path: str) -> str:
    """Return a path as JSON may hold it: bytes that are not UTF-8 become replacement characters."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def say(text: str = "") -> None:
    """Print one line of a result."""
    sys.stdout.buffer.write(safe(text).encode() + b"\n")


def say_all(lines: Iterable[str]) -> None:
    """Print the lines of a result."""
    for line in lines:
        say(line)


def address(text: str) -> None:
    """Print an address that a person is to open, at once; the key in it is theirs, and is not masked."""
    sys.stdout.buffer.write(inert(text).encode() + b"\n")
    finish()


def note(text: str) -> None:
    """Print one line on stderr: what was noticed, or what is being done."""
    _complain(f"dreamreview: {safe(text)}".encode() + b"\n")


def tell(text: str) -> None:
    """Print one line on stderr as it is: what a question is about."""
    _complain(safe(text).encode() + b"\n")


def document(value: object) -> None:
    """Print one JSON document; every character that is not ASCII is escaped."""
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=True, indent=2).encode("ascii") + b"\n")


def nothing_ready(folder: str, shape: object = None, *, is_json: bool = False) -> None:
    """Say in one line, or by a document of its own, that no proposal waits."""
    if is_json:
        document(shape)
    else:
        say(f"no proposal is ready in {folder}")


def patch(lines: Iterable[bytes]) -> None:
    """Print the lines of a patch, their bytes as they are; on a terminal they are made inert."""
    if sys.stdout.isatty():
        say_all(line.decode("utf-8", "replace") for line in lines)
    else:
        sys.stdout.buffer.write(b"".join(line + b"\n" for line in lines))


def trace(text: str) -> None:
    """Print a traceback on stderr; only for those who debug the program itself."""
    _complain(text.encode("utf-8"))


def progress(text: str) -> None:
    """Draw one line on stderr that the next one replaces; nothing where it cannot be drawn over."""
    if can_redraw():
        width = os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS
        _complain(b"\r" + safe(text)[: max(width - 1, 1)].encode() + b"\x1b[K")


def progress_over() -> None:
    """Take away the line that `progress` drew."""
    if can_redraw():
        _complain(b"\r\x1b[K")


def can_redraw() -> bool:
    """Tell whether stderr is a terminal on which a line can be drawn over another."""
    return is_watched() and os.environ.get("TERM", "dumb") != "dumb"


def is_terminal() -> bool:
    """Tell whether a person can be asked: stdin and stdout are both a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_typed() -> bool:
    """Tell whether a person types the answers; without one they come from a file or another program."""
    return sys.stdin.isatty()


def is_watched() -> bool:
    """Tell whether somebody reads stderr as it comes."""
    return sys.stderr.isatty()


def ask(question: str) -> str | None:
    """Ask on stderr and return the answer without its line end, or None when the input has ended.

    An answer that nobody types is repeated behind its question, so that what was printed can be followed.
    """
    _complain(safe(question).encode("utf-8") + b" ")
    raw = sys.stdin.buffer.readline()
    answer = raw.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    if not (raw and is_typed()):
        _complain((safe(answer) if raw else "(the input has ended)").encode("utf-8") + b"\n")
    return answer if raw else None


def confirm(question: str) -> bool:
    """Ask for a yes; Enter, anything else and the end of the input mean no."""
    answer = ask(f"{question} [y/N] Enter means no:")
    return answer is not None and answer.strip().casefold() in {"y", "yes"}


def standard_input(limit: int = -1) -> bytes:
    """Return what stands on stdin: all of it, or no more than `limit` bytes."""
    return sys.stdin.buffer.read(limit)


def hush() -> None:
    """Send what is still to be printed nowhere; for when the reader of stdout has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def finish() -> None:
    """Send what was printed on its way.

    Raises:
        BrokenPipeError: nobody reads it any more.
    """
    sys.stdout.flush()


def _complain(data: bytes) -> None:
    sys.stdout.flush()
    sys.stderr.buffer.write(data)
    sys.stderr.flush()
