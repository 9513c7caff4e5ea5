"""What changing a codebook asks: what a code shall be, and why; the change is kept with both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from webbench.core.errors import UsageError, WebbenchError
from webbench.core.labels.codebook import load_codebook
from webbench.core.labels.taxonomy import Code, Taxonomy
from webbench.core.people.labelling.codebook_listing import ListedCode
from webbench.core.people.labelling.coder import NOTHING, Coder
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.tui.commands import bindings
from webbench.tui.screens.dialogs.prompt import ChoicePrompt, TextPrompt, TypedText
from webbench.tui.screens.labelling.codes_and_examples import CodebookList, code_place
from webbench.tui.widgets.fields.safe_input import SafeInput
from webbench.tui.workers import run_worker

PARTING = ";"
SAID = {
    "title": "Title",
    "definition": "Definition",
    "use_when": "When to give it",
    "not_when": "When not",
    "means": "Implies, of the merged taxonomy",
}


class DefinitionForm(ModalScreen[dict[str, str] | None]):
    """Asks what a code means; gives all fields, or None when it is left. Enter goes on to the next field."""

    CSS = """
    DefinitionForm { align: center middle; }
    DefinitionForm > Vertical {
        width: 90; max-width: 94%; height: auto; max-height: 90%; padding: 0 2;
        border: round $primary; background: $surface;
    }
    DefinitionForm Input { height: 1; border: none; margin-bottom: 1; background: $boost; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("prompt")]

    def __init__(self, code: Code) -> None:
        super().__init__()
        self._code = code
        self._typed = TypedText()

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(plain_text(f"What {self._code.name} means", limit=80))
            box.border_subtitle = Content("Enter: next field, and from the last on")
            for field, heading in SAID.items():
                yield Static(Content(heading))
                yield SafeInput(value=_as_text(self._code, field), id=field)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        fields = list(self.query(Input))
        if event.input is fields[-1]:
            self.dismiss(self._typed_fields())
        else:
            self.focus_next()

    def _typed_fields(self) -> dict[str, str]:
        return {field: self.query_one(f"#{field}", Input).value.strip() for field in SAID}

    def action_leave(self) -> None:
        changed = any(text != _as_text(self._code, field) for field, text in self._typed_fields().items())
        if self._typed.may_go(self, changed):
            self.dismiss(None)

    def on_input_changed(self) -> None:
        self._typed.went_on()


def _as_text(code: Code, field: str) -> str:
    said: str | tuple[str, ...] = getattr(code, field)
    return said if isinstance(said, str) else " ".join(said)


