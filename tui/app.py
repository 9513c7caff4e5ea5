"""The application: wiring only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.dom import DOMNode
from textual.widgets import Static

from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.locations import log_folder
from webbench.core.settings.settings import Settings
from webbench.themes import install_themes
from webbench.tui.commands import bindings, unknown_keys
from webbench.tui.exit_on_signal import Leaving
from webbench.tui.key_order import OrderedKeys
from webbench.tui.pictures.detect import Graphics
from webbench.tui.widgets.lines.glyphs import ASCII, UNICODE
from webbench.tui.widgets.lines.painted_rows import let_painted_rows_go
from webbench.tui.workers import run_worker

if TYPE_CHECKING:
    from webbench.core.browser.starting.browser_options import LaunchOptions
    from webbench.core.engine.process.engine_options import HostOptions
    from webbench.core.engine.wire import messages
    from webbench.tui.destinations import GoTo
    from webbench.tui.engine_link import EngineLink
    from webbench.tui.opening import Opening


def _palette() -> type[Provider]:
    from webbench.tui.screens.dialogs.palette import UserActionProvider

    return UserActionProvider


class WorkbenchApp(OrderedKeys):
    """Library and stepper over one engine process.

    What the screens are made of is imported after the first paint: a terminal that shows something at
    once is what a person who works over ssh waits for.
    """

    TITLE = "webbench-tui"
    CSS: ClassVar[str] = (
        "#opening { width: 1fr; height: 1fr; content-align: center middle; color: $foreground-muted; }"
    )
    COMMANDS: ClassVar = {_palette}
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        opening: Opening,
        settings: Settings | None = None,
        graphics: Graphics | None = None,
        link: EngineLink | None = None,
    ) -> None:
        super().__init__()
        let_painted_rows_go()
        self.opening = opening
        self.settings = settings or load_settings()
        self._clashes_told: set[str] = set()
        self._theme_problems = install_themes(self, self.settings.theme)
        self.graphics = graphics or Graphics("half-block", "not asked")
        self.glyphs = ASCII if self.settings.ascii else UNICODE
        if self.settings.ascii:
            from webbench.tui.widgets.lines.ascii_lines import AsciiLines

            self._filters.append(AsciiLines())
        self._link = link
        self._leaving = Leaving(self.exit)
        self.recorded: list[str] = []
        """Episodes of this sitting, the latest last."""
        self.begun_runs: list[str] = []
        """Runs that were begun in this sitting, or gone on with."""

    @property
    def link(self) -> EngineLink:
        """The line to the engine; made when it is first asked for."""
        if self._link is None:
            from webbench.tui.engine_link import EngineLink

            log = log_folder() / "engine.log"
            self._link = EngineLink(self._engine_options, log, warm=not self.opening.reads_only)
        return self._link

    def _engine_options(self) -> HostOptions:
        from webbench.core.engine.process.engine_options import HostOptions
        from webbench.core.observation import Viewport

        size = self.settings.viewport
        return HostOptions(
            store=str(self.opening.store),
            browser=self._browser(),
            viewport=Viewport(size.width, size.height),
        )

    def _browser(self) -> LaunchOptions:
        """By the settings; with a window where a study is done in one."""
        from webbench.core.browser.starting.configured import configured_launch
        from webbench.core.people.studies.browser_window import needs_window

        options = configured_launch(self.settings)
        desk = self.opening.desk
        if desk is not None and needs_window(desk.study):
            return msgspec.structs.replace(options, headless=False)
        return options

    def compose(self) -> ComposeResult:
        yield Static("webbench-tui", id="opening")

    def on_mount(self) -> None:
        self.set_keymap(dict(self.settings.keys))
        self._leaving.watch()
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        """After the first paint: the first screen, what is wrong with the settings, the engine."""
        from webbench.core.text.plain_text import plain_text
        from webbench.tui.navigation import first_place, screen_for

        problems = [*self._theme_problems, *self.settings.problems, *unknown_keys(self.settings.keys)]
        self.push_screen(screen_for(first_place(self.opening)))
        for problem in problems:
            self.notify(plain_text(problem), title="Settings", severity="warning", markup=False)
        self.call_after_refresh(self._start_engine)

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:  # noqa: ARG002 - of Textual's contract
        """A re-bound key took the place of another action's: say whose."""
        for title in sorted({binding.description for binding in clashed_bindings} - self._clashes_told):
            self._clashes_told.add(title)
            text = f'A key of the settings hides "{title}"; give that another key too'
            self.notify(text, title="Settings", severity="warning", markup=False)

    def _start_engine(self) -> None:
        run_worker(self, partial(self.link.run, self._engine_happened), name="engine", exit_on_error=False)

    def _engine_happened(self, event: messages.Event) -> None:
        """To the screen that shows the episode or the tasks; a dialog over it sees nothing of it."""
        if (header := getattr(event, "header", None)) is not None and header.episode not in self.recorded:
            self.recorded.append(header.episode)
        for screen in reversed(self.screen_stack):
            if hasattr(screen, "on_engine_link_happened"):
                screen.post_message(self.link.Happened(event))
                return

    async def on_unmount(self) -> None:
        if self._link is not None:
            await self._link.close()
        self._leaving.closed()

    def action_leave(self) -> None:
        self.exit()

    def action_next_theme(self) -> None:
        """The next of our own themes, then those of the configuration folder."""
        from webbench.themes import theme_names

        names = theme_names(self)
        position = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(position + 1) % len(names)]
        self.notify(f"Theme {self.theme}", timeout=2)

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="Find an action by name…"))

    def action_commands(self) -> None:
        from webbench.tui.navigation import show_commands

        show_commands(self, self.opening.store)

    def action_studies(self) -> None:
        from webbench.tui.navigation import show_studies

        show_studies(self, self.opening.store)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An annotator of a study is not shown what commands and other studies tell of the store."""
        if action in ("commands", "studies"):
            return self.opening.desk is None
        return super().check_action(action, parameters)

    def action_help(self) -> None:
        from webbench.tui.navigation import show_help

        show_help(self)

    def on_go_to(self, message: GoTo) -> None:
        from webbench.tui.navigation import go

        go(self, message)
