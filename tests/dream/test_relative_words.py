from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.dream.quoted import quoted_spans
from dreamreview.dream.relative_words import resolve

ANCHOR = date(2026, 5, 10)
"""A Sunday."""


def _read(text: str, anchor: date = ANCHOR) -> str:
    out = text
    for word in reversed(resolve(text, anchor, quoted_spans(text))):
        out = out[: word.start] + word.written + out[word.stop :]
    return out


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Decided yesterday to wait.", "Decided on 2026-05-09 to wait."),
        ("Yesterday the pump failed.", "On 2026-05-09 the pump failed."),
        ("Deadline: tomorrow", "Deadline: 2026-05-11"),
        ("Closed since yesterday.", "Closed since 2026-05-09."),
        ("Today is a holiday.", "2026-05-10 is a holiday."),
        ("yesterday's outage", "2026-05-09's outage"),
        ("She sings tonight, 21:00.", "She sings on the evening of 2026-05-10, 21:00."),
        ("Ready by tomorrow morning.", "Ready by the morning of 2026-05-11."),
        ("The boat sails the day after tomorrow.", "The boat sails on 2026-05-12."),
        ("Broke the day before yesterday.", "Broke on 2026-05-08."),
        ("Rewritten two days ago.", "Rewritten on 2026-05-08."),
        ("It came a week ago.", "It came on 2026-05-03."),
        ("The lease ends in 3 days.", "The lease ends on 2026-05-13."),
        ("Shop reopens next Monday.", "Shop reopens on Monday 2026-05-11."),
        ("Moved house last Friday.", "Moved house on Friday 2026-05-08."),
        ("Closed until next Sunday.", "Closed until Sunday 2026-05-17."),
        ("Call next\n  Tuesday.", "Call on Tuesday 2026-05-12."),
        ("Gestern lief die Probe, heute nicht.", "Am 2026-05-09 lief die Probe, am 2026-05-10 nicht."),
        ("Er kommt morgen mit dem Zug.", "Er kommt am 2026-05-11 mit dem Zug."),
        ("Vor drei Tagen war die Tür offen.", "Am 2026-05-07 war die Tür offen."),
        ("明天补上说明。", "2026-05-11 补上说明。"),
        ("我昨天问过他。", "我 2026-05-09 问过他。"),
        ("3天前上线。", "2026-05-07 上线。"),
        ("上周五发布。", "2026-05-01 发布。"),
        ("明日の会議は中止。", "2026-05-11 の会議は中止。"),
        ("Вчера упал сервер.", "2026-05-09 упал сервер."),
        ("本周三开会", "2026-05-06 开会"),
        ("Today exists now; yesterday does not.", "2026-05-10 exists now; 2026-05-09 does not."),
        ("It rained yesterday and today.", "It rained on 2026-05-09 and 2026-05-10."),
        ("Logs for 2026-05-08, yesterday, today.", "Logs for 2026-05-08, 2026-05-09, 2026-05-10."),
        ("The night of *yesterday*.", "The night of *2026-05-09*."),
        ("Ask Mara tomorrow if the boat is dry.", "Ask Mara on 2026-05-11 if the boat is dry."),
        ("When we tried it yesterday it broke.", "When we tried it on 2026-05-09 it broke."),
        ("Gestern war der Strom weg.", "Am 2026-05-09 war der Strom weg."),
        ("Yesterday the nightly job failed.", "On 2026-05-09 the nightly job failed."),
        ("The weekly report was late yesterday.", "The weekly report was late on 2026-05-09."),
    ],
)
def test_the_sentence_reads_with_the_day_in_place(text: str, read: str) -> None:
    assert _read(text) == read


@pytest.mark.parametrize(
    "text",
    [
        'The "today" view is slow.',
        "The Today tab is slow.",
        "The today board is slow.",
        "`git log --since yesterday` is what runs.",
        "[Tomorrow](tomorrow.md) is a page.",
        "*Yesterday* is a song they play.",
        "See yesterday.md for more.",
        "Closed on Mondays.",
        "Every night yesterday's log is read.",
        "Never put off until tomorrow.",
        "The paper comes next week, the other next month.",
        "About two days ago it rained.",
        "Built in 3 days by two people.",
        "The last Friday of the quarter is for cleaning.",
        "It starts tomorrow (2026-05-11).",
        "《今日头条》是一个应用。",
        "每天早上明天的表都会生成。",
        "Guten Morgen allerseits.",
        "A plan for a better tomorrow.",
        "本周三次游泳都很累",
        "Read the daily file YYYY-MM-DD.md, first (today + yesterday).",
        "Named YYYY-MM-DD, e.g. yesterday's log comes second.",
        "If the state was last written 3 days ago, it may be stale.",
        "At start: yesterday's notes only if today's missing.",
        "The watcher expects yesterday's files.",
        "When the log of today is missing, stop.",
        "It answers today=$8.57, week=$20.91.",
        "Colour for CTA·today and small areas.",
        "홈: 오늘의 예약 목록(today-list.tsx) / 달력",
        "Monolithic today, to be split.",
        "They sold the house today (May 10, 2026).",
        "The fair is tomorrow (Mar 7).",
        "May 9, 2026 (yesterday) it rained.",
    ],
)
def test_what_is_no_day_or_not_said_plainly_stays(text: str) -> None:
    assert _read(text) == text


def test_this_weekday_lies_ahead_unless_the_sentence_tells_of_the_past() -> None:
    wednesday = date(2026, 5, 6)
    assert _read("We ship this Friday.", wednesday) == "We ship on Friday 2026-05-08."
    assert _read("They visited this Monday.", wednesday) == "They visited on Monday 2026-05-04."


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.sampled_from(["Monday", "Thursday", "Sunday"]))
def test_last_and_next_weekday_are_strictly_on_their_side(anchor: date, name: str) -> None:
    (ahead,) = resolve(f"It opens next {name}.", anchor, ())
    (behind,) = resolve(f"It closed last {name}.", anchor, ())
    assert timedelta(0) < ahead.day - anchor <= timedelta(7)
    assert timedelta(0) < anchor - behind.day <= timedelta(7)
    assert ahead.day.strftime("%A") == behind.day.strftime("%A") == name


@given(st.text(max_size=120), st.dates())
def test_any_text_on_any_day_is_read_without_harm(text: str, anchor: date) -> None:
    reach = 0
    for word in resolve(text, anchor, quoted_spans(text)):
        assert reach <= word.start < word.stop <= len(text)
        assert word.day.isoformat() in word.written
        reach = word.stop
