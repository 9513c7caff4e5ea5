"""The codebook: its codes, what is said of each, and the keys that change them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from webbench.core.errors import WebbenchError
from webbench.core.labels.codebook import Codebook, load_codebook
from webbench.core.labels.ledger import ledger_of
from webbench.core.labels.taxonomy import Taxonomy
from webbench.core.labels.versions import Versions
from webbench.core.people.labelling.codebook_listing import CodebookListing, codebook_listing
from webbench.core.people.labelling.labelled_episode import last_steps
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.commands.screen_offers import ScreenOffers
from webbench.tui.destinations import open_trajectory
from webbench.tui.screens.breakpoints import breakpoints
from webbench.tui.screens.dialogs.prompt import ChoicePrompt
from webbench.tui.screens.dialogs.reading import ReadingScreen
from webbench.tui.screens.labelling.codes_and_examples import (
    CodebookList,
    ExampleList,
    code_entries,
    code_place,
    history_entries,
)
from webbench.tui.screens.labelling.recoding_questions import RecodingQuestions
from webbench.tui.widgets.lines.key_footer import KeyFooter
from webbench.tui.widgets.lists.text_rows import TextRows


@dataclass(frozen=True, slots=True)
class _Shown:
    """The codebook as it was read last; `versions` are None of a taxonomy that is a file."""

    codebook: Codebook
    taxonomy: Taxonomy
    versions: Versions | None
    listing: CodebookListing


class CodebookScreen(Screen[None], ScreenOffers):
    """Every change asks why, is on disk when it is shown, and can be taken back.

    Args:
        codebook: name of a codebook of the store, or of any taxonomy, whose codes can be read here.
        annotator: who changes it.
    """

    CSS = """
    CodebookScreen {
        #codebook-title { height: 1; background: $panel; padding: 0 1; text-style: bold; text-wrap: nowrap; }
        #codebook-title { text-overflow: ellipsis; }
        #codebook-panes { height: 1fr; layout: grid; grid-size: 2 2; grid-rows: 3fr 1fr; }
        CodebookList { row-span: 2; }
        &.-narrow #codebook-panes { grid-size: 1 3; grid-columns: 1fr; grid-rows: 4fr 4fr 5; }
        &.-narrow CodebookList { row-span: 1; }
    }
    """
    HORIZONTAL_BREAKPOINTS = breakpoints()
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("codebook")]
    AUTO_FOCUS = "CodebookList"

    def __init__(self, store: Store, codebook: str, annotator: str) -> None:
        super().__init__()
        self._store = store
        self._named = codebook
        self._annotator = annotator
        self._shown: _Shown | None = None
        self._questions = RecodingQuestions(self, store, annotator, lambda: self._named, self._show)

    @property
    def at_hand(self) -> dict[str, str]:
        """For commands: the codebook, and who changes it."""
        return {"codebook": self._named, "taxonomy": self._named, "annotator": self._annotator}

    def compose(self) -> ComposeResult:
        yield Static(Content("Codebook"), id="codebook-title")
        with Container(id="codebook-panes"):
            yield CodebookList()
            yield TextRows()
            yield ExampleList()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(TextRows).border_title = Content("What is said of it")
        self.query_one(ExampleList).show(())
        self._questions.ask(partial(self._show, self._named))

    async def _show(self, codebook: str) -> None:
        """Show a codebook as it is by now."""
        self._named = codebook
        try:
            self._shown = shown = await asyncio.to_thread(self._read)
        except WebbenchError as error:
            self.notify(plain_text(str(error), limit=400), severity="error", markup=False)
            return
        change = "changed by" if shown.versions is not None else "is a file, read only; read by"
        told = (
            f"Codebook {shown.taxonomy.name}, version {shown.taxonomy.version} · {change} {self._annotator}"
        )
        self.query_one("#codebook-title", Static).update(Content(plain_text(told)))
        self.query_one(CodebookList).show(shown.listing)
        self.on_codebook_list_code_focused()

    def _read(self) -> _Shown:
        ledger = ledger_of(self._store)
        codebook = load_codebook(written=ledger.codebooks)
        taxonomy = codebook.taxonomy(self._named)
        listing = codebook_listing(
            taxonomy, ledger.book(), last_steps(self._store), annotator=self._annotator
        )
        return _Shown(codebook, taxonomy, ledger.codebooks.of(self._named), listing)

    def on_codebook_list_code_focused(self) -> None:
        one, shown = self.query_one(CodebookList).code, self._shown
        if one is None or shown is None:
            return
        history = shown.versions.history(code_place(one)) if shown.versions is not None else ()
        self.query_one(TextRows).entries = code_entries(one, history)
        self.query_one(ExampleList).show(one.code.examples)

    def on_example_list_example_activated(self, message: ExampleList.ExampleActivated) -> None:
        run, _, episode = message.example.episode.partition("/")
        folder = self._store.root / run / episode
        if {run, episode} & {"", ".", ".."} or "/" in episode or not folder.is_dir():
            self.notify(
                f"{plain_text(message.example.episode, limit=200)} isn't in this store.", markup=False
            )
            return
        open_trajectory(self, folder, message.example.step)

    def action_define(self) -> None:
        self._questions.ask(self._questions.define)

    def action_rename(self) -> None:
        self._questions.ask(self._questions.rename)

    def action_merge(self) -> None:
        self._questions.ask(self._questions.merge)

    def action_split(self) -> None:
        self._questions.ask(self._questions.split)

    def action_group(self) -> None:
        self._questions.ask(self._questions.group)

    def action_undo(self) -> None:
        self._questions.ask(self._questions.undo)

    def action_memo(self) -> None:
        self._questions.ask(self._questions.memo)

    def action_new_code(self) -> None:
        self._questions.ask(self._questions.new_code)

    def action_begin(self) -> None:
        if self._shown is not None:
            self._questions.ask(partial(self._questions.begin, self._shown.taxonomy))

    def action_mark(self) -> None:
        self.query_one(CodebookList).turn_mark()

    def action_choose(self) -> None:
        if self._shown is None:
            return
        known = self._shown.codebook.taxonomies.values()
        choices = [(one.name, f"{one.name}: {one.title}") for one in known]

        def given(name: str | None) -> None:
            if name is not None:
                self._questions.ask(partial(self._show, name))

        self.app.push_screen(ChoicePrompt("Which codebook?", choices, at=self._named), given)

    def action_history(self) -> None:
        """All versions of the codebook."""
        if self._shown is None or self._shown.versions is None:
            self.notify("Taxonomies have no history here: their files do.", markup=False)
            return
        entries = history_entries(self._shown.versions.versions)
        self.app.push_screen(ReadingScreen(f"History of {self._named}", entries))

    def action_back(self) -> None:
        """Once what is being written is written."""
        self._questions.ask(self._leave)

    async def _leave(self) -> None:
        self.dismiss(None)
