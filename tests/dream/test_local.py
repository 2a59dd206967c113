from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from dreamreview.dream.arbitration import fingerprint
from dreamreview.dream.detectors import DETECTORS
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import evidence, replace_lines
from dreamreview.dream.local import dream, explain
from dreamreview.dream.similarity import scan
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind

FILES = {
    "a.md": "# Rules\n\n- Run the linter before every commit.\n- The request timeout is 30 seconds.\n",
    "b.md": "# Habits\n\n- Run the linter before every commit.\n- The request timeout is 60 seconds.\n",
}


def _corpus(files: dict[str, str]) -> Corpus:
    return Corpus(
        {path: parse(path, text.encode()) for path, text in files.items()}, frozenset(files), date(2026, 9, 1)
    )


def test_a_dream_says_what_it_read_and_found() -> None:
    found = dream(_corpus(FILES), Policy())
    assert [draft.kind for draft in found.drafts] == [Kind.CONFLICT, Kind.MERGE]
    assert found.narrative == "Read 2 files. Suggests 2 changes: conflict 1, merge 1."
    assert explain(found.drafts) == {"contradictions": 1, "duplicates": 1}


def test_a_second_dream_on_the_same_folder_finds_nothing_new() -> None:
    first = dream(_corpus(FILES), Policy())
    known = {fingerprint(draft) for draft in first.drafts}
    second = dream(_corpus(FILES), Policy(), known.__contains__)
    assert second.drafts == ()
    assert "2 suggestions known from before" in second.narrative


def test_nothing_slips_into_the_place_of_a_known_suggestion() -> None:
    corpus = _corpus({"a.md": "- one stands here\n"})
    document = corpus.documents["a.md"]

    def detector(_corpus: Corpus, _policy: Policy) -> Iterator[Draft]:
        for kind, text in ((Kind.PRUNE, "first"), (Kind.DATE, "second")):
            edit = replace_lines(document, 1, 1, (f"- {text}\n".encode(),))
            yield Draft(kind, "prune", text, "because", 0.9, (evidence(document, 1, 1),), (text,), (edit,))

    (first,) = dream(corpus, Policy(), detectors=[detector]).drafts
    assert dream(corpus, Policy(), {fingerprint(first)}.__contains__, [detector]).drafts == ()


def test_a_dream_is_the_same_every_time() -> None:
    one, other = dream(_corpus(FILES), Policy()), dream(_corpus(dict(reversed(FILES.items()))), Policy())
    assert [fingerprint(draft) for draft in one.drafts] == [fingerprint(draft) for draft in other.drafts]


def test_an_empty_folder_dreams_nothing() -> None:
    found = dream(_corpus({}), Policy())
    assert found.drafts == ()
    assert found.narrative == "Read 0 files. Found nothing to suggest."


def test_every_question_is_asked_once() -> None:
    assert len(set(DETECTORS)) == len(DETECTORS) >= 7


def test_a_dream_lets_go_of_the_texts_that_it_read() -> None:
    dream(_corpus({"a.md": "- The lock is shut at dusk.\n- The pump runs at noon.\n"}), Policy())
    assert scan.cache_info().currsize == 0
