"""Contradictions of which one side is said in several places."""

from __future__ import annotations

import os
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.arbitration import arbitrate, fingerprint
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import delete_lines, evidence
from dreamreview.dream.statements import find
from dreamreview.model.edits import Edit, compose
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Role
from dreamreview.model.proposal import Act, FileEdit, Kind

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
OLD = "# Net\n\n- The API listens on port 8080.\n- Water is wet.\n"
AGAIN = "# Hosts\n\n- The API listens on port 8080 on each host.\n"
NEW = "# Move\n\n- Since 2026-05-01 the API listens on port 9090.\n"


def corpus_of(files: dict[str, str]) -> Corpus:
    documents = {path: parse(path, text.encode()) for path, text in files.items()}
    return Corpus(documents, frozenset(files), date(2026, 9, 15))


def conflicts(files: dict[str, str]) -> list[Draft]:
    corpus = corpus_of(files)
    return [draft for draft in arbitrate(find(corpus, Policy()), corpus) if draft.kind is Kind.CONFLICT]


def shown(edits: tuple[FileEdit, ...]) -> list[tuple[str, int, tuple[bytes, ...]]]:
    return [(edit.path, edit.start, edit.new) for edit in edits]


def test_whoever_says_the_same_as_a_side_gives_way_with_it() -> None:
    (draft,) = conflicts({"a.md": OLD, "b.md": AGAIN, "c.md": NEW})
    keep_old, keep_new = draft.options
    assert [(item.path, item.first) for item in keep_old.evidence] == [("a.md", 3), ("b.md", 3)]
    assert [(item.path, item.first) for item in keep_new.evidence] == [("c.md", 3)]
    assert shown(keep_new.edits) == [
        ("a.md", 2, (b"- The API listens on port 9090.\n",)),
        ("b.md", 2, (b"- The API listens on port 9090 on each host.\n",)),
    ]
    assert [edit.path for edit in keep_old.edits] == ["c.md"]
    assert draft.suggested == "B"
    assert draft.reason.endswith("What a.md:3 says stands at b.md:3 as well and gives way with it.")


def test_the_first_side_may_be_the_one_that_is_said_alone() -> None:
    (draft,) = conflicts({"a.md": NEW, "b.md": AGAIN, "c.md": OLD})
    keep_new, keep_old = draft.options
    assert [(item.path, item.first) for item in keep_new.evidence] == [("a.md", 3)]
    assert [(item.path, item.first) for item in keep_old.evidence] == [("c.md", 3), ("b.md", 3)]
    assert sorted(edit.path for edit in keep_new.edits) == ["b.md", "c.md"]
    assert draft.suggested == "A"


def test_two_paragraphs_that_give_way_go_as_one() -> None:
    twice = "# Net\n\nNever feed the cat raw fish at noon.\n\nThe cat is never fed raw fish at noon.\n"
    other = "# Cat\n\nSince 2026-05-01 we feed the cat raw fish at noon.\n"
    drafts = conflicts({"a.md": twice, "b.md": other})
    edits = [edit for draft in drafts for option in draft.options for edit in option.edits if edit.path == "a.md"]
    assert [(edit.start, edit.stop, edit.new) for edit in edits] == [(2, 5, ())]


def test_a_third_value_is_a_contradiction_of_its_own() -> None:
    third = "# Lab\n\n- The API listens on port 7070 on each host.\n"
    (draft,) = conflicts({"a.md": OLD, "b.md": third, "c.md": NEW})
    assert sorted(len(option.evidence) for option in draft.options) == [1, 1]


def test_what_holds_a_secret_is_not_drawn_in() -> None:
    secret = "# Hosts\n\n- The API listens on port 8080, password: FAKE-0000-tide-77.\n"
    drafts = conflicts({"a.md": OLD, "b.md": secret, "c.md": NEW})
    assert all(item.path != "b.md" for draft in drafts for option in draft.options for item in option.evidence)


def test_who_says_the_same_without_being_plainly_at_odds_is_named_and_left() -> None:
    rule = "# Winch\n\n- Safety limit: the winch stops when the wind at the mast is above 40 km/h.\n"
    alike = "# Lamp\n\n- When the wind at the mast is above 40 km/h the winch stops and its lamp turns red.\n"
    remark = "# Day\n\n- Ann says that running the winch at 55 km/h of wind was fine and asks to raise the limit.\n"
    (draft,) = conflicts({"a.md": rule, "b.md": remark, "c.md": alike})
    assert [len(option.evidence) for option in draft.options] == [1, 1]
    assert draft.reason.endswith(" c.md:3 says the same as a.md:3 and is left as it is.")


