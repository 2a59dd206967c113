"""What is kept of a proposal beside its copy: the base it speaks of, the copy as last seen, the changes found in it."""

from __future__ import annotations

import hashlib
import json
import re
import time
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypedDict

from dreamreview.errors import InvalidManifestError, StoreError, UnsafePathError
from dreamreview.model import manifest
from dreamreview.store.bookkeeping import OWN, make_folder
from dreamreview.store.copying import Stamp, columns_of, stamps_of
from dreamreview.store.rooted import MissingPathError, Root, check_path, shown

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change, Proposal

FOLDER = f"{OWN}/bases"
"""Where base records lie, one file a proposal, under the proposal's id."""

FORMAT = "dreamreview/base@1"
PACKED = "dreamreview/base@2"
"""The same, compressed: the record of a proposal that ended is seldom read, and there may be thousands."""

_LARGEST = 1 << 30
"""Bytes of a record beyond which a compressed one is not believed."""

PROPOSAL_ID = re.compile(r"[0-9]{8}T[0-9]{9}")
"""The name of a proposal of ours or of Spring AI's; other programs may name theirs as they like."""

_NO_ID = "00000000T000000000"
"""Stands in a record for an id that a manifest could not hold; the record's own name is the id."""

_YOUNG_NS = 2_000_000_000
"""Age of a file, in nanoseconds, below which another write may have left the same stamp."""

_KEPT = 4
"""How many parsed records a process keeps."""

_HEAD = re.compile(rb"(dreamreview/base@[12]) ([0-9a-f]{64}) ([0-9]{1,12})\n")


@dataclass(frozen=True, slots=True)
class BaseRecord:
    """The base of one proposal, and its copy as it was last compared."""

    proposal: Proposal
    """Changes as found: those declared that the copy still shows, then those that nobody declared."""
    base: Mapping[str, Stamp]
    """Every path of the base."""
    texts: Mapping[str, bytes]
    """Base bytes (a link's target) of the paths that the proposal changes."""
    copy: Mapping[str, Stamp]
    """Every path of the copy; a stamp that cannot be trusted has ``mtime_ns`` -1."""
    gone: tuple[Change, ...] = ()
    """Declared changes that the copy no longer shows."""
    order: tuple[str, ...] = ()
    """Ids of all changes, gone ones included, as they are shown: declared ones first."""
    undeclared: int = 0
    """How many of them, at the end, nobody declared."""
    manifest: str = ""
    """sha256 of the manifest that was read, empty where there was none."""
    unknown: frozenset[str] = frozenset()
    """Paths whose base could not be known."""
    excluded: Mapping[str, str] = field(default_factory=dict)
    """Paths left out of both sides, with the reason."""
    is_known: bool = False
    """Whether a base found at first sight was worked out from an earlier look; it is no state of the store then."""
    is_observed: bool = False
    """Whether its changes were made in the live folder already, as we saw; no manifest is believed in that."""
    settled: Mapping[str, str] = field(default_factory=dict)
    """Of such a proposal: change to its title, of those that were told once and are settled."""


class _Changes(TypedDict):
    proposal: Proposal
    gone: tuple[Change, ...]


def write(root: Root, record: BaseRecord, *, durable: bool = True) -> None:
    """Keep a record under the id of its proposal, mode 0600, in one step.

    Raises:
        StoreError: it cannot be written.
        UnsafePathError: the id is no name for a file, or a link stands in the way.
    """
    place = _place(record.proposal.id)
    texts, chunks, reach = [], [], 0
    for path, data in record.texts.items():
        texts.append([path, reach, len(data)])
        chunks.append(data)
        reach += len(data)
    header = {
        "proposal": manifest.to_json(storable(record.proposal)),
        "gone": [manifest.change_to_json(change) for change in record.gone],
        "order": record.order,
        "undeclared": record.undeclared,
        "manifest": record.manifest,
        "base": columns_of(record.base),
        "copy": columns_of(record.copy),
        "texts": texts,
        "unknown": sorted(record.unknown),
        "excluded": dict(record.excluded),
        "known": record.is_known,
        "observed": record.is_observed,
        "settled": dict(record.settled),
    }
    head = json.dumps(header, separators=(",", ":")).encode("ascii")
    body = b"".join([head, *chunks])
    is_over = record.proposal.status != "ready"
    body = zlib.compress(body) if is_over else body
    digest = hashlib.sha256(body).hexdigest().encode("ascii")
    prefix = b"%s %s %d\n" % ((PACKED if is_over else FORMAT).encode("ascii"), digest, len(head))
    make_folder(root, FOLDER)
    root.write_atomic(place, prefix + body, 0o600, durable=durable)
    _keep(_Kept(digest, replace(record, **_changes(record.proposal.id, header)), None))


