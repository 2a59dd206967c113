from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.frontmatter import find_block, read
from dreamreview.model.links import (
    code_spans,
    find_spans,
    is_outside,
    key_links,
    links_in,
    resolve,
    resolve_link,
    slug,
)
from dreamreview.model.memory import Link, LinkForm

FILES = frozenset(
    {
        "MEMORY.md",
        "ports.md",
        "notes/ports_old.md",
        "notes/kiln log.md",
        "feedback_small_steps.md",
        "deep/down/cone-chart.md",
        "caf\u00e9.md",
    }
)


def forms(text: str) -> list[tuple[str, str, str]]:
    return [(span.form.value, span.target, span.label) for span in find_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [Ports](ports.md) — hook", [("markdown", "ports.md", "Ports")]),
        (
            "[**`rm` fails in [dry] mode (2026-02-03)**](rm.md)",
            [("markdown", "rm.md", "**`rm` fails in [dry] mode (2026-02-03)**")],
        ),
        ('![plan](plan.md#north "North wall")', [("markdown", "plan.md", "plan")]),
        ("[a](<kiln log.md>) [b](kiln log.md)", [("markdown", "kiln log.md", "a"), ("markdown", "kiln log.md", "b")]),
        ("[f](f_(1).md)", [("markdown", "f_(1).md", "f")]),
        ("[ports]: ports.md", [("markdown", "ports.md", "ports")]),
        ("[[kiln]] and [[kiln#door|the door]]", [("wiki", "kiln", "kiln"), ("wiki", "kiln", "the door")]),
        ("[[kiln.md]]", [("wiki", "kiln.md", "kiln.md")]),
        ("`ports.md` and `notes/a.md:12`", [("code", "ports.md", "ports.md"), ("code", "notes/a.md", "notes/a.md:12")]),
        ("see ports.md, and notes/a.md.", [("bare", "ports.md", "ports.md"), ("bare", "notes/a.md", "notes/a.md")]),
        ("参见[端口](端口.md)和`窑.md`", [("markdown", "端口.md", "端口"), ("code", "窑.md", "窑.md")]),
        ("- [x] [Ports](ports.md)", [("markdown", "ports.md", "Ports")]),
    ],
)
def test_each_form_of_reference_is_found(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[web](https://kiln.invalid/ports.md) https://kiln.invalid/a.md",
        "[top](#top) [mail](mailto:lotte@kiln.invalid)",
        "`[Ports](ports.md)`",
        "`cat ports.md` `*.md` `YYYY-MM-DD.md` `<name>.md`",
        "if [[ -f x ]]; then",
        "rows[i](x.md_) and .md alone",
        "me@ports.md",
        "- [x] done and [pinned] and [tip] (later)",
        "[T]({{target}})",
    ],
)
def test_what_is_no_reference_to_a_file_is_left_out(text: str) -> None:
    assert forms(text) == []


def test_a_link_knows_its_bytes() -> None:
    text = "Öfen: [Öl](öl.md) und `x.md`"
    links = links_in(text, 7)
    data = text.encode()
    assert [(link.line, data[link.start : link.stop].decode()) for link in links] == [(7, "[Öl](öl.md)"), (7, "`x.md`")]


def test_code_spans_pair_backticks_of_the_same_length() -> None:
    assert code_spans("a `b` ``c`d`` e` f") == [(2, 5), (6, 13)]
    assert code_spans("\\`a`") == []


@given(st.text(alphabet="[]()`|#! \\a.md:/é<>", max_size=60))
def test_spans_are_in_order_apart_and_inside_the_line(text: str) -> None:
    stop = 0
    for span in find_spans(text):
        assert stop <= span.start < span.stop <= len(text)
        assert span.target
        stop = span.stop
    data = text.encode()
    for link in links_in(text, 1):
        assert 0 <= link.start < link.stop <= len(data)
        data[link.start : link.stop].decode()


