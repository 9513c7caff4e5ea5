"""The application: wiring only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.locations import log_folder
from webbench.core.settings import Settings, load_settings
from webbench.themes import install_themes
from webbench.tui.commands import bindings, unknown_keys
from webbench.tui.key_order import OrderedKeys
from webbench.tui.leaving import Leaving
from webbench.tui.pictures.detect import Graphics
from webbench.tui.widgets.glyphs import ASCII, UNICODE

if TYPE_CHECKING:
    from webbench.core.browser.launch import LaunchOptions
    from webbench.core.engine import messages
    from webbench.core.engine.options import HostOptions
    from webbench.core.labels.worksheet import LabellingOrder
    from webbench.core.studies.desk import Desk
    from webbench.core.task import Task
    from webbench.tui.engine_link import EngineLink


def _palette() -> type[Provider]:
    from webbench.tui.palette import UserActionProvider

    return UserActionProvider


@dataclass(frozen=True, slots=True)
class Opening:
    """What to show first, and the arguments that hold for every episode of the sitting."""

    store: Path
    benchmark: str = ""
    task: Task | None = None
    data: Path | None = None
    agent: str = ""
    dialect: str = ""
    rules: str = "published"
    resume: str = ""
    fork_step: int | None = None
    """The episode to resume is forked: repeated up to this step."""
    recorded: Path | None = None
    """Folder of an episode to show on the Trajectory screen, at `recorded_step`."""
    recorded_step: int | None = None
    attached: Path | None = None
    """Folder of an episode that is being played elsewhere, to look on at and to take over."""
    compare: tuple[Path, ...] = ()
    """Folders of episodes to show side by side."""
    labelling: LabellingOrder | None = None
    """What is to be labelled, and by whom."""
    desk: Desk | None = None
    """Where an annotator works on a study; nothing else is shown then."""


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
        self.opening = opening
        self.settings = settings or load_settings()
        self._clashes_told: set[str] = set()
        self._theme_problems = install_themes(self, self.settings.theme)
        self.graphics = graphics or Graphics("half-block", "not asked")
        self.glyphs = ASCII if self.settings.ascii else UNICODE
        if self.settings.ascii:
            from webbench.tui.widgets.ascii_lines import AsciiLines

            self._filters.append(AsciiLines())
        self._link = link
        self._leaving = Leaving(self.exit)
        self.recorded: list[str] = []
        """Episodes of this sitting, the latest last."""

    @property
    def link(self) -> EngineLink:
        """The line to the engine; made when it is first asked for."""
        if self._link is None:
            from webbench.tui.engine_link import EngineLink

            self._link = EngineLink(self._engine_options, log_folder() / "engine.log")
        return self._link

    def _engine_options(self) -> HostOptions:
        from webbench.core.engine.options import HostOptions
        from webbench.core.observation import Viewport

        size = self.settings.viewport
        return HostOptions(
            store=str(self.opening.store),
            browser=self._browser(),
            viewport=Viewport(size.width, size.height),
        )

    def _browser(self) -> LaunchOptions:
        """By the settings; with a window where a study is done in one."""
        from webbench.core.studies.window import needs_window

        options = self.settings.launch_options()
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
        from webbench.core.plain_text import plain_text

        problems = [*self._theme_problems, *self.settings.problems, *unknown_keys(self.settings.keys)]
        self.push_screen(self._first_screen())
        for problem in problems:
            self.notify(plain_text(problem), title="Settings", severity="warning", markup=False)
        self.call_after_refresh(self._start_engine)

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:  # noqa: ARG002
        """A re-bound key took the place of another action's: say whose."""
        for title in sorted({binding.description for binding in clashed_bindings} - self._clashes_told):
            self._clashes_told.add(title)
            text = f'A key of the settings hides "{title}"; give that another key too'
            self.notify(text, title="Settings", severity="warning", markup=False)

    def _first_screen(self) -> Screen[None]:
        if self.opening.desk is not None:
            from webbench.tui.screens.baseline import BaselineScreen

            return BaselineScreen(self.opening, self.opening.desk)
        if self.opening.task is not None:
            from webbench.tui.screens.stepper import StepperScreen

            return StepperScreen(self.opening.task, self.opening)
        if self.opening.recorded is not None:
            from webbench.tui.screens.trajectory import TrajectoryScreen

            return TrajectoryScreen(self.opening, self.opening.recorded, self.opening.recorded_step)
        if self.opening.attached is not None:
            from webbench.tui.screens.attached import attached_screen

            return attached_screen(self.opening, self.opening.attached)
        if self.opening.compare:
            from webbench.core.store.store import Store
            from webbench.tui.screens.compare import CompareScreen

            return CompareScreen(Store(self.opening.store), self.opening.compare)
        if self.opening.labelling is not None:
            from webbench.tui.screens.labelling import LabellingScreen

            return LabellingScreen(self.opening.store, self.opening.labelling)
        from webbench.tui.screens.library import LibraryScreen

        return LibraryScreen(self.opening)

    def _start_engine(self) -> None:
        self.run_worker(partial(self.link.run, self._engine_happened), name="engine", exit_on_error=False)

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
        if not CommandPalette.is_open(self):
            self.push_screen(CommandPalette(placeholder="Find an action by name…"))

    def action_help(self) -> None:
        from webbench.tui.screens.help import HelpScreen
        from webbench.tui.screens.help_groups import help_groups

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(help_groups(self.screen), getattr(self.screen, "dialect", None)))
