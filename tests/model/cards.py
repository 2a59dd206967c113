"""Changes of every sort with words to decide them by, for tests of the reducer."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

from dreamreview.model.decisions import LogEntry, Op
from dreamreview.model.edits import Text
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind, Option
from dreamreview.model.review import reduce
from dreamreview.model.units import ChangeReview, Units

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


def laws(count: int) -> settings:
    return settings(max_examples=int(count * SCALE), deadline=None, suppress_health_check=list(HealthCheck))


def change(change_id: str, *edits: FileEdit, **more: Any) -> Change:
    shape: dict[str, Any] = {"kind": Kind.REWRITE, "title": "", "reason": "", "confidence": 1.0, "fingerprint": "f"}
    return Change(id=change_id, edits=edits, **(shape | more))


REPLACE = FileEdit(id="e1", path="a.md", start=1, stop=3, old=(b"b\n", b"c\n"), new=(b"B\n", b"C\n", b"D\n"))
INSERT = FileEdit(id="e2", path="a.md", start=5, stop=5, new=(b"n\n",))
CREATE = FileEdit(id="e3", path="n.md", act=Act.CREATE, new=(b"1\n", b"2\n"), mode=0o644)
DELETE = FileEdit(id="e4", path="o.md", act=Act.DELETE, stop=2, old=(b"x\n", b"y\n"), mode=0o644)
RENAME = FileEdit(id="e5", path="r.md", act=Act.RENAME, to="s.md")
EMPTY = FileEdit(id="e6", path="z.md", act=Act.CREATE, mode=0o644)

ONE = change("c1", REPLACE)
MANY = change("c2", REPLACE, INSERT, CREATE, DELETE, RENAME, EMPTY)

CLAIM_A = Evidence(path="p.md", first=2, last=2, quote="")
CLAIM_B = Evidence(path="q.md", first=4, last=5, quote="")
DROP_B = FileEdit(id="A1", path="q.md", start=3, stop=5, old=(b"4\n", b"5\n"))
DROP_A = FileEdit(id="B1", path="p.md", start=1, stop=2, old=(b"2\n",))
FIX_INDEX = FileEdit(id="A2", path="i.md", start=0, stop=1, old=(b"o\n",), new=(b"n\n",))
CONFLICT = change(
    "c3",
    kind=Kind.CONFLICT,
    options=(Option("A", "", (CLAIM_A,), (DROP_B, FIX_INDEX)), Option("B", "", (CLAIM_B,), (DROP_A,))),
)
BASES: dict[str, Text] = {"p.md": (b"1\n", b"2\n", b"3\n"), "q.md": (b"1\n", b"2\n", b"3\n", b"4\n", b"5\n")}


def log(*steps: tuple[Any, ...]) -> list[LogEntry]:
    made: list[LogEntry] = []
    for n, (op, *rest) in enumerate(steps, 1):
        on = rest[0] if rest else ""
        more = rest[1] if len(rest) > 1 else {}
        made.append(LogEntry(n=n, at="", by="", op=Op(op), on=on, **more))
    return made


def after(change: Change, *steps: tuple[Any, ...], applied: dict[str, Units] | None = None) -> ChangeReview:
    carried = {change.id: applied} if applied else {}
    return reduce([change], log(*steps), applied=carried, base_lines=lambda path: BASES.get(path, ())).of[change.id]


def units(review: ChangeReview) -> dict[str, tuple[list[int], list[int]]]:
    return {each.edit.id: (sorted(each.old), sorted(each.new)) for each in review.chosen}


def turned_down(review: ChangeReview) -> dict[str, tuple[list[int], list[int]]]:
    return {each.edit.id: (sorted(each.old), sorted(each.new)) for each in review.rejected}


ALL = {
    "e1": ([1, 2], [1, 2, 3]),
    "e2": ([], [1]),
    "e3": ([], [1, 2]),
    "e4": ([1, 2], []),
    "e5": ([], []),
    "e6": ([], []),
}
