"""How a weave is kept: a JSON header with runs of strands, then the lines themselves as bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dreamreview.errors import InvalidManifestError
from dreamreview.model.edits import LF, split_lines
from dreamreview.model.weave import PathAct, PathDeed, Seat, Strand, Weave

_VERSION = 1


def dumps(weave: Weave) -> bytes:
    """Return a weave as bytes; `loads` gives it back."""
    header = {
        "v": _VERSION,
        "uid": weave.uid,
        "origin": weave.origin,
        "existed": weave.existed,
        "mode": weave.mode,
        "terminator": weave.terminator.decode("ascii"),
        "next_id": weave.next_id,
        "acts": dict(weave.acts),
        "path_acts": [[act.act, act.deed.value, act.to, act.mode] for act in weave.path_acts],
        "anchors": {proposal: list(_spans(ids)) for proposal, ids in weave.anchors.items()},
        "runs": list(_runs(weave.strands)),
        "open": [at for at, strand in enumerate(weave.strands) if not strand.line.endswith(LF)],
    }
    lines = b"".join(strand.line if strand.line.endswith(LF) else strand.line + LF for strand in weave.strands)
    return json.dumps(header, ensure_ascii=True).encode("ascii") + LF + lines


def loads(data: bytes) -> Weave:
    """Read a weave back.

    Raises:
        InvalidManifestError: the bytes are no weave of ours.
    """
    head, _, body = data.partition(LF)
    try:
        header = json.loads(head)
        if header["v"] != _VERSION:
            raise InvalidManifestError(f"woven history has version {header['v']}, this program knows {_VERSION}")
        lines = list(split_lines(body))
        for at in header["open"]:
            lines[at] = lines[at][:-1]
        return Weave(
            uid=header["uid"],
            origin=header["origin"],
            existed=header["existed"],
            mode=header["mode"],
            terminator=header["terminator"].encode("ascii"),
            strands=tuple(_strands(header["runs"], lines)),
            acts=header["acts"],
            path_acts=tuple(PathAct(act, PathDeed(deed), to, mode) for act, deed, to, mode in header["path_acts"]),
            anchors={proposal: _ids(spans) for proposal, spans in header["anchors"].items()},
            next_id=header["next_id"],
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InvalidManifestError(f"woven history cannot be read: {error!r}") from error


def _spans(ids: tuple[int, ...]) -> Iterator[list[int]]:
    """Return [first, count] for each run of consecutive numbers."""
    first = count = 0
    for number in ids:
        if count and number == first + count:
            count += 1
            continue
        if count:
            yield [first, count]
        first, count = number, 1
    if count:
        yield [first, count]


def _ids(spans: list[list[int]]) -> tuple[int, ...]:
    return tuple(number for first, count in spans for number in range(first, first + count))


def _runs(strands: tuple[Strand, ...]) -> Iterator[list[Any]]:
    """Return [first id, count, born, killed, proposal, rank, first unit] for each run of strands that go on alike."""
    run: list[Any] = []
    last: Strand | None = None
    for strand in strands:
        if last is not None and _goes_on(last, strand):
            run[1] += 1
        else:
            if run:
                yield run
            seat = strand.seat
            place = (seat.proposal, seat.rank, seat.unit) if seat else (None, 0, 0)
            run = [strand.id, 1, strand.born, list(strand.killed), *place]
        last = strand
    if run:
        yield run


def _goes_on(last: Strand, strand: Strand) -> bool:
    if strand.id != last.id + 1 or strand.born != last.born or strand.killed != last.killed:
        return False
    if strand.seat is None or last.seat is None:
        return strand.seat is last.seat
    return strand.seat == replace(last.seat, unit=last.seat.unit + 1)


def _strands(runs: list[list[Any]], lines: list[bytes]) -> Iterator[Strand]:
    at = 0
    for first, count, born, killed, proposal, rank, unit in runs:
        for step in range(count):
            seat = None if proposal is None else Seat(proposal, rank, unit + step)
            yield Strand(first + step, lines[at], born, tuple(killed), seat)
            at += 1
