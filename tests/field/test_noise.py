"""What programs wrote is no memory, a dream says what it read, and what was rejected stays rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.model.proposal import Kind
from tests.field.dreaming import dreamed, of_kind
from tests.workspace.stores import lay, workspace

FACT = "The harbour pump is serviced by the blue team in May."


@pytest.mark.parametrize(
    "path",
    [
        "DREAMS.md",
        "memory/dreaming/light/2026-08-21.md",
        "memory/.dreams/2026-08-21.md",
        "memory/.dreams/session-corpus/2026-08-21.txt",
    ],
)
def test_what_a_dream_wrote_is_never_dreamed_again(path: str) -> None:
    assert dreamed({"pump.md": f"- {FACT}\n", path: f"- {FACT}\n- Yesterday I dreamed of the pump.\n"}) == ()


def test_candidates_and_their_marks_are_no_facts() -> None:
    staged = f"- Candidate: {FACT}\n  - confidence: 0.62\n  - evidence: memory/2026-08-14.md:5-5\n  - status: staged\n"
    assert dreamed({"pump.md": f"- {FACT}\n", "memory/2026-08-14.md": f"# 2026-08-14\n\n{staged}"}) == ()


def test_the_tail_of_a_promoted_line_stays_with_the_line_that_stays() -> None:
    promoted = f"- {FACT} [score=0.83 recalls=4 avg=0.7 source=memory/2026-05-01.md:3-9]\n"
    (draft,) = of_kind({"a.md": promoted, "b.md": f"- {FACT}\n"}, Kind.MERGE)
    assert not any(b"score=" in line for edit in draft.edits for line in edit.new)


def test_the_wrapper_of_a_conversation_is_no_statement() -> None:
    wrapper = 'Conversation info (untrusted metadata):\n```json\n{"sender": "Ana", "message_id": "41"}\n```\n'
    files = {f"memory/2026-08-0{day}.md": f"# 2026-08-0{day}\n\n{wrapper}\nThe pump stood still.\n" for day in (1, 2)}
    assert dreamed({**files, "MEMORY.md": f"# Memory\n\n{wrapper}"}) == ()


def test_a_folder_of_templates_dreams_to_nothing_and_says_what_was_read(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"MEMORY.md": b"# Memory\n\n_(fill in later)_\n"})
    found = workspace(folder).dream()
    assert found.status == "completed"
    assert found.summary == "nothing new in 1 file"


def test_a_dream_that_finds_nothing_says_so(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"pump.md": f"- {FACT}\n".encode()})
    found = workspace(folder).dream()
    assert (found.status, found.proposal) == ("completed", None)
    assert found.summary == "nothing new in 1 file"
