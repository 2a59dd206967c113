from __future__ import annotations

import pytest

from dreamreview.model.markdown import parse
from dreamreview.model.memory import Note, Shape
from dreamreview.model.notes import without_tail


def notes(text: str, path: str = "kiln.md") -> list[Note]:
    return list(parse(path, text.encode()).notes)


def only(text: str, shape: Shape, path: str = "kiln.md") -> Note:
    (found,) = (note for note in notes(text, path) if note.shape is shape)
    return found


def first_item(text: str, path: str = "kiln.md") -> Note:
    return next(note for note in notes(text, path) if note.shape is Shape.BULLET)


def test_a_file_is_a_note_of_its_own_that_holds_the_others() -> None:
    found = notes("---\nname: Kiln\ntype: Project\n---\n\n# Heat\n\nHot until noon.\n\n")
    assert [(note.shape.value, note.first, note.last, note.parent) for note in found] == [
        ("file", 1, 8, None),
        ("section", 6, 8, 0),
        ("paragraph", 8, 8, 1),
    ]
    assert found[0].text == "# Heat\n\nHot until noon."
    assert [note.type for note in found] == ["project"] * 3
    assert found[2].headings == ("Heat",)


def test_a_blank_file_holds_no_note() -> None:
    assert notes("") == []
    assert notes("\n \n\t\n") == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\nname: Kiln rules\n---\n# Heat", "Kiln rules"),
        ("---\ndescription: How hot\n---\n# Heat of the [door](door.md)", "Heat of the door"),
        ("---\ndescription: How the helper speaks\nlimit: 5000\n---\n", "How the helper speaks"),
        ("just words", "kiln"),
        ("---\n\njust words", "kiln"),
    ],
)
def test_a_file_s_title_is_its_name_heading_description_or_stem(text: str, title: str) -> None:
    assert notes(text)[0].title == title


def test_the_same_heading_twice_makes_two_sections_with_their_own_paths() -> None:
    found = notes("# Log\n## 2026-04-09\n### Notes\n- a\n## 2026-04-10\n### Notes\n- b\n")
    items = [note for note in found if note.shape is Shape.BULLET]
    assert [note.headings for note in items] == [("Log", "2026-04-09", "Notes"), ("Log", "2026-04-10", "Notes")]
    assert [note.date for note in items] == ["2026-04-09", "2026-04-10"]
    sections = [(note.title, note.first, note.last) for note in found if note.shape is Shape.SECTION]
    assert sections == [
        ("Log", 1, 7),
        ("2026-04-09", 2, 4),
        ("Notes", 3, 4),
        ("2026-04-10", 5, 7),
        ("Notes", 6, 7),
    ]


def test_a_bold_section_ends_at_a_rule() -> None:
    found = notes("# A\n\n**Deploy**\n- a\n\n---\nlast words\n")
    assert [(note.shape.value, note.first, note.last, note.headings) for note in found[2:]] == [
        ("section", 3, 4, ("A",)),
        ("bullet", 4, 4, ("A", "Deploy")),
        ("paragraph", 7, 7, ("A",)),
    ]


def test_a_holder_says_what_its_children_say() -> None:
    found = notes("- kiln\n  - door\n    - hinge\n  - lamp")
    assert [(note.text, note.parent) for note in found[1:]] == [
        ("kiln\ndoor\nhinge\nlamp", 0),
        ("door\nhinge", 1),
        ("hinge", 2),
        ("lamp", 1),
    ]


@pytest.mark.parametrize(
    ("text", "path", "day"),
    [
        ("- (noted 2026-04-11) hot", "memory/2026-04-09.md", "2026-04-11"),
        ("## 2026-04-10\n- hot", "memory/2026-04-09.md", "2026-04-09"),
        ("---\nmodified: 2026-04-08\n---\n## 2026-04-10\n### Notes\n- hot", "kiln.md", "2026-04-10"),
        (
            "---\ncreated: 2026-01-01\nmetadata:\n  modified: 2026-04-08T07:15:02.481Z\n---\n- hot",
            "kiln.md",
            "2026-04-08",
        ),
        ("---\ncreated: 2026-01-01\n---\n- hot until 2026-12-01", "kiln.md", "2026-01-01"),
        ("- hot", "kiln.md", None),
        ("- hot [score=0.8 recalls=2 source=memory/2026-05-01.md:3-9]", "MEMORY.md", "2026-05-01"),
        ("## Promoted (2026-05-09)\n<!-- promo:memory/2026-05-01.md:3:9 -->\n- hot", "MEMORY.md", "2026-05-01"),
    ],
)
def test_a_note_is_dated_by_the_nearest_anchor(text: str, path: str, day: str | None) -> None:
    assert first_item(text, path).date == day


def test_a_dated_title_dates_the_file_but_the_first_of_several_days_does_not() -> None:
    assert notes("# Visit of 2026-04-09\n## Morning\n- hot")[0].date == "2026-04-09"
    assert notes("## 2026-04-09\n- hot\n## 2026-04-10\n- cold")[0].date is None


