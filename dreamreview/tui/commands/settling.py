"""Commands that settle conflicts: by the number of a side, and all that are open at once."""

from __future__ import annotations

from dreamreview.tui.commands.base import Command, CommandType
from dreamreview.tui.commands.places import SCROLLING


class Settling(Command):
    """Commands that settle a conflict."""

    group = "Deciding"


class SettleAll(Settling):
    """Settle all open conflicts alike; lists them by name and asks for the side first."""

    keys = "C"
    bar = "settle all"
    rank = 44


class KeepOption1(Settling):
    """Settle the conflict: its first side stands."""

    keys = "1"


class KeepOption2(Settling):
    """Settle the conflict: its second side stands."""

    keys = "2"


class KeepOption3(Settling):
    """Settle the conflict: its third side stands."""

    keys = "3"


class KeepOption4(Settling):
    """Settle the conflict: its fourth side stands."""

    keys = "4"


class KeepOption5(Settling):
    """Settle the conflict: its fifth side stands."""

    keys = "5"


class KeepOption6(Settling):
    """Settle the conflict: its sixth side stands."""

    keys = "6"


class KeepOption7(Settling):
    """Settle the conflict: its seventh side stands."""

    keys = "7"


class KeepOption8(Settling):
    """Settle the conflict: its eighth side stands."""

    keys = "8"


class KeepOption9(Settling):
    """Settle the conflict: its ninth side stands."""

    keys = "9"


OPTIONS: tuple[CommandType, ...] = (
    KeepOption1,
    KeepOption2,
    KeepOption3,
    KeepOption4,
    KeepOption5,
    KeepOption6,
    KeepOption7,
    KeepOption8,
    KeepOption9,
)
COMMANDS: tuple[CommandType, ...] = (SettleAll, *OPTIONS)


class Side(Command):
    """Answers to which side is to stand."""

    group = "Which side"


class AllA(Side):
    """Keep side A of all of them."""

    keys = "a"
    bar = "A"
    rank = 1


class AllB(Side):
    """Keep side B of all of them."""

    keys = "b"
    bar = "B"
    rank = 2


class AllSuggested(Side):
    """Keep the side that is suggested; where none is, the conflict stays open."""

    keys = "g"
    bar = "as suggested"
    rank = 3


class AllLater(Side):
    """Keep the side of the later date; where the dates do not tell, the conflict stays open."""

    keys = "l"
    bar = "the later"
    rank = 4


class AllBoth(Side):
    """Keep both sides of all of them."""

    keys = "B"
    bar = "both"
    rank = 5


class NoSide(Side):
    """Settle nothing."""

    keys = "enter,n,q,escape"
    bar = "none"
    rank = 0


ANSWERS: tuple[CommandType, ...] = (NoSide, AllA, AllB, AllSuggested, AllLater, AllBoth, *SCROLLING)
