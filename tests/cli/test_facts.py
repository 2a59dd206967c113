from __future__ import annotations

from dreamreview.cli.facts import in_words, links, with_colon
from dreamreview.model.derived import LinkAt


def test_a_broken_link_is_named_by_the_line_that_a_person_can_look_up() -> None:
    found = [LinkAt("MEMORY.md", 8, "oven.md")]
    assert list(links("breaks a link", found, with_colon)) == ["breaks a link: MEMORY.md:8 points to oven.md"]
    assert list(links("breaks a link", found, in_words)) == ["breaks a link: MEMORY.md, line 8 points to oven.md"]


def test_a_link_that_a_change_brings_is_named_as_new() -> None:
    found = [LinkAt("yard.md", 3, "oven.md", is_new=True)]
    assert list(links("breaks a link", found, with_colon)) == [
        "breaks a link: the new text of yard.md points to oven.md"
    ]
