"""`dreamreview watch`: notice what others suggest for memory folders, and what they changed in them already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json
from dreamreview.cli.opening import open_store
from dreamreview.cli.status import ATTENTION
from dreamreview.errors import DreamReviewError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.workspace import Workspace
    from dreamreview.workspace.guarding import Looked
    from dreamreview.workspace.values import Status

WAIT = 10.0
"""Seconds that a look waits for another one, or for an apply, to end."""

BUSY = 3
"""Exit status where a store could not be looked at, since somebody else was busy with it all the time."""


@click.command(short_help="Notice proposals and changes made by others.")
@click.argument("folders", nargs=-1, metavar="FOLDER ...")
@click.option("--once", "is_once", is_flag=True, help="Look, record what is seen, and end.")
@click.option("--no-guard", "is_bare", is_flag=True, help="Notice proposals only, not what was changed in the folder.")
@as_json
def watch(folders: tuple[str, ...], is_once: bool, is_bare: bool, is_json: bool) -> int:
    """Notice proposals for each FOLDER, and what others changed in it already, also while nobody watched.

    Such changes become a proposal: accept keeps one as it is, reject takes it back. With --once it ends 5 when
    something wants attention.
    """
    if is_json and not is_once:
        raise UsageError("--json prints one document, so it needs --once")
    if is_once:
        return _once(folders, is_guarded=not is_bare, is_json=is_json)
    return _go_on(folders, is_guarded=not is_bare)


@dataclass(slots=True)
class _Store:
    """One store that is watched."""

    workspace: Workspace
    is_guarded: bool
    looked: Looked | None = None
    status: Status | None = None
    pending: set[str] = field(default_factory=set)
    """Proposals that were told of."""

    @property
    def folder(self) -> str:
        return self.workspace.folder

    def look(self, wait: float = 0.0) -> bool:
        """Look at the store; False where it is busy."""
        if self.is_guarded:
            looked = self.workspace.look(wait, is_known=self.looked is not None)
            if looked.is_busy:
                return False
            self.looked = looked
        self.status = self.workspace.status()
        return True

    def told(self) -> Iterator[str]:
        """Yield what was found, in a line each."""
        yield f"{self.folder}: {self._state()}"
        for alarm in self.looked.alarms if self.looked else ():
            yield f"  ALARM: {alarm}"
        status = self.status
        if status is not None and status.pending:
            yield f"  {status.pending} pending, {status.undecided} to decide"

    def _state(self) -> str:
        looked = self.looked
        if looked is None:
            return "proposals are noticed, changes in the folder are not"
        files = f"{looked.files} file{'s' if looked.files != 1 else ''}"
        if looked.is_first:
            return f"{files} kept as they are; what others change is told from now on"
        if looked.proposal is None:
            return f"{files}, nothing changed by others"
        kinds = ", ".join(f"{number} {kind}" for kind, number in looked.counts.items())
        return f"changed by others: {kinds} (proposal {looked.proposal}: accept keeps, reject takes back)"

    def news(self) -> Iterator[str]:
        """Yield what was not told before, in a line each."""
        fresh = set(self.workspace.ready()) - self.pending
        self.pending |= fresh
        observed = self.looked.proposal if self.looked and self.looked.is_news else None
        for name in sorted(fresh - {observed}):
            yield f"{self.folder}: proposal {name} arrived"
        if observed is not None and self.looked is not None:
            yield f"{self.folder}: {self._state()}"
            yield from (f"  ALARM: {alarm}" for alarm in self.looked.alarms)

    def warnings(self) -> Iterator[str]:
        """Yield what was odd, one sentence each."""
        found = [*(self.looked.warnings if self.looked else ()), *(self.status.warnings if self.status else ())]
        return (f"{self.folder}: {warning}" for warning in dict.fromkeys(found))

    def shape(self) -> dict[str, object]:
        """Return what was found as JSON values."""
        looked, status = self.looked, self.status
        return {
            "folder": output.printable(self.folder),
            "files": looked.files if looked else None,
            "first": looked.is_first if looked else False,
            "proposal": looked.proposal if looked else None,
            "counts": dict(looked.counts) if looked else {},
            "alarms": [output.safe(output.printable(alarm)) for alarm in (looked.alarms if looked else ())],
            "pending": status.pending if status else 0,
            "undecided": status.undecided if status else 0,
        }


def _once(folders: Sequence[str], *, is_guarded: bool, is_json: bool) -> int:
    codes: list[int] = []
    shapes: list[object] = []
    for folder in folders or (None,):
        try:
            store = _Store(open_store(folder), is_guarded)
            is_done = store.look(WAIT)
        except (DreamReviewError, OSError) as error:
            if len(folders) < 2:
                raise
            output.note(str(error) if folder and folder in str(error) else f"{folder}: {error}")
            codes.append(error.exit_code if isinstance(error, DreamReviewError) else 1)
            continue
        if not is_done:
            output.note(f"{store.folder} is busy: an apply or another look is under way; look again in a moment")
            codes.append(BUSY)
            continue
        for warning in store.warnings():
            output.note(warning)
        shapes.append(store.shape())
        if not is_json:
            output.say_all(store.told())
        codes.append(ATTENTION if store.status and store.status.needs_attention else 0)
    if is_json:
        output.document(shapes)
    return min(filter(None, codes), default=0)


def _go_on(folders: Sequence[str], *, is_guarded: bool) -> int:
    """Look at every store and then at each that is written to, until the person interrupts."""
    from dreamreview.daemon.watching import BARE_POLL_SECONDS, Watching

    opened = (_Store(open_store(folder), is_guarded) for folder in folders or (None,))
    stores = {store.folder: store for store in opened}
    told: dict[str, set[str]] = {folder: set() for folder in stores}

    away: set[str] = set()

    def look(folder: str) -> bool:
        store = stores[folder]
        is_new = store.status is None
        if not store.look():
            return False
        if folder in away:
            away.discard(folder)
            output.say(f"{folder}: it can be looked at again")
        for warning in store.warnings():
            if warning not in told[folder]:
                told[folder].add(warning)
                output.note(warning)
        lines = list(store.news())
        output.say_all(store.told() if is_new else lines)
        output.finish()
        return True

    def fail(folder: str, error: DreamReviewError) -> None:
        away.add(folder)
        output.note(str(error) if folder in str(error) else f"{folder}: {error}")

    def poll(folder: str, reason: str) -> None:
        output.note(f"{folder}: {reason}; it is looked at every {BARE_POLL_SECONDS:.0f} seconds instead")

    Watching(tuple(stores), look, fail, poll).run()
    return 0
