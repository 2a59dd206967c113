from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.markdown import parse
from dreamreview.model.memory import Document, LinkForm, Role, Shape

_EXAMPLES = max(50, int(300 * float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))))

_PIECES = st.sampled_from(
    [
        *(
            "---",
            "name: a: b",
            "type: fact",
            "metadata: ",
            "  pinned: true",
            "- x",
            "  - y",
            "    z",
            "\t- tab",
            "1. one",
        ),
        *("# H", "## 2026-04-09", "**Bold**", "**Why:** x", "```", "```py", "````", "~~~", "> q", "> ```", "| a | b |"),
        *("|---|---|", "§", "<!-- a:start -->", "<!-- a:end -->", "<!--", "-->", "<!-- BEGIN X -->", "<human>", "===="),
        *("[A](a.md) — x", "- [[b|c]] y", "`c.md`", "[Build]", "|k: [a](a.md) (2), [b](b.md)", "- [x] done", "", " "),
        *("- Candidate: x", "  - confidence: 0.5", "  - evidence: a.md:5", "  - status: staged", "{", "}", '"a": 1'),
        *(
            "- [PINNED] k",
            "plain words",
            "Port: 9001",
            "x [score=1 source=memory/2026-05-01.md:1]",
            "\r",
            "é\u2028ü",
            "\x0c",
        ),
    ]
)
_FILES = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
    st.lists(_PIECES, max_size=30).map(lambda lines: "\n".join(lines).encode()),
    st.lists(_PIECES, max_size=12).map(lambda lines: "\ufeff" + "\r\n".join(lines) + "\n").map(str.encode),
)


def check(document: Document, data: bytes) -> None:
    """Assert what holds of every document."""
    size = len(document.lines)
    assert b"".join(document.lines) == data
    assert len(document.roles) == size
    assert [note.first for note in document.notes] == sorted(note.first for note in document.notes)
    for index, note in enumerate(document.notes):
        assert 1 <= note.first <= note.last <= size
        assert document.line_text(note.last).strip()
        assert (note.parent is None) == (note.shape is Shape.FILE) == (index == 0)
        if note.parent is not None:
            holder = document.notes[note.parent]
            assert note.parent < index
            assert holder.first <= note.first <= note.last <= holder.last
    for link in document.links + document.managed_links:
        assert 0 <= link.start < link.stop <= len(document.lines[link.line - 1].rstrip(b"\r\n"))
    assert all(document.roles[pointer.line - 1] in (Role.TEXT, Role.HEADING) for pointer in document.pointers)
    if document.frontmatter:
        assert 1 <= document.frontmatter.first <= document.frontmatter.last <= size
        assert set(document.frontmatter.lines) == set(document.frontmatter.values)
        assert all(1 <= line <= size for line in document.frontmatter.lines.values())


@settings(max_examples=_EXAMPLES, deadline=None)
@given(_FILES, st.sampled_from(["notes.md", "MEMORY.md", "memory/2026-04-09.md", "x.json", "odd\udcff.md"]))
def test_any_bytes_are_read_without_loss(data: bytes, path: str) -> None:
    check(parse(path, data), data)


@pytest.mark.parametrize("data", [b"caf\xe9 is hot\n", b"a\0b\n", "kiln".encode("utf-16")])
def test_what_is_no_text_is_kept_whole_and_says_nothing(data: bytes) -> None:
    document = parse("x.md", data)
    assert not document.is_text
    assert b"".join(document.lines) == data
    assert document.notes == ()
    assert document.warnings == ("not UTF-8 text: kept as it is",)


def test_an_empty_file_is_a_document_without_notes() -> None:
    document = parse("x.md", b"")
    assert (document.lines, document.roles, document.notes) == ((), (), ())
    assert document.is_text


def test_data_files_hold_no_notes() -> None:
    document = parse("x.json", b'{\n\n"a": 1}\n')
    assert document.roles == (Role.CODE, Role.BLANK, Role.CODE)
    assert document.notes == ()


def test_only_line_feeds_end_lines() -> None:
    document = parse("x.md", b"one\x0ctwo\rthree\xc2\x85four\xe2\x80\xa8five\nsix")
    assert [len(document.lines), len(document.notes)] == [2, 2]


