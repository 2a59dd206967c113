"""The bytes of what is known of a memory store at a service: private, and written in one step."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dreamreview.errors import InvalidManifestError, StoreError, StoreLockedError
from dreamreview.model.uploads import Uploads, parse, serialise
from dreamreview.store.bookkeeping import OWN, make_folder
from dreamreview.store.rooted import MissingPathError, Root, shown

PLACE = f"{OWN}/hosted.json"
_LOCK = f"{OWN}/hosted.lock"
_LIMIT = 64 << 20


@dataclass(frozen=True, slots=True)
class UploadsFile:
    """Where a memory folder keeps what it has to do with a memory store at a service."""

    root: Root

    def load(self, endpoint: str = "") -> Uploads:
        """Return what is known; nothing where nothing is kept, or only of another service than `endpoint`.

        Raises:
            StoreError: it is there and cannot be read.
        """
        try:
            found = parse(self.root.read(PLACE, _LIMIT))
        except MissingPathError:
            found = Uploads(endpoint=endpoint)
        except InvalidManifestError as error:
            raise StoreError(
                f"{PLACE} in {shown(self.root.folder)} cannot be used: {error}; remove it, and all is sent anew"
            ) from error
        return found if endpoint in ("", found.endpoint) else Uploads(endpoint=endpoint)

    def save(self, uploads: Uploads) -> None:
        """Keep what is known, for its owner alone.

        Raises:
            StoreError: the folder cannot be written to.
        """
        make_folder(self.root, OWN)
        self.root.write_atomic(PLACE, serialise(uploads), 0o600)

    def update(self, change: Callable[[Uploads], Uploads]) -> Uploads:
        """Change what is known, and return it."""
        fresh = change(self.load())
        self.save(fresh)
        return fresh

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other programs from sending for as long as the block runs; the lock dies with its process.

        Raises:
            StoreLockedError: another program does it just now.
            StoreError: the folder cannot be written to, or its file system has no locks.
        """
        from filelock import lock_descriptor, unlock_descriptor

        make_folder(self.root, OWN)
        fd = self.root.open(_LOCK, os.O_RDWR | os.O_CREAT)
        try:
            try:
                is_ours = lock_descriptor(fd, blocking=False)
            except OSError as error:
                raise StoreError(f"cannot lock {shown(self.root.path)}: its file system has no locks") from error
            if not is_ours:
                raise StoreLockedError(
                    f"another program talks to the memory store of {shown(self.root.folder)}; wait until it has ended"
                )
            try:
                yield
            finally:
                unlock_descriptor(fd)
        finally:
            os.close(fd)
