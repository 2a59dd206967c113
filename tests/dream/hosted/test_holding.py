"""Laws of holding secrets back: nothing of them is sent, nothing is lost, and no stand-in comes home."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.hosted.holding import HELD, masked, restored
from dreamreview.model.edits import Hunk, Text
from dreamreview.model.secrets import find_secrets

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
EXAMPLES = max(50, int(150 * SCALE))
SECRETS = (
    "The api key is sk-live-9f8e7d6c5b4a39281706.",
    "password: Tern-4417-Quayside",
    "postgres://app:Tern4417Quay@db.internal/main",
    "DB_PASSWORD=tr0ub4dor-and-3",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----",
)

pieces = st.sampled_from([*SECRETS, "The pump runs at six.", "", "- [Pump](pump.md)", "# Notes", "x"])
ends = st.sampled_from(["\n", "\r\n"])


@st.composite
def notes(draw: st.DrawFn) -> str:
    parts = [draw(pieces) + draw(ends) for _ in range(draw(st.integers(0, 7)))]
    text = "".join(parts)
    return text if draw(st.booleans()) else text.rstrip("\r\n")


def naive(base: Text, new: Text, _terminator: bytes) -> tuple[Hunk, ...]:
    """Differ by the common head and tail alone."""
    head = 0
    while head < min(len(base), len(new)) and base[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(base), len(new)) - head and base[-1 - tail] == new[-1 - tail]:
        tail += 1
    return (Hunk(head, len(base) - tail, head, len(new) - tail),)


@settings(max_examples=EXAMPLES, deadline=None)
@given(text=notes())
def test_what_is_sent_holds_no_secret_and_has_the_same_lines(text: str) -> None:
    found = masked(text)

    assert found is not None
    assert not find_secrets(found.text)
    assert found.text.count("\n") == text.count("\n")
    before, after = text.split("\n"), found.text.split("\n")
    assert {number for number, line in enumerate(before) if line != after[number]} <= found.lines
    assert [line.endswith("\r") for line in before] == [line.endswith("\r") for line in after]


@settings(max_examples=EXAMPLES, deadline=None)
@given(text=notes())
def test_what_comes_back_as_it_went_is_the_file(text: str) -> None:
    found = masked(text)
    assert found is not None

    back = restored(text.encode(), found.text, found.lines, found.text, naive)

    assert (back.data, back.refused) == (text.encode(), 0)


@settings(max_examples=EXAMPLES, deadline=None)
@given(text=notes(), cut=st.integers(0, 8), added=st.sampled_from(["", "A new line.\n", f"see {HELD}\n", "•••\n"]))
def test_whatever_comes_back_every_held_line_stays_and_no_stand_in_comes(text: str, cut: int, added: str) -> None:
    found = masked(text)
    assert found is not None
    lines = found.text.splitlines(keepends=True)
    returned = "".join([*lines[:cut], added, *lines[cut + 1 :]])

    back = restored(text.encode(), found.text, found.lines, returned, naive).data.decode()

    assert "•••" not in back
    held = [text.split("\n")[number].rstrip("\r") for number in sorted(found.lines)]
    kept = [line.rstrip("\r") for line in back.split("\n")]
    assert [line for line in kept if line in held] == [
        line for line in text.replace("\r", "").split("\n") if line in held
    ]


@pytest.mark.parametrize("secret", SECRETS)
def test_each_shape_of_secret_is_held_back(secret: str) -> None:
    found = masked(f"before\n{secret}\nafter\n")

    assert found is not None
    assert HELD in found.text
    assert found.text.startswith("before\n")
    assert found.text.endswith("\nafter\n")
