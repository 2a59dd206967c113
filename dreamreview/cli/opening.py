"""How a command gets at its store: which folder is meant, said aloud where it was not named, and settled first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dreamreview.cli import output
from dreamreview.errors import DreamReviewError, UsageError

if TYPE_CHECKING:
    from dreamreview.workspace import OpenReview, Workspace
    from dreamreview.workspace.finding import Found, FoundStore


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


def for_every_store(act: Callable[[Workspace], int]) -> int:
    """Do something with every store: those of the configuration, or where it names none, those that are found.

    A store that cannot be opened, or that the deed fails on, is told on stderr and stops no other.

    Returns:
        The exit status: 0 where every store came to that, 1 where one failed, else the least of the others.

    Raises:
        UsageError: no store is configured, and none is found.
    """
    codes = []
    for folder in _every_store():
        try:
            codes.append(act(open_store(folder)))
        except BrokenPipeError:  # nobody reads any more
            raise
        except (DreamReviewError, OSError) as error:
            output.note(str(error) if folder in str(error) else f"{folder}: {error}")
            codes.append(error.exit_code if isinstance(error, DreamReviewError) else 1)
    return min(filter(None, codes), default=0)


def _every_store() -> tuple[str, ...]:
    """Return the folders of the configuration, or else those that are found, which are listed on stderr."""
    from dreamreview.settings import default_file, load

    settings = load()
    if settings.stores:
        return settings.stores
    from dreamreview.workspace.finding import find_stores

    found = find_stores(settings)
    tell_problems(found)
    if not found.usable:
        raise UsageError(f"--all: no stores are listed in {settings.source or default_file()}, and none were found")
    count = len(found.usable)
    output.note(
        f"no stores are configured; --all means the {count} found:" if count > 1 else "--all means the one found:"
    )
    for store in found.usable:
        output.tell(f"  {store.folder} ({told(store)})")
    return tuple(store.folder for store in found.usable)


def told(store: FoundStore) -> str:
    """Return where a store comes from, and what it is about where its folder does not say."""
    return store.source if store.label.removeprefix("~") in store.folder else f"{store.source}: {store.label}"


def tell_problems(found: Found) -> None:
    """Name on stderr what could not be looked at."""
    for store in found.stores:
        if store.problem:
            output.note(f"{store.folder} ({told(store)}) is left out: {store.problem}")
    for problem in found.problems:
        output.note(problem)
