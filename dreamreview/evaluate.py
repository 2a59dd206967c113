"""Where the evaluation starts: ``python -m dreamreview.evaluate FOLDER KEY``."""

from __future__ import annotations

import sys

from dreamreview.cli.evaluation.command import evaluation
from dreamreview.cli.main import guarded


def main() -> None:
    """Hold a proposal against an answer key and leave with the exit status."""
    from dreamreview.cli.commands import run_command

    sys.exit(guarded(lambda: run_command(evaluation, "python -m dreamreview.evaluate", sys.argv[1:])))


if __name__ == "__main__":
    main()
