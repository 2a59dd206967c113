"""What the card of a conflict says about its sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from dreamreview.model.derived import Derived, LinkAt
from dreamreview.model.proposal import Act, Change, FileEdit, Option
from dreamreview.tui.detail.card import card_rows
from dreamreview.tui.detail.diff import Manner
from dreamreview.tui.detail.rows import Code, Pair, Row, Words
from dreamreview.tui.detail.sources import Sources
from tests.tui.fake import FakeReview, conflict, edit, evidence, lines, proposal

FRONT = "---\ntype: {}\ncreated: {}\nconfidence: {}\n---\n"
RELAY = FRONT.format("project", "2026-02-01", "0.9") + "The relay listens on 7001.\n"
NOTES = FRONT.format("reference", "2026-02-20", "low") + "Port 7044.\n"
FILES = {"relay.md": RELAY, "notes.md": NOTES}


def sides(**more: object) -> Change:
    left = Option(
        "A",
        "port 7001",
        (evidence("relay.md", 6, "The relay listens on 7001.", None),),
        (edit("A1", "notes.md", 5, "Port 7044.\n", ""),),
    )
    right = Option(
        "B",
        "port 7044",
        (evidence("notes.md", 6, "Port 7044.", None),),
        (FileEdit("B1", "relay.md", act=Act.DELETE, old=lines(RELAY), mode=0o644),),
    )
    return replace(conflict(), options=(left, right), **more)  # type: ignore[arg-type]


def prose(change: Change, derived: Derived | None = None) -> str:
    review = FakeReview(proposal(given=[change]), files=FILES, derived={change.id: derived or Derived()})
    return "\n".join(words(card_rows(review.card(change.id), Sources(review.base_text), Manner())))


def words(rows: Iterable[Row]) -> Iterable[str]:
    for row in rows:
        if isinstance(row, Pair):
            yield from words((*row.left, *row.right))
        elif isinstance(row, Words):
            yield "".join(part.text for part in row.parts)
        elif isinstance(row, Code):
            yield row.raw.decode()


def test_each_side_shows_source_date_type_and_confidence() -> None:
    shown = prose(sides())
    assert "from relay.md:6\n2026-02-01 · type project · confidence 90%" in shown
    assert "from notes.md:6\n2026-02-20 · type reference · confidence 30%" in shown


def test_each_side_shows_its_claim_in_full() -> None:
    long = "\n".join(f"sentence {number}" for number in range(12))
    change = sides()
    one, two = change.options
    told = prose(replace(change, options=(replace(one, evidence=(evidence("relay.md", 6, long),)), two)))
    assert all(f"  sentence {number}\n" in told for number in range(12))


def test_each_side_shows_what_links_to_it() -> None:
    linked = {"relay.md": (LinkAt("MEMORY.md", 4, "relay.md"), LinkAt("ops.md", 2, "relay")), "notes.md": ()}
    shown = prose(sides(), Derived(linked=linked))
    assert "Linked from MEMORY.md:4 → relay.md, ops.md:2 → relay" in shown
    assert "Nothing links to notes.md" in shown


def test_each_side_shows_what_choosing_it_does_and_breaks() -> None:
    broken = {"A": (), "B": (LinkAt("MEMORY.md", 4, "relay.md"),)}
    shown = prose(sides(), Derived(by_option={"A": ("7044",)}, broken_by_option=broken))
    assert "Choosing it takes line 6 out of notes.md\nNot found afterwards: 7044\n" in shown
    assert "Choosing it DELETES relay.md\nBreaks links: MEMORY.md:4 → relay.md\n" in shown


def test_a_link_that_choosing_a_side_brings_is_named_as_new() -> None:
    broken = {"B": (LinkAt("notes.md", 9, "relay.md", is_new=True),)}
    assert "Breaks links: the new text of notes.md → relay.md\n" in prose(sides(), Derived(broken_by_option=broken))


@pytest.mark.parametrize(
    ("suggested", "told"),
    [
        ("B", "Suggested: keep B  the later word: 2026-02-20 after 2026-02-01"),
        ("A", "Suggested: keep A  the surer note: 90%"),
        (None, "No side is suggested"),
    ],
)
def test_which_side_is_suggested_and_why(suggested: str | None, told: str) -> None:
    assert told in prose(sides(suggested=suggested))
