"""Small invented memory folders in the three usual layouts, and how tests fill, copy and look at a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.workspace import Decision, OpenReview, Workspace

NOW = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
FOREIGN = "20260914T090000000"
"""Name of a copy that another program left."""

Files = Mapping[str, bytes | tuple[bytes, int]]
"""Path to bytes, with permission bits where they matter; `LINK_MODE` makes a link to the bytes."""

Memory = dict[str, tuple[int, bytes]]
"""Path to permission bits and bytes; `LINK_MODE` and the target for a link."""


def typed(name: str, kind: str, description: str, body: str, **keys: str) -> bytes:
    """Return a note file with frontmatter."""
    extra = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\nname: {name}\ndescription: {description}\ntype: {kind}\n{extra}---\n\n{body}".encode()


TYPED: Files = {
    "MEMORY.md": (
        b"# What I know\n\n"
        b"- [Head gardener](user_gardener.md) - reads logs on a phone\n"
        b"- [Polling](project_polling.md) - how often the beds are read\n"
        b"- [Pump trial](project_pump_trial.md) - why the second pump stays off\n"
        b"- [Units](feedback_units.md) - litres, never gallons\n"
    ),
    "user_gardener.md": (
        typed("gardener", "user", "Runs the greenhouse", "Reads logs on a phone, so keep lines under 60 columns.\n"),
        0o600,
    ),
    "project_polling.md": typed(
        "polling",
        "project",
        "How often the beds are read",
        "The moisture gateway listens on port 7070.\n\nYesterday the beds in row F got new probes.\n",
        modified="2026-09-10",
    ),
    "project_gateway.md": typed(
        "gateway",
        "project",
        "Where the gateway listens",
        "The moisture gateway listens on port 7171.\n",
        modified="2026-09-12",
    ),
    "feedback_units.md": typed(
        "units",
        "feedback",
        "Litres, never gallons",
        "Report water in litres, never in gallons.\n\n- Round to one decimal place in every report.\n",
        modified="2026-08-01",
    ),
    "feedback_reports.md": (
        typed(
            "reports",
            "feedback",
            "How reports look",
            "- Round to one decimal place in every report.\n- Start a report with the driest bed.\n",
            modified="2026-08-20",
        ),
        0o755,
    ),
}

DAILY: Files = {
    "MEMORY.md": (
        b"# Long-term memory\n\n"
        b"## Kitchen\n\n"
        b"- The oven runs ten degrees hot.\n"
        b"- The bread order goes out by 16:30.\n"
        b"\n## People\n\n"
        b"- Odile bakes on weekdays.\n"
    ),
    "memory/2026-09-11.md": (
        b"# 2026-09-11\n\n- Yesterday the mixer was repaired.\n- api_key = 'zq81Lmv02XcPq9Rt7Wd4Ks55Hy'\n"
    ),
    "memory/2026-09-12.md": b"# 2026-09-12\r\n\r\n- Flour delivery came late.\r\n- Tomorrow the new tins arrive.\r\n",
    "memory/2026-09-14.md": (
        b"# 2026-09-14\n\n- From now on the bread order goes out by 17:45.\n- Odile bakes on weekdays."
    ),
}

BANK: Files = {
    "projectbrief.md": b"# Brief\n\nA timetable for village buses, printed and on screen.\n",
    "activeContext.md": (
        b"# Active context\n\n**Updated:** 2026-09-09\n\n"
        b"- Today the stop editor moved to its own page.\n"
        b"- Exports are written as PDF 1.7.\n"
    ),
    "progress.md": (
        b"# Progress\n\n- [x] Stop editor\n- [ ] Holiday services\n- See [the old plan](plans/old-plan.md).\n"
        b"- Exports are written as PDF 1.4.\n"
    ),
    "techContext.md": (
        b"# Tech\n\n- Line colours come from `colours.toml`.\n- Line colours come from `colours.toml`.\n"
        b"- Tests need a display server.\n"
    ),
}

LAYOUTS = {"typed": TYPED, "daily": DAILY, "bank": BANK}


def lay(folder: Path, files: Files) -> Path:
    """Write files into a folder, which is made, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, held in files.items():
        data, mode = held if isinstance(held, tuple) else (held, 0o644)
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if mode == LINK_MODE:
            os.symlink(data, path)
            continue
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, mode)
    return folder


def memory(folder: Path) -> Memory:
    """Return every file and link of a folder that is memory, to the bit."""
    found: Memory = {}
    top = os.fsencode(folder)
    for place, folders, names in os.walk(top):
        if place == top:
            folders[:] = [name for name in folders if not name.startswith(b".dream")]
        for name in [*names, *(one for one in folders if os.path.islink(os.path.join(place, one)))]:
            path = os.path.join(place, name)
            inside = os.fsdecode(os.path.relpath(path, top))
            mode = os.lstat(path).st_mode
            if inside.startswith(".dream"):
                continue
            if stat.S_ISLNK(mode):
                found[inside] = (LINK_MODE, os.readlink(path))
            else:
                with open(path, "rb") as file:
                    found[inside] = (stat.S_IMODE(mode), file.read())
    return found


def texts(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every path of a folder that is memory."""
    return {path: data for path, (_, data) in memory(folder).items()}


def leave_copy(folder: Path, files: Files, at: str = FOREIGN) -> str:
    """Leave a copy of a folder as another program would, without a word about it, and return its name."""
    lay(folder / ".dream-proposals" / at, files)
    return at


def workspace(folder: Path) -> Workspace:
    """Open a folder with the defaults and a clock that stands."""
    return Workspace(folder, Settings(), lambda: NOW)


def reviewed(folder: Path, before: Files, after: Files) -> tuple[Workspace, OpenReview]:
    """Make a folder, leave a copy in it, and open that for review."""
    opened = workspace(lay(folder, before))
    return opened, opened.open(leave_copy(folder, after))


def accept_all(review: OpenReview) -> None:
    """Accept every change of a review that holds no conflict."""
    review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes])


def left_over(folder: Path) -> list[str]:
    """Return what a finished command may not leave behind: a notice, staged bytes, files half written."""
    journal = folder / ".dreamreview" / "journal"
    staged = [path.name for path in journal.glob("*") if path.suffix != ".json"]
    notice = [".dream.lock"] if (folder / ".dream.lock").exists() else []
    return notice + staged + [str(path.relative_to(folder)) for path in folder.rglob(".dream-tmp-*")]
