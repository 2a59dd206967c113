"""What stands for a secret where it is shown is never written: not by a person, not from a proposal."""

from __future__ import annotations

import pytest

from dreamreview.errors import UsageError
from dreamreview.model.decisions import parse_target
from dreamreview.model.edits import Text, split_lines
from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option
from dreamreview.model.review import Op, validate
from dreamreview.model.secrets import mask
from dreamreview.model.unmasking import masks_in

KEY = "sk-" + "live-0000FAKE1111FAKE2222"
MASKED = mask(KEY)
BASE = f"# Mailer\n\n- key: {KEY}\n- password: Fake-2025\n- Odile mends sails.\n".encode()


def base(path: str) -> Text:
    return split_lines(BASE) if path == "mailer.md" else ()


def change(new: bytes, old: bytes = b"- Odile mends sails.\n", **options: str) -> Change:
    """Return a change of the last line, or with options a conflict of texts."""
    edit = FileEdit("e1", "mailer.md", Act.LINES, 4, 5, split_lines(old), split_lines(new))
    if not options:
        return Change("c1", Kind.EDIT, "t", "", 0.5, "0" * 64, edits=(edit,))
    sides = tuple(
        Option(key, key, (), (FileEdit(f"{key}1", "mailer.md", Act.LINES, 4, 5, edit.old, split_lines(text.encode())),))
        for key, text in options.items()
    )
    return Change("c1", Kind.CONFLICT, "t", "", 0.5, "0" * 64, options=sides)


def decide(made: Change, op: Op, on: str = "c1", choice: str | None = None, text: bytes | None = None) -> None:
    validate(made, op, parse_target(on), choice, text=text, base_lines=base)


@pytest.mark.parametrize(
    "text",
    [
        f"- key: {MASKED}\n",
        f"see {MASKED} for the mailer\n",
        "- password: ***\n",
        "the password is ***\n",
        '{"password": "***"}\n',
        "- key: ⟦secret 1⟧\n",
    ],
)
def test_a_text_that_holds_a_mask_is_refused_whoever_wrote_it(text: str) -> None:
    with pytest.raises(UsageError, match="only stands for a secret: write it anew"):
        decide(change(b"- Odile sews.\n"), Op.EDIT, text=text.encode())
    with pytest.raises(UsageError, match="only stands for a secret: edit it, or reject it"):
        decide(change(text.encode()), Op.ACCEPT)


@pytest.mark.parametrize(
    "text",
    [
        "***Odile*** mends sails.\n",
        "***\n",
        f"- key: {KEY}\n- password: Fake-2025\n",
        "- password: [redacted]\n",
        "it goes on … and on\n",
        "- Odile mends sails ⟦as it were⟧.\n",
    ],
)
def test_marks_that_stand_for_nothing_may_be_written(text: str) -> None:
    assert masks_in(split_lines(text.encode()), change(text.encode()), base) == []
    decide(change(b"- Odile sews.\n"), Op.EDIT, text=text.encode())
    decide(change(text.encode()), Op.ACCEPT)


def test_a_mask_that_a_file_held_already_may_stay() -> None:
    old = f"- key: {MASKED} (masked in the mail)\n".encode()
    decide(change(old.replace(b"mail)", b"letter)"), old), Op.ACCEPT)


def test_other_lines_of_the_same_edit_can_be_taken_and_all_of_it_rejected() -> None:
    made = change(f"- Odile sews.\n- key: {MASKED}\n".encode())
    decide(made, Op.ACCEPT, "c1.e1:+1")
    decide(made, Op.REJECT)
    with pytest.raises(UsageError, match="only stands for a secret"):
        decide(made, Op.ACCEPT, "c1.e1:+2")
    with pytest.raises(UsageError, match="only stands for a secret"):
        decide(made, Op.ACCEPT, "c1.e1")


def test_a_side_of_a_conflict_that_holds_a_mask_is_not_chosen() -> None:
    made = change(b"", A="- Odile sews.\n", B=f"- key: {MASKED}\n")
    decide(made, Op.CHOOSE, choice="A")
    for choice in ("B", "both"):
        with pytest.raises(UsageError, match="only stands for a secret"):
            decide(made, Op.CHOOSE, choice=choice)


def test_where_nothing_was_ever_masked_a_short_mask_is_plain_text() -> None:
    edit = FileEdit("e1", "plain.md", Act.LINES, 0, 0, (), (b"- password: ***\n",))
    plain = Change("c1", Kind.EDIT, "t", "", 0.5, "0" * 64, edits=(edit,))
    decide(plain, Op.ACCEPT)