def test_frontmatter_keys_name_files_where_they_stand() -> None:
    texts = [
        "---",
        "name: a.md is not meant",
        "relates_to: [a.md, b.md]",
        "supersedes: old-kiln",
        "superseded_by:",
        "  - 'c.md'",
        "metadata:",
        "  supersedes: a note about the door",
        "---",
    ]
    found = find_block(texts)
    assert found is not None
    assert key_links(read(texts, *found), texts) == (
        Link(3, 13, 17, LinkForm.KEY, "a.md", "a.md"),
        Link(3, 19, 23, LinkForm.KEY, "b.md", "b.md"),
        Link(4, 12, 20, LinkForm.KEY, "old-kiln", "old-kiln"),
        Link(6, 5, 9, LinkForm.KEY, "c.md", "c.md"),
    )


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ("ports.md", "MEMORY.md", "ports.md"),
        ("./ports.md", "MEMORY.md", "ports.md"),
        ("ports", "MEMORY.md", "ports.md"),
        ("../ports.md", "notes/x.md", "ports.md"),
        ("ports_old.md", "notes/x.md", "notes/ports_old.md"),
        ("ports.md", "notes/x.md", "ports.md"),
        ("kiln%20log.md", "notes/x.md", "notes/kiln log.md"),
        ("cafe\u0301.md", "MEMORY.md", "caf\u00e9.md"),
        ("ports.md:12", "MEMORY.md", "ports.md"),
        ("Feedback small-steps", "MEMORY.md", "feedback_small_steps.md"),
        ("cone-chart", "MEMORY.md", "deep/down/cone-chart.md"),
        ("cone-chart.md", "MEMORY.md", None),
        ("gone.md", "MEMORY.md", None),
        ("../ports.md", "MEMORY.md", None),
        ("/ports.md", "MEMORY.md", None),
        ("https://kiln.invalid/ports.md", "MEMORY.md", None),
        ("", "MEMORY.md", None),
    ],
)
def test_a_target_is_found_next_to_its_source_then_from_the_root_then_by_name(
    target: str, source: str, expected: str | None
) -> None:
    assert resolve(target, source, FILES) == expected
    assert resolve(target, source, sorted(FILES)) == expected


def test_a_name_given_in_frontmatter_is_found_too() -> None:
    assert resolve("How we fire", "MEMORY.md", FILES, {slug("how-we-fire"): "ports.md"}) == "ports.md"


def test_a_code_span_means_a_file_in_any_folder_but_a_markdown_link_only_its_path() -> None:
    code = Link(1, 0, 1, LinkForm.CODE, "cone-chart.md")
    link = Link(1, 0, 1, LinkForm.MARKDOWN, "cone-chart.md")
    assert resolve_link(code, "MEMORY.md", FILES) == "deep/down/cone-chart.md"
    assert resolve_link(link, "MEMORY.md", FILES) is None


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ("../CLAUDE.md", "MEMORY.md", True),
        ("../CLAUDE.md", "notes/x.md", False),
        ("../../CLAUDE.md", "notes/x.md", True),
        ("a/../../b.md", "MEMORY.md", True),
        ("/etc/hosts", "MEMORY.md", True),
        ("~/x.md", "MEMORY.md", True),
        ("C:\\x.md", "MEMORY.md", True),
        ("https://kiln.invalid", "MEMORY.md", True),
        ("ports.md", "MEMORY.md", False),
        ("..ports.md", "MEMORY.md", False),
        ("gone.md:3", "MEMORY.md", False),
    ],
)
def test_a_target_outside_the_store_is_told_apart(target: str, source: str, expected: bool) -> None:
    assert is_outside(target, source) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Small steps", "small-steps"),
        ("feedback_small-steps", "feedback-small-steps"),
        ("端口 表", "端口-表"),
        ("--", "--"),
    ],
)
def test_names_that_differ_in_writing_only_have_one_slug(name: str, expected: str) -> None:
    assert slug(name) == expected
