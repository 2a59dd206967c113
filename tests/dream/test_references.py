from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.engine import Corpus
from dreamreview.dream.references import References
from dreamreview.model.markdown import parse


def _after(text: str, to: str | None, path: str = "x.md") -> str:
    files = {path: text, "old_note.md": "old\n", "new_note.md": "new\n"}
    documents = {name: parse(name, body.encode()) for name, body in files.items()}
    edits = References(Corpus(documents, frozenset(files), date(2026, 9, 1))).dropped("old_note.md", to)
    lines = list(documents[path].lines)
    for edit in sorted(edits, key=lambda edit: -edit.start):
        assert tuple(lines[edit.start : edit.stop]) == edit.old
        lines[edit.start : edit.stop] = edit.new
    return b"".join(lines).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("See [the rule](old_note.md).\n", "See [the rule](new_note.md).\n"),
        ("See [the rule](old_note.md#why) now.\n", "See [the rule](new_note.md#why) now.\n"),
        ("See [[old_note]].\n", "See [[new_note]].\n"),
        ("See [[old-note]].\n", "See [[new-note]].\n"),
        ("See [[old_note|the rule]].\n", "See [[new_note|the rule]].\n"),
        ("See `old_note.md`.\n", "See `new_note.md`.\n"),
        ("See old_note.md for more.\n", "See new_note.md for more.\n"),
        ("See [a](old_note.md) and [b](old_note.md).\n", "See [a](new_note.md) and [b](new_note.md).\n"),
        (
            "---\nname: x\nrelates_to: [old_note.md]\n---\nText.\n",
            "---\nname: x\nrelates_to: [new_note.md]\n---\nText.\n",
        ),
        ("See [other](new_note.md).\n", "See [other](new_note.md).\n"),
    ],
)
def test_every_form_of_a_reference_follows(before: str, after: str) -> None:
    assert _after(before, "new_note.md") == after


def test_a_reference_from_another_folder_follows() -> None:
    assert _after("See [x](../old_note.md).\n", "new_note.md", "deep/x.md") == "See [x](../new_note.md).\n"


def test_an_index_line_goes_where_the_other_file_has_its_own() -> None:
    index = "- [Old](old_note.md) — one\n- [New](new_note.md) — two\n"
    assert _after(index, "new_note.md", "MEMORY.md") == "- [New](new_note.md) — two\n"


def test_an_only_index_line_is_kept_and_points_to_the_other_file() -> None:
    assert _after("- [Old](old_note.md) — one\n", "new_note.md", "MEMORY.md") == "- [Old](new_note.md) — one\n"


def test_without_a_heir_an_index_line_goes_and_a_link_keeps_its_words() -> None:
    assert _after("- [Old](old_note.md) — one\n- Fact.\n", None, "MEMORY.md") == "- Fact.\n"
    assert _after("See [the rule](old_note.md).\n", None) == "See the rule.\n"


def test_examples_in_code_are_left_alone() -> None:
    text = "```\n[x](old_note.md)\n```\n"
    assert _after(text, "new_note.md") == text


def test_a_link_in_the_heir_itself_becomes_its_words() -> None:
    assert _after("Wider than [the rule](old_note.md).\n", "x.md") == "Wider than the rule.\n"
