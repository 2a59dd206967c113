"""A memory folder in which folders are kept open over many acts, so that each of these finds its way at once."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.store.folder import Folder
from dreamreview.store.rooted import Root, check_path

if TYPE_CHECKING:
    from collections.abc import Iterator


class PinnedRoot(Root):
    """A root of one thread's own, which enters a pinned folder by the descriptor that it holds."""

    def __init__(self, root: Root) -> None:
        self.folder = root.folder
        self.path = root.path
        self._pins: dict[tuple[str, ...], Folder] = {}

    @contextmanager
    def pinned(self, path: str) -> Iterator[None]:
        """Keep a folder (the root itself for ``""``) open while the block runs.

        Where it is not there, is behind a link, or the system holds no folders open, nothing is pinned: what the
        block does finds its own way, and says what stands in it.
        """
        parts = check_path(path) if path else ()
        with ExitStack() as held:
            if parts not in self._pins:
                with suppress(StoreError, UnsafePathError):
                    folder = held.enter_context(self.enter(path))
                    if folder.fd is not None:
                        self._pins[parts] = folder
                        held.callback(self._pins.pop, parts)
            yield

    def make_dirs(self, path: str, mode: int = 0o777) -> list[str]:
        """Make a folder and those above it, as `Root.make_dirs`; a pinned one is there."""
        return [] if check_path(path) in self._pins else super().make_dirs(path, mode)

    def _descend(self, parts: tuple[str, ...]) -> Folder:
        pin = self._pins.get(parts)
        return super()._descend(parts) if pin is None else _Lent(pin.path, pin.fd)


class _Lent(Folder):
    """A pinned folder in the hands of one act, which does not close it."""

    __slots__ = ()

    def close(self) -> None:
        """Give it back."""
        self.fd = None
