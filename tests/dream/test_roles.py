from __future__ import annotations

import pytest

from dreamreview.dream.roles import fills_role
from dreamreview.dream.slots import read


def test_roles_are_known_in_any_form() -> None:
    assert fills_role(read("Marta owns payments"), read("The owner of payments is Ben")) is False
    assert fills_role(read("Marta owns payments"), read("Ben owned payments")) is True


@pytest.mark.parametrize(
    "text",
    ["Bring your own rope", "Ana's own rope is dry", "Move guests to owned moorings", "A live map of the harbour"],
)
def test_whose_or_of_what_kind_a_thing_is_names_nobody(text: str) -> None:
    assert fills_role(read(text), read("Ben owns the rope, and Ben lives in Oslo")) is False


@pytest.mark.parametrize("text", ["The rope is owned by Ana", "Ana owned the rope", "The Jansens live in Bergen"])
def test_whose_it_is_and_where_somebody_lives_does(text: str) -> None:
    assert fills_role(read(text), read("Ben owned the rope, and his aunts live in Oslo")) is True
