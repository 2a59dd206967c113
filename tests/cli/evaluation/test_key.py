from __future__ import annotations

import pytest

from dreamreview.cli.evaluation.key import parse
from dreamreview.cli.evaluation.places import Span
from dreamreview.errors import DreamReviewError


def test_lists_that_a_key_leaves_out_are_empty() -> None:
    key = parse(b'{"today": "2026-01-05"}', "key.json")
    assert (key.duplicates, key.conflicts, key.index_lines, key.lists["secrets"]) == ((), (), (), ())


def test_a_place_is_a_line_or_a_run_of_lines() -> None:
    key = parse(b'{"secrets": [{"path": "a.md", "line": 4}, {"path": "a.md", "lines": [6, 9]}]}', "key.json")
    assert [item.span for item in key.lists["secrets"]] == [Span("a.md", 4, 4), Span("a.md", 6, 9)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "is no answer key: it is not JSON"),
        (b"\xff", "is no answer key: it is not JSON"),
        (b"[" * 100_000, "is no answer key: it is not JSON"),
        (b"[]", "document: expected an object"),
        (b'{"stale": {}}', "stale: expected a list"),
        (b'{"stale": [{"path": "a.md"}]}', "stale[0].line: is missing"),
        (b'{"stale": [{"path": "a.md", "lines": [3, 2]}]}', "stale[0].lines: expected the first and the last line"),
        (b'{"duplicates": [{"members": [{"line": 1}]}]}', "duplicates[0].members[0].path: is missing"),
        (b'{"conflicts": [{"a": {"path": "a.md", "line": 1}}]}', "conflicts[0].b: expected an object"),
        (b'{"index": {"dangling": [0]}}', "index.dangling[0]: expected a number from 1"),
    ],
)
def test_what_is_no_key_is_refused_with_its_place(data: bytes, says: str) -> None:
    with pytest.raises(DreamReviewError) as caught:
        parse(data, "key.json")
    assert str(caught.value).startswith("key.json is no answer key")
    assert says in str(caught.value)
