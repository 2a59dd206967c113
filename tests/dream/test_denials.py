from __future__ import annotations

import pytest

from dreamreview.dream.relation import Kinship, compare

Pair = tuple[str, str]


@pytest.mark.parametrize(
    ("denial", "claim"),
    [
        ("No dog barks at the postman", "A puppy barks at the postman"),
        ("Nobody is mending the net", "An old sailor is mending the net by the quay"),
        ("There is no woman rowing on the lake", "A lady is rowing on the lake"),
        ("The kettle isn't whistling", "The kettle is whistling on the stove"),
        ("The letter is not being read by anyone", "The letter is being read by someone"),
        ("There is no plane over the village", "An airplane is over the village"),
        ("No vegetable is stored in the cellar", "Carrots are stored in the cellar"),
        ("A person is not stirring the paint", "A man is stirring the paint"),
        ("Tie the parcel with string rather than tape", "Tie the parcel with tape"),
        ("There are no children with two kites on the hill", "Children with two kites are on the hill"),
    ],
)
def test_who_denies_all_that_the_other_says_is_at_odds_with_it(denial: str, claim: str) -> None:
    assert compare(denial, claim).kinship is Kinship.CONFLICT
    assert compare(claim, denial).kinship is Kinship.CONFLICT


@pytest.mark.parametrize(
    ("denial", "claim"),
    [
        ("No puppy barks at the postman", "A dog barks at the postman"),
        ("The girl is not playing an electric organ", "The girl is playing an organ"),
        ("There is no man whistling and mending a net", "A man is mending a net"),
        ("The smith is not singing", "A nurse is singing"),
        ("Nobody is painting a shed with a wide brush", "A man is painting a fence"),
        ("The baker is not kneading rye", "The baker is kneading wheat"),
        ("There is no woman rowing on the lake", "A man is rowing on the lake"),
    ],
)
def test_who_denies_more_than_that_or_of_another_leaves_it_standing(denial: str, claim: str) -> None:
    assert compare(denial, claim).kinship is Kinship.DISTINCT
    assert compare(claim, denial).kinship is Kinship.DISTINCT


def test_of_a_long_denial_one_word_may_be_new_unless_it_says_which_is_meant() -> None:
    claim = "A woman is carrying a lantern through the orchard"
    longer = "There is no woman carrying a lantern homeward through the orchard"
    narrower = "There is no woman carrying a brass lantern through the orchard"
    assert compare(longer, claim).kinship is Kinship.CONFLICT
    assert compare(narrower, claim).kinship is Kinship.DISTINCT
