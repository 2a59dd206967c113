from __future__ import annotations

import pytest

from dreamreview.model.memory import Role
from dreamreview.model.provenance import is_output


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("memory/.dreams/short-term-recall.json", True),
        ("memory/dreaming/light/2026-04-09.md", True),
        ("DREAMS.md", True),
        ("dreams.md", True),
        ("archive/kiln.md", True),
        ("memory/_archive/kiln.md", True),
        ("backup-2026-04-09/kiln.md", True),
        ("notes.bak/kiln.md", True),
        ("MEMORY.md.bak", True),
        ("MEMORY.bak-20260409.md", True),
        ("memory-backup.md", True),
        ("archive.md", True),
        ("MEMORY-archive.md", True),
        ("MEMORY.md", False),
        ("memory/2026-04-09.md", False),
        ("project_archive_format.md", False),
        ("reference_archive.md", False),
        ("backups.md", False),
        ("dream_job.md", False),
        ("notes/dreaming-of-clay.md", False),
    ],
)
def test_output_is_known_by_its_place(path: str, expected: bool) -> None:
    assert is_output(path, ["a fact"], [Role.TEXT]) is expected


def test_output_is_known_by_a_dream_s_blocks_alone_below_headings() -> None:
    texts = ["# Light Sleep", "- Candidate: x", "  - confidence: 0.6"]
    assert is_output("report.md", texts, [Role.HEADING, Role.MANAGED, Role.MANAGED])
    assert not is_output("report.md", texts, [Role.HEADING, Role.TEXT, Role.MANAGED])


def test_a_generated_index_is_no_output() -> None:
    texts = ["# Memory", "<!-- list:start -->", "- [A](a.md)", "<!-- list:end -->"]
    assert not is_output("MEMORY.md", texts, [Role.HEADING, Role.MANAGED, Role.MANAGED, Role.MANAGED])
