"""The terminal app: it wires screens to a workspace and watches for proposals; what is done is done by the screens."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.message import Message

from dreamreview.daemon.arrivals import Arrivals
from dreamreview.settings import Settings, load
from dreamreview.tui.commands.base import bindings
from dreamreview.tui.commands.everywhere import APP_COMMANDS
from dreamreview.tui.commands.palette import CommandProvider
from dreamreview.tui.ports import OpenReviewLike, WorkspaceLike
from dreamreview.tui.screens.help import help_rows
from dreamreview.tui.screens.inbox import InboxScreen
from dreamreview.tui.screens.place import Place
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.surroundings import Surroundings
from dreamreview.tui.theme import DREAM, THEMES

Watch = Callable[[str, Callable[[], None]], Arrivals]
"""Makes the watcher of a folder, given what to call when its proposals changed."""


class DreamReviewApp(App[int]):
    """Reviews what was dreamed over one memory folder."""

    class ProposalsChanged(Message):
        """Something changed among the proposals of the folder."""

    TITLE = "dreamreview"
    CSS_PATH = "app.tcss"
    COMMANDS = {CommandProvider}  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = bindings(APP_COMMANDS)

    def __init__(
        self,
        around: Surroundings,
        proposal: str | None = None,
        watch: Watch | None = Arrivals,
        keymap: Mapping[str, str] | None = None,
        opened: OpenReviewLike | None = None,
    ) -> None:
        super().__init__()
        self._user_keys = dict(keymap or {})
        self.around = around
        self._opened = opened
        self._inbox = InboxScreen(around, proposal, opens=opened is None)
        self._watch = watch
        self._arrivals: Arrivals | None = None

    def on_mount(self) -> None:
        """Open the inbox, and over it what was opened already, and start to watch."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DREAM.name
        self.set_keymap(self._user_keys)
        self.push_screen(self._inbox)
        if self._opened is not None:
            self.push_screen(ReviewScreen(self.around, self._opened))
        if self._watch is not None:
            self._arrivals = self._watch(self.around.workspace.folder, self._proposals_changed)
            self._arrivals.start()

    def on_unmount(self) -> None:
        """Stop watching."""
        if self._arrivals is not None:
            self._arrivals.stop()

    def _proposals_changed(self) -> None:
        """Hand over from the watcher's thread."""
        self.post_message(self.ProposalsChanged())

    def on_dream_review_app_proposals_changed(self, event: ProposalsChanged) -> None:
        """Let the inbox look again."""
        event.stop()
        self._inbox.look()

    def action_help(self) -> None:
        """Show the keys of the screen on top."""
        from dreamreview.tui.screens.reader import ReaderScreen

        screen = self.screen
        if isinstance(screen, Place):
            commands = (*screen.COMMANDS_HERE, *APP_COMMANDS)
            self.push_screen(ReaderScreen("Keys", list(help_rows(commands, screen.keys_ever()))))

    def action_leave(self) -> None:
        """Go back one level, or leave from the inbox."""
        screen = self.screen
        if isinstance(screen, Place):
            screen.leave()


def run(
    workspace: WorkspaceLike,
    proposal: str | None = None,
    settings: Settings | None = None,
    opened: OpenReviewLike | None = None,
) -> int:
    """Run the app on a memory folder until the person leaves; returns the exit status.

    Args:
        workspace: the folder.
        proposal: id of the proposal to open at once; else the only one that waits, else the inbox.
        settings: the user's own without one.
        opened: that proposal, where it was opened already; it is shown at once.
    """
    settings = settings or load()
    around = Surroundings(workspace, time.monotonic, settings.editor)
    app = DreamReviewApp(around, proposal, keymap=settings.keymap, opened=opened)
    return app.run() or app.return_code or 0
