from __future__ import annotations

import os
from dataclasses import replace
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.arbitration import arbitrate, clash, fingerprint, to_changes
from dreamreview.dream.engine import Corpus, Draft
from dreamreview.dream.evidence import delete_file, delete_lines, evidence, raw_text, replace_lines
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Document
from dreamreview.model.proposal import Act, FileEdit, Kind, Option

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
TEXT = "".join(f"- Statement number {word} stands.\n" for word in ("one", "two", "three", "four", "five", "six"))


def _corpus(files: dict[str, str]) -> Corpus:
    return Corpus(
        {path: parse(path, text.encode()) for path, text in files.items()}, frozenset(files), date(2026, 9, 1)
    )


CORPUS = _corpus({"a.md": TEXT, "b.md": TEXT, "MEMORY.md": "- [B](b.md) — hook\n"})
A, B = CORPUS.documents["a.md"], CORPUS.documents["b.md"]


def _draft(kind: Kind, document: Document, first: int, last: int, confidence: float = 0.8) -> Draft:
    return Draft(
        kind=kind,
        phase="consolidate",
        title=f"{kind.value} {first}-{last}",
        reason="because",
        confidence=confidence,
        evidence=(evidence(document, first, last),),
        texts=(f"{document.path} {raw_text(document, first, last)}",),
        edits=(replace_lines(document, first, last, (b"- new\n",)),),
    )


def test_edits_of_admitted_drafts_never_overlap() -> None:
    conflict, merge = _draft(Kind.CONFLICT, A, 2, 2), _draft(Kind.MERGE, A, 2, 3)
    assert arbitrate([merge, conflict], CORPUS) == (conflict,)


def test_a_secret_goes_before_everything() -> None:
    redact, conflict = _draft(Kind.REDACT, A, 1, 1, 0.1), _draft(Kind.CONFLICT, A, 1, 1, 0.99)
    assert arbitrate([conflict, redact], CORPUS) == (redact,)


def test_an_entry_for_a_file_that_a_merge_takes_away_says_when_it_is_needed_and_one_for_a_pruned_file_is_left_out() -> (
    None
):
    corpus = _corpus({"a.md": TEXT, "b.md": TEXT, "c.md": TEXT, "MEMORY.md": "- [B](b.md) — hook\n"})
    index = corpus.documents["MEMORY.md"]

    def entry(path: str) -> Draft:
        added = replace_lines(index, 2, 1, (f"- [{path}]({path})\n".encode(),))
        return replace(_draft(Kind.INDEX, index, 1, 1), texts=(path,), edits=(added,))

    deletion = (delete_file(corpus.documents["c.md"]),)
    pruned, merged = (
        replace(_draft(kind, corpus.documents["c.md"], 1, 1), edits=deletion) for kind in (Kind.PRUNE, Kind.MERGE)
    )
    assert arbitrate([entry("c.md"), pruned], corpus) == (pruned,)
    assert arbitrate([entry("a.md"), pruned], corpus) == (pruned, entry("a.md"))
    assert arbitrate([entry("a.md"), merged], corpus) == (merged, entry("a.md"))
    first, added = arbitrate([entry("c.md"), merged], corpus)
    assert first == merged
    assert added.edits == entry("c.md").edits
    assert added.reason.endswith("this entry is needed only where that one is rejected.")


def test_the_surer_draft_of_a_kind_stays() -> None:
    sure, unsure = _draft(Kind.MERGE, A, 1, 2, 0.9), _draft(Kind.MERGE, A, 2, 3, 0.7)
    assert arbitrate([unsure, sure], CORPUS) == (sure,)


def test_a_note_takes_part_in_one_change_of_its_words() -> None:
    wrapped = _corpus({"a.md": "- A long statement that goes on\n  in a second line of its own.\n- Another one.\n"})
    document = wrapped.documents["a.md"]
    prune, dated = _draft(Kind.PRUNE, document, 1, 1), _draft(Kind.DATE, document, 2, 2)
    assert arbitrate([dated, prune], wrapped) == (prune,)


def test_a_deleted_path_takes_no_other_change() -> None:
    gone = Draft(
        kind=Kind.MERGE,
        phase="consolidate",
        title="fold",
        reason="because",
        confidence=0.9,
        evidence=(evidence(A, 1, 6), evidence(B, 1, 6)),
        texts=("whole a", "whole b"),
        edits=(delete_file(B), delete_lines(CORPUS.documents["MEMORY.md"], 1, 1)),
    )
    others = [_draft(Kind.DATE, B, 3, 3), _draft(Kind.INDEX, CORPUS.documents["MEMORY.md"], 1, 1)]
    assert arbitrate([*others, gone], CORPUS) == (gone,)


def test_options_of_a_conflict_count_as_edits() -> None:
    conflict = Draft(
        kind=Kind.CONFLICT,
        phase="consolidate",
        title="which",
        reason="because",
        confidence=0.9,
        evidence=(),
        texts=("one", "two"),
        options=(
            Option("A", "a", (evidence(A, 1, 1),), (delete_lines(B, 2, 2),)),
            Option("B", "b", (evidence(B, 2, 2),), (delete_lines(A, 1, 1),)),
        ),
    )
    dated = _draft(Kind.DATE, B, 2, 2)
    assert arbitrate([dated, conflict], CORPUS) == (conflict,)


