from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dreamreview.errors import UsageError
from dreamreview.model.decisions import LogEntry, Op, Target, parse_target
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind, Option
from dreamreview.model.review import reduce, validate


def change(change_id: str, *edits: FileEdit, **more: Any) -> Change:
    shape: dict[str, Any] = {"kind": Kind.REWRITE, "title": "", "reason": "", "confidence": 1.0, "fingerprint": "f"}
    return Change(id=change_id, edits=edits, **(shape | more))


LINES = FileEdit(id="e1", path="a.md", start=0, stop=2, old=(b"a\n", b"b\n"), new=(b"A\n",))
RENAME = FileEdit(id="e2", path="b.md", act=Act.RENAME, to="c.md")
DELETE = FileEdit(id="e3", path="d.md", act=Act.DELETE, stop=1, old=(b"d\n",))
ONE = change("c1", LINES)
MOVED = change("c2", RENAME)
SEVERAL = change("c3", LINES, RENAME, DELETE)
CLAIM = Evidence(path="p.md", first=2, last=2, quote="")
SIDE_A = Option("A", "", (CLAIM,), (replace(LINES, id="A1"),))
SIDE_B = Option("B", "", (), (replace(DELETE, id="B1"),))
CONFLICT = change("c4", kind=Kind.CONFLICT, options=(SIDE_A, SIDE_B))


@pytest.mark.parametrize(
    ("about", "op", "word", "choice", "message"),
    [
        (None, Op.ACCEPT, "c9", None, "there is no change c9 in this proposal"),
        (ONE, Op.ACCEPT, "c1.e7", None, "c1 has no edit e7; it has e1"),
        (ONE, Op.ACCEPT, "c1.e1:-3", None, "e1 of c1 has 2 old lines, so none numbered 3"),
        (ONE, Op.REJECT, "c1.e1:+1-2", None, "e1 of c1 has 1 new lines, so none numbered 2"),
        (MOVED, Op.ACCEPT, "c2.e2:+1", None, "e2 of c2 has no lines: it can only be decided as a whole"),
        (MOVED, Op.EDIT, "c2", None, "c2 has no text to edit"),
        (MOVED, Op.EDIT, "c2.e2", None, "e2 of c2 has no text to edit: it can only be decided as a whole"),
        (SEVERAL, Op.EDIT, "c3", None, "c3 has several edits: name one of c3.e1, c3.e3"),
        (ONE, Op.EDIT, "c1.e1:+1", None, "a text stands for a whole edit: say c1.e1, not c1.e1:+1"),
        (ONE, Op.CHOOSE, "c1", "A", "c1 is no conflict: accept or reject it"),
        (ONE, Op.SKIP, "c1.e1", None, "skip is about a whole change: say c1, not c1.e1"),
        (CONFLICT, Op.ACCEPT, "c4", None, "c4 is a conflict: choose A, B, both or skip"),
        (CONFLICT, Op.CHOOSE, "c4", "C", "c4 has no option C: choose A, B, both or skip"),
        (CONFLICT, Op.CHOOSE, "c4", None, "c4 has no option None: choose A, B, both or skip"),
        (CONFLICT, Op.CHOOSE, "c4.A1", "A", "choose is about a whole change: say c4, not c4.A1"),
        (
            replace(CONFLICT, suggested="B"),
            Op.EDIT,
            "c4",
            None,
            "c4 names no lines that another text could replace: choose A, B, both or skip",
        ),
    ],
)
def test_nonsense_is_refused_with_a_sentence(
    about: Change | None, op: Op, word: str, choice: str | None, message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        validate(about, op, parse_target(word), choice, text=b"t")
    assert str(caught.value) == message


def test_an_edit_without_a_text_is_refused() -> None:
    with pytest.raises(UsageError, match="to edit c1, give the text that shall stand there"):
        validate(ONE, Op.EDIT, Target("c1"))


@pytest.mark.parametrize(
    ("about", "op", "word", "choice"),
    [
        (ONE, Op.ACCEPT, "c1", None),
        (ONE, Op.ACCEPT, "c1.e1:-1-2,+1", None),
        (ONE, Op.EDIT, "c1", None),
        (ONE, Op.NOTE, "c1", None),
        (SEVERAL, Op.EDIT, "c3.e3", None),
        (SEVERAL, Op.SKIP, "c3", None),
        (CONFLICT, Op.REJECT, "c4", None),
        (CONFLICT, Op.CHOOSE, "c4", "both"),
        (CONFLICT, Op.CHOOSE, "c4", "skip"),
        (CONFLICT, Op.EDIT, "c4", None),
        (CONFLICT, Op.EDIT, "c4.B1", None),
        (None, Op.UNDO, "c9", None),
    ],
)
def test_what_makes_sense_passes(about: Change | None, op: Op, word: str, choice: str | None) -> None:
    validate(about, op, parse_target(word), choice, text=b"t")
    if about is not None:
        entry = LogEntry(n=1, at="", by="", op=op, on=word, choice=choice, text=b"t")
        assert reduce([about], [entry]).ignored == ()


def test_lines_are_checked_against_the_text_that_was_written() -> None:
    entry = LogEntry(n=1, at="", by="", op=Op.EDIT, on="c1", text=b"1\n2\n3\n")
    review = reduce([ONE], [entry]).of["c1"]
    validate(ONE, Op.REJECT, parse_target("c1.e1:+3"), review=review)
    with pytest.raises(UsageError, match="e1 of c1 has 3 new lines, so none numbered 4"):
        validate(ONE, Op.REJECT, parse_target("c1.e1:+4"), review=review)


def test_an_edit_of_an_option_waits_for_the_option_to_be_chosen() -> None:
    with pytest.raises(UsageError, match="A1 belongs to option A: choose A of c4 first"):
        validate(CONFLICT, Op.REJECT, parse_target("c4.A1"), review=reduce([CONFLICT], []).of["c4"])
    chosen = [LogEntry(n=1, at="", by="", op=Op.CHOOSE, on="c4", choice="A")]
    validate(CONFLICT, Op.REJECT, parse_target("c4.A1"), review=reduce([CONFLICT], chosen).of["c4"])


@pytest.mark.parametrize(
    "theirs",
    [
        FileEdit(id="e1", path="p.md", start=1, stop=2, old=(b"2\n",)),
        FileEdit(id="e1", path="p.md", act=Act.DELETE),
        FileEdit(id="e1", path="p.md", act=Act.RENAME, to="x.md"),
    ],
)
def test_a_third_text_gives_way_to_another_change_of_the_same_lines(theirs: FileEdit) -> None:
    others = (CONFLICT, change("c7", theirs))
    with pytest.raises(UsageError, match="change c7 edits the same lines: choose an option of c4 instead"):
        validate(CONFLICT, Op.EDIT, Target("c4"), text=b"t", changes=others)


def test_a_third_text_stands_beside_changes_of_other_lines() -> None:
    apart = FileEdit(id="e1", path="p.md", start=2, stop=3, old=(b"3\n",))
    validate(CONFLICT, Op.EDIT, Target("c4"), text=b"t", changes=(CONFLICT, change("c7", apart)))


def test_a_third_text_needs_its_lines_in_the_base() -> None:
    validate(CONFLICT, Op.EDIT, Target("c4"), text=b"t", base_lines=lambda _: (b"1\n", b"2\n"))
    with pytest.raises(UsageError, match="the lines that c4 speaks of are not in the base"):
        validate(CONFLICT, Op.EDIT, Target("c4"), text=b"t", base_lines=lambda _: (b"1\n",))
