from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.retention import find
from dreamreview.model.edits import Edit, compose, render
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Act, Kind

TODAY = date(2026, 9, 15)


def _corpus(files: dict[str, str]) -> Corpus:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return Corpus(documents=documents, files=frozenset(files), today=TODAY)


def _find(files: dict[str, str], policy: Policy | None = None) -> list[Draft]:
    return list(find(_corpus(files), policy or Policy()))


def _after(files: dict[str, str], draft: Draft) -> dict[str, str]:
    """Return the files as they stand with every edit of a draft made."""
    corpus = _corpus(files)
    after = dict(files)
    for path in {edit.path for edit in draft.edits}:
        own = [edit for edit in draft.edits if edit.path == path]
        if any(edit.act is Act.DELETE for edit in own):
            del after[path]
            continue
        lines = corpus.documents[path].lines
        after[path] = render(compose(lines, [Edit(e.start, e.stop, e.new) for e in own]), b"\n").decode()
    return after


def _note(type_: str, created: str, more: str = "") -> str:
    return f"---\nname: a note\ntype: {type_}\ncreated: {created}\n{more}---\nWhere the work stopped.\n"


@pytest.mark.parametrize("type_", ["session_state", "compact_summary"])
def test_a_note_is_too_old_the_day_after_its_last(type_: str) -> None:
    assert _find({"a.md": _note(type_, "2026-06-17")}) == []
    (draft,) = _find({"a.md": _note(type_, "2026-06-16")})
    assert draft.kind is Kind.PRUNE
    assert "91 days old" in draft.reason
    assert "kept 90 days" in draft.reason


@pytest.mark.parametrize("type_", ["user", "feedback", "reference", "project"])
def test_other_types_are_never_too_old(type_: str) -> None:
    assert _find({"a.md": _note(type_, "2019-01-01")}) == []


def test_the_owner_sets_the_days_of_a_type() -> None:
    policy = Policy(retention_days={"handoff": 7, "session_state": None})
    files = {"a.md": _note("handoff", "2026-09-01"), "b.md": _note("session_state", "2020-01-01")}
    assert [draft.evidence[0].path for draft in _find(files, policy)] == ["a.md"]


def test_a_note_without_a_date_has_no_age() -> None:
    assert _find({"a.md": "---\ntype: session_state\n---\nWhere the work stopped.\n"}) == []


@pytest.mark.parametrize(
    "text",
    [
        _note("session_state", "2020-01-01", "pinned: true\n"),
        "---\ntype: session_state\ncreated: 2020-01-01\nmetadata:\n  pinned: true\n---\nStopped here.\n",
        "---\ntype: session_state\ncreated: 2020-01-01\n---\n[PINNED] Stopped here.\n",
    ],
)
def test_a_pin_in_any_form_keeps_a_note(text: str) -> None:
    assert _find({"a.md": text}) == []


def test_the_last_day_of_validity_still_counts() -> None:
    assert _find({"a.md": _note("project", "2026-01-01", "valid_until: 2026-09-15\n")}) == []
    (draft,) = _find({"a.md": _note("project", "2026-01-01", "valid_until: 2026-09-14\n")})
    assert "was 2026-09-14, 1 day ago" in draft.reason


def test_a_deleted_file_takes_its_entry_and_links_along() -> None:
    files = {
        "MEMORY.md": "# Index\n\n- [Old](old.md) — the draft\n- [Other](other.md) — more\n",
        "old.md": _note("session_state", "2026-01-01"),
        "other.md": "As [the draft](old.md) says, and `old.md` too.\n",
    }
    (draft,) = _find(files)
    assert _after(files, draft) == {
        "MEMORY.md": "# Index\n\n- [Other](other.md) — more\n",
        "other.md": "As the draft says, and `old.md` too.\n",
    }
    assert draft.reason.endswith("2 lines that point to it change with it.")


def test_links_to_a_superseded_file_turn_to_its_successor() -> None:
    files = {
        "a.md": "---\nname: a\nsuperseded_by: b.md\n---\nPort 1.\n",
        "b.md": "---\nname: b\nsupersedes: a.md\n---\nPort 2.\n",
        "c.md": "Ports are [listed](a.md#list), in [[a]].\n",
    }
    (draft,) = _find(files)
    assert draft.kind is Kind.SUPERSEDE
    after = _after(files, draft)
    assert after["c.md"] == "Ports are [listed](b.md#list), in [[b]].\n"
    assert after["b.md"] == "---\nname: b\n---\nPort 2.\n"
    assert "a.md" not in after


def test_a_circle_of_successors_proves_nothing() -> None:
    files = {
        name: f"---\nname: {name}\nsuperseded_by: {other}\n---\nx\n"
        for name, other in [("a.md", "b.md"), ("b.md", "a.md")]
    }
    assert _find(files) == []


def test_a_successor_that_is_not_there_proves_nothing() -> None:
    assert _find({"a.md": "---\nname: a\nsuperseded_by: gone.md\n---\nPort 1.\n"}) == []


def test_a_file_without_content_is_offered() -> None:
    (draft,) = _find({"a.md": "", "b.md": "One fact.\n"})
    assert (draft.evidence[0].path, draft.evidence[0].last) == ("a.md", 0)


