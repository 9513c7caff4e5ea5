"""Compare: attempts at one task side by side, aligned step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Static

from webbench.core.analysis.compare.comparison import Comparison
from webbench.core.analysis.compare.sentences import summary
from webbench.core.errors import WebbenchError
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_clip, plain_text
from webbench.themes.stylesheets import stylesheet
from webbench.tui.commands import bindings, shown_key
from webbench.tui.commands.compare import PANELS
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import Compare, Labelling, go_to, open_trajectory
from webbench.tui.pictures.detect import Graphics
from webbench.tui.screens.breakpoints import NARROW_BELOW, breakpoints
from webbench.tui.screens.compare.actor_pane import ActorPane
from webbench.tui.screens.compare.aligned_rows import CompareRows
from webbench.tui.screens.compare.compared_pages import Compared, read_compared
from webbench.tui.screens.compare.diagnosis import diagnosis_entries
from webbench.tui.screens.compare.targets_pane import TargetsPane
from webbench.tui.screens.dialogs.attempts_to_compare import more_attempts
from webbench.tui.screens.dialogs.step_outside import StepOutside, StepPlace
from webbench.tui.screens.going_back import go_back
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lines.line import wrap
from webbench.tui.widgets.lines.pane_bar import PaneBar
from webbench.tui.widgets.lists.empty_state import EmptyState
from webbench.tui.widgets.lists.text_rows import TextRows
from webbench.tui.workbench import annotator_of
from webbench.tui.workers import call_after_refresh, run_worker

if TYPE_CHECKING:
    from textual.widget import Widget

PANE_CELLS = 36
"""Narrowest pane of an actor; as many stand side by side as find room."""
MOST_PANES = 4
MOST_LINES, MOST_LINES_NARROW = 3, 4
"""Of why they part; narrow terminals show nothing else of it at first."""
AROUND_ROWS = 3
"""Lines of the rows' border and column heads."""
RESTING = 0.06
"""Seconds that the cursor rests on a row before its pages are read."""
TITLES = {
    "why": "Why",
    "tree": "Page",
    "picture": "Picture",
    "checks": "Checks",
    "step": "Step",
    "targets": "Targets",
}


