"""Commands that a person is told to run, so that they can be pasted into a shell."""

from __future__ import annotations

import shlex


def command(*words: str) -> str:
    """Return a command line of this program, its words quoted where a shell would read them otherwise."""
    return shlex.join(("dreamreview", *words))
