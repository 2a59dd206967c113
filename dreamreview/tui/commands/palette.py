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


class CommandProvider(Provider):
    """Offers the commands of the screen under the palette."""

    def _commands(self) -> list[tuple[CommandType, Callable[[], Awaitable[None]]]]:
        if not hasattr(self.screen, "available"):
            return []
        screen = cast("Commanded", self.screen)
        return [(command, partial(screen.give, command)) for command in screen.available()]

    async def discover(self) -> Hits:
        """Offer all commands before anything is typed."""
        for command, give in self._commands():
            yield DiscoveryHit(command.title(), give, help=command.help())

    async def search(self, query: str) -> Hits:
        """Offer the commands that match."""
        matcher = self.matcher(query)
        for command, give in self._commands():
            score = max(matcher.match(command.title()), matcher.match(command.help()) / 2)
            if score > 0:
                yield Hit(score, matcher.highlight(command.title()), give, help=command.help())
