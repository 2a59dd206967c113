"""Every screen looks as it was last looked at and found good, down to the colour of a cell."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

import pytest

from tests.tui.scenes import SCENES, Size

DRAWN_BY = {"textual": "8.2.", "rich": "15.0."}
"""What drew the snapshots: others may draw the same screen in another way."""
pytestmark = pytest.mark.skipif(
    not all(version(name).startswith(drawn) for name, drawn in DRAWN_BY.items()),
    reason=f"the snapshots were drawn by {DRAWN_BY}",
)
PICTURES = [(name, size) for name, scene in SCENES.items() for size in scene.sizes]


@pytest.mark.parametrize(("name", "size"), PICTURES, ids=[f"{name}-{size[0]}x{size[1]}" for name, size in PICTURES])
def test_a_screen_looks_as_it_did(name: str, size: Size, snap_compare: Callable[..., bool]) -> None:
    app, store = SCENES[name].app()
    assert snap_compare(app, terminal_size=size, run_before=SCENES[name].acting(store))
