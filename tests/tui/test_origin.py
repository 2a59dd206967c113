"""Where a change comes from: the dreamer's own words stand beside what is counted; what does not agree is named."""

from __future__ import annotations

from dataclasses import replace

from dreamreview.model.proposal import Usage
from dreamreview.tui.detail.origin import origin_rows
from dreamreview.tui.detail.rows import Words
from tests.tui.fake import FakeReview, proposal


def test_words_cost_and_counts_stand_side_by_side() -> None:
    told = replace(
        proposal(),
        summary="5 changes: 2 merge",
        narrative="Made 9 changes.\n[red]Slept well.[/]",
        usage=Usage(input_tokens=900, output_tokens=80, cost_usd=0.255, seconds=3.0),
    )
    rows = origin_rows(told, FakeReview(told).cards()[0])
    lines = ["".join(part.text for part in row.parts) for row in rows if isinstance(row, Words)]
    assert "Cost        $0.26, 900 tokens in, 80 out, 3.0 s" in lines
    assert "Holds       5 changes: 2 merge" in lines
    assert lines[-3:] == [
        "Made 9 changes.",
        "[red]Slept well.[/]",
        "summary-mismatch  it says “Made 9 changes”, and there are 5 changes",
    ]
