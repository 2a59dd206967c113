"""How tests look for something in everything that is kept of a store, by means of their own."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path


def forms(needle: bytes) -> list[bytes]:
    """Return a text as it may stand in a file: raw, in JSON, and in base64 at each of the three alignments."""
    text = needle.decode("utf-8", "replace")
    found = {needle, json.dumps(text)[1:-1].encode(), json.dumps(text, ensure_ascii=False)[1:-1].encode()}
    for skip in range(3):
        coded = base64.b64encode(b"\0" * skip + needle)
        first, last = (0, 2, 3)[skip], (len(needle) + skip) // 3 * 4
        found.add(coded[first:last])
    return [form for form in found if len(form) > 6]


def kept_bytes(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file under a folder, and every object of every git repository in it, unpacked."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield str(path.relative_to(folder)), path.read_bytes()
    for head in folder.rglob("HEAD"):
        command = ["git", f"--git-dir={head.parent}", "cat-file", "--batch-all-objects", "--batch"]
        yield f"objects of {head.parent.name}", subprocess.run(command, capture_output=True, check=True).stdout


def traces(folder: Path, needle: bytes) -> list[str]:
    """Return every place where a text still stands, in any form."""
    wanted = forms(needle)
    return [place for place, data in kept_bytes(folder) if any(form in data for form in wanted)]
