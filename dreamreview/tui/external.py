"""How a text is edited in the user's own editor: a private file, an argument list, never a shell."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from contextlib import AbstractContextManager

from dreamreview.errors import UsageError
from dreamreview.tui.editing import editable

FALLBACK = "vi"
"""Editor that POSIX systems have, used when neither $VISUAL nor $EDITOR is set."""


def edit_outside(command: str, data: bytes, terminator: bytes, suspend: AbstractContextManager[None]) -> bytes:
    """Return the text as it is once the editor has been closed; untouched lines are byte for byte as they were.

    Args:
        command: command line of the editor, split as a shell would but run without one.
        data: the text.
        terminator: line end of lines that are new.
        suspend: hands the terminal to the editor and takes it back.

    Raises:
        UsageError: the editor is missing, cannot be started or ended badly, or a label of a secret was changed.
    """
    start = editable(data, terminator)
    with tempfile.TemporaryDirectory(prefix="dreamreview-") as folder:
        file = os.path.join(folder, "edit.md")
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(start.text.encode("utf-8", "surrogateescape"))
        problem = ""
        with suspend:
            problem = _run(command or FALLBACK, file)
        if problem:
            raise UsageError(problem)
        with open(file, "rb") as stream:
            text = stream.read().decode("utf-8", "surrogateescape")
    return start.back(text)


def _run(command: str, file: str) -> str:
    """Run the editor and return what went wrong; raising here would leave the terminal with the editor."""
    try:
        words = shlex.split(command)
        ended = subprocess.run([*words, file], check=False).returncode
    except ValueError:
        return f"the editor command {command!r} cannot be read: check its quotes"
    except OSError as problem:
        return f"the editor {command!r} cannot be started ({problem.strerror}): set $EDITOR to one that is there"
    return f"the editor ended with status {ended}: the text is left as it was" if ended else ""
