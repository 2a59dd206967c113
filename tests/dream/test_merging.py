from __future__ import annotations

import pytest

from dreamreview.dream.evidence import delete_lines
from dreamreview.dream.merging import Kept, append_text, coalesce, missing_sentences
from dreamreview.model.markdown import parse

NONE: frozenset[str] = frozenset()


def _missing(kept: str, text: str) -> tuple[str, ...]:
    return missing_sentences(Kept.of([kept], NONE), text, NONE)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("The dump is kept 35 days.", ("The dump is kept 35 days.",)),
        ("The dump runs at 02:15.", ()),
        ("The dump runs. Ask `ops-bot` first.", ("Ask `ops-bot` first.",)),
        ('The dump runs. It is called "night owl".', ('It is called "night owl".',)),
        ("The nightly dump runs. Whales sing under water.", ("Whales sing under water.",)),
        ("The nightly dump runs early; https://x.invalid/dump lists all.", ("https://x.invalid/dump lists all.",)),
    ],
)
def test_only_sentences_that_bring_something_are_missing(text: str, missing: tuple[str, ...]) -> None:
    assert _missing("The nightly dump runs at 02:15.", text) == missing


def test_amounts_in_other_units_are_not_missing() -> None:
    assert _missing("Wait half a minute before the talk.", "Wait 30 seconds.") == ()


def test_a_sentence_is_added_once() -> None:
    assert _missing("Nothing yet.", "Port 9001 is open. Port 9001 is open.") == ("Port 9001 is open.",)


@pytest.mark.parametrize(
    ("line", "sentence", "expected"),
    [
        (b"- Short wait\n", "Then go.", b"- Short wait. Then go.\n"),
        (b"- Short wait.\r\n", "then go.", b"- Short wait. Then go.\r\n"),
        (b"- Short wait.", "`x` says so.", b"- Short wait. `x` says so."),
        ("- 等一下\n".encode(), "然后走。", "- 等一下。然后走。\n".encode()),
        (b"- Wait. [score=0.80 recalls=3]\n", "Then go.", b"- Wait. Then go. [score=0.80 recalls=3]\n"),
    ],
)
def test_sentences_are_added_at_the_end_of_a_line(line: bytes, sentence: str, expected: bytes) -> None:
    edit = append_text(parse("a.md", line), 1, [sentence])
    assert edit.new == (expected,)


def test_deletions_that_touch_become_one() -> None:
    document = parse("a.md", b"- a\n- b\n- c\n- d\n")
    (first, last) = coalesce([delete_lines(document, 4, 4), delete_lines(document, 1, 1), delete_lines(document, 2, 2)])
    assert (first.start, first.stop, first.old) == (0, 2, document.lines[:2])
    assert (last.start, last.stop) == (3, 4)
