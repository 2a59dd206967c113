"""What an apply or an undo did to the store at the service that the folder is a copy of, as rows to show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.tui.detail.rows import BLANK, Row, Words
from dreamreview.tui.inert import own, said
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from dreamreview.workspace.values import There

LINES = 20
"""Lines of each text of a conflict that are shown."""


def there_rows(there: There | None) -> Iterator[Row]:
    """Yield what got there, each conflict with both texts, and what waits; nothing for a folder that is no copy."""
    if there is None:
        return
    yield BLANK
    if there.written:
        written = count(len(there.written), "file")
        yield Words((own(f"{written} written back to  ", "kind"), said(there.store, "path")), hang=4)
    for one in there.conflicts:
        yield Words(
            (
                own("others changed  ", "warn"),
                said(one.path, "path"),
                own("  meanwhile; it stays there as it is", "warn"),
            )
        )
        yield from _text("here:  ", one.here, "old")
        yield from _text("there: ", one.there, "new")
    if there.conflicts:
        advice = f"dreamreview import FOLDER memstore:{there.store}"
        yield Words((own("Nothing of either is lost; to review their text:  ", "dim"), said(advice)), hang=4)
    for told in there.left:
        yield Words((own("waits  ", "warn"), said(told)), hang=4)
    if there.problem:
        yield Words((own("not all is there yet  ", "danger"), said(there.problem)), hang=4)
        yield Words((own("The next apply sends what waits.", "dim"),))


def _text(side: str, text: str | None, style: str) -> Iterator[Row]:
    lines = ["nothing"] if text is None else text.removesuffix("\n").split("\n")[:LINES]
    yield from (Words((own(f"    {side}", "dim"), said(line, style)), hang=4) for line in lines)
