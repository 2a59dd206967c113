"""Whether there may be a key for the service at all, known before its SDK is loaded, which takes seconds."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE", "ANTHROPIC_CONFIG_DIR")
"""Variables each of which leads the SDK to a key, or to a profile that has one."""
FEDERATION = ("ANTHROPIC_FEDERATION_RULE_ID", "ANTHROPIC_ORGANIZATION_ID")
"""Variables that together lead it to a key of the machine's own identity."""


def may_have_key(environment: Mapping[str, str]) -> bool:
    """Tell whether the SDK may find a key; False only where it finds none for certain.

    Args:
        environment: the variables that the SDK will look at. Without one of them it looks for a profile in its folder,
            ``~/.config/anthropic`` or ``%APPDATA%\\Anthropic``.
    """
    if any(environment.get(name) for name in NAMES) or all(environment.get(name) for name in FEDERATION):
        return True
    return os.path.isdir(_profiles(environment))


def _profiles(environment: Mapping[str, str]) -> str:
    if sys.platform == "win32":
        base = environment.get("APPDATA") or os.path.expanduser(os.path.join("~", "AppData", "Roaming"))
        return os.path.join(base, "Anthropic")
    return os.path.expanduser(os.path.join("~", ".config", "anthropic"))