class CompareScreen(Screen[None], ScreenOffers):
    """Rows above, the chosen row's pages below, a pane for each actor; below 100 columns one at a time.

    Args:
        store: what the episodes are kept in.
        folders: of the episodes.
    """

    CSS_PATH = stylesheet("compare")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("compare")]
    HORIZONTAL_BREAKPOINTS = breakpoints()
    AUTO_FOCUS = "CompareRows"

    def __init__(self, store: Store, folders: Sequence[Path]) -> None:
        super().__init__()
        self._store = store
        self._folders = tuple(folders)
        self._compared: Compared | None = None
        self._panel = "why"
        self._after = False
        self._told_whole = False
        """Why the attempts part stands whole in the heading."""

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the attempts."""
        episodes = " ".join("/".join(folder.parts[-2:]) for folder in self._folders)
        return dict.fromkeys(("episode", "record"), episodes)

    def compose(self) -> ComposeResult:
        graphics = getattr(self.app, "graphics", Graphics("half-block", "default"))
        yield Static(Content("Compare"), id="compare-title", markup=False)
        yield Static(Content("Reading the attempts…"), id="compare-summary", markup=False)
        yield EmptyState("These can't be compared", id="compare-trouble")
        yield PaneBar(self._pane_titles())
        yield CompareRows()
        with ContentSwitcher(initial="why", id="panes"):
            yield TextRows(id="why")
            with Container(id="actors"):
                for at in range(min(MOST_PANES, len(self._folders))):
                    yield ActorPane(graphics, id=f"actor-{at}")
            yield TargetsPane(graphics, id="targets")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#why", TextRows).border_title = Content(TITLES["why"])
        self._show_rows_in_front(True)
        run_worker(self, self._read, exclusive=True, group="read")

    async def _read(self) -> None:
        """Read and align off the event loop."""
        try:
            annotator = annotator_of(self)
            self._compared = await asyncio.to_thread(read_compared, self._store, self._folders, annotator)
        except WebbenchError as error:
            self.set_class(True, "-trouble")
            key = shown_key(self.app, "compare.back")
            self.query_one("#compare-trouble", EmptyState).say(
                "These can't be compared", error.message, error.hint, f"{key} goes back"
            )
            return
        if not self.query(CompareRows):
            return  # left meanwhile
        found = self._compared.found
        self._show_heading(found)
        self._show_diagnosis()
        rows = self.query_one(CompareRows)
        rows.styles.max_height = len(found.marks) + AROUND_ROWS
        rows.comparison = found
        rows.go_to(self._compared.decisive_row)

    async def on_screen_resume(self) -> None:
        """After labelling there may be new labels."""
        if self._compared is not None:
            await asyncio.to_thread(self._compared.read_labels)
            self._show_diagnosis()
            self.query_one(CompareRows).relabelled(self._compared.found)
            self._show_soon()

    # -- what is shown -------------------------------------------------------------------------

    def _show_heading(self, found: Comparison) -> None:
        width, lines = max(20, self.size.width - 2), MOST_LINES_NARROW if self.narrow else MOST_LINES
        title = plain_clip(
            f"Compare · {found.benchmark} {plain_clip(found.task, 24)} · {found.intent}", width
        )
        whole = plain_text(summary(found), limit=2000)
        why = plain_text(summary(found, width * lines // (3 * len(found.attempts))), limit=2000)
        sure = found.sureness.level.title()
        because = f" ({found.sureness.why})" if found.sureness.why else ""
        in_full = wrap(f"{sure}: {whole}{because}", width)
        self._told_whole = len(in_full) <= lines
        text = "\n".join(in_full if self._told_whole else wrap(f"{sure}: {why}{because}", width, lines))
        style = "bold $text-success" if found.sureness.level == "sure" else "bold $text-warning"
        told = Content.assemble((text[: len(sure)], style), (text[len(sure) :], "bold"))
        self.query_one("#compare-title", Static).update(Content(title))
        self.query_one("#compare-summary", Static).update(told)

    def _show_diagnosis(self) -> None:
        """What the heading tells whole isn't told again."""
        if self._compared is not None:
            entries = diagnosis_entries(self._compared.found, self._compared.questions, told=self._told_whole)
            self.query_one("#why", TextRows).entries = entries

    def matters(self, id: str) -> bool:
        """Whether a key is worth a place in the footer now."""
        return not self.has_class("-trouble") or id in ("compare.back", "app.help")

    @property
    def narrow(self) -> bool:
        return self.size.width < NARROW_BELOW

    def _pane_titles(self) -> list[tuple[str, str]]:
        panels = [(name, f"{shown_key(self.app, f'compare.{name}')} {TITLES[name]}") for name in PANELS]
        return [("rows", "Steps"), *panels] if self.narrow else panels

    def _show_rows_in_front(self, rows: bool) -> None:
        """Where only one has room: the rows, or the panes."""
        self.set_class(rows, "show-rows")
        self.set_class(not rows, "show-panes")
        self.query_one(PaneBar).active = "rows" if rows and self.narrow else self._panel

    def on_resize(self) -> None:
        self.query_one(PaneBar).panes = self._pane_titles()
        if self._compared is not None:
            told_before = self._told_whole
            self._show_heading(self._compared.found)
            if self._told_whole != told_before:
                self._show_diagnosis()
        self._show_rows_in_front(self.has_class("show-rows"))
        self._show_soon()

    def on_compare_rows_row_focused(self) -> None:
        self._show_soon()

    def _show_soon(self) -> None:
        if self._compared is not None:
            run_worker(self, partial(self._show_actors, self._compared), exclusive=True, group="pages")

    async def _show_actors(self, compared: Compared) -> None:
        """The pages of the chosen row, as many actors as find room around the chosen one."""
        rows = self.query_one(CompareRows)
        await asyncio.sleep(RESTING)
        row = rows.row
        if row is None:
            return
        if self._panel == "targets":
            found = await asyncio.to_thread(compared.targets, row, rows.actor)
            self.query_one(TargetsPane).show(found)
            return
        actors = self._actors_shown(len(compared.found.attempts), rows.actor)
        for at, pane in enumerate(self.query(ActorPane)):
            pane.set_class(at >= len(actors), "-away")
        for pane, actor in zip(self.query(ActorPane), actors, strict=False):
            view = await asyncio.to_thread(compared.view, row, actor, after=self._after)
            pane.show(view, chosen=actor == rows.actor)

    def _actors_shown(self, count: int, chosen: int) -> list[int]:
        room = max(1, min(MOST_PANES, count, self.size.width // PANE_CELLS))
        first = max(0, min(chosen - room // 2, count - room))
        return list(range(first, first + room))

    # -- rows ----------------------------------------------------------------------------------

    def action_difference(self, step: int) -> None:
        """The next place where the actors begin to differ, or where one's action alone had no effect."""
        rows = self.query_one(CompareRows)
        here = rows.row
        if self._compared is None or here is None:
            return
        stops = [at for at, mark in enumerate(self._compared.found.marks) if mark.stop]
        ahead = [at for at in stops if (at > here if step > 0 else at < here)]
        if not ahead:
            where = "below" if step > 0 else "above"
            self.notify(f"No other difference begins {where}.", markup=False, timeout=2)
            return
        if rows.only is not None:
            rows.only = None
        rows.go_to(ahead[0] if step > 0 else ahead[-1])

    def action_scrub(self, step: int) -> None:
        self.query_one(CompareRows).action_move(step)

    def action_extra(self) -> None:
        """All rows, then the first actor's extra steps alone, then the next actor's."""
        if self._compared is None:
            return
        rows = self.query_one(CompareRows)
        count = len(self._compared.found.attempts)
        following = 0 if rows.only is None else rows.only + 1
        rows.only = following if following < count else None
        if rows.only is not None:
            rows.actor = rows.only
            name = self._compared.found.attempts[rows.only].name
            rows.empty_text = f"{plain_text(name, limit=60)} has no step that it alone does."
        self._show_soon()

    def action_actor(self, step: int) -> None:
        """Choose the next actor's column, or the one before."""
        if self._compared is not None:
            rows = self.query_one(CompareRows)
            rows.actor = (rows.actor + step) % len(self._compared.found.attempts)
            self._show_soon()

    def on_compare_rows_row_activated(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Open the chosen actor's trajectory at its step of this row."""
        rows = self.query_one(CompareRows)
        if self._compared is not None and rows.row is not None:
            folders = self._compared.folders(self._store.root)
            step = self._compared.step_at(rows.row, rows.actor)
            open_trajectory(self, folders[rows.actor], step, among=folders)

    def action_step_outside(self) -> None:
        """Open the chosen actor's page of this row in a browser."""
        StepOutside(self, self._place).ask()

    def _place(self) -> StepPlace | None:
        """The step whose page is shown of the chosen actor: with `b` that is the one before."""
        rows = self.query_one(CompareRows)
        if self._compared is None or rows.row is None:
            return None
        page = self._compared.page_place(rows.row, rows.actor, after=self._after)
        steps = self._compared.episodes[rows.actor].steps
        if page is None or page >= len(steps):
            return None
        return self._compared.folders(self._store.root)[rows.actor], steps[page].index

    def action_label(self) -> None:
        """Label the chosen actor's step of this row; the other attempts are the next to be labelled."""
        from webbench.core.people.labelling.worksheet import LabellingOrder

        if self._compared is None:
            return
        rows = self.query_one(CompareRows)
        folders = self._compared.folders(self._store.root)
        step = None if rows.row is None else self._compared.step_at(rows.row, rows.actor)
        places = tuple((folder.parent.name, folder.name) for folder in folders)
        order = LabellingOrder(places=places, at=rows.actor, step=step)
        go_to(self, Labelling(self._store.root, order))

    def action_add(self) -> None:
        """Put other attempts at the task beside these."""
        if self._compared is not None:
            run_worker(self, self._begin_with_more, exclusive=True, group="add")

    async def _begin_with_more(self) -> None:
        if others := await more_attempts(self, self._store, self._folders):
            go_to(self, Compare(self._store, [*self._folders, *others]), instead=True)

    # -- panes ---------------------------------------------------------------------------------

    def action_panel(self, name: str) -> None:
        """Bring a panel to the front."""
        self._choose_panel(name)
        self._show_rows_in_front(not self.narrow and self.has_class("show-rows"))
        if self.narrow:
            self._focus_panes()

    def _choose_panel(self, name: str) -> None:
        self._panel = name
        apart = name in ("why", "targets")
        self.query_one("#panes", ContentSwitcher).current = name if apart else "actors"
        if not apart:
            for pane in self.query(ActorPane):
                pane.show_panel(name)
        self._show_soon()
        self._show_rows_in_front(self.has_class("show-rows"))

    def action_turn_panel(self, step: int) -> None:
        self.action_panel(PANELS[(PANELS.index(self._panel) + step) % len(PANELS)])

    def action_side(self) -> None:
        """Pages as the actors found them, or as they left them."""
        self._after = not self._after
        told = "after" if self._after else "before"
        self.notify(f"Pages {told} the row's steps", markup=False, timeout=2)
        self._show_soon()

    def action_turn_pane(self, step: int) -> None:
        """From the rows to each shown pane and back."""
        places: list[Widget] = [self.query_one(CompareRows), *self._panes_shown()]
        here = next((at for at, one in enumerate(places) if one.has_focus_within), 0)
        following = places[(here + step) % len(places)]
        self._show_rows_in_front(isinstance(following, CompareRows))
        if isinstance(following, ActorPane | TargetsPane):
            following.focus_panel()
        else:
            following.focus()

    def _panes_shown(self) -> list[Widget]:
        if self._panel == "why":
            return [self.query_one("#why", TextRows)]
        if self._panel == "targets":
            return [self.query_one(TargetsPane)]
        return [pane for pane in self.query(ActorPane) if not pane.has_class("-away")]

    def _focus_panes(self) -> None:
        pane = self._panes_shown()[0]
        if isinstance(pane, ActorPane | TargetsPane):
            call_after_refresh(pane, pane.focus_panel)
        else:
            call_after_refresh(pane, pane.focus)

    def on_pane_bar_pane_chosen(self, message: PaneBar.PaneChosen) -> None:
        if message.name == "rows":
            self._show_rows_in_front(True)
            self.query_one(CompareRows).focus()
        else:
            self.action_panel(message.name)

    def action_maximise(self) -> None:
        """Give the panes all the room, or the rows theirs back."""
        self.toggle_class("-maximised")
        if self.has_class("-maximised"):
            self._focus_panes()
        else:
            self.query_one(CompareRows).focus()

    def action_back(self) -> None:
        """To the rows, then to where one came from."""
        rows = self.query_one(CompareRows)
        if self.narrow and self.has_class("show-panes"):
            self._show_rows_in_front(True)
            rows.focus()
        elif rows.only is not None:
            rows.only = None
        else:
            go_back(self)