def test_crlf_and_byte_order_mark_are_looked_through_and_kept() -> None:
    data = "\ufeff---\r\nname: Kiln\r\ntype: user\r\n---\r\n\r\n- hot\r\n".encode()
    document = parse("x.md", data)
    check(document, data)
    assert document.frontmatter is not None
    assert document.frontmatter.values == {"name": "Kiln", "type": "user"}
    assert document.notes[1].text == "hot"


def test_a_link_after_a_byte_order_mark_knows_its_bytes() -> None:
    document = parse("x.md", "\ufeff- [A](a.md)\n".encode())
    (link,) = document.links
    assert document.lines[0][link.start : link.stop] == b"[A](a.md)"


def test_two_blocks_at_the_top_are_one_frontmatter() -> None:
    document = parse("x.md", b"---\nname: a\n---\n---\ntype: fact\n---\nbody\n")
    assert document.frontmatter is not None
    assert document.frontmatter.values == {"type": "fact", "name": "a"}
    assert document.frontmatter.last == 3
    assert document.roles == (*[Role.FRONTMATTER] * 6, Role.TEXT)


def test_a_block_below_a_comment_is_frontmatter() -> None:
    document = parse("x.md", b"<!-- kept by hand -->\n\n---\npinned: true\n---\nbody\n")
    assert document.frontmatter is not None
    assert document.frontmatter.first == 3
    assert document.roles[:3] == (Role.COMMENT, Role.BLANK, Role.FRONTMATTER)
    assert document.notes[1].pinned


@pytest.mark.parametrize(
    "data",
    [
        b"\n---\n\n## 17:05 note\nx\n",
        b"# How\n```\n---\nname: example\n---\n```\n",
        b"# T\n---\ntask: tidy\n---\n",
        b"just words\n",
    ],
)
def test_no_frontmatter_is_no_fault(data: bytes) -> None:
    document = parse("x.md", data)
    assert document.frontmatter is None
    assert document.warnings == ()


def test_broken_frontmatter_is_kept_and_reported() -> None:
    data = b"---\ndescription: Kiln rule: never open hot\ntype: feedback\n---\nbody\n"
    document = parse("x.md", data)
    check(document, data)
    assert document.frontmatter is not None
    assert document.frontmatter.get("description") == "Kiln rule: never open hot"
    assert document.notes[0].type == "feedback"
    assert document.warnings == ("frontmatter is not valid YAML, line 2: an unquoted value holds a colon",)


def test_links_in_fences_comments_and_managed_blocks_do_not_count() -> None:
    text = (
        "```\n[A](a.md)\n```\n<!-- [B](b.md) -->\n<!-- list:start -->\n- [C](c.md)\n<!-- list:end -->\n"
        "- [D](d.md) — d\n"
    )
    document = parse("MEMORY.md", text.encode())
    assert [link.target for link in document.links] == ["d.md"]
    assert [pointer.target for pointer in document.pointers] == ["d.md"]
    assert [link.target for link in document.managed_links] == ["c.md"]


def test_links_of_frontmatter_come_with_those_of_the_body() -> None:
    document = parse("x.md", b"---\nsupersedes: old.md\n---\nsee [[new]]\n")
    assert [(link.line, link.form, link.target) for link in document.links] == [
        (2, LinkForm.KEY, "old.md"),
        (4, LinkForm.WIKI, "new"),
    ]


def test_dream_output_is_told_from_memory() -> None:
    text = "# 2026-04-09\n\n- hot\n\n## Light Sleep\n- Candidate: hot\n  - confidence: 0.6\n  - evidence: a.md:3-3\n"
    note = parse("memory/2026-04-09.md", text.encode())
    assert not note.is_output
    assert [found.text for found in note.notes if found.shape is Shape.BULLET] == ["hot"]
    report = parse("report.md", text.replace("- hot\n", "", 1).encode())
    assert report.is_output


@pytest.mark.parametrize(
    "data",
    [
        b"- fact\n" * 50_000,
        b"```py\n# x\n\n" * 12_000,
        b"<!-- a:start -->\n" * 20_000,
        ("- " + "[a](" * 50_000).encode(),
        b"---\nk: " + b'\\"' * 100_000 + b"\n---\n",
        b"| a " * 50_000,
        b"`a` `` " * 30_000,
        "".join("  " * (depth % 500) + "- x\n" for depth in range(5_000)).encode(),
    ],
    ids=["items", "fences", "marks", "brackets", "quotes", "pipes", "ticks", "nesting"],
)
def test_large_and_hostile_files_are_read_whole(data: bytes) -> None:
    check(parse("MEMORY.md", data), data)
