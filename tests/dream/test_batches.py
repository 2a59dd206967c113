from __future__ import annotations

from datetime import date

from dreamreview.dream.arbitration import fingerprint
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.local import dream
from dreamreview.model.edits import Edit, compose
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind

NOTE = "---\nname: {0}\ndescription: all about {0}\ntype: project\n---\nThe {0} is blue.\n"
DAYS = (
    "- The pump broke yesterday.\n- Mara calls tomorrow.\n- The boat is dry today.\n- Salt came two days ago.\n"
    "- The hall is shut tonight.\n"
)


def _dream(files: dict[str, str], known: frozenset[str] = frozenset()) -> tuple[Draft, ...]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    corpus = Corpus(documents=documents, files=frozenset(files), today=date(2026, 5, 12))
    return dream(corpus, Policy(), known.__contains__).drafts


def _after(text: str, draft: Draft, path: str) -> str:
    edits = [Edit(edit.start, edit.stop, edit.new, rank) for rank, edit in enumerate(draft.edits) if edit.path == path]
    return b"".join(compose(parse(path, text.encode()).lines, edits)).decode()


def test_many_dates_of_one_file_are_one_change_with_an_edit_for_each_line() -> None:
    (draft,) = _dream({"2026-05-10.md": DAYS})
    assert draft.title == "5 notes with relative dates in 2026-05-10.md, lines 1 to 5"
    assert [(edit.start, edit.stop) for edit in draft.edits] == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert [piece.first for piece in draft.evidence] == [1, 2, 3, 4, 5]
    assert "line 2: “tomorrow” is 2026-05-11" in draft.reason
    assert _after(DAYS, draft, "2026-05-10.md") == (
        "- The pump broke on 2026-05-09.\n- Mara calls on 2026-05-11.\n- The boat is dry on 2026-05-10.\n"
        "- Salt came on 2026-05-08.\n- The hall is shut on the evening of 2026-05-10.\n"
    )


def test_dates_under_several_days_name_the_day_each_speaks_from() -> None:
    text = "".join(f"## 2026-05-0{day}\n\n- The pump number {day} broke yesterday.\n\n" for day in range(2, 6))
    (draft,) = _dream({"log.md": text})
    assert draft.reason == (
        "Each line speaks from its own day; later its word means another. "
        "line 3 (of 2026-05-02): “yesterday” is 2026-05-01; line 7 (of 2026-05-03): “yesterday” is 2026-05-02; "
        "line 11 (of 2026-05-04): “yesterday” is 2026-05-03; line 15 (of 2026-05-05): “yesterday” is 2026-05-04. "
        "Each line is an edit of its own."
    )


def test_three_dates_of_one_file_are_three_changes() -> None:
    text = "".join(DAYS.splitlines(keepends=True)[:3])
    assert [draft.title for draft in _dream({"2026-05-10.md": text})] == [
        "“yesterday” is 2026-05-09",
        "“tomorrow” is 2026-05-11",
        "“today” is 2026-05-10",
    ]


def test_a_date_beside_a_secret_takes_no_other_with_it() -> None:
    text = DAYS.replace("Mara calls tomorrow.", "Mara calls tomorrow, password: FAKE-0000-mara")
    drafts = _dream({"2026-05-10.md": text})
    assert [draft.kind for draft in drafts] == [Kind.REDACT, Kind.DATE]
    assert [edit.start for edit in drafts[1].edits] == [0, 2, 3, 4]


def test_a_batch_that_is_known_stays_away() -> None:
    (draft,) = _dream({"2026-05-10.md": DAYS})
    assert _dream({"2026-05-10.md": DAYS}, frozenset({fingerprint(draft)})) == ()


def test_many_missing_entries_are_one_change_for_each_section() -> None:
    index = "## Boats\n- [A](boat_a.md) — a\n- [B](boat_b.md) — b\n\n## Halls\n- [H](hall_h.md) — h\n"
    names = ["boat_a", "boat_b", "hall_h", *(f"boat_{n}" for n in ("oak", "ash", "elm")), *(f"hall_{n}" for n in "xyz")]
    files = {"MEMORY.md": index, **{f"{name}.md": NOTE.format(name) for name in names}}
    drafts = [draft for draft in _dream(files) if draft.kind is Kind.INDEX]
    assert [len(draft.edits) for draft in drafts] == [3, 3]
    assert drafts[0].title == "No entry for 3 files: boat_ash.md, boat_elm.md and others"
    after = _after(index, drafts[0], "MEMORY.md")
    assert after.index("(boat_b.md)") < after.index("(boat_oak.md)") < after.index("## Halls")


def test_five_missing_entries_are_five_changes() -> None:
    names = ["a", "b", "oak", "ash", "elm", "fir", "yew"]
    files = {"MEMORY.md": "- [A](a.md) — a\n- [B](b.md) — b\n", **{f"{name}.md": NOTE.format(name) for name in names}}
    assert len([draft for draft in _dream(files) if draft.kind is Kind.INDEX]) == 5