def test_a_stub_is_offered_and_its_links_follow() -> None:
    files = {"a.md": "Moved to [the new place](b.md).\n", "b.md": "One fact.\n", "c.md": "Read [a](a.md).\n"}
    (draft,) = _find(files)
    assert _after(files, draft) == {"b.md": "One fact.\n", "c.md": "Read [a](b.md).\n"}


def test_an_old_fact_that_nothing_else_says_is_left_alone() -> None:
    files = {"a.md": "---\ntype: reference\ncreated: 2015-01-01\n---\nThe vault code sheet is in drawer 7.\n"}
    assert _find(files) == []


def test_a_doubtful_note_goes_only_if_all_of_it_is_said_elsewhere() -> None:
    doubtful = "---\ntype: project\nconfidence: 0.2\n---\nThe lift needs a token.\n"
    assert _find({"a.md": doubtful}) == []
    assert len(_find({"a.md": doubtful, "b.md": "The lift in the hall needs a brass token.\n"})) == 1


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("- ~~The gate opens at six.~~ Superseded 2026-05-01: at seven.", "Struck"),
        ("- ~~The gate opens at six.~~ (replaced 2026-05-01)", "Struck"),
        ("- [superseded 2026-05-01 by the new gate] The gate opens at six.", "Superseded"),
        ("- The gate opens at six. (superseded by the new gate)", "Superseded"),
        ("- SUPERSEDED: the gate opens at six.", "Superseded"),
        ("- The gate opens at six. Superseded by the rule of May.", "Superseded"),
        ("- Gate code for guests is on the board (valid until 2026-08-31).", "Expired"),
        ("- Summer hours, six to nine (valid until 2026-08)", "Expired"),
        ("- Valid until 2026-08-31: the gate opens at six.", "Expired"),
    ],
)
def test_a_line_that_says_it_is_over_is_offered(line: str, kind: str) -> None:
    files = {"a.md": f"# Gate\n\n- One.\n{line}\n- Two.\n"}
    (draft,) = _find(files)
    assert draft.title.startswith(kind)
    assert _after(files, draft) == {"a.md": "# Gate\n\n- One.\n- Two.\n"}


@pytest.mark.parametrize(
    "line",
    [
        "- ~~Buy a new lock~~ done 2026-05-01",
        "- ~~Buy a new lock~~",
        "- Obsolete branches are deleted on Fridays.",
        "- The gate code (superseded in May) still opens the shed, keep it.",
        "- Contract (valid until 2026-12-31).",
        "- Valid until 2026-09-15: the gate opens at six.",
        "- Tokens are valid until the session ends.",
        "- [PINNED] The gate opens at six (valid until 2026-01-01).",
        "- Foo 2 is deprecated, use foo 3.",
    ],
)
def test_a_line_that_holds_or_is_pinned_stays(line: str) -> None:
    assert _find({"a.md": f"# Gate\n\n- One.\n{line}\n- Two.\n"}) == []


def test_what_holds_instead_of_a_struck_text_stays() -> None:
    files = {"a.md": "- One.\n- ~~Port 80~~ Port 81 since the move of 2026-05-01.\n"}
    (draft,) = _find(files)
    assert _after(files, draft) == {"a.md": "- One.\n- Port 81 since the move of 2026-05-01.\n"}


def test_children_of_a_pruned_item_move_up() -> None:
    files = {"a.md": "- One.\n- ~~Old way.~~ Superseded by the new way.\n  - Children stay.\n"}
    (draft,) = _find(files)
    assert _after(files, draft) == {"a.md": "- One.\n- Children stay.\n"}


def test_daily_notes_are_sources_and_keep_their_lines() -> None:
    assert _find({"memory/2026-01-01.md": "# 2026-01-01\n\n- ~~Six.~~ Superseded 2026-01-02: seven.\n"}) == []


def test_the_same_line_in_two_files_is_one_card() -> None:
    line = "- Six to nine (valid until 2026-08-31).\n"
    (draft,) = _find({"a.md": "- One.\n" + line, "b.md": "- Two.\n" + line})
    assert [edit.path for edit in draft.edits] == ["a.md", "b.md"]


def test_an_entry_goes_with_one_of_the_marks_that_part_entries() -> None:
    entries = ["One fact of many words.", "Two (valid until 2026-08-31).", "Three facts."]
    files = {"MEMORY.md": "\n§\n".join(entries)}
    (draft,) = _find(files)
    assert _after(files, draft) == {"MEMORY.md": "One fact of many words.\n§\nThree facts."}


def test_the_stores_own_rules_come_before_the_policy() -> None:
    files = {
        "mem0.md": "## Retention\n- session_state: 400d\n- handoff: 7d\n",
        "a.md": _note("session_state", "2026-01-01"),
        "b.md": _note("handoff", "2026-09-01"),
    }
    assert [draft.evidence[0].path for draft in _find(files)] == ["b.md"]


def test_rules_that_cannot_be_read_prune_nothing() -> None:
    files = {"mem0.md": "## Retention\nsesion state 90 days\n", "a.md": _note("session_state", "2020-01-01")}
    assert _find(files) == []
