from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.claims import Claim, is_daily, know, stem_words
from dreamreview.dream.engine import Corpus
from dreamreview.model.markdown import parse


def _claims(files: dict[str, str], *more: str) -> list[Claim]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    corpus = Corpus(documents=documents, files=frozenset((*files, *more)), today=date(2026, 9, 15))
    return list(know(corpus).claims)


def _texts(files: dict[str, str], *more: str) -> list[str]:
    return [claim.note.text for claim in _claims(files, *more)]


def test_bullets_paragraphs_rows_and_entries_are_statements() -> None:
    text = "# Ports\n\nTwo services listen.\n\n- Web is up.\n\n| Name | Port |\n| --- | --- |\n| mail | 2525 |\n"
    assert _texts({"a.md": text}) == ["Two services listen.", "Web is up.", "mail | 2525"]


def test_a_holder_is_left_to_the_items_it_holds() -> None:
    assert _texts({"a.md": "- Plans\n  - Basic costs 5 euro.\n  - Full costs 9 euro.\n"}) == [
        "Basic costs 5 euro.",
        "Full costs 9 euro.",
    ]
    nested = _claims({"a.md": "- Plans\n  - Basic costs 5 euro.\n"})[0]
    assert nested.under == {"plan"}


def test_labels_quotes_struck_lines_and_pointers_are_no_statements() -> None:
    text = "Rule one holds.\n\n**Why:** it broke.\n\n> said by a guest\n\n- ~~Old rule.~~ gone\n- [B](b.md) — more\n"
    assert _texts({"a.md": text, "b.md": ""}) == ["Rule one holds."]


def test_lines_that_only_refer_are_no_statements() -> None:
    assert _texts({"a.md": "- See [[ports]] and [[hosts]]\n- See [[ports]] before the cable is pulled out.\n"}) == [
        "See [[ports]] and [[hosts]] before"[:0] or "See [[ports]] before the cable is pulled out."
    ]


def test_copies_in_templates_and_files_with_a_sidecar_are_left_alone() -> None:
    assert _texts({"templates/a.md": "- A rule.\n", "archive/b.md": "- A rule.\n"}) == []
    assert _texts({"a.md": "- A rule that is kept.\n"}, "a.json") == []


def test_what_a_dream_wrote_is_no_memory() -> None:
    assert _texts({"memory/dreaming/light/2026-01-02.md": "# Light Sleep\n\n- Candidate: a rule.\n"}) == []


def test_daily_notes_and_records_of_a_sitting_are_sources() -> None:
    (daily,) = _claims({"memory/2026-01-02.md": "- Rain all day.\n"})
    assert (daily.is_daily, daily.is_source, daily.is_stamped) == (True, True, True)
    (session,) = _claims({"session_2026-01-02.md": "- The parser was rewritten.\n"})
    assert (session.is_daily, session.is_source, session.in_log) == (False, True, True)
    (fact,) = _claims({"facts.md": "- The parser is written by hand.\n"})
    assert (fact.is_daily, fact.is_source, fact.in_log) == (False, False, False)


def test_task_boxes_and_marks_are_read() -> None:
    text = "- [ ] Paint the fence green.\n- [x] Paint the shed red.\n- ✅ Paint the gate blue.\n- Fences are painted.\n"
    assert [claim.is_done for claim in _claims({"a.md": text})] == [False, True, True, None]


def test_a_heading_that_names_someone_owns_what_stands_below() -> None:
    text = "We call Marta on Fridays.\n\n## Marta\n\n- Prefers short calls.\n"
    assert _claims({"a.md": text})[1].owners == {"marta"}


def test_a_lead_may_be_a_month_or_tell_one_of_many_by_a_letter() -> None:
    text = "- May: 214 boats.\n- July: 180 boats.\n- Crew A: five turns.\n- Crew B: no brake.\n- Four turns.\n"
    leads = [claim.lead for claim in _claims({"a.md": text})]
    assert leads == [{"may"}, {"juli"}, {"crew", "A"}, {"crew", "b", "B"}, frozenset()]


def test_sentences_are_read_one_by_one() -> None:
    (claim,) = _claims({"a.md": "- The gate is green. It opens at 08:00, because the bus comes then.\n"})
    assert [clause.text for clause in claim.clauses] == [
        "The gate is green.",
        "It opens at 08:00",
        "because the bus comes then.",
    ]


def test_names_of_files_give_words_and_days() -> None:
    assert stem_words("notes/build_times-ci.md") == "build times ci"
    assert is_daily("memory/2026-01-02-trip.md")
    assert not is_daily("memory/trip-2026-01-02.md")


@pytest.mark.parametrize(
    "text",
    [
        "This document describes the moorings and who may use them.",
        "_このドキュメントは、桟橋の使い方を記述します。_",
        "本文档记录码头的规则。",
        "- [Add the new moorings here, with a date.]",
    ],
)
def test_what_a_file_says_of_itself_and_a_gap_to_fill_in_are_no_statements(text: str) -> None:
    assert _texts({"a.md": f"# Moorings\n\n{text}\n"}) == []


@pytest.mark.parametrize("text", ["This document is signed by Ana.", "The moorings are [sic] numbered from the sea."])
def test_what_is_said_of_a_document_or_with_a_link_is_a_statement(text: str) -> None:
    assert _texts({"a.md": f"# Moorings\n\n{text}\n"}) == [text]


def test_a_folder_whose_name_ends_in_backups_repeats_others() -> None:
    text = "- The pier is closed on Sundays.\n"
    assert _texts({"log-backups/a.md": text}) == []
    assert _texts({"snapshots-of-whales/a.md": text}) == ["The pier is closed on Sundays."]
