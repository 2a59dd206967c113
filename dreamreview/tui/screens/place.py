"""What all screens have in common: commands with their key bar, work in the background, errors told once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding, BindingsMap
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from dreamreview.errors import DreamReviewError
from dreamreview.tui.commands.base import bindings
from dreamreview.tui.commands.everywhere import APP_COMMANDS, Help
from dreamreview.tui.inert import safe
from dreamreview.tui.widgets.keybar import Hint, KeyBar

if TYPE_CHECKING:
    from dreamreview.tui.commands.base import CommandType

Answer = TypeVar("Answer")


class Failed(Message):
    """Work in the background ended with an error."""

    def __init__(self, group: str, problem: str) -> None:
        super().__init__()
        self.group = group
        self.problem = problem


class Place(Screen[Answer]):
    """A screen with commands."""

    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = ()
    """What can be asked for here, in the order of the help."""
    AUTO_FOCUS = None

    @classmethod
    def can_meet(cls, one: CommandType, other: CommandType) -> bool:  # noqa: ARG003 - for those that look closer
        """Tell whether two commands of this screen can hold at the same moment."""
        return True

    def on_mount(self) -> None:
        """Take the user's own keys; runs after the screen's own."""
        keymap: Mapping[str, str] = getattr(self.app, "user_keys", {})
        if keymap:
            self.take_keys(keymap)

    def take_keys(self, keymap: Mapping[str, str]) -> None:
        """Bind commands to the user's keys in place of their usual ones."""
        from dreamreview.tui.commands.keymap import rebound

        self._bindings = rebound(BindingsMap(bindings(self.COMMANDS_HERE)), keymap)
        self.refresh_bar()

    def available(self) -> Iterator[CommandType]:
        """Yield the commands that can be given right now."""
        for command in self.COMMANDS_HERE:
            if self.check_action(command.action(), ()):
                yield command
        if not self.is_modal:
            yield from APP_COMMANDS

    async def give(self, command: CommandType) -> None:
        """Carry a command out, as if its key had been pressed."""
        await (self.app if command in APP_COMMANDS else self).run_action(command.action())

    def keys_of(self) -> dict[str, list[str]]:
        """Return the keys that work right now, as shown, by id of their command; the main key first."""
        keys: dict[str, list[str]] = {}
        for active in self.active_bindings.values():
            if active.binding.id:
                keys.setdefault(active.binding.id, []).append(self.app.get_key_display(active.binding))
        usual = self._usual_keys()
        return {name: _in_order(shown, usual.get(name, [])) for name, shown in keys.items()}

    def key(self, command: CommandType) -> str:
        """Return the main key of a command as it is shown, the user's own where there is one."""
        from dreamreview.tui.commands.keymap import keys_of

        names = keys_of(command, getattr(self.app, "user_keys", {}))
        return self.app.get_key_display(Binding(names[0], ""))

    def _usual_keys(self) -> dict[str, list[str]]:
        return {
            command.id(): [self.app.get_key_display(key) for key in Binding.make_bindings([command.binding()])]
            for command in (*self.COMMANDS_HERE, *APP_COMMANDS)
        }

    def word_of(self, command: CommandType) -> str:
        """Return the word in the key bar for what a command does right now."""
        return command.bar

    def hints(self) -> list[Hint]:
        """Return the hints of the key bar, the most useful first."""
        keys = self.keys_of()
        ranked = sorted(self.available(), key=lambda command: command.rank)
        return [
            (keys[command.id()][0], self.word_of(command))
            for command in ranked
            if command.bar and command is not Help and command.id() in keys
        ]

    def refresh_bar(self) -> None:
        """Show the keys that work now."""
        if not self.is_attached:
            return
        keys = self.keys_of().get(Help.id())
        for bar in self.query(KeyBar):
            bar.show(self.hints(), (keys[0], Help.bar) if keys else None)

    async def on_key_bar_pressed(self, event: KeyBar.Pressed) -> None:
        """Do what a key would have done whose hint was clicked."""
        event.stop()
        keys = self.keys_of()
        here: list[CommandType] = [*self.available(), Help]
        pressed = next((command for command in here if event.hint[0] in keys.get(command.id(), [])[:1]), None)
        if pressed is not None:
            await self.give(pressed)

    def on_screen_resume(self) -> None:
        """Show the keys again when this screen comes back on top."""
        self.refresh_bar()

    def on_resize(self) -> None:
        """Show the keys for the new size, under a dialog too."""
        self.refresh_bar()

    def in_background(self, group: str, call: Callable[[], Message]) -> None:
        """Do some work in a thread and post what it answers; newer work of the same group takes its place."""
        self.run_worker(partial(self._work, group, call), group=group, exclusive=True, thread=True)

    def _work(self, group: str, call: Callable[[], Message]) -> None:
        try:
            answer = call()
        except (DreamReviewError, OSError) as problem:
            answer = Failed(group, str(problem))
        if not get_current_worker().is_cancelled:
            self.post_message(answer)

    def tell(self, sentence: str) -> None:
        """Say something in passing."""
        self.notify(safe(sentence), markup=False, timeout=4)

    def complain(self, problem: str) -> None:
        """Say that something did not work."""
        self.notify(safe(problem), title="That did not work", severity="error", markup=False, timeout=10)

    def attempt(self, call: Callable[[], object]) -> bool:
        """Do something quick; False, and said so, when it did not work."""
        try:
            call()
        except (DreamReviewError, OSError) as problem:
            self.complain(str(problem))
            return False
        return True

    def on_failed(self, event: Failed) -> None:
        """Say what did not work in the background."""
        event.stop()
        self.complain(event.problem)

    def leave(self) -> None:
        """Go back one level."""
        self.dismiss(None)


def _in_order(keys: list[str], usual: list[str]) -> list[str]:
    """Sort keys as their command names them; keys that a user chose come first."""
    return sorted(keys, key=lambda key: usual.index(key) if key in usual else -1)
