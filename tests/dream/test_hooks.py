from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.statements import find
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind


def _drift(hook: str, text: str) -> list[Draft]:
    files = {"MEMORY.md": f"# Index\n\n- [Regatta](regatta.md) — {hook}\n", "regatta.md": f"# Regatta\n\n- {text}\n"}
    documents = {path: parse(path, each.encode()) for path, each in files.items()}
    return list(find(Corpus(documents, frozenset(files), date(2026, 9, 15)), Policy()))


@pytest.mark.parametrize(
    ("hook", "text"),
    [
        ("lists, boats; entries close 2026-10-30", "Entries close on 2026-11-13, the last day they are valid."),
        ("boats, and the fee is 20 euro", "The fee is 25 euro."),
    ],
)
def test_a_hook_that_says_another_day_or_amount_than_its_file_is_a_conflict(hook: str, text: str) -> None:
    (draft,) = _drift(hook, text)
    assert (draft.kind, draft.suggested) == (Kind.CONFLICT, "B")


@pytest.mark.parametrize(
    ("hook", "text"),
    [
        ("lists, boats; entries close 2026-11-13", "Entries close on 2026-11-13, the last day they are valid."),
        ("lists, updated 2026-08-01", "The list was updated on 2026-09-01 and is valid until the race."),
        ("entries from 2026-08-01", "Entries came in on 2026-09-01."),
    ],
)
def test_a_day_on_which_something_was_written_is_no_drift(hook: str, text: str) -> None:
    assert _drift(hook, text) == []