def read(root: Root, proposal: str) -> tuple[BaseRecord | None, str | None]:
    """Return the record of a proposal, None where there is none, and a warning where it cannot be used."""
    place = _place(proposal)
    try:
        stamp = _stamp(root, place)
        kept = _latest.get(proposal)
        if kept is not None and stamp is not None and kept.stamp == stamp:
            return kept.record, None
        data = root.read(place)
    except MissingPathError:
        return None, None
    except (StoreError, UnsafePathError) as error:
        return None, f"what was kept of the base of {shown(proposal)} cannot be read: {error}"
    try:
        return _read(proposal, data, stamp), None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InvalidManifestError) as error:
        return None, f"what was kept of the base of {shown(proposal)} is damaged ({error}); compared with live instead"


def remove(root: Root, proposal: str) -> bool:
    """Forget the record of a proposal; False when there was none."""
    return root.remove(_place(proposal))


def exists(root: Root, proposal: str) -> bool:
    """Tell whether a record is kept under an id."""
    return root.exists(_place(proposal))


def _place(proposal: str) -> str:
    if len(check_path(proposal)) != 1:
        raise UnsafePathError(f"{shown(proposal)} is no name of a proposal")
    return f"{FOLDER}/{proposal}"


def storable(proposal: Proposal) -> Proposal:
    """Return a proposal under an id that a manifest can hold; whoever reads it back knows the real one."""
    return proposal if PROPOSAL_ID.fullmatch(proposal.id) else replace(proposal, id=_NO_ID)


@dataclass(frozen=True, slots=True)
class _Kept:
    digest: bytes
    record: BaseRecord
    stamp: tuple[int, ...] | None
    """What the file looked like when it was read; None where that is too young to tell it from a later one."""


_latest: OrderedDict[str, _Kept] = OrderedDict()
"""The records that were written or read last, by proposal: a command reads its own several times."""


def _stamp(root: Root, place: str) -> tuple[int, ...] | None:
    found = root.stat(place)
    if found is None or time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _YOUNG_NS:
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _read(proposal: str, data: bytes, stamp: tuple[int, ...] | None) -> BaseRecord:
    head = _HEAD.match(data)
    if head is None:
        raise ValueError("no such format")
    body = memoryview(data)[head.end() :]
    if hashlib.sha256(body).hexdigest().encode("ascii") != head[2]:
        raise ValueError("its digest differs")
    kept = _latest.get(proposal)
    if kept is not None and kept.digest == head[2]:
        record = kept.record
    else:
        is_packed = head[1] == PACKED.encode("ascii")
        record = _parse(proposal, memoryview(_unpacked(body)) if is_packed else body, int(head[3]))
    _keep(_Kept(head[2], record, stamp))
    return record


def _unpacked(body: memoryview) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(body, _LARGEST)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not unpacking.eof:
        raise ValueError("it is cut off, or too large")
    return data


def _keep(kept: _Kept) -> None:
    _latest[kept.record.proposal.id] = kept
    _latest.move_to_end(kept.record.proposal.id)
    if len(_latest) > _KEPT:
        _latest.popitem(last=False)


def _parse(proposal: str, body: memoryview, size: int) -> BaseRecord:
    header = json.loads(bytes(body[:size]))
    told = (
        *header["order"],
        *header["unknown"],
        *header["excluded"].values(),
        *(path for path, _, _ in header["texts"]),
    )
    if not all(isinstance(one, str) for one in told):
        raise ValueError("a name in it is no text")
    texts = {path: bytes(body[size + start : size + start + length]) for path, start, length in header["texts"]}
    return BaseRecord(
        **_changes(proposal, header),
        base=stamps_of(header["base"]),
        texts=texts,
        copy=stamps_of(header["copy"]),
        order=tuple(header["order"]),
        undeclared=int(header["undeclared"]),
        manifest=str(header["manifest"]),
        unknown=frozenset(header["unknown"]),
        excluded=dict(header["excluded"]),
        is_known=bool(header.get("known", False)),
        is_observed=bool(header.get("observed", False)),
        settled=dict(header.get("settled", {})),
    )


def _changes(proposal: str, header: Mapping[str, Any]) -> _Changes:
    """Return the changes in the head of a record, ranked and checked as those of a manifest are."""
    found = manifest.from_json(header["proposal"])
    gone = manifest.from_json({**header["proposal"], "changes": header["gone"]}).changes if header["gone"] else ()
    return {"proposal": replace(found, id=proposal), "gone": gone}
