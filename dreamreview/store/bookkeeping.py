"""Where our own files lie in a memory folder, and how those folders keep out of a user's own repository."""

from __future__ import annotations

import os

from dreamreview.store.rooted import Root, check_path

OWN = ".dreamreview"
PROPOSALS = ".dream-proposals"
MANIFEST = ".dream-manifest.json"
REVIEWS = f"{OWN}/reviews"
FORGETTING = f"{OWN}/forgotten/request"
"""What is to be forgotten, as long as that is under way."""
NOTICE = ".dream.lock"
"""The public notice of who holds the store: nothing but the milliseconds since 1970 at which it was made or renewed, as
text."""


def make_folder(root: Root, path: str) -> None:
    """Make a folder of ours, private and for good, with a ``.gitignore`` in the topmost of its parts.

    Raises:
        StoreError: it cannot be made.
        UnsafePathError: a link stands in its way.
    """
    for made in root.make_dirs(path, 0o700):
        root.fsync_dir(os.path.dirname(made))
    ignore = f"{check_path(path)[0]}/.gitignore"
    if not root.exists(ignore):
        root.write_atomic(ignore, b"*\n", 0o600, durable=False)
