from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.link_repairs import find
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind


def _find(files: dict[str, str]) -> list[Draft]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return list(find(Corpus(documents=documents, files=frozenset(files), today=date(2026, 9, 15)), Policy()))


@pytest.mark.parametrize(
    ("written", "there", "mended"),
    [
        ("Boats.md", "boats.md", "boats.md"),
        ("boats.md", "old/boats.md", "old/boats.md"),
        ("big-boats.md", "big_boats.md", "big_boats.md"),
        ("boats.md#oars", "fleet/boats.md", "fleet/boats.md#oars"),
    ],
)
def test_a_link_that_can_mean_one_file_is_mended(written: str, there: str, mended: str) -> None:
    (draft,) = _find({"a.md": f"Two [boats]({written}) leak.\n", there: "x\n"})
    assert draft.kind is Kind.LINK
    assert draft.edits[0].new == (f"Two [boats]({mended}) leak.\n".encode(),)


@pytest.mark.parametrize(
    "text", ["Two [boats](ships.md) leak.\n", "See [[Boats]] or `boats2.md`.\n", "[x](../boats.md)\n"]
)
def test_nothing_is_guessed(text: str) -> None:
    assert _find({"a.md": text, "old/boats.md": "x\n"}) == []


def test_two_candidates_are_none() -> None:
    assert _find({"a.md": "[boats](boats.md)\n", "x/boats.md": "x\n", "y/boats.md": "y\n"}) == []
