"""The proposal of what others changed in a store already: written, written again as the store moves on, and read.

It has no copy: the live folder is what its changes make of the base. Its record tells all of it in one file, and is
believed before the manifest, which is there for others to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.model import manifest
from dreamreview.store import bases, staging
from dreamreview.store.bases import BaseRecord
from dreamreview.store.bookkeeping import MANIFEST
from dreamreview.store.proposals import digest_of_tree, place
from dreamreview.store.scan import digest_of

if TYPE_CHECKING:
    from dreamreview.model.files import FileState
    from dreamreview.model.proposal import Proposal
    from dreamreview.store.copying import Stamp
    from dreamreview.store.rooted import Root

MOST_SETTLED = 1_000
"""Settled changes whose titles are kept, for the history."""


def record_of(root: Root, proposal: str) -> BaseRecord | None:
    """Return what is kept of such a proposal; None where there is none of that id, or it is of another kind."""
    record, _ = bases.read(root, proposal)
    return record if record is not None and record.is_observed else None


def publish(root: Root, proposal: Proposal, base: Mapping[str, Stamp], texts: Mapping[str, FileState]) -> Proposal:
    """Write a proposal of what others changed, or write it again; it appears, and changes, in one step.

    Args:
        root: the store; nobody else looks at it.
        proposal: with an id that is free, or the open one's.
        base: every path as it was before.
        texts: what stood under the paths that were changed.

    Raises:
        StoreError: it cannot be written.
        InvalidManifestError: there is more of it than a manifest can hold.
    """
    staging.sweep(root)
    proposal = replace(proposal, base=replace(proposal.base, digest=digest_of_tree(base)), rendering="")
    data = manifest.dumps(proposal)
    manifest.loads(data)
    record = BaseRecord(
        proposal=proposal,
        base=base,
        texts={path: b"".join(state.text) for path, state in texts.items()},
        copy={},
        order=tuple(change.id for change in proposal.changes),
        undeclared=len(proposal.changes),
        manifest=digest_of(data),
        is_observed=True,
        settled=_settled(record_of(root, proposal.id), proposal),
    )
    if root.exists(place(proposal.id)):
        bases.write(root, record)
        root.write_atomic(f"{place(proposal.id)}/{MANIFEST}", data, 0o600)
        return proposal
    with staging.staged(root, proposal.id) as (folder, path):
        folder.write_atomic(MANIFEST, data, 0o600)
        bases.write(root, record)
        root.rename(path, place(proposal.id))
    return proposal


def _settled(before: BaseRecord | None, proposal: Proposal) -> dict[str, str]:
    """Return the titles of what was told of a proposal before and is settled by now, the newest of them."""
    if before is None:
        return {}
    told = {**before.settled} | {change.id: change.title for change in before.proposal.changes}
    left = [(name, title) for name, title in told.items() if proposal.change(name) is None]
    return dict(left[-MOST_SETTLED:])
