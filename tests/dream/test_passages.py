from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.passages import LONGEST, MOST_LINES, Lines

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


def passages(text: str, *hits: int) -> list[tuple[int, int]]:
    return list(Lines("a.md", text).spans(hits))


@pytest.mark.parametrize(
    ("text", "hits", "spans"),
    [
        pytest.param("- one\n- two\n- three\n", [1], [(1, 1)], id="an item by itself"),
        pytest.param("- one\n  goes on\n- two\n", [1], [(1, 1), (0, 1)], id="an item that goes on"),
        pytest.param("# A\none\ntwo\n\nthree\n", [2], [(2, 2), (1, 2)], id="a wrapped paragraph"),
        pytest.param("one\ntwo\nthree\n", [0, 2], [(0, 0), (0, 2), (2, 2)], id="a paragraph only once"),
        pytest.param("# A ferry\ntext\n", [0], [], id="a heading is no statement"),
        pytest.param("| a | b |\n| c | d |\n", [1], [(1, 1)], id="a row"),
        pytest.param("one\r\ntwo\r\n\r\n- x\r\n", [0, 3], [(0, 0), (0, 1), (3, 3)], id="other line ends"),
        pytest.param("a\n\n- b\n§\nc\n", [0, 4], [(0, 0), (0, 2), (4, 4), (4, 5)], id="entries between signs"),
        pytest.param("see § 4\non\n\nnext\n", [0], [(0, 0), (0, 1)], id="a sign inside a sentence parts nothing"),
        pytest.param("x" * (LONGEST + 1), [0], [], id="too long"),
        pytest.param("text\n" * (MOST_LINES + 1), [0], [(0, 0)], id="too many lines"),
    ],
)
def test_lines_are_taken_alone_and_with_those_that_go_on(
    text: str, hits: list[int], spans: list[tuple[int, int]]
) -> None:
    assert passages(text, *hits) == spans


@settings(max_examples=int(200 * SCALE), deadline=None)
@given(st.lists(st.sampled_from(["", "- item", "  goes on", "text", "# Head", "| a |", "§", "渡轮"]), max_size=60))
def test_every_passage_holds_lines_of_the_text_in_order(raw: list[str]) -> None:
    lines = Lines("a.md", "\n".join(raw))
    hits = [at for at in range(len(raw)) if not lines.is_blank(at)]
    spans = list(lines.spans(hits))
    assert len(spans) == len(set(spans))
    for first, last in spans:
        passage = lines.passage(first, last)
        assert passage.text.split("\n") == raw[first : last + 1]
        assert [line for _, line in passage.places] == list(range(first + 1, last + 2))
