"""What looks alike and is not: other numbers, plans and deeds, other scripts, one shared word."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dreamreview.dream import cycle
from dreamreview.dream.engine import Corpus, Policy
from dreamreview.dream.relation import compare
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind
from dreamreview.model.review import Op
from tests.workspace.stores import Files, lay, texts, workspace


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("夜班船不载自行车。", "自行车不能上夜班船。"),
        ("码头的灯每晚八点打开。", "每天晚上 8 点打开码头的灯。"),
        ("桟橋の灯りは毎晩8時につける。", "毎晩午後8時に桟橋の灯りをつける。"),
        ("Лампу на молу зажигают каждый вечер.", "Каждый вечер на молу зажигают лампу."),
        ("Die Lampe auf der Mole wird jeden Abend gelöscht.", "Jeden Abend wird die Lampe auf der Mole gelöscht."),
    ],
)
def test_two_wordings_of_one_rule_are_a_duplicate_in_any_script(one: str, other: str) -> None:
    assert kinds(a=f"- {one}\n", b=f"- {other}\n") == [(Kind.MERGE, 2)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("夜班船不载自行车。", "早班船载自行车。"),
        ("Das Tagboot fährt um 07:00.", "Das Nachtboot fährt um 19:00."),
        ("Рейс 12 идёт к северному молу.", "Рейс 14 идёт к северному молу."),
        ("Use `pier-a` for the red boats.", "Use `pier-b` for the red boats."),
        ("12:00 check ok, 41 files", "12:30 check ok, 42 files"),
        ("2026-08-03: 171 ms, 38,110 tickets", "2026-08-10: 168 ms, 38,402 tickets"),
        ("**Why:** the crew sleeps there.", "**Why:** the crew sleeps there at times."),
    ],
)
def test_one_frame_about_two_things_is_no_duplicate_in_a_store(one: str, other: str) -> None:
    assert Kind.MERGE not in [kind for kind, _ in kinds(a=f"- {one}\n- Gulls sing.\n", b=f"- {other}\n- Tar dries.\n")]


def test_mirrors_and_templates_are_no_duplicates() -> None:
    line = b"- Tickets for the evening ferry are sold at the kiosk only.\n"
    paths = ("pier.md", "archive/pier.md", "templates/pier.md", "backup/pier.md")
    documents = {path: parse(path, line) for path in paths}
    corpus = Corpus(documents=documents, files=frozenset(documents), today=date(2026, 9, 15))
    assert cycle.run(corpus, Policy(), lambda _progress: None, lambda: False).drafts == ()


def test_a_hook_and_the_description_of_its_file_are_no_duplicate() -> None:
    found = kinds(
        MEMORY="# Index\n\n- [Pier](pier.md) - tickets are sold at the kiosk\n- [Lamp](lamp.md) - burns oil\n",
        pier="---\nname: pier\ndescription: tickets are sold at the kiosk\ntype: reference\n---\nAsk Ana for one.\n",
        lamp="---\nname: lamp\ndescription: burns oil\ntype: reference\n---\nThe oil comes from the blue can.\n",
    )
    assert found == []


def test_what_was_merged_stands_where_it_was_and_once(tmp_path: Path) -> None:
    files: Files = {
        "a.md": b"# Pier\n\n- Tickets for the evening ferry are sold at the kiosk only.\n- Gulls sing.\n",
        "b.md": b"# Kiosk\n\n- At the kiosk only are tickets for the evening ferry sold, 4 euro each.\n- Tar dries.\n",
    }
    folder = lay(tmp_path / "s", files)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, change.id)
    opened.apply()
    after = b"".join(data for _, data in sorted(texts(folder).items()))
    assert after.count(b"evening ferry") == 1
    assert b"4 euro" in after
    assert opened.dream().proposal is None


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("name: b\ncreated: 2026-05-01", b"---\nname: b\ncreated: 2026-02-03\n---\n"),
        (
            "name: b\nmetadata:\n  modified: 2026-08-01",
            b"---\nname: b\nmetadata:\n  modified: 2026-08-01\ncreated: 2026-02-03\n---\n",
        ),
        ('{\n  "name": "b"\n}', b'---\n{\n  "name": "b"\n}\n---\n'),
    ],
)
def test_a_merged_file_keeps_the_earliest_date_and_its_description_becomes_no_paragraph(
    tmp_path: Path, header: str, expected: bytes
) -> None:
    said = "The harbour log is copied to the archive every night at 02:30"
    files: Files = {
        "a.md": f"---\nname: a\ndescription: how the old log is kept\ncreated: 2026-02-03\n---\n{said}.\n".encode(),
        "b.md": f"---\n{header}\n---\n{said}, both volumes.\n".encode(),
    }
    folder = lay(tmp_path / "s", files)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    (change,) = [change for change in review.proposal.changes if change.kind is Kind.MERGE]
    review.decide(Op.ACCEPT, change.id)
    opened.apply()
    assert texts(folder) == {"b.md": expected + f"{said}, both volumes.\n".encode()}
