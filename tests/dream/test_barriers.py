from __future__ import annotations

from datetime import date

import pytest

from dreamreview.dream.claims import know
from dreamreview.dream.engine import Corpus, Policy
from dreamreview.dream.judging import judge
from dreamreview.dream.relation import Kinship
from dreamreview.dream.statements import find
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Kind


def _kinds(files: dict[str, str]) -> list[Kind]:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return [draft.kind for draft in find(Corpus(documents, frozenset(files), date(2026, 9, 15)), Policy())]


def test_a_word_list_says_over_what_the_file_of_that_name_begins_with() -> None:
    files = {
        "crew.md": "# Relief\n\nA relief is a group of hands who may be asked for another boat.\n",
        "words.md": "# Words\n\n- **Relief**: hands who may be asked for another boat.\n- **Lug**: a sail.\n",
    }
    assert _kinds(files) == [Kind.MERGE]
    assert _kinds(files | {"crew.md": files["crew.md"].replace("# Relief", "# Winter")}) == []


def test_only_says_no_more_than_what_both_deny() -> None:
    one = "- Sail plans are printed in black on white only, the plotter of hut 5 has no colours.\n"
    other = "- All sail plans are black and white, since the plotter of hut 5 does not have colours.\n"
    assert _kinds({"a.md": one, "b.md": other}) == [Kind.MERGE]
    one, other = "- Only the plotter of hut 5 prints sail plans.\n", "- The plotter of hut 5 prints sail plans.\n"
    assert _kinds({"a.md": one, "b.md": other}) == []


def test_a_brief_sentence_that_another_says_whole_is_said_once_whatever_stands_above() -> None:
    brief = "# Lockers\n\n- A guest may borrow two spare keys at a time.\n"
    longer = "# Desk\n\n- No guest can borrow more than two spare keys at once; the desk greys out the button.\n"
    assert _kinds({"a.md": brief, "b.md": longer}) == [Kind.MERGE]
    assert _kinds({"a.md": brief.replace("two", "four"), "b.md": longer}) == [Kind.CONFLICT]
    assert _kinds({"a.md": "# Lockers\n\n- Spare keys: two\n", "b.md": longer}) == []


@pytest.mark.parametrize(
    ("other", "kinship"),
    [
        ("Tide table: {link}", Kinship.DUPLICATE),
        ("The pump reports to {link}.", Kinship.DISTINCT),
    ],
)
def test_the_same_words_around_one_address_are_the_same_however_few(other: str, kinship: Kinship) -> None:
    link = "`https://tides.example.invalid/gate`"
    files = {"a.md": f"The tide table is {link}.\n", "b.md": other.format(link=link)}
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    store = know(Corpus(documents, frozenset(files), date(2026, 9, 15)))
    first, second = store.claims
    assert judge(first, second, store.weights).relation.kinship is kinship


def test_one_part_given_to_two_people_in_neighbouring_lines_is_a_conflict() -> None:
    lines = "# Crew\n\n- The head of the upper lock is Piotr.\n- Karin heads the upper lock.\n"
    assert _kinds({"a.md": lines}) == [Kind.CONFLICT]
    assert _kinds({"a.md": lines.replace("Karin heads the upper", "Karin heads the lower")}) == []