def test_who_says_more_than_a_side_is_named_and_left() -> None:
    crew = "# Crew\n\n- Deckhands tie the ropes at both quays and count the cars.\n"
    more = "# Ferry\n\n- Pilots steer the ferry, deckhands tie the ropes and count the cars, stewards sell coffee.\n"
    turn = "# Deck\n\n- Correction 2026-05-01: Deckhands never tie the ropes at both quays nor count the cars.\n"
    drafts = conflicts({"a.md": crew, "b.md": more, "c.md": turn})
    assert [edit.path for draft in drafts for option in draft.options for edit in option.edits] == ["c.md", "a.md"]
    assert drafts[0].reason.endswith(" b.md:3 says the same as a.md:3 and is left as it is.")


def test_a_typed_note_that_says_a_side_twice_is_not_left_empty() -> None:
    twice = (
        "---\nname: cat\ndescription: what it eats\ntype: project\n---\n\n"
        "- Never feed the cat raw fish at noon.\n- The cat is never fed raw fish at noon.\n"
    )
    (draft,) = conflicts({"a.md": twice, "b.md": "# Cat\n\nSince 2026-05-01 we feed the cat raw fish at noon.\n"})
    assert shown(draft.options[1].edits) == [
        ("a.md", 6, (b"- Since 2026-05-01 we feed the cat raw fish at noon.\n",)),
        ("a.md", 7, ()),
    ]


def test_a_later_word_that_says_the_same_as_the_other_side_speaks_against_a_suggestion() -> None:
    later = AGAIN.replace("The API", "Since 2026-06-11 the API")
    (draft,) = conflicts({"a.md": OLD, "b.md": later, "c.md": NEW})
    assert draft.suggested is None
    assert "do not agree on which is current." in draft.reason


def test_the_two_sides_alone_are_asked_about_where_another_change_takes_up_who_says_the_same() -> None:
    corpus = corpus_of({"a.md": OLD, "b.md": AGAIN, "c.md": NEW})
    hosts = corpus.documents["b.md"]
    aside = Draft(
        kind=Kind.QUARANTINE,
        phase="gather",
        title="set it aside",
        reason="because",
        confidence=0.9,
        evidence=(evidence(hosts, 3, 3),),
        texts=("hosts",),
        edits=(delete_lines(hosts, 3, 3),),
    )
    _, draft = arbitrate([*find(corpus, Policy()), aside], corpus)
    assert [edit.path for option in draft.options for edit in option.edits] == ["c.md", "a.md"]
    assert draft.reason.endswith(" b.md:3 says the same as a.md:3 and is left as it is.")


def test_a_contradiction_that_was_suggested_before_does_not_come_back_between_others_of_its_places() -> None:
    corpus = corpus_of({"a.md": OLD, "b.md": AGAIN, "c.md": NEW})
    drafts = tuple(find(corpus, Policy()))
    prints = {fingerprint(draft) for draft in drafts if draft.kind is Kind.CONFLICT}
    assert len(prints) == 2
    for known in prints:
        admitted = arbitrate(drafts, corpus, {known}.__contains__)
        assert {fingerprint(draft) for draft in admitted if draft.kind is Kind.CONFLICT} <= {known}


def test_a_sentence_that_goes_takes_no_other_byte_of_its_line() -> None:
    nested = "# Cat\n\n- Barn\n    - We always feed the cat raw fish at noon. It sleeps in  `a  b`.  \r\n"
    (draft,) = conflicts({"a.md": nested, "b.md": "# Food\n\nNever feed the cat raw fish at noon.\n"})
    assert shown(draft.options[1].edits) == [("a.md", 3, (b"    - It sleeps in  `a  b`.  \r\n",))]


def test_a_statement_said_anew_keeps_what_opens_its_file_and_its_item() -> None:
    first = "\ufeff- Never feed the cat raw fish at noon.\n- It sleeps all day long.\n"
    day = "# Day\n\n- From now on we feed the cat raw fish at noon.\n"
    (draft,) = conflicts({"a.md": first, "2026-05-02.md": day})
    said = "\ufeff- From now on we feed the cat raw fish at noon.\n"
    assert [edit for option in draft.options for edit in shown(option.edits)] == [("a.md", 0, (said.encode(),))]


