"""The command palette: every command of the screen that can be given right now, found by its name or its help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

if TYPE_CHECKING:
    from dreamreview.tui.commands.base import CommandType


class Commanded(Protocol):
    """A screen with commands."""

    def available(self) -> Iterable[CommandType]:
        """Return the commands that can be given right now."""

    async def give(self, command: CommandType) -> None:
        """Carry a command out."""

    def keys_of(self) -> dict[str, list[str]]:
        """Return the keys that work, by id of their command."""


class CommandProvider(Provider):
    """Offers the commands of the screen under the palette."""

    def _commands(self) -> list[tuple[CommandType, Callable[[], Awaitable[None]], str]]:
        """Return the commands with what gives them and what is told of each: its key and its help."""
        if not hasattr(self.screen, "available"):
            return []
        screen = cast("Commanded", self.screen)
        keys = screen.keys_of()
        return [
            (command, partial(screen.give, command), " · ".join([*keys.get(command.id(), [])[:1], command.help()]))
            for command in screen.available()
        ]

    async def discover(self) -> Hits:
        """Offer all commands before anything is typed."""
        for command, give, told in self._commands():
            yield DiscoveryHit(command.title(), give, help=told)

    async def search(self, query: str) -> Hits:
        """Offer the commands that match."""
        matcher = self.matcher(query)
        for command, give, told in self._commands():
            score = max(matcher.match(command.title()), matcher.match(command.help()) / 2)
            if score > 0:
                yield Hit(score, matcher.highlight(command.title()), give, help=told)
