"""Contradictions of which one side is said in several places."""

from __future__ import annotations

from datetime import date

from dreamreview.dream.arbitration import arbitrate
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.statements import find
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import FileEdit, Kind

OLD = "# Net\n\n- The API listens on port 8080.\n- Water is wet.\n"
AGAIN = "# Hosts\n\n- The API listens on port 8080 on each host.\n"
NEW = "# Move\n\n- Since 2026-05-01 the API listens on port 9090.\n"


def conflicts(files: dict[str, str]) -> list[Draft]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    corpus = Corpus(documents, frozenset(files), date(2026, 9, 15))
    return [draft for draft in arbitrate(find(corpus, Policy()), corpus) if draft.kind is Kind.CONFLICT]


def shown(edits: tuple[FileEdit, ...]) -> list[tuple[str, int, tuple[bytes, ...]]]:
    return [(edit.path, edit.start, edit.new) for edit in edits]


def test_whoever_says_the_same_as_a_side_gives_way_with_it() -> None:
    (draft,) = conflicts({"a.md": OLD, "b.md": AGAIN, "c.md": NEW})
    keep_old, keep_new = draft.options
    assert [(item.path, item.first) for item in keep_old.evidence] == [("a.md", 3), ("b.md", 3)]
    assert [(item.path, item.first) for item in keep_new.evidence] == [("c.md", 3)]
    assert shown(keep_new.edits) == [
        ("a.md", 2, (b"- The API listens on port 9090.\n",)),
        ("b.md", 2, (b"- The API listens on port 9090 on each host.\n",)),
    ]
    assert [edit.path for edit in keep_old.edits] == ["c.md"]
    assert draft.suggested == "B"
    assert draft.reason.endswith("What a.md:3 says stands at b.md:3 as well and gives way with it.")


def test_the_first_side_may_be_the_one_that_is_said_alone() -> None:
    (draft,) = conflicts({"a.md": NEW, "b.md": AGAIN, "c.md": OLD})
    keep_new, keep_old = draft.options
    assert [(item.path, item.first) for item in keep_new.evidence] == [("a.md", 3)]
    assert [(item.path, item.first) for item in keep_old.evidence] == [("c.md", 3), ("b.md", 3)]
    assert sorted(edit.path for edit in keep_new.edits) == ["b.md", "c.md"]
    assert draft.suggested == "A"


def test_two_paragraphs_that_give_way_go_as_one() -> None:
    twice = "# Net\n\nNever feed the cat raw fish at noon.\n\nThe cat is never fed raw fish at noon.\n"
    other = "# Cat\n\nSince 2026-05-01 we feed the cat raw fish at noon.\n"
    drafts = conflicts({"a.md": twice, "b.md": other})
    edits = [edit for draft in drafts for option in draft.options for edit in option.edits if edit.path == "a.md"]
    assert [(edit.start, edit.stop, edit.new) for edit in edits] == [(2, 5, ())]


def test_a_third_value_is_a_contradiction_of_its_own() -> None:
    third = "# Lab\n\n- The API listens on port 7070 on each host.\n"
    (draft,) = conflicts({"a.md": OLD, "b.md": third, "c.md": NEW})
    assert sorted(len(option.evidence) for option in draft.options) == [1, 1]


def test_what_holds_a_secret_is_not_drawn_in() -> None:
    secret = "# Hosts\n\n- The API listens on port 8080, password: FAKE-0000-tide-77.\n"
    drafts = conflicts({"a.md": OLD, "b.md": secret, "c.md": NEW})
    assert all(item.path != "b.md" for draft in drafts for option in draft.options for item in option.evidence)


def test_who_says_the_same_without_being_plainly_at_odds_is_named_and_left() -> None:
    rule = "# Winch\n\n- Safety limit: the winch stops when the wind at the mast is above 40 km/h.\n"
    alike = "# Lamp\n\n- When the wind at the mast is above 40 km/h the winch stops and its lamp turns red.\n"
    remark = "# Day\n\n- Ann says that running the winch at 55 km/h of wind was fine and asks to raise the limit.\n"
    (draft,) = conflicts({"a.md": rule, "b.md": remark, "c.md": alike})
    assert [len(option.evidence) for option in draft.options] == [1, 1]
    assert draft.reason.endswith(" c.md:3 says the same as a.md:3 and is left as it is.")
