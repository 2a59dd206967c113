"""A richer store for pictures, a workshop's memory after a few busy weeks, and several of them."""

from __future__ import annotations

from dataclasses import replace

from dreamreview.errors import StoreError
from dreamreview.model.derived import Derived, Moved
from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option
from dreamreview.model.review import Op, seen_of
from dreamreview.tui.inbox.stores import Offered
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace.values import Decision
from tests.tui.fake import FakeReview, FakeWorkspace, change, edit, evidence, lines, proposal

KILN = """# Kiln

- The small kiln fires at 1180 degrees
- Glaze tests go on the lower shelf
- The small kiln is fired to 1180 degrees, never above
- Door seal was replaced last week
- See [shelf plan](plans/shelf.md)
- Mira has the spare key
"""
SHOP = """# Shop

The shop opens at ten.
Deliveries come through the yard gate.
Cards are taken from five euros.
The shop opens at eleven since the spring.
"""
INDEX = """# Memory

- [Kiln](kiln.md): firing, glaze, keys
- [Shop](shop.md): hours, deliveries
- [Shelf plan](plans/shelf.md): which pot stands where
"""
PEOPLE = """---
name: People of the workshop
type: user
modified: 2026-01-20
pinned: true
---
- Mira opens on weekdays and has the spare key of the [kiln](kiln.md)
- Anselm glazes on Saturdays
"""
RACK = """---
name: Drying rack
type: project
modified: 2025-06-03
---
The long rack dries plates in two days, bowls in three.
"""
FILES = {
    "people.md": PEOPLE,
    "plans/rack.md": RACK,
    "kiln.md": KILN,
    "shop.md": SHOP,
    "MEMORY.md": INDEX,
    "notes/2026-01-12.md": "call the glazier\nbuy twine\n",
}


def sample_changes() -> tuple[Change, ...]:
    hours = change(
        "c1",
        Kind.CONFLICT,
        "When does the shop open?",
        reason="Both speak of the opening hour; the second is younger.",
        options=(
            Option(
                "A",
                "ten o'clock",
                (evidence("shop.md", 3, "The shop opens at ten.", "2025-11-02"),),
                (edit("A1", "shop.md", 5, "The shop opens at eleven since the spring.\n", ""),),
            ),
            Option(
                "B",
                "eleven o'clock",
                (evidence("shop.md", 6, "The shop opens at eleven since the spring.", "2026-02-20"),),
                (edit("B1", "shop.md", 2, "The shop opens at ten.\n", ""),),
            ),
        ),
        suggested="B",
        confidence=0.72,
    )
    return (
        change(
            "m1",
            Kind.MERGE,
            "Firing temperature is said twice",
            edit(
                "e1",
                "kiln.md",
                2,
                "- The small kiln fires at 1180 degrees\n",
                "- The small kiln is fired to 1180 degrees, never above\n",
            ),
            edit("e2", "kiln.md", 4, "- The small kiln is fired to 1180 degrees, never above\n", ""),
            reason="Line 5 says all that line 3 says, and adds the limit.",
            evidence=(
                evidence("kiln.md", 3, "The small kiln fires at 1180 degrees", "2026-01-08"),
                evidence("kiln.md", 5, "The small kiln is fired to 1180 degrees, never above", "2026-02-14"),
            ),
            confidence=0.94,
        ),
        change(
            "m2",
            Kind.MERGE,
            "Two ways into the yard",
            edit(
                "e1",
                "shop.md",
                3,
                "Deliveries come through the yard gate.\n",
                "Deliveries come through the yard gate, before nine.\n",
            ),
            confidence=0.81,
        ),
        hours,
        change(
            "d1",
            Kind.DATE,
            "Say when the seal was replaced",
            edit(
                "e1",
                "kiln.md",
                5,
                "- Door seal was replaced last week\n",
                "- Door seal was replaced in the week of 2026-02-09\n",
            ),
            reason="The note is dated 2026-02-16, so last week is the week before.",
            evidence=(evidence("kiln.md", 6, "Door seal was replaced last week", "2026-02-16"),),
            confidence=0.88,
        ),
        change(
            "p1",
            Kind.PRUNE,
            "Errands of January",
            FileEdit(
                id="e1",
                path="notes/2026-01-12.md",
                act=Act.DELETE,
                old=lines("call the glazier\nbuy twine\n"),
                mode=0o644,
            ),
            reason="A session note older than its retention of 30 days.",
            confidence=0.66,
        ),
        change(
            "l1",
            Kind.LINK,
            "The shelf plan is gone",
            edit("e1", "kiln.md", 6, "- See [shelf plan](plans/shelf.md)\n", ""),
            edit("e2", "MEMORY.md", 4, "- [Shelf plan](plans/shelf.md): which pot stands where\n", ""),
            reason="Nothing in the folder is called shelf.md.",
            confidence=0.9,
        ),
    )


def sample_store() -> FakeWorkspace:
    derived = {
        "p1": Derived(vanishing=("glazier", "twine"), moved=(), flags=frozenset()),
        "l1": Derived(vanishing=("plans/shelf.md",), moved=(), flags=frozenset()),
        "m1": Derived(vanishing=(), moved=(Moved("kiln.md", 5, "kiln.md", 3),), flags=frozenset()),
    }
    review = FakeReview(proposal(given=sample_changes()), files=FILES, derived=derived)
    return FakeWorkspace(folder="/home/mira/workshop/memory", reviews={review.proposal.id: review})


def sample_stores() -> list[Offered]:
    """Seven memories of one person: two with something to decide, one that is broken."""
    api, shop = sample_store(), sample_store()
    api.folder, shop.folder = _of_claude("work-orders"), "/home/mira/work/shop/memory-bank"
    for day in ("02", "03"):
        made = _later(day, sample_changes())
        api.reviews[made.proposal.id] = made
    made = _later("03", sample_changes()[:2])
    made.decide_all([Decision(Op.ACCEPT, "m1", seen=seen_of(made.proposal.changes[0]))])
    shop.reviews[made.proposal.id] = made
    calm = [FakeWorkspace(folder=_of_claude(name), missing="2 of 5 sessions") for name in ("glaze", "site", "tax")]
    broken = FakeWorkspace(folder=_of_claude("old-laptop"), problem=StoreError("the link leads nowhere"))
    return [
        _offered(shop, "~/work/shop", "memory-bank"),
        *(_offered(store, f"~/work/{name}") for store, name in zip(calm, ("glaze", "site", "tax"), strict=True)),
        _offered(broken, "~/old-laptop"),
        _offered(api, "~/work/orders"),
        _offered(FakeWorkspace(folder="/home/mira/notes"), "~/notes", "the configuration"),
    ]


def _later(day: str, given: tuple[Change, ...]) -> FakeReview:
    made = proposal(f"202603{day}T071500000", given=given)
    return FakeReview(replace(made, created_at=f"2026-03-{day}T07:15:00Z"), files=FILES)


def _of_claude(name: str) -> str:
    return f"/home/mira/.claude/projects/-home-mira-{name}/memory"


def _offered(store: FakeWorkspace, label: str, source: str = "Claude Code") -> Offered:
    return Offered(store.folder, lambda: Surroundings(store, lambda: 0.0), label, source)
