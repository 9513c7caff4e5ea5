"""The codes of a codebook and their examples, as lists, and what is said of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from webbench.core.labels.taxonomy import Example, Taxonomy
from webbench.core.people.labelling.codebook_listing import (
    CodebookListing,
    ListedCode,
    agreement_words,
    alpha_words,
    count_words,
    sentences,
)
from webbench.core.text.no_value import NO_VALUE
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.tui.widgets.lines.line import Line
from webbench.tui.widgets.lists.row_list import RowList
from webbench.tui.widgets.lists.text_rows import Entry

COUNT_WIDTH = 5
AGREEMENT_WIDTH = 11
GROUP_WIDTH = 18
PLACE_WIDTH = 8


class CodebookList(RowList):
    """Set `listing`; codes stand by group, with how often they were given and the agreement on them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"codebook-list--{name}" for name in ("marked", "waiting")}
    DEFAULT_CSS = """
    CodebookList {
        & > .codebook-list--marked { color: $text-accent; text-style: bold; }
        & > .codebook-list--waiting { color: $text-warning; }
    }
    """
    fixed_lines = 1
    empty_text = "Reading the codebook…"

    class CodeFocused(Message):
        """The cursor came to rest on a code."""

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._codes: tuple[ListedCode, ...] = ()
        self._marked: set[str] = set()

    def show(self, listing: CodebookListing) -> None:
        """Show the codes; the cursor stays on its code, and marks on those that are still there."""
        at = self.code
        order = {group: place for place, group in enumerate(listing.groups)}
        self._codes = tuple(sorted(listing.codes, key=lambda one: order[one.code.group]))
        names = [code_place(one) for one in self._codes]
        self._marked &= set(names)
        self.rows_changed()
        if at is not None and code_place(at) in names:
            self.cursor = names.index(code_place(at))
        self.border_title = Content(plain_text(listing.title, limit=80))
        hidden = f", {counted(listing.hidden, 'label')} hidden" if listing.hidden else ""
        self.border_subtitle = Content(f"{counted(len(names), 'code')}{hidden}")

    @property
    def code(self) -> ListedCode | None:
        """The one under the cursor."""
        return self._codes[self.cursor] if self.cursor < len(self._codes) else None

    @property
    def chosen(self) -> list[ListedCode]:
        """The marked codes; without marks the one under the cursor."""
        marked = [one for one in self._codes if code_place(one) in self._marked]
        return marked or ([self.code] if self.code is not None else [])

    def others(self, codes: Sequence[ListedCode]) -> list[ListedCode]:
        """Codes that these can be merged into: of the same question, and still given."""
        questions = {one.question for one in codes}
        return [
            one
            for one in self._codes
            if one not in codes and one.question in questions and not one.code.split_into
        ]

    def turn_mark(self) -> None:
        """Mark the code under the cursor, or no longer, and go on to the next."""
        if self.code is not None:
            self._marked ^= {code_place(self.code)}
            self.refresh_row(self.cursor)
            self.cursor += 1

    def clear_marks(self) -> None:
        self._marked.clear()
        self.refresh()

    @property
    def row_count(self) -> int:
        return len(self._codes)

    def fixed_line(self, line: int, width: int) -> Strip:
        head = Line(width)
        head.right(f"{'n':>{COUNT_WIDTH}}", self.part("row-list--muted"))
        head.right(f"{'agreement':>{AGREEMENT_WIDTH}} ", self.part("row-list--muted"))
        return head.add("  code", self.part("row-list--muted")).strip(self.rich_style)

    def row_line(self, row: int, width: int) -> Line:
        one = self._codes[row]
        line = Line(width)
        waiting = one.to_recode or one.code.split_into
        line.right(
            f"{one.labels:>{COUNT_WIDTH}}",
            self.part("codebook-list--waiting") if waiting else self.rich_style,
        )
        line.right(f"{alpha_words(one) or NO_VALUE:>{AGREEMENT_WIDTH}} ", self.part("row-list--muted"))
        marked = code_place(one) in self._marked
        line.add(f"{self.glyphs.selected if marked else ' '} ", self.part("codebook-list--marked"))
        told = " (split)" if one.code.split_into else ""
        room = max(12, line.room - GROUP_WIDTH) if one.code.group else None
        line.add(plain_text(f"{one.code.title}{told}", limit=200), limit=room)
        return line.add(f"  {plain_text(one.code.group, limit=80)}", self.part("row-list--muted"))

    def row_focused(self, row: int) -> None:
        self.post_message(self.CodeFocused())


class ExampleList(RowList):
    """The places that show a code; Enter opens one."""

    empty_text = "No example yet."

    @dataclass
    class ExampleActivated(Message):
        example: Example

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        self._examples: Sequence[Example] = ()

    def show(self, examples: Sequence[Example]) -> None:
        self._examples = examples
        self.cursor = 0
        self.rows_changed()
        self.border_title = Content("Examples")
        self.border_subtitle = Content(counted(len(examples), "example"))

    @property
    def row_count(self) -> int:
        return len(self._examples)

    def row_line(self, row: int, width: int) -> Line:
        example = self._examples[row]
        line = Line(width)
        line.add(f" {'' if example.step is None else f'step {example.step}':<{PLACE_WIDTH}} ")
        line.add(f"“{plain_text(example.quote, limit=400)}”  " if example.quote else "")
        return line.add(plain_text(example.episode, limit=400), self.part("row-list--muted"))

    def row_activated(self, row: int) -> None:
        self.post_message(self.ExampleActivated(self._examples[row]))


def code_place(one: ListedCode) -> str:
    """ "question.code", by which a code is changed."""
    return f"{one.question}.{one.code.name}"


def code_entries(one: ListedCode, history: Sequence[Taxonomy]) -> list[Entry]:
    """What is said of a code, by whom it was given, and what became of it; its examples stand apart."""
    entries = [
        Entry("code", f"{one.code.title} ({code_place(one)})", "strong"),
        Entry("given", count_words(one)),
        Entry("agreement", agreement_words(one) or "nobody else read the same yet", "muted"),
    ]
    entries += [Entry(heading, text) for heading, text in sentences(one) if heading != "example"]
    if one.code.group:
        entries.append(Entry("group", one.code.group))
    return [*entries, *history_entries(history)]


def history_entries(versions: Sequence[Taxonomy]) -> list[Entry]:
    """What led to each version, by whom, when and why."""
    entries = []
    for version in versions:
        if (change := version.change) is not None:
            why = f": {change.why}" if change.why else ""
            told = f"{change.words}, {change.by} {change.at[:16].replace('T', ' ')}{why}"
            entries.append(Entry(f"version {version.version}", told, "muted"))
    return entries
