"""Lists that a paragraph of another file says in one breath."""

from __future__ import annotations

import os
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
        {"crew.md": LIST.replace("## Roles", "## 2026-05-01"), "ferry.md": PARAGRAPH},
        {"crew.md": LIST, "ferry.md": PARAGRAPH.replace("# Ferry", "# Ferry on 2026-05-01")},
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


TYPED = "---\nname: crew\ndescription: who works aboard\ntype: project\n---\n\n"
HELD = "Pilots steer the ferry, deckhands tie the ropes and count the cars, stewards sell tickets and coffee."


@pytest.mark.parametrize(
    "text",
    [
        f"{HELD}\n",
        f"# Ferry\n\n{HELD}\n",
        f"{TYPED}{HELD}\n",
        f"{TYPED}{HELD}\n\nIt turns at dusk each day of the year.\n",
        f"# Ferry\n\nIt turns at dusk.\n\n{HELD}\n\n**Why:** each has one trade.\n",
    ],
    ids=["the whole file", "all below a heading", "the body of a typed note", "the lead of one", "what has a reason"],
)
def test_a_paragraph_that_its_file_rests_on_stays(text: str) -> None:
    assert found({"crew.md": LIST, "ferry.md": text}) == []


@pytest.mark.parametrize(
    "said",
    [
        f"{HELD[:-1]}:\n\n- Bow\n- Stern\n",
        f"{HELD}\n- Bow\n- Stern\n",
        f"1. {HELD}\n2. They sleep ashore.\n",
    ],
    ids=["before a colon", "right above a list", "a step"],
)
def test_a_paragraph_that_leads_into_what_follows_stays(said: str) -> None:
    assert found({"crew.md": LIST, "ferry.md": f"# Ferry\n\nIt turns at dusk.\n\n{said}"}) == []


def test_what_a_program_marked_as_its_own_is_not_moved() -> None:
    marked = PARAGRAPH.replace("Three", "<!-- promotion: 2026-05-01 -->\nThree")
    assert found({"crew.md": LIST, "ferry.md": marked}) == []


def test_the_mark_that_opens_a_file_does_not_move_into_another_or_down() -> None:
    first = f"\ufeff{TOLD}\nIt turns at dusk.\n"
    (draft,) = found({"crew.md": LIST, "ferry.md": first})
    assert result(draft, "crew.md", LIST) == LIST.replace("- **Pilots**", f"{TOLD}\n- **Pilots**")
    items = LIST[LIST.index("- **Pilots**") :]
    assert len(found({"crew.md": items, "ferry.md": PARAGRAPH})) == 1
    assert found({"crew.md": f"\ufeff{items}", "ferry.md": PARAGRAPH}) == []


def test_an_entry_goes_with_the_sign_that_parts_it_from_the_next() -> None:
    entries = f"It turns at dusk.\n§\n{HELD}\n§\nIt leaves at six.\n"
    (draft,) = found({"crew.md": LIST, "ferry.md": entries})
    assert result(draft, "ferry.md", entries) == "It turns at dusk.\n§\nIt leaves at six.\n"


def test_names_of_one_character_within_longer_words_name_nothing() -> None:
    items = "# 船\n\n- **潮**：驾驶渡船并查看潮汐表。\n- **绳**：水手系好缆绳并清点汽车。\n- **票**：出售船票和咖啡。\n"
    said = "# 渡船\n\n黄昏返航。\n\n领航员驾驶渡船并查看潮汐表，水手系好缆绳并清点汽车，乘务员出售船票和咖啡。\n"
    assert found({"crew.md": items, "ferry.md": said}) == []


SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
_LINES = st.lists(
    st.sampled_from(
        ["", "# Sea", "## 2026-05-01", "It turns.", "- Bow", "  - Stern", "1. Mast", "```", "---", "<!-- sail -->"]
    ),
    max_size=4,
)
_ENDS = st.sampled_from(["\n", "\r\n"])
_ITEMS = LIST[LIST.index("- **Pilots**") :]


def _text(above: list[str], said: str, below: list[str], end: str, tail: str) -> str:
    return end.join([*above, *said.splitlines(), *below]).rstrip("\r\n") + tail


@settings(max_examples=int(150 * SCALE), deadline=None)
@given(
    st.builds(_text, _LINES, st.just(_ITEMS), _LINES, _ENDS, st.sampled_from(["", "\n"])),
    st.builds(_text, _LINES, st.sampled_from([TOLD, HELD, f"- {HELD}"]), _LINES, _ENDS, st.sampled_from(["", "\n"])),
    st.tuples(st.booleans(), st.booleans()),
)
def test_no_word_is_lost_and_no_other_line_changes(items: str, said: str, marks: tuple[bool, bool]) -> None:
    files = {
        "crew.md": "\ufeff" * marks[0] + items,
        "ferry.md": "\ufeff" * marks[1] + said,
    }
    for draft in found(files):
        after = {path: result(draft, path, text) for path, text in files.items()}
        for line in _ITEMS.splitlines():
            assert line in after["crew.md"]
        assert "\ufeff" not in after["crew.md"][1:]
        lines, span = files["ferry.md"].splitlines(), draft.evidence[1]
        kept = [line for line in (*lines[: span.first - 1], *lines[span.last :]) if line.strip()]
        assert [line for line in after["ferry.md"].splitlines() if line.strip()] == kept
        if any(edit.path == "crew.md" for edit in draft.edits):
            assert all(line.lstrip("\ufeff") in after["crew.md"] for line in lines[span.first - 1 : span.last])
        assert after["ferry.md"].strip()