def test_an_amount_that_a_statement_states_on_two_lines_is_not_replaced_on_one() -> None:
    wrapped = "# Net\n\n- The API listens on port 8080\n  and nothing else may use port 8080.\n- Water is wet.\n"
    (draft,) = conflicts({"a.md": wrapped, "c.md": NEW})
    assert shown(draft.options[1].edits) == [("a.md", 2, ())]


def test_an_entry_gives_way_with_the_sign_that_parts_it_from_the_next() -> None:
    entries = "Water is wet.\n§\nNever feed the cat raw fish at noon.\n§\nIt turns at dusk.\n"
    (draft,) = conflicts({"a.md": entries, "b.md": "# Cat\n\nSince 2026-05-01 we feed the cat raw fish at noon.\n"})
    (gone,) = draft.options[1].edits
    assert gone.old == (b"Never feed the cat raw fish at noon.\n", "§\n".encode())


def test_of_many_in_the_same_words_every_one_gives_way_and_the_reason_names_few() -> None:
    many = {f"n{number:02}.md": OLD.replace("# Net", f"# Net {number}") for number in range(20)}
    pads = {f"p{number:02}.md": f"# P\n\n- Berth {number} holds boat {number} of pier.\n" for number in range(150)}
    (draft,) = conflicts({**many, **pads, "zz.md": NEW})
    assert [len(option.evidence) for option in draft.options] == [20, 1]
    assert [edit.path for edit in draft.options[1].edits] == sorted(many)
    assert draft.reason.endswith("n05.md:3, n06.md:3 and 13 more as well and gives way with it.")


SAID = (
    "The API listens on port 8080.",
    "The API listens on port 8080 on each host.",
    "Since 2026-05-01 the API listens on port 9090.",
    "The API listens on port 7070.",
    "Never feed the cat raw fish at noon.",
    "The cat is never fed raw fish at noon.",
    "Since 2026-05-01 we feed the cat raw fish at noon.",
    "We always feed the cat raw fish at noon. It sleeps in the barn.",
    "Water is wet and cold in the long winter.",
)
TYPED = "---\nname: note\ndescription: a note\ntype: project\n---\n\n"
_BLOCKS = st.tuples(st.sampled_from(SAID), st.sampled_from(["- {}\n", "  - {}\n", "1. {}\n", "\n{}\n\n"]))


def _file(head: str, blocks: list[tuple[str, str]], end: str, tail: str, mark: str) -> str:
    text = head + "".join(form.format(said) for said, form in blocks)
    return mark + (text.rstrip("\n") + tail).replace("\n", end)


_FILES = st.builds(
    _file,
    st.sampled_from(["", "# Net\n\n", "# 2026-05-03\n\n", TYPED]),
    st.lists(_BLOCKS, min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
    st.sampled_from(["", "", "\ufeff"]),
)


@settings(max_examples=max(20, int(100 * SCALE)), deadline=None)
@given(st.lists(_FILES, min_size=2, max_size=3), _FILES, st.sets(st.integers(0, 30)), st.data())
def test_any_choice_composes_and_leaves_no_typed_note_empty(
    texts: list[str], day: str, left: set[int], data: st.DataObject
) -> None:
    files = {**{f"{number}.md": text for number, text in enumerate(texts)}, "2026-05-02.md": day}
    corpus = corpus_of(files)
    admitted = arbitrate(find(corpus, Policy()), corpus)
    picked: dict[str, list[FileEdit]] = {}
    for number, draft in enumerate(admitted):
        choices = [option.edits for option in draft.options] or [draft.edits]
        for edit in () if number in left else data.draw(st.sampled_from(choices)):
            picked.setdefault(edit.path, []).append(edit)
    for path, edits in picked.items():
        before = corpus.documents[path]
        if any(edit.act is not Act.LINES for edit in edits):
            continue
        assert all(before.lines[edit.start : edit.stop] == edit.old for edit in edits)
        after = b"".join(compose(before.lines, [Edit(edit.start, edit.stop, edit.new) for edit in edits]))
        assert b"\xef\xbb\xbf" not in after[1:]
        assert before.frontmatter is None or Role.TEXT in parse(path, after).roles
        assert path != "2026-05-02.md"


def test_a_day_alone_is_no_news() -> None:
    since = "# Move\n\n- Since 2026-05-01 the lock keeper listens on channel 9.\n"
    other = "# Radio\n\n- Ask for the lock keeper of the upper gate on channel 9.\n"
    assert conflicts({"a.md": since, "b.md": other}) == []
