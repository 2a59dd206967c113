"""What looks alike and is not: other numbers, plans and deeds, other scripts, one shared word."""

from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream import cycle
from dreamreview.dream.engine import Corpus, Policy
from dreamreview.dream.relation import compare
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind


def kinds(**files: str) -> list[tuple[Kind, int]]:
    """Return kind and number of members of what a dream suggests about texts."""
    documents = {f"{name}.md": parse(f"{name}.md", text.encode()) for name, text in files.items()}
    corpus = Corpus(documents=documents, files=frozenset(documents), today=date(2026, 9, 15))
    drafts = cycle.run(corpus, Policy(), lambda _progress: None, lambda: False).drafts
    return [(draft.kind, len(draft.evidence)) for draft in drafts]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Merged PR #260 with the new parser", "Merged PR #480 with the new parser"),
        ("We plan to use the tide service", "The tide service is on"),
        ("Rosa keeps the harbour keys", "Piet keeps the harbour keys"),
        ("The bridge is painted blue", "The bridge is not painted blue"),
        ("码头的灯在晚上八点打开", "渡轮的票在码头出售"),
        ("Лодка стоит у причала", "Ключи лежат в сарае"),
        ("用 Docker 部署前端服务", "每周清理 Docker 旧缓存"),
        ("🙂🙂", "🎉🎉"),
    ],
)
def test_two_facts_are_no_duplicate(one: str, other: str) -> None:
    assert compare(one, other).kinship != "duplicate"


@pytest.mark.parametrize(
    ("one", "other"), [("", ""), ("", "The lamp is green"), ("。", "！"), ("...", "---"), ("码头的灯", "")]
)
def test_texts_without_a_word_have_nothing_in_common(one: str, other: str) -> None:
    assert compare(one, other).score == 0.0


def test_one_shared_latin_word_makes_no_two_texts_alike() -> None:
    assert compare("用 Docker 部署前端服务", "每周清理 Docker 旧缓存").score < 0.5


def test_what_was_planned_is_superseded_by_what_was_done() -> None:
    assert compare("We plan to use the tide service", "The tide service is on").kinship == "supersede"


def test_a_chain_of_likeness_is_no_group() -> None:
    found = kinds(
        a="- The red boat leaves the north pier at seven with the mail.\n",
        b="- The red boat leaves the north pier at seven.\n- The crew of the red boat sleeps on the pier.\n",
        c="- The crew of the blue boat sleeps on the north pier.\n",
    )
    assert all(members < 3 for kind, members in found if kind is Kind.MERGE)


def test_naming_a_thing_does_not_supersede_what_is_known_of_it() -> None:
    found = kinds(
        a="- The winch on the slip takes two people.\n",
        b="- We looked at the winch on the slip on 2026-09-01 and had lunch.\n",
    )
    assert [kind for kind, _ in found if kind in (Kind.SUPERSEDE, Kind.MERGE, Kind.CONFLICT)] == []


def test_a_restatement_of_a_fact_is_offered_as_a_merge() -> None:
    line = "Tickets for the evening ferry are sold at the kiosk only."
    assert kinds(a=f"- {line}\n", b=f"- {line}\n") == [(Kind.MERGE, 2)]
