"""A user's own git repository that holds a memory folder, made with the real git."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from tests.workspace.stores import lay

if TYPE_CHECKING:
    from pathlib import Path

    from tests.workspace.stores import Files

_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
}
_SETTINGS = ("-c", "core.autocrlf=false", "-c", "core.quotePath=true", "-c", "gc.auto=0")
_KEPT = (".git", ".dreamreview", ".dream-proposals")


def git(folder: Path, *words: str) -> bytes:
    """Run git in a folder and return what it printed."""
    return subprocess.run(
        ["git", *_SETTINGS, *words], cwd=folder, env=_ENVIRONMENT, check=True, capture_output=True
    ).stdout


def commit(folder: Path, files: Files) -> str:
    """Make a folder hold some files and nothing else, commit that, and return the commit."""
    for path in folder.iterdir():
        if path.name not in _KEPT:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    lay(folder, files)
    git(folder, "add", "-A", "-f", ".", ":(exclude).dreamreview", ":(exclude).dream-proposals")
    git(folder, "commit", "-q", "--allow-empty", "-m", "a commit")
    return git(folder, "rev-parse", "HEAD").decode().strip()
