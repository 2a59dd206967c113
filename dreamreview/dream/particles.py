"""Which small words turn a sentence round, say which of two things is which, or say of what kind a thing is."""

from __future__ import annotations

from dreamreview.dream.words import pairs, words

PARTICLES = pairs(
    """
    on/off onto/off up/down in/out into/out before/after above/below over/under inside/outside front/behind
    toward/away towards/away with/without both/one one/all some/all some/every all/none always/sometimes
    always/rarely same/other same/another other/every more/less most/least to/from always/seldom sometimes/never
    only/also few/many few/most none/some nobody/somebody nobody/everybody none/everybody one/everybody
    everyone/nobody somebody/everybody nothing/everything nothing/something few/all many/all
    for/against within/after if/unless when/unless
    on/under in/under above/on behind/in behind/on near/in near/on beside/on beside/under
    """
)
"""Small words that turn a sentence round when one stands in the place of the other."""

DIRECTIONS = words(
    "over than to into onto from before after under above below behind instead rather für vor nach statt"
)
"""Words between two things that say which of them is which: with the things swapped, the text says something else."""

STRICT = pairs("if/unless when/unless with/without for/against")
"""Those that turn a sentence round wherever they stand in it."""

STATES = pairs("on/off onto/off into/out in/out before/after with/without inside/outside")
"""Those of which both cannot hold where all else is the same."""

ATTRIBUTES = words(
    """
    red blue green yellow black white purple orange brown pink grey gray silver golden tan blond dark light bright
    big small large little huge tiny tall short long old young new first second third last left right upper lower
    hot cold warm cool wet dry clean dirty empty full open closed wooden metal plastic local remote public private
    internal external primary secondary main spare daily weekly monthly early late morning
    afternoon evening night english german french russian chinese
    """
)
"""Words that say of what kind the thing right behind them is."""
