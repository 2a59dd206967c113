"""`python -m dreamreview.evaluate`: a proposal held against an answer key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, named_folder
from dreamreview.cli.evaluation import key as keys
from dreamreview.cli.evaluation.scoring import evaluate
from dreamreview.cli.opening import open_review, open_store
from dreamreview.errors import DreamReviewError
from dreamreview.model.proposal import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dreamreview.cli.evaluation.scoring import Evaluation, Score


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@named_folder
@click.argument("key")
@click.option("--proposal", metavar="ID", help="Any unique prefix of an id; without it, the newest that is ready.")
@as_json
def evaluation(folder: str, key: str, proposal: str | None, is_json: bool) -> int:
    """Hold a proposal of FOLDER against the answer KEY (JSON): precision and recall by class, and what was missed."""
    answers = keys.parse(_bytes(key), key)
    workspace = open_store(folder)
    review = open_review(workspace, proposal)
    if review is None:
        raise DreamReviewError(f"no proposal is ready in {folder}: `dreamreview dream` makes one")
    changes = review.proposal.changes
    index = [line.decode("utf-8", "replace") for line in review.base_text(keys.INDEX)]
    merges = [change for change in changes if change.kind is Kind.MERGE]
    found = evaluate(changes, answers, index, workspace.text_with(review, merges))
    if is_json:
        output.document({"proposal": review.proposal.id, "changes": len(changes)} | _shape(found))
    else:
        output.say(f"proposal {review.proposal.id}: {len(changes)} changes")
        output.say_all(_told(found))
    return 0


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(keys.MOST + 1)
    except OSError as error:
        raise DreamReviewError(f"{path} cannot be read: {error.strerror or error}") from error


def _shape(found: Evaluation) -> dict[str, object]:
    return {
        "classes": {score.name: _class(score) for score in found.scores},
        "false_merges": _texts(found.false_merges),
        "wrong_winners": _texts(found.wrong_winners),
        "lost": _texts(found.lost),
    }


def _class(score: Score) -> dict[str, object]:
    return {
        "precision": score.precision,
        "recall": score.recall,
        "expected": score.expected,
        "hits": score.hits,
        "missed": _texts(score.missed),
        "wrong": _texts(score.wrong),
    }


def _texts(texts: tuple[str, ...]) -> list[str]:
    return [output.safe(output.printable(text)) for text in texts]


def _told(found: Evaluation) -> Iterator[str]:
    yield f"{'class':16} {'precision':>9} {'recall':>9} {'of':>5} {'missed':>7} {'wrong':>6}"
    for score in found.scores:
        figures = f"{_share(score.precision):>9} {_share(score.recall):>9} {score.expected:5}"
        yield f"{score.name:16} {figures} {len(score.missed):7} {len(score.wrong):6}"
    for score in found.scores:
        yield from (f"{score.name} missed: {output.printable(each)}" for each in score.missed)
        yield from (f"{score.name} wrong: {output.printable(each)}" for each in score.wrong)
    yield from (f"merged and has to stay apart: {output.printable(each)}" for each in found.false_merges)
    yield from (f"suggests the wrong side: {each}" for each in found.wrong_winners)
    yield from (f"lost by the merges: {each}" for each in found.lost)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"
