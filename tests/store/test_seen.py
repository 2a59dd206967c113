"""What was seen of a store is kept in one file and believed only whole."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.store.copying import Stamp
from dreamreview.store.rooted import Root
from dreamreview.store.seen import PLACE, Seen, read, write

ONE, TWO = Stamp(3, 17, 0o600, 4, "a" * 64), Stamp(0, -1, 0o755, 0, "b" * 64)
SEEN = Seen(
    at="2026-09-15T12:00:00.000Z",
    number=7,
    commit="c" * 40,
    applied=3,
    live={"a.md": ONE, "odd \udcff\n.md": TWO},
    others={"a.md": TWO, "gone.md": ONE, "came.md": None},
    proposal="20260915T120000000",
    is_told=False,
    mounts=("far",),
)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    root = Root(tmp_path)
    assert read(root) == (None, None)
    for one in (SEEN, replace(SEEN, live={}, others={}, proposal=None, is_told=True, mounts=())):
        write(root, one)
        assert read(root) == (one, None)
    assert stat.S_IMODE((tmp_path / PLACE).stat().st_mode) == 0o600


def test_the_base_is_what_is_there_but_for_what_others_changed() -> None:
    assert SEEN.base == {"a.md": TWO, "odd \udcff\n.md": TWO, "gone.md": ONE}


@pytest.mark.parametrize("cut", [0, 10, 200, -1])
def test_a_file_that_is_not_whole_is_not_believed(tmp_path: Path, cut: int) -> None:
    root = Root(tmp_path)
    write(root, SEEN)
    data = (tmp_path / PLACE).read_bytes()
    (tmp_path / PLACE).write_bytes(data[:cut])
    found, warning = read(root)
    assert found is None
    assert warning is not None
    assert "damaged" in warning


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=1))
def test_no_single_byte_can_be_another(tmp_path_factory: pytest.TempPathFactory, at: int, byte: bytes) -> None:
    root = Root(tmp_path_factory.mktemp("s"))
    write(root, SEEN)
    path = Path(root.path) / PLACE
    data = path.read_bytes()
    at %= len(data)
    changed = data[:at] + byte + data[at + 1 :]
    path.write_bytes(changed)
    found, warning = read(root)
    assert (found, warning) == (SEEN, None) if changed == data else (found is None and warning is not None)
