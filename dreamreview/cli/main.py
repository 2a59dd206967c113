"""Where a command line goes, and the one place where errors become a line on stderr and an exit status."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence

from dreamreview.cli import COMMANDS, INTERRUPTED, output
from dreamreview.errors import DreamReviewError


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status; no exception leaves it."""
    return guarded(lambda: _run(list(arguments)))


def guarded(act: Callable[[], int]) -> int:
    """Do what a command line asks for and return its exit status; no exception leaves it."""
    try:
        status_code = _status_of(act)
        output.finish()
    except BrokenPipeError:
        output.hush()
        return 0
    return status_code


def _run(arguments: list[str]) -> int:
    if _is_folder(arguments):
        from dreamreview.cli.launch import launch

        return launch(arguments[0])
    from dreamreview.cli.commands import answer

    gc.enable()
    return answer(arguments)


def _status_of(act: Callable[[], int]) -> int:
    try:
        return act()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the last resort: whatever it is, a person gets one line
        return _complain(error)


def _is_folder(arguments: list[str]) -> bool:
    """Tell whether a command line is a folder alone: the app then opens without loading what parses the others."""
    return len(arguments) == 1 and arguments[0] not in COMMANDS and os.path.isdir(arguments[0])


def _complain(error: Exception) -> int:
    """Say in one line what went wrong and return the exit status it calls for."""
    if isinstance(error, DreamReviewError):
        message, status_code = str(error), error.exit_code
    else:
        message, status_code = f"unexpected {type(error).__name__}: {error}", 1
    output.note(" ".join(message.split()))
    if os.environ.get("DREAMREVIEW_DEBUG"):
        import traceback

        output.trace("".join(traceback.format_exception(error)))
    return status_code
