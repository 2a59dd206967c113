"""What can go wrong, as one family: each error says what, which and what to do, and carries its exit status."""

from __future__ import annotations

from typing import ClassVar


class DreamReviewError(Exception):
    """Anything that ends a command with one clear line on stderr."""

    exit_code: ClassVar[int] = 1
    """Exit status of the command line, as in the contract."""


class UsageError(DreamReviewError):
    """The request itself makes no sense: an unknown change, a wrong option, a missing confirmation."""

    exit_code = 2


class StoreLockedError(DreamReviewError):
    """Another program holds the store."""

    exit_code = 3


class InvalidManifestError(DreamReviewError):
    """A manifest, a log or another document of ours does not follow its format; the message names the place."""


class UnsafePathError(DreamReviewError):
    """A path would lead outside the memory folder, or through a link."""


class StoreError(DreamReviewError):
    """The memory folder cannot be read or written as asked."""
