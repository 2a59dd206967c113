"""The instructions of the dream: a text of the package, under a version of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.dream.claude.framing import Frame
    from dreamreview.dream.engine import Policy

_FILE = "dreaming.md"
_KEY = "version: "


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of the instructions and its version."""

    version: str
    """Goes up with every change of the wording."""
    template: str

    def filled(self, frame: Frame, policy: Policy) -> str:
        """Return the instructions for one dream."""
        return self.template.format(
            nonce=frame.nonce, index_lines=f"{policy.index_lines:,}", index_bytes=f"{policy.index_bytes:,}"
        )


@cache
def dreaming() -> Prompt:
    """Return the instructions that ship with the package."""
    text = files("dreamreview.dream.claude").joinpath(_FILE).read_text(encoding="utf-8")
    head, _, template = text.partition("\n\n")
    return Prompt(version=head.removeprefix(_KEY).strip(), template=template)
