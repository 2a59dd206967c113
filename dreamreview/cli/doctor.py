"""`dreamreview doctor`: how healthy a memory is; it changes nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.opening import open_store
from dreamreview.cli.output import printable
from dreamreview.cli.status import ATTENTION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.dream.health import Finding
    from dreamreview.settings import Settings
    from dreamreview.workspace.health import Health


@click.command(short_help="Find trouble and change nothing.")
@folder_argument
@as_json
def doctor(folder: str | None, is_json: bool) -> int:
    """Look for trouble in FOLDER and change nothing; ends 5 when there is any."""
    from dreamreview.settings import load

    workspace = open_store(folder)
    for sentence in _odd_settings(load()):
        output.note(sentence)
    health = workspace.doctor()
    if is_json:
        output.document(_shape(health))
    else:
        output.say(f"{workspace.folder}: {health.files} files, {health.notes} notes")
        over = f", {len(health.index_over)} lines over the limit" if health.index_over else ""
        output.say(f"index: {health.index_lines} lines, {health.index_bytes} bytes{over}")
        output.say_all(_listed(finding) for finding in health.findings)
        output.say(_counted(health.findings))
    return ATTENTION if health.findings else 0


def _odd_settings(settings: Settings) -> Iterator[str]:
    """Yield one sentence for each setting that only the app would stumble over, and that it therefore tells of too."""
    found: list[str] = []
    if settings.keymap:
        from dreamreview.tui.screens.every import problems_with

        found += problems_with(settings.keymap)
    if settings.theme:
        from dreamreview.tui.theme import problem_with

        found += filter(None, [problem_with(settings.theme)])
    yield from (f"{settings.source}: {sentence}" for sentence in found)


def _listed(finding: Finding) -> str:
    place = finding.path
    if finding.lines is not None:
        first, last = finding.lines
        place += f":{first}-{last}" if last > first else f":{first}"
    return f"{finding.cls}  {place}  {finding.message}"


def _counted(findings: Sequence[Finding]) -> str:
    """Return how many findings there are, and of which classes."""
    if not findings:
        return "nothing found"
    by_class = Counter(finding.cls for finding in findings)
    named = ", ".join(f"{cls} {number}" for cls, number in sorted(by_class.items()))
    return f"{len(findings)} finding{'' if len(findings) == 1 else 's'}: {named}"


def _shape(health: Health) -> dict[str, object]:
    return {
        "findings": [
            {
                "class": finding.cls,
                "path": printable(finding.path),
                "lines": finding.lines and list(finding.lines),
                "message": output.safe(finding.message),
            }
            for finding in health.findings
        ],
        "files": health.files,
        "notes": health.notes,
        "index": {
            "lines": health.index_lines,
            "bytes": health.index_bytes,
            "over": list(health.index_over),
        },
    }
