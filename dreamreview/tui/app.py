"""The terminal app: it wires screens to a workspace and watches for proposals; what is done is done by the screens."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import App
from textual.binding import BindingsMap
from textual.message import Message
from textual.worker import WorkerFailed

from dreamreview.errors import DreamReviewError
from dreamreview.tui.commands.base import bindings
from dreamreview.tui.commands.everywhere import APP_COMMANDS
from dreamreview.tui.inert import safe
from dreamreview.tui.screens.place import Place
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.surroundings import FIRST_PAINT, Surroundings
from dreamreview.tui.theme import DREAM, THEMES, problem_with
from dreamreview.tui.widgets.painted import CLASSES
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.command import Provider
    from textual.filter import LineFilter
    from textual.theme import Theme

    from dreamreview.daemon.arrivals import Arrivals
    from dreamreview.settings import Settings
    from dreamreview.tui.inbox.stores import Offered
    from dreamreview.tui.ports import OpenReviewLike, WorkspaceLike
    from dreamreview.tui.screens.inbox import InboxScreen

Watch = Callable[[Sequence[str], Callable[[str], None]], "Arrivals"]
"""Makes the watcher of some folders, given what to call when the proposals of one changed."""


def _watching(folders: Sequence[str], tell: Callable[[str], None]) -> Arrivals:
    from dreamreview.daemon.lookout import Lookout

    return Lookout(folders, tell)


def _palette() -> type[Provider]:
    from dreamreview.tui.commands.palette import CommandProvider

    return CommandProvider


class DreamReviewApp(App[int]):
    """Reviews what was dreamed over one memory folder, or over several."""

    class ProposalsChanged(Message):
        """Something changed among the proposals of a folder, or of any."""

        def __init__(self, folder: str | None = None) -> None:
            super().__init__()
            self.folder = folder

    TITLE = "dreamreview"
    CSS_PATH = "app.tcss"
    COMPONENT_CLASSES: ClassVar[set[str]] = CLASSES
    COMMANDS = {_palette}  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = bindings(APP_COMMANDS)

    def __init__(
        self,
        around: Surroundings | Sequence[Offered],
        proposal: str | None = None,
        watch: Watch | None = _watching,
        keymap: Mapping[str, str] | None = None,
        opened: OpenReviewLike | None = None,
        theme: str = "",
        keep_theme: Callable[[str], None] | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__()
        self._settings = settings
        """What the user wants; None for all as it comes."""
        for known in THEMES:
            self.register_theme(known)
        # Set before the app runs, so that the style sheets are parsed once, in these colours.
        self.set_reactive(App.theme, theme if theme in self.available_themes else DREAM.name)
        self._theme_problem = problem_with(theme)
        self._keep_theme = keep_theme
        """Keeps the name of a theme for the next run; None where it is not to be kept."""
        self.is_settled_in = False
        """Whether what could wait for the first paint is done."""
        self.stylesheet.set_variables(self.get_css_variables())
        self.user_keys: Mapping[str, str] = dict(keymap or {})
        """Id of a command to the user's own keys for it."""
        self.around = around
        self._wanted = proposal
        self._opened = opened
        self._inbox: InboxScreen | None = None
        """None until the person comes to it: under a review that opened at once nobody sees it."""
        self._waiting: frozenset[str] = frozenset()
        """Proposals that were there when it was last looked, while there is no inbox."""
        self._watch = watch
        self._arrivals: Arrivals | None = None

    def on_mount(self) -> None:
        """Show what was opened already, or the inbox."""
        if self.user_keys:
            self.set_keymap(self.user_keys)
        if self._opened is None or isinstance(self.around, Sequence):
            self._show_inbox()
        else:
            self.push_screen(ReviewScreen(self.around, self._opened), self._show_inbox)

    def _show_inbox(self, _answer: None = None) -> None:
        from dreamreview.tui.screens.inbox import InboxScreen

        self._inbox = InboxScreen(self.around, self._wanted, opens=self._opened is None)
        self.push_screen(self._inbox)

    def on_ready(self) -> None:
        """Leave what can wait until the first screen is painted."""
        self.set_timer(FIRST_PAINT, self._settle_in)

    def set_keymap(self, keymap: Mapping[str, str]) -> None:
        """Bind commands to the user's own keys, here and on all screens.

        Textual's own way takes a key from every command that shares it with one that is moved.
        """
        from dreamreview.tui.commands.keymap import rebound

        self.user_keys = dict(keymap)
        self._bindings = rebound(BindingsMap(self.BINDINGS), keymap)
        for screen in self.screen_stack:
            if isinstance(screen, Place):
                screen.take_keys(keymap)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Leave all colour out where the user wants none."""
        if not self.no_color:
            return super().get_line_filters()
        from dreamreview.tui.colourless import Colourless

        return [Colourless()]

    def _settle_in(self) -> None:
        """Collect garbage again, tell what is odd about the user's keys, and start to watch."""
        gc.enable()
        if self.user_keys:
            from dreamreview.tui.screens.every import problems_with

            for sentence in problems_with(self.user_keys):
                self.notify(safe(sentence), title="Keys", severity="warning", markup=False, timeout=20)
        if self._theme_problem:
            self.notify(safe(self._theme_problem), title="Theme", severity="warning", markup=False)
        if self._keep_theme is not None:
            self.theme_changed_signal.subscribe(self, self._remember_theme)
        if self._watch is not None:
            self._arrivals = self._watch(self._folders(), self._proposals_changed)
            self._arrivals.start()
        if self._inbox is None:
            self.run_worker(self._look_around, thread=True)
        self.is_settled_in = True

    def _fatal_error(self) -> None:
        """Leave with one line: the traceback that Textual draws shows what variables held, which is memory."""
        if os.environ.get("DREAMREVIEW_DEBUG"):
            super()._fatal_error()
            return
        error: BaseException | None = self._exception
        if isinstance(error, WorkerFailed):
            error = error.error
        told = safe(f"dreamreview: unexpected {type(error).__name__}: {error}; every decision is saved")
        self.panic(Text(told, overflow="fold"))

    def _remember_theme(self, theme: Theme) -> None:
        """Keep the theme that was chosen, and say so where that cannot be."""
        keep = self._keep_theme

        def work() -> None:
            try:
                if keep is not None:
                    keep(theme.name)
            except (DreamReviewError, OSError) as problem:
                self.call_from_thread(self.notify, safe(str(problem)), title="Theme", severity="warning", markup=False)

        self.run_worker(work, thread=True, exclusive=True, group="theme")

    def on_unmount(self) -> None:
        """Stop watching."""
        if self._arrivals is not None:
            self._arrivals.stop()

    def _folders(self) -> Sequence[str]:
        if isinstance(self.around, Sequence):
            return [offered.folder for offered in self.around]
        return [self.around.workspace.folder]

    def _proposals_changed(self, folder: str) -> None:
        """Hand over from the watcher's thread."""
        self.post_message(self.ProposalsChanged(folder))

    def on_dream_review_app_proposals_changed(self, event: ProposalsChanged) -> None:
        """Let the inbox look again, or say in passing what arrived."""
        event.stop()
        if self._inbox is not None:
            self._inbox.look(event.folder)
        else:
            self.run_worker(self._tell_arrivals, thread=True, exclusive=True, group="arrivals")

    def _look_around(self) -> frozenset[str]:
        """Return what waits that did not before; only where one store is open."""
        if isinstance(self.around, Sequence):
            return frozenset()
        try:
            waiting = frozenset(self.around.workspace.ready())
        except (DreamReviewError, OSError):
            return frozenset()
        fresh = waiting - self._waiting
        self._waiting = waiting
        return fresh

    def _tell_arrivals(self) -> None:
        fresh = self._look_around()
        if fresh:
            self.call_from_thread(self.notify, safe(f"{count(len(fresh), 'new proposal')} arrived"), markup=False)

    def action_help(self) -> None:
        """Show the keys of the screen on top."""
        from dreamreview.tui.screens.help import help_rows
        from dreamreview.tui.screens.reader import ReaderScreen

        screen = self.screen
        if isinstance(screen, Place):
            rows = list(help_rows(screen.available(), screen.keys_of()))
            self.push_screen(ReaderScreen("Keys that work here now", rows))

    def action_show_settings(self) -> None:
        """Show the settings."""
        from dreamreview.settings import Settings
        from dreamreview.tui.detail.wishes import wish_rows
        from dreamreview.tui.screens.reader import ReaderScreen

        rows = list(wish_rows(self._settings or Settings(), self.theme))
        self.push_screen(ReaderScreen("Settings", rows))

    def action_leave(self) -> None:
        """Go back one level, or leave from the inbox."""
        screen = self.screen
        if isinstance(screen, Place):
            screen.leave()


def _keeper(settings: Settings, folders: Sequence[str]) -> Callable[[str], None]:
    def keep(name: str) -> None:
        from dreamreview.workspace.preferences import keep_theme

        keep_theme(settings, name, folders)

    return keep


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
    if settings is None:
        from dreamreview.settings import load

        settings = load()
    around = Surroundings(workspace, time.monotonic, settings.editor)
    keep = _keeper(settings, [workspace.folder])
    app = DreamReviewApp(
        around,
        proposal,
        keymap=settings.keymap,
        opened=opened,
        theme=settings.theme,
        keep_theme=keep,
        settings=settings,
    )
    return app.run() or app.return_code or 0


def run_several(offered: Sequence[Offered], settings: Settings) -> int:
    """Run the app on one inbox over several memory folders until the person leaves; returns the exit status."""
    keep = _keeper(settings, [each.folder for each in offered])
    app = DreamReviewApp(offered, keymap=settings.keymap, theme=settings.theme, keep_theme=keep, settings=settings)
    return app.run() or app.return_code or 0
