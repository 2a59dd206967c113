from __future__ import annotations

import pytest

from dreamreview.model.memory import Role
from dreamreview.model.roles import assign_roles

SIGNS = {
    Role.TEXT: "t",
    Role.BLANK: ".",
    Role.FRONTMATTER: "f",
    Role.HEADING: "h",
    Role.CODE: "c",
    Role.COMMENT: "x",
    Role.MANAGED: "m",
    Role.RULE: "-",
}


def roles(text: str, start: int = 0) -> str:
    return "".join(SIGNS[role] for role in assign_roles(text.split("\n"), start)[0])


def warnings(text: str) -> list[str]:
    return assign_roles(text.split("\n"), 0)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\n# no heading\n```\ntext", "ccct"),
        ("~~~\n```\n~~~\ntext", "ccct"),
        ("````md\n```\ninner\n```\n````\ntext", "ccccct"),
        ("- item\n  ```py\n  x\n  ```\n- item", "tccct"),
        ("> ```\n> x\n> ```\ntext", "ccct"),
        ("> ```\n> x\ntext", "cct"),
        ("one `` ``` `` two", "t"),
    ],
)
def test_fenced_lines_are_code(text: str, expected: str) -> None:
    assert roles(text) == expected


def test_an_unclosed_fence_ends_at_the_next_heading_with_a_warning() -> None:
    text = "```sh\n# a shell comment\nls\n\n## Next\ntext"
    assert roles(text) == "cccc" + "ht"
    assert warnings(text) == ["line 1: a code fence is never closed"]


def test_an_unclosed_fence_without_heading_runs_to_the_end() -> None:
    assert roles("text\n```\nls\n") == "tccc"
    assert warnings("text\n```\nls\n") == ["line 2: a code fence is never closed"]


def test_a_forgotten_fence_end_does_not_swallow_the_fences_of_later_sections() -> None:
    text = "```sh\nls\n\n## Next\ntext\n```py\nx\n```\ntext"
    assert roles(text) == "ccc" + "ht" + "ccc" + "t"
    assert warnings(text) == ["line 1: a code fence is never closed"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last words\n---\nmore", "t-t"),
        ("last words\n***", "t-"),
        ("Title\n=====\ntext", "hht"),
        ("one\ntwo\n=====", "tt-"),
        ("<<<<<<< a\nx\n=======\ny\n>>>>>>> b", "tt-tt"),
        ("one\n§\ntwo", "t-t"),
        ("see § 33", "t"),
    ],
)
def test_a_line_of_dashes_is_a_rule_and_a_line_of_equals_signs_may_underline(text: str, expected: str) -> None:
    assert roles(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- promo:memory/2026-05-01.md:3:9 -->\n- a", "xt"),
        ("<!--\nhidden\n-->\ntext", "xxxt"),
        ("text <!-- hidden -->", "t"),
        ("<!-- hidden --> text", "t"),
        ("<!-- never closed\nx\n\ntext", "xx.t"),
    ],
)
def test_comments_are_no_text(text: str, expected: str) -> None:
    assert roles(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n<!-- openclaw:dreaming:light:start -->\n- x\n<!-- openclaw:dreaming:light:end -->\nb", "tmmmt"),
        ("<!-- BEGIN GENERATED LIST -->\n- x\n<!-- END GENERATED LIST -->\nb", "mmmt"),
        ("<!-- START toc do not edit -->\n- x\n<!-- END toc -->\nb", "mmmt"),
        ("<!-- start with the oldest -->\n- x", "xt"),
        ("<!-- a:start -->\n- x\n## H\n- y", "mmht"),
        ("<!-- a:end -->\n- x", "xt"),
        ("```\n<!-- a:start -->\n```\n- x\n<!-- a:end -->", "ccctx"),
    ],
)
def test_blocks_between_marks_are_managed(text: str, expected: str) -> None:
    assert roles(text) == expected


def test_a_block_without_end_mark_is_reported() -> None:
    assert warnings("<!-- a:start -->\n- x") == ["line 1: the block 'a' has no end mark"]


def test_yaml_in_the_middle_is_managed() -> None:
    assert roles("## Thread\ncwd: /w\n\n---\ntask: tidy\n---\ntext") == "ht.mmmt"


def test_staged_candidates_are_managed_wherever_they_stand() -> None:
    text = "- a fact\n- Candidate: x\n  - confidence: 0.58\n  - evidence: memory/a.md:5-5\n  - status: staged\n- b"
    assert roles(text) == "tmmmmt"
    assert roles("- Theme: x\n  - confidence: 0.7\n  - evidence: a.md:5\n  - status: new") == "mmmm"


def test_a_word_or_a_field_alone_makes_no_candidate() -> None:
    assert roles("- Candidate for the board is Lotte") == "t"
    assert roles("- Theory: salt\n  - confidence: high\n  - evidence: three logs\n  - status: open") == "tttt"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Deploy**\n- a", "ht"),
        ("**Deploy**\n\nWe deploy at noon.", "h.t"),
        ("text\n**Deploy**\n- a", "ttt"),
        ("**Why:**\n- a", "tt"),
        ("**Never deploy on Friday.**\n- a", "tt"),
        ("**Deploy**\n", "t."),
        ("[Build]\n|a: [b](b.md)", "ht"),
        ("[tidied 2026-04-02]\n\ntext", "t.t"),
        ("[see below]\ntext", "tt"),
    ],
)
def test_a_bold_line_parted_from_the_text_above_is_a_heading(text: str, expected: str) -> None:
    assert roles(text) == expected


def test_lines_before_the_start_are_frontmatter() -> None:
    assert roles("---\na: b\n---\n# H", 3) == "fffh"
