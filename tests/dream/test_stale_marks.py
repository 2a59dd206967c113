from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.dream.stale_marks import last_day, mark_of

TODAY = date(2026, 9, 15)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("- **[Superseded 2026-05-01]** the gate opens at six", "superseded"),
        ("- The gate opens at six. — superseded by seven (2026-05-01)", "superseded"),
        ("- Gate at six (no longer valid since 2026-05-01)", "superseded"),
        ("- DEPRECATED (2026-05-01): use the side door", "superseded"),
        ("- 大门六点开（已作废）", "superseded"),
        ("- Tor um sechs (überholt seit Mai)", "superseded"),
        ("| Gate | six (valid until 2026-08-31) |", "expired"),
        ("- Tor um sechs (gültig bis 31.08.2026)", "expired"),
        ("- 大门六点开（有效期至2026-08-31）", "expired"),
        ("- Permit valid until 31 August 2026.", "expired"),
        ("- Pass (valid from 2026-01-01 until 2026-08-31)", "expired"),
        ("- (expired 2026-08-31) the summer pass", "expired"),
        ("- ~~Gate at six.~~ Replaced by the bell.", "struck"),
    ],
)
def test_a_text_says_that_it_is_over(text: str, kind: str) -> None:
    mark = mark_of(text, TODAY)
    assert mark is not None
    assert mark.kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "- The pass is valid from 2026-01-01.",
        "- The code is valid until 2026-08-31 and then changes on its own to seven.",
        "- The superseded plan is in the attic.",
        "- (superseded drafts are kept) The gate opens at six.",
        "- Superseded rules stay in the attic.",
        "- Pass (valid until 2026-10)",
        "- The domain expires on 2026-08-31.",
        "- ~~one~~ ~~two~~",
        "- ~~one~~ ✅ 2026-05-01",
        "- The old lock was replaced once.",
    ],
)
def test_a_text_holds(text: str) -> None:
    assert mark_of(text, TODAY) is None


def test_the_last_day_counts_and_a_month_ends_with_its_last() -> None:
    assert mark_of("- Pass (valid until 2026-09-15)", TODAY) is None
    assert last_day("2026-02") == date(2026, 2, 28)
    assert last_day("'2026-02-03T10:00:00Z'") == date(2026, 2, 3)
    assert last_day("when it breaks") is None


@given(st.text(max_size=150), st.dates())
def test_any_text_is_read_without_harm(text: str, today: date) -> None:
    mark = mark_of(text, today)
    assert mark is None or mark.kind in {"struck", "superseded", "expired"}
