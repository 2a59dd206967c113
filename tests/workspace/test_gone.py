"""A store that goes while it is open says so; it never reads like an empty one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from tests.workspace.stores import TYPED, lay, workspace


def test_a_store_that_is_gone_has_no_status_and_no_proposals_until_it_is_back(tmp_path: Path) -> None:
    opened = workspace(lay(tmp_path / "memory", TYPED))
    assert (opened.status().pending, opened.proposals()) == (0, ())
    shutil.rmtree(tmp_path / "memory")
    for look in (opened.status, opened.proposals):
        with pytest.raises(StoreError, match="memory does not exist; name a folder of markdown files"):
            look()
    lay(tmp_path / "memory", TYPED)
    assert opened.status().pending == 0
