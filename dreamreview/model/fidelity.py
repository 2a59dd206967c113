"""What a proposal would do to the memory beyond its own words: what goes, what nothing supports, links and indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from dreamreview.model.index import INDEX_NAMES
from dreamreview.model.narrative import SUMMARY_MISMATCH, mismatches
from dreamreview.model.proposal import Act

if TYPE_CHECKING:
    from dreamreview.model.derived import Derived, LinkAt
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import Change, FileEdit, Proposal


TOLD = 12
"""Findings that are told one by one before the rest is counted."""
ITEMS = 8
"""Literals or links that are named of one finding."""


class Fault(StrEnum):
    """What may be wrong with a change, the worst first."""

    VANISHES = "vanishes"
    """It takes away what then stands nowhere in the folder."""
    UNSUPPORTED = "unsupported"
    """It states what stood nowhere in the folder."""
    BREAKS = "breaks a link"
    """It leaves links that lead nowhere."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one change."""

    fault: Fault
    change: str
    """Its id."""
    title: str
    items: tuple[str, ...]
    """Literals, or links as ``path:line → target``; in the order they stand."""


@dataclass(frozen=True, slots=True)
class IndexSize:
    """How large an index is before and after, of which an agent reads only so much."""

    path: str
    lines: int
    size: int
    """Bytes."""
    lines_after: int
    size_after: int
    most_lines: int
    most_bytes: int

    @property
    def is_over(self) -> bool:
        """Whether an agent would not read all of it afterwards."""
        return self.lines_after > self.most_lines or self.size_after > self.most_bytes


@dataclass(frozen=True, slots=True)
class Fidelity:
    """The report; worked out from what is there, never read from a manifest."""

    findings: tuple[Finding, ...] = ()
    """The worst first: by fault, then those with the most items."""
    mended: int = 0
    """Links that lead somewhere again."""
    indexes: tuple[IndexSize, ...] = ()
    mismatches: tuple[str, ...] = ()
    """Claims of the dreamer's own words that the changes do not bear out."""

    def count(self, fault: Fault) -> int:
        """Return how many literals or links a fault is about."""
        return len({item for finding in self.findings if finding.fault is fault for item in finding.items})

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to warn of."""
        return not (self.findings or self.mismatches or any(index.is_over for index in self.indexes))


@dataclass(frozen=True, slots=True)
class Judged:
    """One change as far as it is reported on."""

    change: Change
    derived: Derived
    choice: str | None = None
    """Of a conflict: the key of the option that is chosen."""
    unsupported: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """As `support.unsupported` tells."""
    edits: tuple[FileEdit, ...] = ()
    """The edits that are made of it."""


def fidelity(
    proposal: Proposal, judged: Sequence[Judged], base: Callable[[str], Text], limits: tuple[int, int]
) -> Fidelity:
    """Return the report on some changes of a proposal.

    Args:
        proposal: the proposal.
        judged: the changes to report on: all of it, or what was accepted.
        base: what a path holds in the base; nothing where it is not there.
        limits: lines and bytes of an index that an agent reads.
    """
    order = list(Fault)
    findings = sorted(
        (finding for one in judged for finding in _findings(one)),
        key=lambda finding: (order.index(finding.fault), -len(finding.items)),
    )
    return Fidelity(
        findings=tuple(findings),
        mended=len({(link.path, link.line, link.target) for one in judged for link in one.derived.mended}),
        indexes=tuple(_indexes([edit for one in judged for edit in one.edits], base, limits)),
        mismatches=mismatches(proposal.narrative, proposal.changes),
    )


def _findings(one: Judged) -> Iterator[Finding]:
    change, derived = one.change, one.derived
    is_conflict = bool(change.options)
    key = (one.choice or "") if is_conflict else ""
    vanishing = derived.by_option.get(key, ()) if is_conflict else derived.vanishing
    broken = (*derived.broken, *(derived.broken_by_option.get(key, ()) if is_conflict else ()))
    for fault, items in (
        (Fault.VANISHES, vanishing),
        (Fault.UNSUPPORTED, one.unsupported.get(key, ())),
        (Fault.BREAKS, tuple(map(_told, broken))),
    ):
        if items:
            yield Finding(fault, change.id, change.title, tuple(items))


def _told(link: LinkAt) -> str:
    where = f"the new text of {link.path}" if link.is_new else f"{link.path}:{link.line}"
    return f"{where} → {link.target}"


def _indexes(edits: Iterable[FileEdit], base: Callable[[str], Text], limits: tuple[int, int]) -> Iterator[IndexSize]:
    """Yield the index at the root, and every other that edits are about."""
    by_path: dict[str, list[FileEdit]] = {}
    for edit in edits:
        if edit.path.rpartition("/")[2].casefold() in INDEX_NAMES:
            by_path.setdefault(edit.path, []).append(edit)
    for path in dict.fromkeys(["MEMORY.md", *sorted(by_path)]):
        old = base(path)
        some = [edit for edit in by_path.get(path, ()) if edit.act in {Act.LINES, Act.CREATE, Act.DELETE}]
        lines = len(old) + sum(len(edit.new) - len(edit.old) for edit in some)
        size = _bytes(old) + sum(_bytes(edit.new) - _bytes(edit.old) for edit in some)
        if old or some:
            yield IndexSize(path, len(old), _bytes(old), lines, size, *limits)


def _bytes(text: Text) -> int:
    return sum(map(len, text))


def headline(report: Fidelity) -> str:
    """Return the report in one line."""
    return " · ".join([counts_told(report), *map(size_told, report.indexes)])


def counts_told(report: Fidelity) -> str:
    """Return in one line how much vanishes, is without support, breaks and is mended."""
    vanishing, unsupported, broken = (report.count(fault) for fault in Fault)
    parts = [
        f"{_some(vanishing, 'literal')} {'vanishes' if vanishing == 1 else 'vanish'}"
        if vanishing
        else "nothing vanishes",
        f"{_some(unsupported, 'claim')} without support" if unsupported else "no claim without support",
        f"{_some(broken, 'link')} {'breaks' if broken == 1 else 'break'}" if broken else "no link breaks",
    ]
    parts += [f"{_some(report.mended, 'link')} mended"] if report.mended else []
    return " · ".join(parts)


def size_told(index: IndexSize) -> str:
    """Return how large an index is before and after, of what an agent reads."""
    over = ", more than an agent reads" if index.is_over else ""
    return (
        f"{index.path} {index.lines} → {index.lines_after} of {index.most_lines} lines, "
        f"{index.size} → {index.size_after} of {index.most_bytes} bytes{over}"
    )


def told(report: Fidelity, most: int = TOLD) -> Iterator[str]:
    """Yield what is to be warned of, one line each, the worst first."""
    for finding in report.findings[:most]:
        more = f" and {len(finding.items) - ITEMS} more" if len(finding.items) > ITEMS else ""
        yield f"{finding.fault}: {', '.join(finding.items[:ITEMS])}{more} (in {finding.change}: {finding.title})"
    if len(report.findings) > most:
        yield f"and {_some(len(report.findings) - most, 'finding')} more, each beside its change"
    yield from (f"{SUMMARY_MISMATCH}: {claim}" for claim in report.mismatches)


def _some(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