class RecodingQuestions:
    """Asks for a change of the codebook at hand and has it written down, one after the other.

    Args:
        codebook: name of the one at hand.
        changed: shows what was written, by the name of the codebook that it went into.
    """

    def __init__(
        self,
        screen: Screen[None],
        store: Store,
        annotator: str,
        codebook: Callable[[], str],
        changed: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        self._screen = screen
        self._store = store
        self._annotator = annotator
        self._codebook = codebook
        self._changed = changed
        self._at_work = asyncio.Lock()

    def ask(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin one of the questions below, or anything that is to follow on what is being written.

        What can't be changed so is told.
        """
        run_worker(self._screen, partial(self._asked, work), group="recoding")

    async def _asked(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async with self._at_work:
            try:
                await work()
            except WebbenchError as error:
                told = plain_text(str(error), limit=600)
                self._screen.notify(told, severity="error", markup=False, timeout=8)

    async def new_code(self) -> None:
        title = await self._text("A new code, without an example:")
        if title is not None:
            await self._write(f"New code: {title}.", lambda coder: coder.add(title)[0])

    async def define(self) -> None:
        one = self._one()
        said = await self._screen.app.push_screen_wait(DefinitionForm(one.code))
        if said is None:
            return
        changed = {field: text for field, text in said.items() if text != _as_text(one.code, field)}
        means = changed.pop("means", None)
        if not changed.get("title", "as it is"):
            raise UsageError("A code needs a title", "write something else in its place")
        if not changed and means is None:
            raise UsageError(f"Nothing else is said of {one.code.name}", "change a field")
        changed = {field: text or NOTHING for field, text in changed.items()}
        words = f"{one.code.name} is defined."
        implied = () if means is None else means.replace(",", " ").split() or [NOTHING]
        await self._write(words, lambda coder: coder.define(code_place(one), None, "", implied, **changed))

    async def rename(self) -> None:
        one = self._one()
        title = await self._text(f"What shall {one.code.name} be called?", one.code.title)
        if title is not None:
            words = f"{one.code.title} is called {title}."
            await self._write(words, lambda coder: coder.rename(code_place(one), title))

    async def merge(self) -> None:
        codes = self._some()
        into = self._list.others(codes)
        if not into:
            raise UsageError("There is no other code to merge into", "codes of one question can be merged")
        names = ", ".join(one.code.title for one in codes)
        choices = [(code_place(one), f"{one.code.title} ({one.labels})") for one in into]
        target = await self._screen.app.push_screen_wait(
            ChoicePrompt(f"Take {names} into which code?", choices)
        )
        if target is not None:
            gone = [code_place(one) for one in codes]
            words = f"{names} into {target.partition('.')[2]}."
            if await self._write(words, lambda coder: coder.merge(gone, target)):
                self._list.clear_marks()

    async def split(self) -> None:
        one = self._one()
        text = await self._text(f"Split {one.code.title} into which codes? Titles, “{PARTING}” between them:")
        if text is not None:
            titles = [title.strip() for title in text.split(PARTING) if title.strip()]
            words = f"{one.code.title} into {', '.join(titles)}; its labels wait to be read again."
            await self._write(words, lambda coder: coder.split(code_place(one), titles))

    async def group(self) -> None:
        codes = self._some()
        names = ", ".join(one.code.title for one in codes)
        question = f"Under which parent shall {names} stand? Empty: none"
        group = await self._screen.app.push_screen_wait(TextPrompt(question, value=codes[0].code.group))
        if group is not None:
            words = f"{names}: {group.strip() or 'no group'}."
            places = [code_place(one) for one in codes]
            if await self._write(words, lambda coder: coder.group(places, group)):
                self._list.clear_marks()

    async def undo(self) -> None:
        coder = await asyncio.to_thread(self._coder, "")
        last = coder.versions.last_change
        told = last.change.words if last is not None and last.change is not None else ""
        await self._write(
            f"Taken back: {told}.", lambda coder: coder.undo(), f"“{told}” is taken back." if told else ""
        )

    async def memo(self) -> None:
        one = self._one()
        own = [memo.text for memo in one.memos if memo.annotator == self._annotator]
        value = own[0] if own else ""
        question = f"Memo on {one.code.title}; empty takes it back:"
        text = await self._screen.app.push_screen_wait(TextPrompt(question, value=value))
        if text is not None and text.strip() != value:
            coder = await asyncio.to_thread(self._coder, "")
            await asyncio.to_thread(partial(coder.memo, text, code=code_place(one)))
            await self._done("The memo is kept." if text.strip() else "The memo is taken back.", coder.name)

    async def begin(self, taxonomy: Taxonomy) -> None:
        name = await self._text(f"Begin a codebook with the codes of {taxonomy.name}. Its name:")
        if name is not None:
            words = f"The codebook {name} is begun."
            await self._write(words, lambda coder: coder.begin(taxonomy), name=name)

    @property
    def _list(self) -> CodebookList:
        return self._screen.query_one(CodebookList)

    def _one(self) -> ListedCode:
        return self._some(self._list.code)[0]

    def _some(self, *codes: ListedCode | None) -> list[ListedCode]:
        found = [one for one in codes if one is not None] or self._list.chosen
        if not found:
            raise UsageError("There is no code yet", "make one first")
        return found

    async def _text(self, question: str, value: str = "") -> str | None:
        """A line that is not empty."""
        text = await self._screen.app.push_screen_wait(TextPrompt(question, value=value))
        return (text or "").strip() or None

    async def _write(
        self, words: str, change: Callable[[Coder], Taxonomy], about: str = "", name: str = ""
    ) -> bool:
        """Ask why, then change; False where it was left."""
        await asyncio.to_thread(self._coder, "", name)  # refused before it is asked why
        why = await self._screen.app.push_screen_wait(
            TextPrompt(f"{about or words} Why? It stands in the history; Esc leaves all as it is.")
        )
        if why is None:
            return False
        coder = await asyncio.to_thread(self._coder, why.strip(), name)
        taxonomy = await asyncio.to_thread(change, coder)
        await self._done(f"{words} {taxonomy.name}, version {taxonomy.version}", taxonomy.name)
        return True

    def _coder(self, why: str, name: str = "") -> Coder:
        return Coder(self._store, load_codebook(), self._annotator, name or self._codebook(), why)

    async def _done(self, words: str, codebook: str) -> None:
        self._screen.notify(plain_text(words, limit=400), markup=False, timeout=4)
        await self._changed(codebook)
