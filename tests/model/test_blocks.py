from __future__ import annotations

import pytest

from dreamreview.model.blocks import MAX_DEPTH, Block, read_blocks, split_cells
from dreamreview.model.roles import assign_roles


def blocks(text: str) -> list[Block]:
    texts = text.split("\n")
    return read_blocks(texts, assign_roles(texts, 0)[0], 0)


def shown(text: str) -> list[tuple[str, int, int, str]]:
    """Return shape, first line, last line and text of each block, lines counted from 1."""
    return [(block.shape.value, block.first + 1, block.last + 1, block.text) for block in blocks(text)]


@pytest.mark.parametrize("marker", ["-", "*", "+", "•", "·", "1.", "2)"])
def test_every_marker_starts_an_item(marker: str) -> None:
    assert shown(f"{marker} the kiln is hot") == [("bullet", 1, 1, "the kiln is hot")]


def test_an_item_goes_on_over_indented_and_unindented_lines() -> None:
    assert shown("- the kiln\n  is hot\nand loud\n- next") == [
        ("bullet", 1, 3, "the kiln is hot and loud"),
        ("bullet", 4, 4, "next"),
    ]


def test_an_indented_paragraph_after_a_gap_belongs_to_the_item() -> None:
    assert shown("- one\n\n  more of one\n\nnot of one") == [
        ("bullet", 1, 3, "one\nmore of one"),
        ("paragraph", 5, 5, "not of one"),
    ]


def test_items_nest_at_mixed_indents() -> None:
    found = blocks("- a\n  - b\n      - c\n   - d\n - e\n1. f\n   - g")
    assert [(block.text, block.parent) for block in found] == [
        ("a", None),
        ("b", 0),
        ("c", 1),
        ("d", 0),
        ("e", None),
        ("f", None),
        ("g", 5),
    ]
    assert [block.last for block in found] == [3, 2, 2, 3, 4, 6, 6]


def test_items_deeper_than_the_limit_hang_on_the_deepest_holder() -> None:
    found = blocks("\n".join("  " * depth + "- x" for depth in range(40)))
    depths: list[int] = []
    for block in found:
        depths.append(1 if block.parent is None else depths[block.parent] + 1)
    assert max(depths) == MAX_DEPTH


def test_fences_and_tables_in_an_item_belong_to_it() -> None:
    text = "- run\n  ```sh\n  just fire\n  ```\n- ports\n  | a | 1 |\n  | b | 2 |\nend"
    assert shown(text) == [
        ("bullet", 1, 4, "run\n```sh\njust fire\n```"),
        ("bullet", 5, 8, "ports end"),
        ("row", 6, 6, "a | 1"),
        ("row", 7, 7, "b | 2"),
    ]


def test_a_fence_belongs_to_the_words_that_lead_into_it() -> None:
    assert shown("Run this:\n\n```\njust fire\n```\n\nDone.") == [
        ("paragraph", 1, 5, "Run this:\n```\njust fire\n```"),
        ("paragraph", 7, 7, "Done."),
    ]
    assert shown("Some words.\n\n```\njust fire\n```") == [("paragraph", 1, 1, "Some words.")]


def test_wrapped_lines_are_one_paragraph_and_labels_start_their_own() -> None:
    text = "The kiln is hot\nuntil noon and\n**Why:** the door\nis thin.\n**How to apply:** wait."
    assert shown(text) == [
        ("paragraph", 1, 2, "The kiln is hot until noon and"),
        ("paragraph", 3, 4, "**Why:** the door is thin."),
        ("paragraph", 5, 5, "**How to apply:** wait."),
    ]


def test_lines_that_are_facts_for_themselves_are_paragraphs_for_themselves() -> None:
    assert shown("Port: 9001\nHost: kiln-2") == [("paragraph", 1, 1, "Port: 9001"), ("paragraph", 2, 2, "Host: kiln-2")]
    assert shown("Salt is out.\nClay is in.") == [
        ("paragraph", 1, 1, "Salt is out."),
        ("paragraph", 2, 2, "Clay is in."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Two sorts of visitors: those who stay and\nleave, and those who only look.",
        "We ship on two days: Tuesday,\nThursday.",
        "三种访客：住客、\n路人。",
    ],
)
def test_a_colon_in_a_wrapped_sentence_makes_it_no_list_of_facts(text: str) -> None:
    assert shown(text) == [("paragraph", 1, 2, text.replace("\n", " "))]


