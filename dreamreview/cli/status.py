"""`dreamreview status`: one line for a prompt, and whether it wants attention."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.opening import open_store

if TYPE_CHECKING:
    from dreamreview.workspace import Status

ATTENTION = 5
"""Exit status of a look that found something for a person to do."""


@click.command(short_help="Tell in one line how a folder stands.")
@folder_argument
@as_json
def status(folder: str | None, is_json: bool) -> int:
    """Tell in one line what waits in FOLDER, and when it last dreamed; ends 5 when something wants attention."""
    seen = open_store(folder).status()
    for warning in seen.warnings:
        output.note(warning)
    if is_json:
        for alarm in seen.alarms:
            output.note(f"alarm: {alarm}")
        output.document(_shape(seen))
    else:
        output.say(told(seen))
    return ATTENTION if seen.needs_attention else 0


def _shape(seen: Status) -> dict[str, object]:
    shape = dataclasses.asdict(seen)
    for key in ("warnings", "alarms", "missing"):
        del shape[key]
    return {key: output.safe(value) if isinstance(value, str) else value for key, value in shape.items()}


def told(seen: Status) -> str:
    """Return the state of a store in one line."""
    waiting = f"{seen.pending} pending, {seen.undecided} to decide" if seen.pending else "nothing pending"
    dreamed = f"last dream {_minute(seen.last_dream)} ({seen.last_status})" if seen.last_dream else "never dreamed"
    if not seen.last_dream and seen.last_status == "failed":
        dreamed = "last dream failed"
    parts = [*(f"ALARM: {alarm}" for alarm in seen.alarms), waiting, dreamed]
    if seen.missing:
        parts.append(f"no dream due: {seen.missing}{' since then' if seen.last_dream else ''}")
    elif seen.next:
        parts.append("a dream is due")
    if seen.locked_by:
        parts.append(f"locked by {seen.locked_by}")
    return " · ".join(parts)


def _minute(instant: str) -> str:
    """Return an RFC 3339 UTC instant to the minute."""
    return f"{instant[:16]}Z"
