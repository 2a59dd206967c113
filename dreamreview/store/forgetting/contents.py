"""What is kept of each text of a private repository: files of the memory, woven histories, the index of these."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.errors import InvalidManifestError
from dreamreview.model import weave_codec
from dreamreview.model.edits import split_lines
from dreamreview.model.forgetting.weaves import names_of_weave, unwoven

if TYPE_CHECKING:
    from dreamreview.model.forgetting.wanted import Scope

_FOLDERS = ("files/", "before/")
_WEAVES = "weaves/"
_INDEX = "index.json"


@dataclass(slots=True)
class Contents:
    """The texts of private repositories without what is to be forgotten; called with each of them.

    Args:
        scope: what is forgotten.
    """

    scope: Scope
    deeds: set[str] = field(default_factory=set)
    """``APPLY/CHANGE`` of what brought or took lines that go."""
    paths: set[str] = field(default_factory=set)
    """Paths that lost lines."""

    def __call__(self, name: str, data: bytes, is_link: bool) -> bytes | None:
        """Return what is kept of a text under its name in a tree; None for nothing."""
        if name == _INDEX:
            return self._index(data)
        if name.startswith(_WEAVES):
            return self._weave(data)
        folder = next((one for one in _FOLDERS if name.startswith(one)), "")
        path = name[len(folder) :]
        kept = without_lines(self.scope, path, data, is_link=is_link)
        if kept != data:
            self.paths.add(path)
        return kept

    def _weave(self, data: bytes) -> bytes | None:
        try:
            weave = weave_codec.loads(data)
        except InvalidManifestError:
            return None if self.scope.is_everywhere and self.scope.wanted.count_coded(data) else data
        found = unwoven(weave, self.scope)
        self.deeds |= found.deeds
        if found.weave is weave:
            return data
        self.paths |= set(names_of_weave(weave))
        return None if found.weave is None else weave_codec.dumps(found.weave)

    def _index(self, data: bytes) -> bytes:
        if not self.scope.gone:
            return data
        try:
            document = json.loads(data)
            kept = {uid: one for uid, one in document["weaves"].items() if not self.scope.drops(one["name"])}
            modes = {path: mode for path, mode in document["modes"].items() if not self.scope.drops(path)}
        except (ValueError, KeyError, TypeError, AttributeError):
            return data
        if (kept, modes) == (document["weaves"], document["modes"]):
            return data
        return json.dumps({**document, "weaves": kept, "modes": modes}, ensure_ascii=True).encode("ascii")


def without_lines(scope: Scope, path: str, data: bytes, *, is_link: bool = False) -> bytes | None:
    """Return the bytes of a file of the memory without the lines that go; None where nothing of it is kept."""
    if scope.drops(path):
        return None
    text = (data,) if is_link else split_lines(data)
    left = scope.left(path, text)
    if left is text:
        return data
    return None if is_link else b"".join(left)
