"""Indexed texts: what of an episode can be found, step by step, and what of it can't.

Of a page it is what its accessibility tree says, each line once; HTML and pictures are not looked through,
nor are prompts, which repeat the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

import msgspec

from webbench.core.action.action import target_of
from webbench.core.analysis.recorded.search import done_words
from webbench.core.errors import BadData
from webbench.core.labels.ledger import Book
from webbench.core.labels.visibility import open_labels
from webbench.core.models.call_text import answer_text
from webbench.core.observation import Observation
from webbench.core.scoring.judges.kept_replies import every_reply
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, Trajectory

MOST_CHARACTERS = 100_000
"""Of one text; what stands behind can't be found."""
WHOLE = -1
"""In place of a step's index: of the episode as a whole."""

Where = Literal[
    "task",
    "action",
    "reasoning",
    "reply",
    "proposed",
    "note",
    "error",
    "output",
    "page",
    "dialogue",
    "message",
    "judge",
    "label",
    "memo",
    "dispute",
]
"""What a text is. "task" is its intent, "action" the action as it was sent and in words, "message" what a
page wrote into its console, "judge" a reply from when the episode was scored again, "dispute" why a score is
disputed, and what was decided on it."""
PLACES: tuple[Where, ...] = get_args(Where)
OF_PEOPLE: tuple[Where, ...] = ("label", "memo", "dispute")
"""They lie in the ledger, not with the episode."""


class Text(msgspec.Struct, frozen=True):
    """A text at a step, or at `WHOLE`."""

    step: int
    where: Where
    text: str


class SeenPage(msgspec.Struct, frozen=True):
    """The page after a step, by the name of its blob, which many steps share."""

    step: Step


class EpisodeTexts:
    """The texts of one episode. Pages are read only where they are asked for.

    Attributes:
        pages_without_tree: steps of which there is HTML or a picture, and no accessibility tree.
        problem: why some page, or what judges replied, could not be read; "" for all read.
    """

    def __init__(self, store: Store, trajectory: Trajectory) -> None:
        self.problem = "; ".join(trajectory.problems)
        self.pages_without_tree = sum(
            bool(step.html or step.screenshot) and not step.observation for step in trajectory.steps
        )
        self._store = store
        self._trajectory = trajectory
        self._last = ("", Observation())
        self._turns = 0

    def all(self) -> Iterator[Text | SeenPage]:
        """In order of steps."""
        yield Text(WHOLE, "task", self._trajectory.header.task.intent)
        before: Step | None = None
        for step in self._trajectory.steps:
            yield from self._of_step(step, before)
            if step.observation:
                yield SeenPage(step)
                before = step
        yield from self._judged()

    def of_page(self, page: SeenPage) -> Text:
        """What a page says, whichever step shows it."""
        return Text(page.step.index, "page", page_text(self._look(page.step)))

    def has_dialogue(self, page: SeenPage) -> bool:
        return bool(self._look(page.step).dialogue)

    def new_turns(self, page: SeenPage) -> Text:
        """The turns of the dialogue that no page before had: they are of this step, not of the page."""
        seen = self._look(page.step)
        turns, self._turns = seen.dialogue[self._turns :], max(self._turns, len(seen.dialogue))
        return Text(page.step.index, "dialogue", "\n".join(turn.text for turn in turns))

    def _of_step(self, step: Step, before: Step | None) -> Iterator[Text]:
        index = step.index
        if step.acted:
            yield Text(index, "action", self._action(step, before))
        for where in ("reasoning", "reply", "proposed", "note", "error", "output"):
            yield Text(index, where, getattr(step, where))
        for call in step.calls:
            yield Text(index, "reply", answer_text(call))
        yield Text(index, "message", "\n".join(message.text for message in step.messages))

    def _action(self, step: Step, before: Step | None) -> str:
        """In words, and as it was sent; the page before is read where it alone names the element."""
        target = target_of(step.action) if step.action is not None else None
        unnamed = target is not None and target.id is not None and not (target.role or target.name)
        page = self._look(before) if unnamed and before is not None else Observation()
        words = done_words(step, page)
        return words if step.text in words else f"{words}\n{step.text}"

    def _look(self, step: Step) -> Observation:
        if self._last[0] != step.observation:
            try:
                seen = self._store.observation(self._trajectory, step)
            except BadData as error:
                self.problem = self.problem or error.message
                seen = Observation()
            self._last = step.observation, seen
        return self._last[1]

    def _judged(self) -> Iterator[Text]:
        try:
            for kept in every_reply(folder_of(self._store, self._trajectory)):
                yield Text(WHOLE, "judge", "\n".join(filter(None, (kept.reply.text, kept.reply.reason))))
        except BadData as error:
            self.problem = self.problem or error.message


def folder_of(store: Store, trajectory: Trajectory) -> Path:
    """Where an episode lies."""
    return store.root / trajectory.header.run / trajectory.header.episode


def page_text(seen: Observation) -> str:
    """Title, address, and the lines of the accessibility tree in their order, each once."""
    nodes = (f"{node.name}: {node.value}" if node.value else node.name for node in seen.nodes)
    dialog = seen.dialog.message if seen.dialog is not None else ""
    lines = (" ".join(line.split()) for line in (seen.title, seen.url, dialog, *nodes))
    return "\n".join(dict.fromkeys(filter(None, lines)))


def said_of(book: Book) -> dict[tuple[str, str], list[Text]]:
    """What people said of episodes, as far as nobody may be swayed by it any more, by run and episode."""
    found: dict[tuple[str, str], list[Text]] = {}

    def add(place: tuple[str, str], step: int | None, where: Where, *parts: str) -> None:
        text = Text(WHOLE if step is None else step, where, " ".join(filter(None, parts)))
        found.setdefault(place, []).append(text)

    for place, labels in open_labels(book).items():
        for one in labels:
            add(place, one.step, "label", one.taxonomy, one.question, one.answer, one.about, one.note)
    through = {(run, episode, who) for run, episode, _, who in book.done}
    closed = {
        (one.run, one.episode) for one in book.labels if (one.run, one.episode, one.annotator) not in through
    }
    for memo in book.memos:
        place = memo.run, memo.episode
        if (*place, memo.annotator) in through and place not in closed:
            add(place, memo.step, "memo", memo.code, memo.text)
    for dispute in book.disputes:
        place = dispute.run, dispute.episode
        add(place, dispute.evidence, "dispute", dispute.check, dispute.reason, dispute.quote)
    for ruling in book.rulings:
        add((ruling.run, ruling.episode), None, "dispute", ruling.verdict, ruling.note)
    return found
