"""Words for a day: told from the day of the line, of its heading or its file, in any language; never guessed."""

from __future__ import annotations

import pytest

from dreamreview.model.proposal import Kind
from tests.field.dreaming import new_text, of_kind


@pytest.mark.parametrize(
    ("path", "text", "written"),
    [
        ("2026-05-10-crane.md", "Yesterday the crane was oiled.\n", "On 2026-05-09 the crane was oiled.\n"),
        ("memory/2026-05-10.md", "- Tomorrow the surveyor comes.\n", "- On 2026-05-11 the surveyor comes.\n"),
        ("log.md", "## 2026-05-10\n\nThe crane broke yesterday.\n", "The crane broke on 2026-05-09.\n"),
        (
            "n.md",
            "---\nname: n\ncreated: 2026-05-10\n---\nThe crane broke yesterday.\n",
            "The crane broke on 2026-05-09.\n",
        ),
        ("memory/2026-05-10.md", "- 明天检修吊车。\n", "- 2026-05-11 检修吊车。\n"),
        ("memory/2026-05-10.md", "- 昨日、クレーンが壊れた。\n", "- 2026-05-09、クレーンが壊れた。\n"),
        ("memory/2026-05-10.md", "- Вчера сломался кран.\n", "- 2026-05-09 сломался кран.\n"),
        ("memory/2026-05-10.md", "- Gestern brach der Kran.\n", "- Am 2026-05-09 brach der Kran.\n"),
        (
            "memory/2026-05-10.md",
            "- Yesterday the nightly check failed.\n",
            "- On 2026-05-09 the nightly check failed.\n",
        ),
    ],
)
def test_the_day_comes_from_the_line_and_not_from_the_run(path: str, text: str, written: str) -> None:
    assert new_text(of_kind({path: text}, Kind.DATE)) == written


def test_a_promoted_line_speaks_from_its_source() -> None:
    line = "- The crane broke yesterday. [score=0.80 recalls=3 source=memory/2026-05-10.md:4-4]\n"
    assert "on 2026-05-09" in new_text(of_kind({"MEMORY.md": line}, Kind.DATE))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("crane.md", "The crane broke yesterday.\n"),
        ("memory/2026-05-10.md", "- Next week the surveyor comes.\n"),
        ("memory/2026-05-10.md", '- The "tomorrow" board hangs askew.\n'),
        ("memory/2026-05-10.md", "- `git log --since yesterday` is what runs.\n"),
        ("memory/2026-05-10.md", "- Every night the log of yesterday is packed.\n"),
        ("memory/2026-05-10.md", "- Yesterday's log is packed daily.\n"),
    ],
)
def test_without_a_day_to_tell_it_from_nothing_is_guessed(path: str, text: str) -> None:
    assert of_kind({path: text}, Kind.DATE) == []
