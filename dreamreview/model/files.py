"""What can stand under a path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.proposal import LINK_MODE

if TYPE_CHECKING:
    from dreamreview.model.edits import Text


@dataclass(frozen=True, slots=True)
class FileState:
    """A path as it stands: its text and permission bits (`LINK_MODE` and the target for a symbolic link)."""

    text: Text
    mode: int

    @property
    def is_link(self) -> bool:
        """Tell whether it is a symbolic link."""
        return self.mode == LINK_MODE