@pytest.mark.parametrize(
    "text",
    [
        "- [PINNED] keep the door shut",
        "- **[PINNED]** keep the door shut",
        "- 📌 keep the door shut",
        "- [ ] 📌\ufe0f keep the door shut",
        "---\npinned: true\n---\n- keep the door shut",
        "---\nmetadata:\n  pinned: yes # for good\n---\n- keep the door shut",
        "---\ntags: [kiln, pinned]\n---\n- keep the door shut",
        "## [PINNED] Door\n- keep the door shut",
        "- [PINNED] door\n  - keep it shut",
    ],
)
def test_a_pin_is_a_key_a_tag_or_a_mark_at_the_start(text: str) -> None:
    assert [note.pinned for note in notes(text) if note.shape is Shape.BULLET].count(False) == 0
    assert notes(text)[0].pinned


@pytest.mark.parametrize(
    "text",
    [
        "- clay is pinned to v3",
        "- see the 📌 on the wall",
        "## 📌 Door\n- keep the door shut",
        "---\npinned: false\n---\n- keep the door shut",
        "---\nname: pinned versions\n---\n- keep the door shut",
    ],
)
def test_the_word_alone_pins_nothing(text: str) -> None:
    assert not any(note.pinned for note in notes(text))


def test_a_pin_holds_for_the_holders_but_not_for_their_other_parts() -> None:
    found = notes("# Kiln\n- [PINNED] door\n- lamp")
    assert [(note.title or note.text, note.pinned) for note in found] == [
        ("Kiln", True),
        ("Kiln", True),
        ("door", True),
        ("lamp", False),
    ]


@pytest.mark.parametrize(
    ("text", "said", "tags"),
    [
        ("- [x] door oiled", "door oiled", ()),
        ("- [ ] oil the door", "oil the door", ()),
        ("- [gotcha] cache key omits OS #ci (seen twice)", "cache key omits OS #ci (seen twice)", ("gotcha", "ci")),
        ("- [tip] 先に確認する", "先に確認する", ("tip",)),
        ("- [提示] 先确认", "先确认", ("提示",)),
        ("- [2026-04-09] door oiled", "[2026-04-09] door oiled", ()),
        ("- [1] door oiled", "[1] door oiled", ()),
        ("- see #41", "see #41", ()),
        ("- paint it #ffaa00", "paint it #ffaa00", ()),
        ("- up to [the top](#top)", "up to [the top](#top)", ()),
        ("- a <!-- hidden --> b", "a b", ()),
        ("- in `<!-- code -->` kept", "in `<!-- code -->` kept", ()),
    ],
)
def test_boxes_categories_and_comments_are_told_apart(text: str, said: str, tags: tuple[str, ...]) -> None:
    note = first_item(text)
    assert (note.text, note.tags) == (said, tags)


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("---\nconfidence: 0.8\n---\n- hot", 0.8),
        ('---\nconfidence: "0.8"\n---\n- hot', 0.8),
        ("---\nconfidence: high\n---\n- hot", 0.9),
        ("---\nmetadata:\n  confidence: low\n---\n- hot", 0.3),
        ("---\nconfidence: 80\n---\n- hot", 0.8),
        ("---\nconfidence: 80%\n---\n- hot", 0.8),
        ("---\nconfidence: sure\n---\n- hot", None),
        ("---\nconfidence: nan\n---\n- hot", None),
        ("- hot (confidence: medium)", 0.6),
        ("- hot\n  - confidence: 0.25", 0.25),
        ("- hot", None),
    ],
)
def test_confidence_is_a_number_or_a_word(text: str, confidence: float | None) -> None:
    assert first_item(text).confidence == confidence


def test_a_labelled_paragraph_is_marked() -> None:
    found = [note for note in notes("Wait for noon.\n\n**Why:** it is hot.\n\n**Port:** 9001") if note.parent == 0]
    assert [(note.label, note.title) for note in found] == [("", ""), ("Why", "Why"), ("", "Port")]


def test_an_index_line_is_a_pointer_and_a_fact_beside_it_is_not() -> None:
    found = notes("# Index\n- [Ports](ports.md) — who listens where\n- Staging runs on port 9001\n", "MEMORY.md")
    assert [(note.shape.value, note.title, note.text) for note in found[2:]] == [
        ("pointer", "Ports", "[Ports](ports.md) — who listens where"),
        ("bullet", "", "Staging runs on port 9001"),
    ]


def test_a_flattened_promotion_is_compared_without_its_tail() -> None:
    text = "- # Kiln - hot - loud; | a | b | [score=0.83 recalls=0 source=memory/2026-05-01.md:3-9]"
    assert first_item(text, "MEMORY.md").text == "# Kiln - hot - loud; | a | b |"
    assert without_tail("hot [draft]") == "hot [draft]"
    assert without_tail("hot [score=1] still") == "hot [score=1] still"


def test_entries_parted_by_section_signs_are_notes() -> None:
    found = notes("likes tea\n§\nlives in Ghent", "MEMORY.md")
    assert [(note.shape.value, note.text) for note in found[1:]] == [
        ("entry", "likes tea"),
        ("entry", "lives in Ghent"),
    ]
    assert only("a\n§\n[PINNED] b\n§\n", Shape.FILE).pinned
