"""How a command gets at its store: which folder is meant, said aloud where it was not named, and settled first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.cli import output
from dreamreview.errors import UsageError

if TYPE_CHECKING:
    from dreamreview.workspace import OpenReview, Workspace


def open_store(folder: str | None) -> Workspace:
    """Return the workspace of a folder, after an apply that was cut short has been finished or taken back.

    Args:
        folder: as the command line names it; None leaves it to the environment, the configuration and the current
            folder, and what came of that is said.

    Raises:
        UsageError: no folder was named and none can be found, or the configuration is wrong.
        StoreError: there is no such folder.
    """
    from dreamreview.settings import choose_folder, load
    from dreamreview.workspace import Workspace

    settings = load()
    chosen = choose_folder(folder, settings)
    if folder is None:
        output.note(f"{chosen.folder}, named by {chosen.source}")
    workspace = Workspace(chosen.folder, settings)
    for sentence in workspace.settle():
        output.note(sentence)
    return workspace


def open_review(workspace: Workspace, proposal: str | None) -> OpenReview | None:
    """Return the review of a proposal, or None where none is named and none is ready."""
    resolved = workspace.resolve(proposal)
    if resolved is None:
        return None
    return workspace.open(resolved)


def every_store() -> tuple[str, ...]:
    """Return the folders of the configuration.

    Raises:
        UsageError: it names none.
    """
    from dreamreview.settings import default_file, load

    settings = load()
    if not settings.stores:
        raise UsageError(f"--all: no stores are listed in {settings.source or default_file()}")
    return settings.stores
