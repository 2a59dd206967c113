from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.claims import know
from dreamreview.dream.engine import Corpus
from dreamreview.dream.judging import Verdict, judge_all
from dreamreview.dream.relation import Kinship
from dreamreview.model.markdown import parse


def _verdicts(files: dict[str, str]) -> list[Verdict]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return list(judge_all(know(Corpus(documents, frozenset(files), date(2026, 9, 15)))))


def _kinds(files: dict[str, str]) -> list[Kinship]:
    return [verdict.relation.kinship for verdict in _verdicts(files)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run the linter before every commit.", "Run the linter before every commit."),
        ("Keep the candles dry and out of drafts.", "Candles are kept dry, out of drafts."),
        ("`just sow` fills the beds before spring.", "Before spring, `just sow` fills the beds."),
        ("提交信息必须用英文写。", "提交信息一律使用英文。"),
    ],
)
def test_the_same_said_in_two_files_is_a_duplicate(one: str, other: str) -> None:
    assert _kinds({"a.md": f"- {one}\n", "b.md": f"- {other}\n"}) == [Kinship.DUPLICATE]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The request timeout is 30 seconds.", "The request timeout is 60 seconds."),
        ("The web app needs Node 18.", "The web app needs Node 20."),
        ("Marta owns the bakery keys.", "Ben owns the bakery keys."),
        ("The user's name is Anna.", "The user's name is Marta."),
        ("Alice lives in Bergen.", "Alice lives in Oslo."),
        ("Ruth prefers butter in pie crusts.", "Ruth prefers not to use butter in pie crusts."),
        ("Use tabs for indentation.", "Use spaces for indentation."),
        ("One stove heats up to 3 rooms.", "The stove is made of iron and warms up to 5 rooms."),
        ("Tom has a severe peanut allergy.", "Tom ate peanut butter, so he seems fine with peanuts."),
    ],
)
def test_what_cannot_both_hold_is_a_conflict(one: str, other: str) -> None:
    assert _kinds({"a.md": f"- {one}\n", "b.md": f"- {other}\n"}) == [Kinship.CONFLICT]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The chief gardener is Alice Brown.", "The chief cook is Sarah Green."),
        ("Merged PR #260 into main after review.", "Merged PR #480 into main after review."),
        ("Staging bakes with oven 2 on Sundays.", "Production bakes with oven 5 on Sundays."),
        ("Zebra listens on port 7001.", "Zebra logs are deleted after 20 days."),
        ("Feature ribbons are never ironed.", "Release ribbons are ironed."),
        ("Lena bakes for all in week 12.", "Piet bakes for all in week 13."),
        ("Knead the rye dough as long as it takes.", "Do not knead the spelt dough without a rest."),
        ("2026-01-02: 171 loaves, 38 rolls, sold out", "2026-01-09: 168 loaves, 41 rolls, sold out"),
        ("04:10 oven warm, 206 degrees", "04:10 oven warm, 207 degrees"),
        ("Summer menu: `https://x.invalid/summer`", "Winter menu: `https://x.invalid/winter`"),
        ("Is the linter slow on big files?", "The linter is slow on big files."),
        ("用户喜欢简短的回答。", "数据库每晚备份到第二台服务器。"),
    ],
)
def test_what_only_looks_alike_is_left_apart(one: str, other: str) -> None:
    assert _kinds({"a.md": f"- {one}\n- {other}\n"}) == []


def test_a_plan_and_what_was_done_are_held_together() -> None:
    files = {"a.md": "- Plan to use Redis for the session cache.\n", "b.md": "- Redis is on for the session cache.\n"}
    assert _kinds(files) == [Kinship.SUPERSEDE]


def test_a_correction_in_the_next_line_needs_no_words_in_common() -> None:
    (verdict,) = _verdicts({"a.md": "- Limit is 10 MB.\n- (Corrected 2026-03-02: 25 MB)\n"})
    assert verdict.relation.kinship is Kinship.CONFLICT


def test_days_of_a_log_and_daily_notes_are_not_merged() -> None:
    rule = "- Bread for the fair has to be baked in the stone oven.\n"
    assert _kinds({"memory/2026-01-02.md": rule, "memory/2026-01-03.md": rule, "MEMORY.md": rule}) == []


def test_rows_about_different_things_are_left_apart() -> None:
    rows = "| Tin | Use |\n| --- | --- |\n| 0012 | square cakes, no lid |\n| 0771 | square cakes, with lid |\n"
    assert _kinds({"a.md": rows}) == []


def test_pinned_statements_are_left_alone() -> None:
    text = "- [PINNED] Run the linter before every commit.\n"
    assert _kinds({"a.md": text, "b.md": "- Run the linter before every commit.\n"}) == []


def test_the_heading_tells_whom_a_statement_without_a_name_is_about() -> None:
    text = (
        "Ask Orla and Pike.\n\n## Orla\n\n- Fee: 70 euro for each lesson, in cash.\n\n"
        "## Pike\n\n- Fee: 55 euro for each lesson, in cash.\n"
    )
    assert _kinds({"a.md": text}) == []


def test_what_two_people_are_told_alike_is_left_below_the_name_of_each() -> None:
    told = "**Bounds:**\n\n- No charts of the Fjord to guests\n"
    text = f"Ask Anna or Otto.\n\n## Anna\n\n{told}\n## Otto\n\n{told}"
    assert _kinds({"a.md": text}) == []
    assert _kinds({"a.md": text.replace("Anna", "bow").replace("Otto", "stern")}) == [Kinship.DUPLICATE]


def test_a_brief_item_is_said_of_each_thing_that_a_file_lists() -> None:
    text = "# Modules\n\n## Crew\n\n- {0}\n- Pay of the watch\n\n## Stores\n\n- {0}\n- Ropes on order\n"
    assert _kinds({"a.md": text.format("Rope life tracking")}) == []
    assert _kinds({"a.md": text.format("Rope life is tracked by the mate every Sunday")}) == [Kinship.DUPLICATE]


def test_issues_of_a_report_are_each_left_as_they_were_on_their_day() -> None:
    line = "- The radar office has no new alerts for the north bank.\n"
    assert _kinds({"poll-2026-04-06.md": line, "poll-2026-04-07.md": line}) == []
    assert _kinds({"poll-2026-04-06.md": line, "radar.md": line}) == [Kinship.DUPLICATE]


def test_items_below_different_items_are_left_apart() -> None:
    text = "- Basic plan\n  - five seats are included\n- Full plan\n  - five seats are included\n"
    assert _kinds({"a.md": text}) == []


def test_verdicts_come_in_the_same_order_every_time() -> None:
    files = {f"{name}.md": "- Water is wet.\n- Run the linter before every commit.\n" for name in "abcd"}
    places = [(verdict.one.place, verdict.other.place) for verdict in _verdicts(files)]
    assert places == sorted(places)
    assert [(verdict.one.place, verdict.other.place) for verdict in _verdicts(files)] == places
    assert [pair for pair in places if pair[0] % 2] == [(1, 3), (1, 5), (1, 7), (3, 5), (3, 7), (5, 7)]


def test_many_copies_of_one_line_all_meet() -> None:
    files = {f"{number}.md": "- Run the linter before every commit.\n" for number in range(30)}
    assert len(_verdicts(files)) == 30 * 29 // 2
