"""`dreamreview decide`: accept, reject, choose, edit or clear changes by name, in bulk, or from a file."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, named_folder
from dreamreview.cli.opening import open_store
from dreamreview.cli.report import totals
from dreamreview.cli.wishes import Wish, check, choice, from_document, in_bulk, pair, targets, why_left_out, wish
from dreamreview.errors import UsageError
from dreamreview.model.proposal import Kind
from dreamreview.model.review import Op

if TYPE_CHECKING:
    from dreamreview.workspace import OpenReview

_BARE = ""
"""Value of --accept and --reject where they stand without an ID, beside --kind."""

_ID = "ID[@SEEN]"


@dataclasses.dataclass(frozen=True, slots=True)
class _Asked:
    """The options of one command line."""

    accept: tuple[str, ...]
    reject: tuple[str, ...]
    reason: str
    choose: tuple[str, ...]
    edit: tuple[str, ...]
    clear: tuple[str, ...]
    source: str | None
    kind: str | None
    least: float | None


@click.command(short_help="Accept, reject, choose, edit or clear changes.")
@named_folder
@click.argument("proposal")
@click.option("--accept", multiple=True, is_flag=False, flag_value=_BARE, metavar=_ID, help="Accept a change.")
@click.option("--reject", multiple=True, is_flag=False, flag_value=_BARE, metavar=_ID, help="Reject a change.")
@click.option("--reason", default="", metavar="TEXT", help="Why; kept with each decision of this command.")
@click.option("--choose", multiple=True, metavar="ID=A|B|both|skip", help="Settle a conflict.")
@click.option("--edit", multiple=True, metavar="ID=FILE", help="Accept with the text of FILE instead.")
@click.option("--clear", multiple=True, metavar=_ID, help="Take a decision back.")
@click.option("--from", "source", metavar="FILE|-", help="Decide as the JSON of `show` says.")
@click.option(
    "--kind", type=click.Choice([str(kind) for kind in Kind]), help="With bare --accept or --reject: all of a kind."
)
@click.option(
    "--min-confidence", "least", type=click.FloatRange(0, 1), metavar="X", help="With --kind: from X upwards."
)
@as_json
def decide(folder: str, proposal: str, is_json: bool, **options: object) -> int:
    """Decide changes of PROPOSAL of FOLDER; nothing is written to the folder before `apply`.

    ID is a change, CHANGE.e2 one edit of it, CHANGE.e2:-1,+1-3 lines of that edit. ID@SEEN decides only what was seen:
    `show --json` tells it. All options are checked before the first decision is kept.
    """
    asked = _Asked(**options)  # type: ignore[arg-type]  # click hands over what the options above declare
    workspace = open_store(folder)
    resolved = workspace.resolve(proposal)
    if resolved is None:
        raise UsageError(f"there is no proposal {proposal} in {workspace.folder}")
    review = workspace.open(resolved)
    wished, left = _in_bulk(review, asked, asked.kind) if asked.kind else (_named(review, asked), [])
    wishes = check(review, wished)
    decide_all(review, wishes)
    if is_json:
        output.document({"counts": dataclasses.asdict(review.counts), "decided": targets(wishes)})
    else:
        done = f"{len(targets(wishes))} decided now" if wishes else _nothing(asked, left)
        output.say(f"{done} · {totals(review)}")
    return 0


def decide_all(review: OpenReview, wishes: tuple[Wish, ...]) -> None:
    """Write checked decisions to the log of the review, those on whole changes first: parts may build on them."""
    from dreamreview.workspace import Decision

    for is_part in (False, True):
        some = [each for each in wishes if (each.target.edit is not None) is is_part]
        review.decide_all(
            [Decision(each.op, str(each.target), each.choice, each.text, each.reason, each.seen) for each in some]
        )


def _named(review: OpenReview, asked: _Asked) -> list[Wish]:
    if asked.least is not None:
        raise UsageError("--min-confidence goes with --kind")
    if _BARE in (*asked.accept, *asked.reject):
        raise UsageError("--accept and --reject without an ID go with --kind")
    wishes = [wish(Op.ACCEPT, word, reason=asked.reason) for word in asked.accept]
    wishes += [wish(Op.REJECT, word, reason=asked.reason) for word in asked.reject]
    wishes += [wish(Op.CLEAR, word, reason=asked.reason) for word in asked.clear]
    wishes += [choice(word, asked.reason) for word in asked.choose]
    for word in asked.edit:
        name, path = pair(word, "FILE")
        wishes.append(wish(Op.EDIT, name, text=_read(path), reason=asked.reason))
    if asked.source is not None:
        if wishes:
            raise UsageError("--from stands alone: the file says what is decided")
        return from_document(review, _read(asked.source))
    if not wishes:
        raise UsageError("nothing to decide: name a change with --accept, --reject, --choose, --edit or --clear")
    return wishes


def _in_bulk(review: OpenReview, asked: _Asked, name: str) -> tuple[list[Wish], list[str]]:
    """Return the decisions on a kind, and the ids that were left out, which are told."""
    if asked.choose or asked.edit or asked.clear or asked.source or (asked.accept, asked.reject) not in _BULK:
        raise UsageError("--kind takes one of --accept and --reject, without an ID, and no other decision")
    kind, least = Kind(name), asked.least or 0.0
    if math.isnan(least):
        raise UsageError("--min-confidence must be a number from 0 to 1")
    if kind is Kind.CONFLICT:
        raise UsageError("conflicts are settled one by one: say --choose ID=A, B, both or skip")
    op = Op.ACCEPT if asked.accept else Op.REJECT
    wishes, left = in_bulk(review, kind, least, op, asked.reason)
    if left:
        output.note(f"{why_left_out(review, op)}: {' '.join(left)}")
    return wishes, left


def _nothing(asked: _Asked, left: list[str]) -> str:
    """Return why a command decided nothing: all of it was left out, or there was nothing to decide."""
    if left:
        what = f"all {len(left)} changes were" if len(left) > 1 else "the only change was"
        option = "--accept" if asked.accept else "--reject"
        return f"nothing was decided: {what} left out; name each with {option} ID"
    if asked.kind:
        sure = f" and has a confidence of {asked.least:g} or more" if asked.least else ""
        return f"nothing was decided: no undecided change is of kind {asked.kind}{sure}"
    return "nothing was decided: all is as the file says already"


_BULK = (((_BARE,), ()), ((), (_BARE,)))


def _read(path: str) -> bytes:
    if path == "-":
        return output.standard_input()
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