def test_a_draft_that_changes_nothing_is_dropped() -> None:
    same = Draft(
        kind=Kind.REWRITE,
        phase="consolidate",
        title="same",
        reason="because",
        confidence=1.0,
        evidence=(evidence(A, 1, 1),),
        texts=("x",),
        edits=(replace_lines(A, 1, 1, A.lines[:1]),),
    )
    assert arbitrate([same], CORPUS) == ()


def test_the_same_suggestion_is_made_once() -> None:
    draft = _draft(Kind.DATE, A, 1, 1)
    assert arbitrate([draft, draft], CORPUS) == (draft,)


def test_an_act_on_a_path_clashes_with_any_edit_of_it() -> None:
    line = FileEdit(id="", path="a.md", start=0, stop=1)
    assert clash(line, FileEdit(id="", path="a.md", act=Act.DELETE))
    assert clash(FileEdit(id="", path="a.md", act=Act.RENAME, to="c.md"), line)
    assert not clash(line, FileEdit(id="", path="a.md", start=1, stop=2))
    assert not clash(FileEdit(id="", path="a.md", start=1, stop=1, new=(b"x\n",)), line)


def test_changes_get_short_ids_and_numbered_edits() -> None:
    drafts = arbitrate([_draft(Kind.DATE, A, 3, 3), _draft(Kind.MERGE, A, 1, 1)], CORPUS)
    one, other = to_changes(drafts)
    assert one.id == fingerprint(drafts[0])[:8]
    assert [edit.id for edit in one.edits] == ["e1"]
    assert [edit.rank for change in (one, other) for edit in change.edits] == [0, 1]
    assert one.kind is Kind.MERGE


def test_edits_of_options_are_numbered_by_their_key() -> None:
    option = Option("A", "a", (evidence(A, 1, 1),), (delete_lines(B, 1, 1), delete_lines(B, 3, 3)))
    draft = Draft(Kind.CONFLICT, "consolidate", "t", "r", 0.9, (), ("x",), options=(option, Option("B", "b")))
    (change,) = to_changes([draft])
    assert [edit.id for edit in change.options[0].edits] == ["A1", "A2"]
    assert change.options[1].edits == ()


NOTE = "---\nname: note\ndescription: a note\ntype: project\n---\n\n- One thing.\n- Another thing.\n"


def test_changes_do_not_empty_a_typed_note_between_them() -> None:
    corpus = _corpus({"a.md": NOTE, "b.md": NOTE.rpartition("---\n")[2]})
    typed, plain = corpus.documents["a.md"], corpus.documents["b.md"]

    def gone(kind: Kind, document: Document, line: int, sure: float) -> Draft:
        return replace(_draft(kind, document, line, line, sure), edits=(delete_lines(document, line, line),))

    first, second = gone(Kind.MERGE, typed, 7, 0.9), gone(Kind.MERGE, typed, 8, 0.8)
    assert arbitrate([first, second], corpus) == (first,)
    pruned = gone(Kind.PRUNE, typed, 8, 0.8)
    assert arbitrate([first, pruned], corpus) == (first, pruned)
    both = [gone(Kind.MERGE, plain, 2, 0.9), gone(Kind.MERGE, plain, 3, 0.8)]
    assert arbitrate(both, corpus) == tuple(both)


def test_nothing_is_merged_with_a_file_that_is_offered_for_removal() -> None:
    merge = replace(_draft(Kind.MERGE, A, 2, 2, 0.99), evidence=(evidence(A, 2, 2), evidence(B, 2, 2)))
    prune = replace(_draft(Kind.PRUNE, B, 1, 6), edits=(delete_file(B),))
    assert arbitrate([merge, prune], CORPUS) == (prune,)
    twins = replace(merge, edits=(delete_file(B),))
    assert arbitrate([twins, prune], CORPUS) == (twins,)


SPANS = st.tuples(
    st.sampled_from([Kind.REDACT, Kind.CONFLICT, Kind.MERGE, Kind.PRUNE, Kind.DATE, Kind.INDEX]),
    st.sampled_from([A, B]),
    st.integers(1, 6),
    st.integers(0, 2),
    st.sampled_from([0.5, 0.7, 0.9]),
)


@settings(max_examples=max(20, int(150 * SCALE)), deadline=None)
@given(st.lists(SPANS, max_size=10), st.randoms(use_true_random=False))
def test_what_is_admitted_fits_together_whatever_the_order(
    spans: list[tuple[Kind, Document, int, int, float]], shuffler: object
) -> None:
    drafts = [_draft(kind, document, at, min(at + more, 6), sure) for kind, document, at, more, sure in spans]
    admitted = arbitrate(drafts, CORPUS)
    shuffled = list(drafts)
    shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
    assert arbitrate(shuffled, CORPUS) == admitted
    edits = [(number, edit) for number, draft in enumerate(admitted) for edit in draft.edits]
    for number, edit in edits:
        assert not any(clash(edit, far) for other, far in edits if other != number and far.path == edit.path)
