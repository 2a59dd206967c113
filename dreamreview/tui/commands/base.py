"""What a command is: one class gives the binding, the palette entry, the help line and the word in the key bar."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class Command:
    """One thing a person can ask for; its docstring is its help."""

    group: ClassVar[str]
    """Heading in the help, and first part of its id."""
    keys: ClassVar[str]
    """Keys as Textual writes them, joined by commas; users rebind them by id."""
    bar: ClassVar[str] = ""
    """Word in the key bar; empty for commands that the bar leaves out."""
    is_urgent: ClassVar[bool] = False
    """Whether its keys are taken before the widget with the focus sees them."""
    rank: ClassVar[int] = 50
    """Place in the key bar, smallest first."""

    @classmethod
    def action(cls) -> str:
        """Return the name of the action: the class name in snake case."""
        return _CAPITAL.sub("_", cls.__name__).lower()

    @classmethod
    def title(cls) -> str:
        """Return its name in palette and help."""
        first, *rest = _CAPITAL.sub(" ", cls.__name__).split()
        return " ".join([first, *(word if len(word) == 1 else word.lower() for word in rest)])

    @classmethod
    def id(cls) -> str:
        """Return the id by which it is rebound, such as ``deciding.accept``."""
        return f"{cls.group.split()[0].lower()}.{cls.action()}"

    @classmethod
    def help(cls) -> str:
        """Return what it does, in one sentence."""
        return " ".join((cls.__doc__ or "").split())

    @classmethod
    def binding(cls) -> Binding:
        """Return its key binding."""
        return Binding(
            cls.keys,
            cls.action(),
            cls.title(),
            id=cls.id(),
            show=False,
            tooltip=cls.help(),
            priority=cls.is_urgent,
        )


CommandType = type[Command]


def bindings(commands: Iterable[CommandType]) -> list[BindingType]:
    """Return the bindings of some commands, for a screen's BINDINGS."""
    return [command.binding() for command in commands]