def test_facts_with_keys_in_lower_case_stay_apart() -> None:
    assert shown("port: 9001\nhost: kiln-2") == [("paragraph", 1, 1, "port: 9001"), ("paragraph", 2, 2, "host: kiln-2")]


def test_a_quote_is_a_paragraph_apart() -> None:
    assert shown("She said\n> wait\n> for noon\nand left") == [
        ("paragraph", 1, 1, "She said"),
        ("paragraph", 2, 3, "wait for noon"),
        ("paragraph", 4, 4, "and left"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "the two glazes are matt\n+ safe, and the slow one",
        "we wrapped this line by hand at a column near seventy so that it\n- unlike others - reads well",
        "The oven came in\n12. March was cold",
        "It was fixed in\n2026. That was late",
        "The pull request\n#41 was closed",
        "Clay is patient\n— the author",
    ],
)
def test_a_wrapped_line_that_looks_like_an_item_is_none(text: str) -> None:
    assert [block.shape.value for block in blocks(text)] == ["paragraph"]


@pytest.mark.parametrize(
    "text",
    [
        "Glazes:\n- matt",
        "Glazes in use\n- Matt",
        "the glazes are\n+ matt\n+ gloss",
        "Steps\n1. wait",
        "a short line\n- then a small item",
    ],
)
def test_a_list_right_below_a_paragraph_is_a_list(text: str) -> None:
    assert [block.shape.value for block in blocks(text)][:2] == ["paragraph", "bullet"]


def test_table_rows_are_read_without_header_and_rule() -> None:
    text = "| what | value |\n| --- | --- |\n| port `a|b` | 9001 |\n| esc \\| aped | x<br>y |\n|  |  |\ntext"
    assert shown(text) == [
        ("row", 3, 3, "port `a|b` | 9001"),
        ("row", 4, 4, "esc \\| aped | x<br>y"),
        ("paragraph", 6, 6, "text"),
    ]


def test_rows_without_a_rule_are_all_rows() -> None:
    assert shown("| Port | 9001 |\n| Host | kiln-2 |") == [("row", 1, 1, "Port | 9001"), ("row", 2, 2, "Host | kiln-2")]


def test_a_table_may_lack_its_outer_pipes() -> None:
    assert shown("what | value\n--- | ---\nport | 9001") == [("row", 3, 3, "port | 9001")]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("| a | |", ["a", ""]),
        ("| `x|y` | z |", ["`x|y`", "z"]),
        ("| x\\|y |", ["x\\|y"]),
        ("|", [""]),
    ],
)
def test_pipes_in_code_part_no_cells(text: str, cells: list[str]) -> None:
    assert split_cells(text) == cells


def test_entries_are_parted_by_a_lone_section_sign() -> None:
    assert shown("likes tea\n§\nlives in Ghent,\nsee § 33\n\n§\n§\nlast one") == [
        ("entry", 1, 1, "likes tea"),
        ("entry", 3, 4, "lives in Ghent,\nsee § 33"),
        ("entry", 8, 8, "last one"),
    ]


def test_headings_keep_level_words_and_underline() -> None:
    found = blocks("Kiln\n====\n## Door ##\n**Hinge**\n- oil it")
    assert [(block.shape.value, block.level, block.first, block.last, block.text) for block in found] == [
        ("section", 1, 0, 1, "Kiln"),
        ("section", 2, 2, 2, "Door"),
        ("section", 7, 3, 3, "Hinge"),
        ("bullet", 0, 4, 4, "oil it"),
    ]


def test_a_tag_line_parts_and_is_no_text() -> None:
    assert shown("<human>\nlikes tea\n</human>") == [("paragraph", 2, 2, "likes tea")]


def test_an_index_entry_stands_for_itself() -> None:
    texts = ["words", "[A](a.md) — a", "[B](b.md) — b", "- item", "[C](c.md) — c"]
    found = read_blocks(texts, assign_roles(texts, 0)[0], 0, {1, 2, 4})
    assert [(block.shape.value, block.first, block.last) for block in found] == [
        ("paragraph", 0, 0),
        ("paragraph", 1, 1),
        ("paragraph", 2, 2),
        ("bullet", 3, 3),
        ("paragraph", 4, 4),
    ]
