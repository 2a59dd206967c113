"""A private bare repository of ours: made, packed and synced so that neither a kill nor a loss of power breaks it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from dreamreview.store.git import DURABLE, run
from dreamreview.store.rooted import MissingPathError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dreamreview.store.rooted import Root

ATTRIBUTES = "info/attributes"
"""The last file that is written of a new repository: with it, the rest is whole."""

PACKS = "objects/pack"

_ENDS = (".idx", ".rev", ".bitmap", ".keep", ".pack")
"""Of the files of a pack, in the order in which they are removed: git finds a pack by its index."""


def is_whole(root: Root, repository: str) -> bool:
    """Tell whether there is a whole repository; of one that was cut off while it was made nothing is missed."""
    return root.exists(f"{repository}/{ATTRIBUTES}")


def initialise(root: Root, repository: str) -> bool:
    """Make a repository where there is no whole one, for good, and tell so."""
    if is_whole(root, repository):
        return False
    root.make_dirs(repository, 0o700)
    for name in ("HEAD", "config"):
        root.remove(f"{repository}/{name}")  # git makes nothing anew that a loss of power left empty
    options = ["--quiet", "--bare", "--shared=0600", "--template=", "--initial-branch=main"]
    run(["init", *options, os.path.join(root.path, repository)], cwd=root.path)
    root.make_dirs(f"{repository}/info", 0o700)
    for name in ("HEAD", "config"):
        root.fsync(f"{repository}/{name}")
    sync(root, repository, "objects", "refs", "")
    above = os.path.dirname(repository)
    while above:
        root.fsync_dir(above)
        above = os.path.dirname(above)
    root.write_atomic(f"{repository}/{ATTRIBUTES}", b"* -text -filter diff\n", 0o600)
    return True


def sync(root: Root, repository: str, *folders: str) -> None:
    """Make the names that git wrote into some folders of a repository survive a loss of power."""
    for folder in folders:
        root.fsync_dir(f"{repository}/{folder}".rstrip("/"))


def packs(root: Root, repository: str) -> tuple[str, ...]:
    """Return the names of the packs, without their ends."""
    with suppress(MissingPathError):
        return tuple(
            name.removesuffix(".pack") for name in root.listing(f"{repository}/{PACKS}") if name.endswith(".pack")
        )
    return ()


def pack(root: Root, repository: str) -> None:
    """Put all that the references lead to into one pack, and remove everything else, also what killed programs left.

    Nothing is removed before what takes its place is on the disk. Nobody else may write to the repository meanwhile.

    Raises:
        StoreError: git is missing or failed; the repository is whole then.
    """
    git_dir = os.path.join(root.path, repository)
    drop_broken(git_dir)
    run([*DURABLE, "pack-refs", "--all", "--no-prune"], git_dir=git_dir)
    sync(root, repository, "")
    run([*DURABLE, "pack-refs", "--all", "--prune"], git_dir=git_dir)
    # A reference that comes back after its objects went would break the repository.
    refs = (folder.removeprefix(f"{repository}/") for folder in folders(root, f"{repository}/refs"))
    sync(root, repository, "", *refs)
    orders = [*DURABLE, "pack-objects", "--all", "--quiet", "--non-empty", "--delta-base-offset"]
    name = run([*orders, f"{git_dir}/{PACKS}/pack"], git_dir=git_dir).decode("ascii").strip()
    sync(root, repository, PACKS, "objects")
    _remove_packs(root, repository, f"pack-{name}")
    for left in root.listing(repository):
        if left.startswith("fast_import_crash_") or left in ("FETCH_HEAD", "ORIG_HEAD"):
            root.remove(f"{repository}/{left}")
    run(["prune", "--expire=now"], git_dir=git_dir)


def drop_broken(git_dir: str) -> None:
    """Remove references to objects that a loss of power took: git names them before their own names are on the disk."""
    refs = run(["for-each-ref", "--format=%(refname)"], git_dir=git_dir)
    rows = run(["cat-file", "--batch-check=%(objectname)"], git_dir=git_dir, data=refs).splitlines()
    broken = [ref for ref, row in zip(refs.splitlines(), rows, strict=True) if row.endswith(b" missing")]
    if broken:
        run([*DURABLE, "update-ref", "--stdin"], git_dir=git_dir, data=b"".join(b"delete %b\n" % ref for ref in broken))


def _remove_packs(root: Root, repository: str, kept: str) -> None:
    """Remove every pack but one; a killed fast-import leaves its own marked as one that nobody may ever remove."""
    names = root.listing(f"{repository}/{PACKS}")
    for end in _ENDS:
        for name in names:
            if name.endswith(end) and name != kept + end:
                root.remove(f"{repository}/{PACKS}/{name}")


def folders(root: Root, top: str) -> Iterator[str]:
    """Yield a folder and all those below it; links are passed over."""
    yield top
    with root.enter(top, "list") as opened:
        names = sorted(entry.name for entry in opened.scan() if entry.is_dir(follow_symlinks=False))
    for name in names:
        yield from folders(root, f"{top}/{name}")
