"""Opening the app where no folder is named: on the one store that is found, or on one inbox over all of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from dreamreview.cli import output
from dreamreview.cli.opening import open_store, tell_problems, told
from dreamreview.errors import DreamReviewError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dreamreview.settings import Settings
    from dreamreview.workspace import Workspace
    from dreamreview.workspace.finding import Found, FoundStore


def launch_found() -> int | None:
    """Open the app on what is found, and return its exit status; None where one store is chosen or none is found.

    Raises:
        UsageError: the configuration is wrong, or the current folder is gone.
    """
    from dreamreview.settings import load, stated
    from dreamreview.workspace.finding import find_stores

    settings = load()
    if stated(None, settings) is not None:
        return None
    found = find_stores(settings)
    if not found.usable:
        tell_problems(found)
        return None
    from dreamreview.cli.launch import has_screen, launch

    if len(found.usable) == 1:
        tell_problems(found)
        output.note(f"{found.usable[0].folder}, named by {told(found.usable[0])}")
        return launch(found.usable[0].folder)
    if not has_screen():
        tell_problems(found)
        return _list(found.usable)
    for problem in found.problems:
        output.note(problem)
    return _open(found, settings)


def found_folders() -> tuple[str, ...]:
    """Return the folders that are found where none is named, and say what is wrong with others; none if one is chosen.

    Raises:
        UsageError: the configuration is wrong, or the current folder is gone.
    """
    from dreamreview.settings import load, stated
    from dreamreview.workspace.finding import find_stores

    settings = load()
    if stated(None, settings) is not None:
        return ()
    found = find_stores(settings)
    tell_problems(found)
    if len(found.usable) == 1:
        output.note(f"{found.usable[0].folder}, named by {told(found.usable[0])}")
    return tuple(store.folder for store in found.usable)


def _open(found: Found, settings: Settings) -> int:
    from dreamreview.tui.app import run_several
    from dreamreview.tui.inbox.stores import Offered
    from dreamreview.tui.surroundings import Surroundings

    def offered(store: FoundStore) -> Offered:
        def enter() -> Surroundings:
            return Surroundings(_workspace(store.folder, settings), time.monotonic, settings.editor)

        return Offered(store.folder, enter, store.label, store.source)

    return run_several([offered(store) for store in found.stores], settings)


def _workspace(folder: str, settings: Settings) -> Workspace:
    from dreamreview.settings import refuse_configuration_inside
    from dreamreview.workspace import Workspace

    refuse_configuration_inside(folder, settings)
    return Workspace(folder, settings)


def _list(stores: Sequence[FoundStore]) -> int:
    """Say in a line each how the stores stand; one that cannot be opened is told on stderr."""
    from dreamreview.cli.status import told as told_status

    output.note(f"no folder is named, and {len(stores)} are found:")
    codes = [0]
    for store in stores:
        try:
            output.say(f"{store.folder} ({told(store)}): {told_status(open_store(store.folder).status())}")
        except BrokenPipeError:  # nobody reads any more
            raise
        except (DreamReviewError, OSError) as error:
            output.note(str(error) if store.folder in str(error) else f"{store.folder}: {error}")
            codes.append(error.exit_code if isinstance(error, DreamReviewError) else 1)
    output.say("the app needs a terminal; without one, use:")
    output.say("  dreamreview proposals --all")
    output.say("  dreamreview show FOLDER")
    output.say("  dreamreview review FOLDER --plain")
    return min(filter(None, codes), default=0)
