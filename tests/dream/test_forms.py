from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.statements import find
from dreamreview.model.markdown import parse


def _find(files: dict[str, str]) -> list[Draft]:
    documents = {path: parse(path, text.encode()) for path, text in sorted(files.items())}
    return list(find(Corpus(documents, frozenset(files), date(2026, 9, 15)), Policy()))


RECORDS = "# Boats\n\n## Heron\n{0}\n\n## Plover\n{0}\n"


@pytest.mark.parametrize(
    "line",
    [
        "**Priority:** P1",
        "- **Phase**: sea trial",
        "- File: `boats/src/hull.tsx`",
        "`tide --list`",
        "- Parts: oak, brass, rope",
        "- See `docs/rigging.md` for how the ropes and the masts are rigged.",
        "- `docs/rigging.md` — how the ropes and the masts of each boat are rigged",
    ],
)
def test_a_field_or_a_pointer_of_two_records_is_left_in_both(line: str) -> None:
    assert _find({"boats.md": RECORDS.format(line)}) == []
    assert _find({"a.md": f"# Heron\n\n{line}\n", "b.md": f"# Plover\n\n{line}\n"}) == []


def test_a_long_statement_behind_a_label_is_said_once_wherever_it_stands() -> None:
    line = "- Hull: every plank is oiled twice before the first frost and once after the thaw."
    (draft,) = _find({"boats.md": RECORDS.format(line)})
    assert draft.kind.value == "merge"


def test_a_task_is_no_statement() -> None:
    files = {
        "a.md": "- [ ] Oil every plank of the hull before frost.\n",
        "b.md": "- Oil every plank of the hull before frost.\n",
    }
    assert _find(files) == []


def test_mention_of_one_command_is_not_one_fact() -> None:
    files = {
        "a.md": "# Hull\n\n- **Tools**: `oak/` with `rivet` and `caulk`; `tide fit -e .` for a dry fit\n",
        "b.md": "# Mast\n\n- Spruce spars, dry fit, `tide fit -e .`\n",
    }
    assert _find(files) == []


def test_neither_versions_of_files_nor_lines_about_other_names_in_code_are_at_odds() -> None:
    assert _find({"a.md": "# Hull\n\n**Version**: v2.1\n", "b.md": "# Mast\n\n**Version**: v2.0\n"}) == []
    assert _find({"a.md": "# Ports\n\n- `DOCK_A1_ID` — berth 1 of the dock\n- `DOCK_ID` — berth 2 of the dock\n"}) == []


@pytest.mark.parametrize("heading", ["Next steps, in order", "To do", "Backlog", "Nächste Schritte", "下一步"])
def test_what_is_still_to_be_done_and_what_was_seen_are_not_one(heading: str) -> None:
    seen = "# Log\n\n- The pump stalls in one of forty tides; tide 4471 shows it at the lower gate.\n"
    task = f"# Plan\n\n## {heading}\n\n- Look at the pump that stalls in one of forty tides, tide 4471, lower gate.\n"
    assert _find({"a.md": seen, "b.md": task}) == []
    assert [draft.kind.value for draft in _find({"a.md": seen, "b.md": task.replace(heading, "Faults")})] == ["merge"]
