from __future__ import annotations

from datetime import date

from dreamreview.dream import surroundings
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.local import dream
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Act, Kind

TODAY = date(2026, 9, 1)
RULES = "# Rules\n\n- Deploys go out on Tuesday mornings only.\n- The staging server listens on port 8080.\n"
LONG = "Deploys of the storefront go out on Tuesday mornings only, once the smoke tests have passed."
OTHERS = (
    "- The harbour crane was painted blue.\n- Lunch is at noon in the small kitchen.\n- Eels are counted by hand.\n"
)


def corpus(files: dict[str, str], context: dict[str, str]) -> Corpus:
    return Corpus(
        documents={path: parse(path, text.encode()) for path, text in sorted(files.items())},
        files=frozenset(files),
        today=TODAY,
        context={name: parse(name.rpartition("/")[2], text.encode()) for name, text in context.items()},
    )


def found(files: dict[str, str], context: dict[str, str]) -> list[Draft]:
    return list(surroundings.find(corpus(files, context), Policy()))


def test_the_title_of_a_conflict_shows_where_its_sides_differ() -> None:
    told = "- The relay station on the northern mole of the harbour listens for weather pings on port"
    (draft,) = found({"a.md": f"# Relay\n\n{told} 9443.\n"}, {"../CLAUDE.md": f"# Rules\n\n{told} 8443.\n"})
    assert draft.title == "Which holds? …of the harbour listens for weather pings on port 9443."


def test_a_note_that_restates_what_the_agent_reads_anyway_is_offered_for_pruning() -> None:
    notes = f"# Notes\n\n- Deploys only go out on Tuesday mornings.\n{OTHERS}"
    (draft,) = found({"notes.md": notes}, {"../CLAUDE.md": RULES})
    assert draft.kind is Kind.PRUNE
    assert draft.reason == (
        "../CLAUDE.md, line 3, which the agent reads in every session, says this already: "
        "“Deploys go out on Tuesday mornings only.”"
    )
    assert [(one.path, one.first, one.last) for one in draft.evidence] == [("notes.md", 3, 3)]
    assert [(edit.path, edit.old, edit.new) for edit in draft.edits] == [
        ("notes.md", (b"- Deploys only go out on Tuesday mornings.\n",), ())
    ]


def test_a_note_at_odds_with_it_is_a_conflict_in_which_only_the_note_can_give_way() -> None:
    notes = f"# Notes\n\n- The staging server listens on port 9090.\n{OTHERS}"
    (draft,) = found({"notes.md": notes}, {"../CLAUDE.md": RULES})
    assert draft.kind is Kind.CONFLICT
    assert [(option.key, [edit.path for edit in option.edits]) for option in draft.options] == [
        ("A", []),
        ("B", ["notes.md"]),
    ]
    assert draft.options[1].edits[0].new == (b"- The staging server listens on port 8080.\n",)
    assert draft.options[1].label == ("Keep what ../CLAUDE.md, line 4 says: “The staging server listens on port 8080.”")
    assert "never changed from here" in draft.reason


def test_a_file_that_says_nothing_else_goes_with_the_line_that_points_to_it() -> None:
    files = {
        "MEMORY.md": "# Index\n\n- [Deploys](deploys.md) - when they go out\n- [Other](other.md) - the rest\n",
        "deploys.md": f"---\nname: deploys\ntype: project\n---\n\n{LONG}\n",
        "other.md": OTHERS,
    }
    (draft,) = found(files, {"../CLAUDE.md": f"# Rules\n\n- {LONG}\n"})
    assert [(edit.path, edit.act) for edit in draft.edits] == [("deploys.md", Act.DELETE), ("MEMORY.md", Act.LINES)]


def test_a_note_on_which_its_file_rests_stays() -> None:
    text = f"---\nname: deploys\ntype: project\n---\n\n{LONG}\n\n{OTHERS}"
    assert found({"deploys.md": text}, {"../CLAUDE.md": f"# Rules\n\n- {LONG}\n"}) == []


def test_a_pinned_note_stays() -> None:
    assert (
        found({"notes.md": f"- [PINNED] Deploys only go out on Tuesday mornings.\n{OTHERS}"}, {"CLAUDE.md": RULES})
        == []
    )


def test_a_daily_note_is_a_source_and_stays() -> None:
    assert (
        found({"memory/2026-08-30.md": f"- Deploys go out on Tuesday mornings only.\n{OTHERS}"}, {"../A.md": RULES})
        == []
    )


def test_what_two_files_beside_the_memory_say_is_no_matter_of_the_memory() -> None:
    assert found({"notes.md": OTHERS}, {"../CLAUDE.md": RULES, "~/.claude/CLAUDE.md": RULES}) == []


def test_without_anything_beside_it_nothing_is_found() -> None:
    assert found({"notes.md": RULES}, {}) == []


def test_a_secret_is_neither_held_against_the_memory_nor_quoted() -> None:
    secret = "- The door code password: hunter2hunter2 opens the north gate of the depot.\n"
    assert found({"notes.md": secret + OTHERS}, {"../CLAUDE.md": secret}) == []


def test_a_whole_dream_asks_it_and_changes_nothing_beside_the_memory() -> None:
    notes = (
        f"# Notes\n\n- Deploys only go out on Tuesday mornings.\n- The staging server listens on port 9090.\n{OTHERS}"
    )
    dreamt = dream(corpus({"notes.md": notes}, {"../CLAUDE.md": RULES}), Policy())
    assert [draft.kind for draft in dreamt.drafts] == [Kind.CONFLICT, Kind.PRUNE]
    paths = {edit.path for draft in dreamt.drafts for edit in draft.edits}
    assert paths == {"notes.md"}
