"""What the app remembers of the taste of a person: the theme, a key of the configuration; all else there stays."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UsageError
from dreamreview.settings import default_file, refuse_configuration_inside
from dreamreview.store.rooted import MissingPathError, Root, shown

if TYPE_CHECKING:
    from dreamreview.settings import Settings

_LIMIT = 1 << 20
_THEME = re.compile(rb"(?m)^[ \t]*theme[ \t]*=[^\r\n]*")
_MODE = 0o600


def keep_theme(settings: Settings, name: str, folders: Sequence[str]) -> None:
    """Write the theme into the configuration file that was read, or where there was none, into one in its usual place.

    Args:
        settings: as they were read.
        name: the theme.
        folders: the memory folders that are open; nothing is ever written into one.

    Raises:
        UsageError: the file lies in a memory folder, or does not read as it should once the theme is in it.
        StoreError: it cannot be read or written.
    """
    path = os.path.realpath(settings.source or default_file())
    for folder in folders:
        refuse_configuration_inside(folder, replace(settings, source=path))
    parent, file = os.path.split(path)
    try:
        os.makedirs(parent, mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{shown(parent)} cannot be made: {(error.strerror or str(error)).lower()}") from error
    root = Root(parent)
    try:
        data = root.read(file, _LIMIT)
    except MissingPathError:
        data = b""
    root.sweep_temps()
    found = root.stat(file)
    root.write_atomic(file, with_theme(data, name), stat.S_IMODE(found.st_mode) if found else _MODE)


def with_theme(data: bytes, name: str) -> bytes:
    """Return a configuration with the theme in it: its line put in the place of the old one, or at the top.

    Raises:
        UsageError: there is no way to put it that changes nothing else.
    """
    import tomllib

    try:
        wanted = tomllib.loads(data.decode("utf-8-sig")) | {"theme": name}
        for text in _candidates(data, f"theme = {json.dumps(name)}".encode()):
            try:
                if tomllib.loads(text.decode("utf-8-sig")) == wanted:
                    return text
            except tomllib.TOMLDecodeError:  # not the line it seemed to be
                continue
    except (ValueError, RecursionError):
        pass
    raise UsageError(f'the theme cannot be kept: put theme = "{name}" into the configuration by hand')


def _candidates(data: bytes, line: bytes) -> Iterator[bytes]:
    """Yield the file with the line in each place where a theme seems to be stated, then with the line on top."""
    for match in _THEME.finditer(data):
        yield data[: match.start()] + line + data[match.end() :]
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    end = b"\r\n" if b"\r\n" in data else b"\n"
    yield mark + line + end + data[len(mark) :]
