"""Lists that a paragraph of another file says in one breath."""

from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.claims import know
from dreamreview.dream.engine import Corpus, Draft
from dreamreview.dream.enumerations import find_told
from dreamreview.dream.judging import judge_all
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind

LIST = (
    "# Crew\n\n## Roles\n\n"
    "- **Pilots** steer the ferry; they read the tide table before each crossing.\n"
    "- **Deckhands** tie the ropes at both quays and count the cars.\n"
    "- **Stewards**, two on each crossing, sell the tickets and the coffee.\n"
)
TOLD = (
    "Three sorts of people work aboard: the pilots who steer the ferry by the tide\n"
    "table, the deckhands who tie the ropes and count cars, and the stewards who sell tickets and coffee.\n"
)
PARAGRAPH = f"# Ferry\n\nThe ferry leaves at six.\n\n{TOLD}\nIt turns at dusk.\n"


def found(files: dict[str, str], gone: frozenset[str] = frozenset()) -> list[Draft]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    store = know(Corpus(documents, frozenset(files), date(2026, 9, 15)))
    return list(find_told(store, tuple(judge_all(store)), gone))


def result(draft: Draft, path: str, text: str) -> str:
    lines = text.splitlines(keepends=True)
    for edit in sorted((edit for edit in draft.edits if edit.path == path), key=lambda edit: -edit.start):
        lines[edit.start : edit.stop] = [line.decode() for line in edit.new]
    return "".join(lines)


def test_a_paragraph_that_tells_a_list_over_again_goes_above_it() -> None:
    (draft,) = found({"crew.md": LIST, "ferry.md": PARAGRAPH})
    assert draft.kind is Kind.MERGE
    assert [(item.path, item.first, item.last) for item in draft.evidence] == [("crew.md", 5, 7), ("ferry.md", 5, 6)]
    assert draft.reason == (
        "crew.md:5 lists the 3 things that ferry.md:5 names in the same order, and says the same of them. "
        "The list stays; the paragraph goes above it, so that no word is lost."
    )
    assert result(draft, "ferry.md", PARAGRAPH) == "# Ferry\n\nThe ferry leaves at six.\n\nIt turns at dusk.\n"
    assert result(draft, "crew.md", LIST) == LIST.replace("- **Pilots**", f"{TOLD}\n- **Pilots**")


def test_a_paragraph_that_says_nothing_of_its_own_goes() -> None:
    said = "Pilots steer the ferry, deckhands tie the ropes and count the cars, stewards sell tickets and coffee.\n"
    (draft,) = found({"crew.md": LIST, "ferry.md": f"# Ferry\n\nIt turns at dusk.\n\n{said}"})
    assert [edit.path for edit in draft.edits] == ["ferry.md"]
    assert draft.reason.endswith("The list stays; the paragraph says nothing that the list does not.")


def test_the_moved_lines_end_as_those_of_the_list_do() -> None:
    (draft,) = found({"crew.md": LIST.replace("\n", "\r\n"), "ferry.md": PARAGRAPH})
    moved = draft.edits[0].new
    assert [line.endswith(b"\r\n") for line in moved] == [True, True, True]


@pytest.mark.parametrize(
    "files",
    [
        {"crew.md": f"{LIST}\n{TOLD}"},
        {"crew.md": LIST, "2026-09-02.md": PARAGRAPH},
        {"crew.md": LIST, "ferry.md": PARAGRAPH.replace("Three", "[PINNED] Three")},
        {"crew.md": LIST.replace("- **Pilots**", "These work here:\n\n- **Pilots**"), "ferry.md": PARAGRAPH},
        {
            "crew.md": LIST,
            "ferry.md": "The stewards sell tickets and coffee, the deckhands tie ropes and count cars, "
            "and the pilots steer the ferry by the tide table.\n",
        },
        {"crew.md": LIST, "ferry.md": "The pilots, the deckhands and the stewards each get a locker of their own.\n"},
        {"crew.md": LIST.replace("two on each", "3 on each"), "ferry.md": PARAGRAPH.replace("stewards", "4 stewards")},
        {"crew.md": LIST.replace("**", ""), "ferry.md": PARAGRAPH},
        {"crew.md": LIST.rpartition("- **S")[0], "ferry.md": PARAGRAPH},
    ],
)
def test_what_only_speaks_of_the_same_things_stays(files: dict[str, str]) -> None:
    assert found(files) == []


def test_a_file_that_is_merged_already_takes_no_part() -> None:
    assert found({"crew.md": LIST, "ferry.md": PARAGRAPH}, frozenset(("ferry.md",))) == []
    assert found({"crew.md": LIST, "ferry.md": PARAGRAPH}, frozenset(("crew.md",))) == []


def test_a_list_at_odds_with_the_paragraph_stays_as_it_is() -> None:
    other = LIST.replace("count the cars", "never count the cars")
    assert found({"crew.md": other, "ferry.md": PARAGRAPH}) == []
