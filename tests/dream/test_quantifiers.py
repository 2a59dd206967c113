from __future__ import annotations

import pytest

from dreamreview.dream.quantifiers import of_some
from dreamreview.dream.slots import other_thing, read


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("A porter is at every gate that opens.", "Night gates open with one porter.", ("gat", "night")),
        ("The main crates open with one key.", "Each crate opens with one key.", ("main", "crat")),
        ("Alle Kisten stehen im Schuppen.", "Every crate is dry.", None),
        ("Every gate opens at dawn.", "Gates open at dawn.", None),
        ("Every gate opens at dawn.", "The gate opens at dawn, a green gate at noon.", None),
        ("Every night gate opens at dawn.", "The night gate opens at dawn.", None),
        ("Every gate opens at dawn.", "Oil the gate at dawn.", None),
    ],
)
def test_all_of_a_kind_is_told_from_some_of_it(one: str, other: str, found: tuple[str, str] | None) -> None:
    assert of_some(read(one), read(other)) == found


def test_a_rule_for_all_and_a_rule_for_some_speak_of_different_things() -> None:
    one, other = read("A porter is at every gate that opens."), read("Night gates open with one porter.")
    assert other_thing(one, other) == "gate against Night"
    assert other_thing(other, one) == "Night against gate"
