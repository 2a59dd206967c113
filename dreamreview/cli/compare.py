"""`dreamreview compare`: how the local engine sees two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json
from dreamreview.errors import DreamReviewError, UsageError
from dreamreview.model.excerpts import differing
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dreamreview.workspace.comparing import Compared

MOST = 16 * 1024 * 1024
"""Bytes of a file of pairs at most."""
EXCERPT = 100
"""Characters of a text that a line for a person shows."""
_STDIN = "-"
_MARK = "\0"
"""Goes before a text that click would take for an option; no argument of a program can hold it."""

Pair = tuple[str, str]


class _Texts(click.Command):
    """A command whose arguments are texts: one that opens as a list item does is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [_MARK + word if word.startswith("- ") else word for word in args])


@click.command(cls=_Texts, short_help="Say how the local engine sees two texts.")
@click.argument("texts", nargs=-1, metavar="[A B]")
@click.option("--pairs", "pairs", metavar="FILE", help="Read two tab-separated texts a line; - reads stdin.")
@as_json
def compare(texts: tuple[str, ...], pairs: str | None, is_json: bool) -> int:
    """Say whether the local engine takes texts A and B for duplicates, for a conflict or for distinct, and why.

    Both are the texts themselves, not names of files.
    """
    if pairs is not None and texts:
        raise UsageError("--pairs brings the texts itself: give A and B, or --pairs FILE")
    if pairs is None and len(texts) != 2:
        raise UsageError(f"two texts are compared, not {len(texts)}: give A and B, or --pairs FILE")
    asked = list(_read(pairs)) if pairs is not None else [(_given(texts[0]), _given(texts[1]))]
    answers = _answers(asked)
    if is_json:
        output.document([_shape(pair, answer) for pair, answer in answers])
    elif pairs is None:
        output.say_all(_told(answer) for _, answer in answers)
    else:
        output.say_all(
            line for number, (pair, answer) in enumerate(answers, 1) for line in _listed(number, pair, answer)
        )
    return 0


def _given(text: str) -> str:
    return output.printable(text.removeprefix(_MARK))


def _answers(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Compared]]:
    # The engine's tables are read where they are asked for, so that `--help` does not wait for them.
    from dreamreview.workspace.comparing import compared

    return ((pair, compared(*pair)) for pair in pairs)


def _shape(pair: Pair, answer: Compared) -> dict[str, object]:
    return {
        "a": mask(pair[0]),
        "b": mask(pair[1]),
        "relation": answer.relation,
        "score": answer.score,
        "reason": output.safe(answer.reason),
    }


def _told(answer: Compared) -> str:
    return f"{answer.relation} ({answer.score:.2f}): {answer.reason}"


def _listed(number: int, pair: Pair, answer: Compared) -> Iterator[str]:
    yield f"{number}  {_told(answer)}"
    yield from (f"    {differing(text, other, EXCERPT)}" for text, other in (pair, pair[::-1]))


def _read(path: str) -> Iterator[Pair]:
    """Yield the pairs of a file, in order.

    Raises:
        UsageError: a line does not hold two texts.
        DreamReviewError: the file cannot be read, or holds more than `MOST`.
    """
    lines = _bytes(path).removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        try:
            texts = line.removesuffix(b"\r").decode("utf-8").split("\t")
        except UnicodeDecodeError as error:
            raise UsageError(f"{_named(path)}:{number} is not UTF-8: save the file as UTF-8") from error
        if len(texts) != 2:
            found = f"{len(texts) - 1} tabs" if len(texts) != 1 else "no tab"
            raise UsageError(f"{_named(path)}:{number} holds {found}: two texts with one tab between them are needed")
        yield texts[0], texts[1]


def _bytes(path: str) -> bytes:
    if path == _STDIN:
        data = output.standard_input(MOST + 1)
    else:
        try:
            with open(path, "rb") as file:
                data = file.read(MOST + 1)
        except OSError as error:
            raise DreamReviewError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(data) > MOST:
        raise DreamReviewError(f"{_named(path)} holds more than {MOST // 1024**2} MiB: cut it into smaller files")
    return data


def _named(path: str) -> str:
    return "stdin" if path == _STDIN else path
