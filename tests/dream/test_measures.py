"""What detectors measured: named, and on the side of the threshold where it counts."""

from __future__ import annotations

import operator
from datetime import date

import pytest

from dreamreview.dream import cycle
from dreamreview.dream.engine import Corpus, Draft, Measure, Policy
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind
from tests.workspace.stores import LAYOUTS, typed


def drafts(files: dict[str, bytes], policy: Policy | None = None) -> tuple[Draft, ...]:
    documents = {path: parse(path, data) for path, data in files.items()}
    corpus = Corpus(documents=documents, files=frozenset(documents), today=date(2026, 9, 15))
    return cycle.run(corpus, policy or Policy(), lambda _progress: None, lambda: False).drafts


def only(files: dict[str, bytes], policy: Policy | None = None) -> Draft:
    (draft,) = drafts(files, policy)
    return draft


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (Measure("likeness", 0.7481, 0.54), "likeness 0.7481 (at least 0.54)"),
        (Measure("age in days", 1253, 90, "more than"), "age in days 1,253 (more than 90)"),
        (Measure("bytes", 1_234_567, 25_000, "more than"), "bytes 1,234,567 (more than 25,000)"),
        (Measure("sameness of topic", 1.0), "sameness of topic 1"),
    ],
)
def test_a_measure_says_what_how_much_and_from_where_on(measure: Measure, said: str) -> None:
    assert str(measure) == said


def test_the_same_words_are_wholly_alike() -> None:
    line = b"- The kettle in the hall boils in four minutes and thirty seconds.\n"
    draft = only({"a.md": b"# A\n\n" + line, "b.md": b"# B\n\n" + line})
    assert (draft.detector, draft.measures) == ("duplicates", (Measure("likeness", 1.0, 0.54),))


def test_a_note_past_its_retention_is_measured_in_days() -> None:
    draft = only(
        {"s.md": typed("s", "session_state", "Where we were", "We were at step four.\n", created="2026-01-05")}
    )
    assert (draft.detector, draft.measures) == ("retention", (Measure("age in days", 253, 90, "more than"),))


def test_an_index_is_measured_against_both_limits() -> None:
    files = {f"n{at}.md": f"Fact number {at} of the pier.\n".encode() for at in range(4)}
    hook = "how the pier is lit at night, " * 8
    index = "".join(f"- [N{at}](n{at}.md) - {hook}{at}\n" for at in range(4)).encode()
    (draft,) = [
        draft for draft in drafts({**files, "MEMORY.md": index}, Policy(index_bytes=700)) if "hook" in draft.title
    ]
    assert draft.measures == (
        Measure("lines of the index", 4, 200, "more than"),
        Measure("bytes of the index", len(index), 700, "more than"),
    )


def test_a_contradiction_has_a_measure_and_no_single_threshold() -> None:
    (draft,) = [
        draft
        for draft in drafts(
            {
                "a.md": typed("a", "project", "gateway", "The moisture gateway listens on port 7070.\n"),
                "b.md": typed("b", "project", "probe", "The moisture gateway listens on port 7171.\n"),
            }
        )
        if draft.kind is Kind.CONFLICT
    ]
    (measure,) = draft.measures
    assert (measure.what, measure.threshold) == ("sameness of topic", None)
    assert 0.0 < measure.value <= 1.0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_draft_names_its_detector_and_every_likeness_counts(layout: str) -> None:
    files = {path: held if isinstance(held, bytes) else held[0] for path, held in LAYOUTS[layout].items()}
    found = drafts(files)
    assert all(draft.detector for draft in found)
    sides = {"at least": operator.ge, "more than": operator.gt, "less than": operator.lt}
    for measure in (measure for draft in found for measure in draft.measures):
        assert measure.threshold is None or sides[measure.side](measure.value, measure.threshold)
