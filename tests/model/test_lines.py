from __future__ import annotations

import pytest

from dreamreview.model.lines import (
    Bullet,
    Fence,
    atx_heading,
    bold_lead,
    bold_title,
    bullet,
    ends_sentence,
    fence,
    indent_of,
    is_key_value,
    is_rule,
    is_table_rule,
    is_tag,
    label_of,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---", True),
        ("- - -", True),
        ("***", True),
        ("____", True),
        ("════", True),
        ("--", False),
        ("- a", False),
        ("---a", False),
        ("|---|", False),
        ("", False),
    ],
)
def test_a_rule_is_three_equal_marks(text: str, expected: bool) -> None:
    assert is_rule(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Kiln", (1, "Kiln")),
        ("###  Kiln  ##", (3, "Kiln")),
        ("## C#", (2, "C#")),
        ("#", (1, "")),
        ("#41 was closed", None),
        ("#kiln", None),
        ("####### seven", None),
        ("    # code", None),
    ],
)
def test_a_heading_has_a_blank_behind_its_signs(text: str, expected: tuple[int, str] | None) -> None:
    assert atx_heading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a", Bullet(0, "-", None, 2)),
        ("  * a", Bullet(2, "*", None, 4)),
        ("\t+ a", Bullet(4, "+", None, 3)),
        ("12. a", Bullet(0, "1.", 12, 4)),
        ("3) a", Bullet(0, "1.", 3, 3)),
        ("•a", Bullet(0, "•", None, 1)),
        ("· a", Bullet(0, "·", None, 2)),
        ("-", Bullet(0, "-", None, 1)),
        ("2026. That was late", None),
        ("— the author", None),
        ("**bold**", None),
        ("- - -", None),
        ("-a", None),
        ("1.5 litres", None),
    ],
)
def test_a_list_item_is_known_by_its_marker(text: str, expected: Bullet | None) -> None:
    assert bullet(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python", Fence("`", 3, "python", False)),
        ("   ~~~~", Fence("~", 4, "", False)),
        ("- ```", Fence("`", 3, "", False)),
        ("> ```", Fence("`", 3, "", True)),
        ("```inline``` words", None),
        ("words ```", None),
    ],
)
def test_a_fence_is_known_also_in_lists_and_quotes(text: str, expected: Fence | None) -> None:
    assert fence(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Deploy**", "Deploy"),
        ("**Deploy:**", "Deploy"),
        ("__Deploy__ ", "Deploy"),
        ("[Build]", "Build"),
        ("**Never deploy on Friday.**", None),
        ("**Deploy** on Friday", None),
        ("[2026-04-02]", None),
        ("[x] done", None),
    ],
)
def test_a_short_bold_line_is_a_title(text: str, expected: str | None) -> None:
    assert bold_title(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Why:** it broke", "Why"),
        ("**How to apply**: ask first", "How to apply"),
        ("**原因：** 太慢", "原因"),
        ("**Warum:** zu langsam", "Warum"),
        ("**Port:** 9001", ""),
        ("**Context window:** 200k", ""),
        ("Why: it broke", ""),
        ("**Why** it broke", ""),
    ],
)
def test_a_label_explains_and_does_not_name_a_fact(text: str, expected: str) -> None:
    assert label_of(text) == expected


def test_small_questions_about_a_line() -> None:
    assert bold_lead("**Port:** 9001") == "Port"
    assert bold_lead("no bold") == ""
    assert is_key_value("Port: 9001")
    assert not is_key_value("see https://kiln.invalid")
    assert is_tag("<human>")
    assert is_tag("</human>")
    assert not is_tag("<human> likes tea")
    assert is_table_rule("| --- | :-: |")
    assert not is_table_rule("---")
    assert ends_sentence("It broke.**")
    assert not ends_sentence("It broke and")
    assert indent_of("\t  a") == 6
