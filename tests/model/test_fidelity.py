"""The report on a proposal is worked out from what is there, and tells the worst first."""

from __future__ import annotations

from dreamreview.model.derived import Derived, LinkAt
from dreamreview.model.edits import split_lines
from dreamreview.model.fidelity import Fault, Fidelity, Judged, fidelity, headline, told
from dreamreview.model.proposal import Act, Base, Change, FileEdit, Kind, Option, Proposal

LIMITS = (200, 25_000)
INDEX = b"".join(b"- [N%d](n%d.md): note\n" % (number, number) for number in range(199))


def _change(name: str, *edits: FileEdit, kind: Kind = Kind.MERGE) -> Change:
    return Change(name, kind, f"Title of {name}", "", 0.5, name, edits=edits)


def _report(*judged: Judged, narrative: str = "", index: bytes = b"") -> Fidelity:
    changes = tuple(one.change for one in judged)
    proposal = Proposal("20260915T120000000", "", Base("declared", "", ""), changes, narrative=narrative)
    return fidelity(proposal, judged, lambda path: split_lines(index) if path == "MEMORY.md" else (), LIMITS)


def test_nothing_to_warn_of_is_said_in_one_line() -> None:
    found = _report(Judged(_change("a"), Derived()))
    assert found.is_clean
    assert headline(found) == "nothing vanishes · no claim without support · no link breaks"
    assert list(told(found)) == []


def test_what_vanishes_comes_before_what_is_unsupported_and_that_before_links() -> None:
    broken = (LinkAt("MEMORY.md", 3, "gone.md"), LinkAt("b.md", 2, "c.md", is_new=True))
    found = _report(
        Judged(_change("a"), Derived(broken=broken)),
        Judged(_change("b"), Derived(), unsupported={"": ("Odile", "5")}),
        Judged(_change("c"), Derived(vanishing=("84 EUR",))),
        Judged(_change("d"), Derived(vanishing=("8080", "pier 4", "Ines"))),
    )
    assert [(one.fault, one.change) for one in found.findings] == [
        (Fault.VANISHES, "d"), (Fault.VANISHES, "c"), (Fault.UNSUPPORTED, "b"), (Fault.BREAKS, "a")
    ]  # fmt: skip
    assert list(told(found)) == [
        "vanishes: 8080, pier 4, Ines (in d: Title of d)",
        "vanishes: 84 EUR (in c: Title of c)",
        "unsupported: Odile, 5 (in b: Title of b)",
        "breaks a link: MEMORY.md:3 → gone.md, the new text of b.md → c.md (in a: Title of a)",
    ]
    assert headline(found) == "4 literals vanish · 2 claims without support · 2 links break"
    assert not found.is_clean


def test_a_literal_that_several_changes_take_is_counted_once() -> None:
    found = _report(*(Judged(_change(name), Derived(vanishing=("8080",))) for name in "ab"))
    assert headline(found).startswith("1 literal vanishes · ")


def test_of_a_conflict_only_what_the_chosen_side_does_is_reported() -> None:
    sides = (Option("A", "a"), Option("B", "b"))
    change = Change("x", Kind.CONFLICT, "Which?", "", 0.5, "x", options=sides)
    derived = Derived(
        vanishing=("7", "9"),
        by_option={"A": ("7",), "B": ("9",)},
        broken_by_option={"B": (LinkAt("a.md", 1, "b.md"),)},
    )
    stated = {"A": (), "B": ("Odile",)}
    assert _report(Judged(change, derived, unsupported=stated)).findings == ()
    assert [one.items for one in _report(Judged(change, derived, "A", stated)).findings] == [("7",)]
    assert [one.items for one in _report(Judged(change, derived, "B", stated)).findings] == [
        ("9",), ("Odile",), ("a.md:1 → b.md",)
    ]  # fmt: skip


def test_mended_links_are_counted_once() -> None:
    link = LinkAt("MEMORY.md", 3, "gone.md")
    found = _report(Judged(_change("a"), Derived(mended=(link,))), Judged(_change("b"), Derived(mended=(link,))))
    assert found.mended == 1
    assert headline(found).endswith("no link breaks · 1 link mended")


def test_an_index_is_measured_before_and_after_and_against_what_an_agent_reads() -> None:
    edit = FileEdit("e1", "MEMORY.md", start=199, stop=199, new=(b"- [A](a.md): one\n", b"- [B](b.md): two\n"))
    found = _report(Judged(_change("a", edit), Derived(), edits=(edit,)), index=INDEX)
    (index,) = found.indexes
    assert (index.lines, index.lines_after, index.size_after - index.size) == (199, 201, 34)
    assert index.is_over
    assert not found.is_clean
    assert "MEMORY.md 199 → 201 of 200 lines" in headline(found)
    assert headline(found).endswith("of 25000 bytes, more than an agent reads")


def test_an_index_that_stays_is_measured_and_one_that_comes_too() -> None:
    edit = FileEdit("e1", "notes/INDEX.md", Act.CREATE, new=(b"- [A](a.md)\n",))
    found = _report(Judged(_change("a", edit), Derived(), edits=(edit,)), index=b"# Index\n")
    assert [(one.path, one.lines, one.lines_after, one.size, one.size_after) for one in found.indexes] == [
        ("MEMORY.md", 1, 1, 8, 8), ("notes/INDEX.md", 0, 1, 0, 12)
    ]  # fmt: skip


def test_claims_of_the_narrative_are_part_of_it() -> None:
    found = _report(Judged(_change("a"), Derived()), narrative="Made 7 changes.")
    assert list(told(found)) == ["summary-mismatch: it says “Made 7 changes”, and there is 1 change"]
    assert not found.is_clean


def test_much_is_cut_short_and_the_rest_counted() -> None:
    many = tuple(f"word-{number}" for number in range(20))
    found = _report(*(Judged(_change(f"c{number}"), Derived(vanishing=many)) for number in range(15)))
    lines = list(told(found))
    assert len(lines) == 13
    assert "word-7 and 12 more (in c0" in lines[0]
    assert lines[-1] == "and 3 findings more, each beside its change"
