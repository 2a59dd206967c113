from __future__ import annotations

from datetime import date

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.local import dream
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind

LINES = (
    ("Rig", "ropes are tarred twice and coiled on the port side"),
    ("Hull", "planks of oak, oiled before the first frost of autumn"),
    ("Sails", "red canvas, patched by hand, dried before they are furled"),
    ("Anchor", "forged iron with thirty metres of chain"),
)


def _dream(files: dict[str, str]) -> tuple[Draft, ...]:
    documents = {path: parse(path, text.encode()) for path, text in sorted(files.items())}
    return dream(Corpus(documents, frozenset(files), date(2026, 9, 15)), Policy()).drafts


def _twins(between: str = "") -> dict[str, str]:
    ours = [f"- ✅ **{name}**: {said}\n" for name, said in LINES]
    theirs = [f"- {name}: {said}\n" for name, said in LINES]
    return {
        "boat.md": "# Boats\n\n## Heron\n" + "".join(ours),
        "log.md": "# Work\n\n## Heron made ready\n" + "".join([*theirs[:2], between, *theirs[2:]]),
    }


def test_a_section_that_says_another_over_is_one_change_with_an_edit_for_each_line() -> None:
    (draft,) = _dream(_twins())
    assert draft.kind is Kind.MERGE
    assert draft.title == "Say 4 lines once: “Heron” (boat.md) and “Heron made ready” (log.md)"
    assert [(item.path, item.first, item.last) for item in draft.evidence] == [("boat.md", 4, 7), ("log.md", 4, 7)]
    assert [(edit.path, edit.start, edit.stop) for edit in draft.edits if not edit.new] == [
        ("log.md", line, line + 1) for line in range(3, 7)
    ]


def test_a_run_ends_where_another_line_stands_between() -> None:
    drafts = _dream(_twins("- The cook of the Heron is somebody else every summer.\n"))
    assert [draft.title.startswith("Say it once") for draft in drafts] == [True] * len(drafts)
    assert len(drafts) > 1


STEPS = (
    "Wash every pot with soap.",
    "Dry the pots on the rack.",
    "Count the spoons in the drawer.",
    "Lock the shop door.",
)


def _list(steps: tuple[str, ...], mark: str = "{}.") -> str:
    return "".join(f"{mark.format(number)} {step}\n" for number, step in enumerate(steps, 1))


def test_a_step_of_two_procedures_is_left_in_both() -> None:
    other = (
        "Wash every pot with soap.",
        "Sweep the floor of the bakery.",
        "Feed the old grey cat.",
        "Lock the shop door.",
    )
    assert _dream({"a.md": "# Evening\n\n" + _list(STEPS), "b.md": "# Noon\n\n" + _list(other)}) == ()
    boxes = {"a.md": "# Evening\n\n" + _list(STEPS, "- [ ]"), "b.md": "# Noon\n\n" + _list(other, "- [ ]")}
    assert _dream(boxes) == ()


def test_a_procedure_written_twice_is_said_once() -> None:
    (draft,) = _dream({"a.md": "# Evening\n\n" + _list(STEPS), "b.md": "# Night\n\n" + _list(STEPS)})
    assert draft.title.startswith("Say 4 lines once")
