from __future__ import annotations

from datetime import date

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.relative_dates import find
from dreamreview.model.edits import Edit, compose
from dreamreview.model.markdown import parse


def _find(files: dict[str, str]) -> list[Draft]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return list(find(Corpus(documents=documents, files=frozenset(files), today=date(2026, 9, 15)), Policy()))


def _after(text: str, path: str = "a.md") -> str:
    edits = [Edit(edit.start, edit.stop, edit.new) for draft in _find({path: text}) for edit in draft.edits]
    return b"".join(compose(parse(path, text.encode()).lines, edits)).decode()


def test_the_name_of_the_file_is_the_anchor() -> None:
    text = "# Notes\n\n- Lost the key yesterday.\n"
    assert _after(text, "memory/2026-05-10.md") == "# Notes\n\n- Lost the key on 2026-05-09.\n"


def test_the_nearest_dated_heading_wins_over_frontmatter() -> None:
    days = "## 2026-05-10\n\n- It came yesterday.\n\n## 2026-06-10\n\n- It left yesterday.\n"
    text = f"---\ncreated: 2026-01-01\n---\n{days}"
    assert "It came on 2026-05-09" in _after(text)
    assert "It left on 2026-06-09" in _after(text)


def test_modified_is_the_anchor_before_created() -> None:
    text = "---\ncreated: 2026-01-01\nmodified: 2026-05-10T08:00:00Z\n---\nIt came yesterday.\n"
    assert "It came on 2026-05-09." in _after(text)


def test_a_promoted_line_speaks_from_its_source() -> None:
    line = "- It comes tomorrow. [score=0.8 recalls=3 source=memory/2026-05-10.md:4-4]\n"
    assert "It comes on 2026-05-11." in _after(f"## Promoted (2026-05-20)\n\n{line}")


def test_without_an_anchor_nothing_is_guessed() -> None:
    assert _find({"a.md": "It came yesterday.\n"}) == []


def test_frontmatter_headings_quotes_and_code_are_left_alone() -> None:
    body = "## Plan for tomorrow\n\n> It came yesterday.\n\n```\nyesterday\n```\n"
    assert _find({"a.md": f"---\ncreated: 2026-05-10\ndescription: done yesterday\n---\n{body}"}) == []


def test_what_is_said_in_a_transcript_is_quoted() -> None:
    text = (
        "user: What did we do last night?\nassistant: Last night was the boot.\nToday we rest.\n\nIt came yesterday.\n"
    )
    (draft,) = _find({"2026-05-10.md": text})
    assert [piece.first for piece in draft.evidence] == [5]


def test_a_note_is_one_card_whatever_its_lines() -> None:
    text = "It came yesterday and\nstayed. It leaves tomorrow.\n"
    (draft,) = _find({"2026-05-10.md": text})
    assert draft.title == "“yesterday” is 2026-05-09, “tomorrow” is 2026-05-11"
    assert _after(text, "2026-05-10.md") == "It came on 2026-05-09 and\nstayed. It leaves on 2026-05-11.\n"


def test_a_word_broken_over_two_lines_keeps_the_break() -> None:
    text = "- The call is next\n  Tuesday about the boat.\r\n"
    assert _after(text, "2026-05-10.md") == "- The call is on Tuesday 2026-05-12\n  about the boat.\r\n"


def test_the_same_words_on_two_days_are_one_card_with_two_answers() -> None:
    (draft,) = _find({"2026-05-10.md": "- It comes tomorrow.\n", "2026-05-20.md": "- It comes tomorrow.\n"})
    assert [edit.new for edit in draft.edits] == [(b"- It comes on 2026-05-11.\n",), (b"- It comes on 2026-05-21.\n",)]
