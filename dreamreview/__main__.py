"""Where the program starts: ``dreamreview`` and ``python -m dreamreview``."""

from __future__ import annotations

import gc
import sys

# Starting makes many objects and no garbage: collecting meanwhile only costs time, a fifth of it. Who starts
# something long, or has painted its first screen, collects again.
gc.disable()

from dreamreview.cli.main import run  # noqa: E402


def main() -> None:
    """Run the command line and leave with its exit status."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
