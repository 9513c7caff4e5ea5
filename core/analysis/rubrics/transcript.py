"""A transcript: what a judge is given of an episode, step by step, bounded, between delimiters.

It holds the task, what was done and thought, what went wrong, and what was new on each page. It holds
neither score nor reference answer: a judge shall not repeat the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.core.action.action import Say
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.search import done_words
from webbench.core.models.call_text import answer_text
from webbench.core.models.tokens import truncated
from webbench.core.observation import Observation
from webbench.core.score.score import digest
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step

TOKENS = 12_000
"""What a transcript may have unless somebody says otherwise."""
MOST_STEPS = 1_000
LONGEST_PART = 20_000
"""Characters of one part of a step: a page, a thought."""
MARK_LENGTH = 16


class StepText(msgspec.Struct, frozen=True, kw_only=True):
    """One step as the judge reads it; what a citation quotes has to stand in `text`."""

    index: int
    text: str


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """An episode in words.

    Attributes:
        cut: steps of which a part was left out for want of room.
        left_out: steps behind the last one that is told.
        whole: the mark of the record that this is a part of, "" for one that is whole. Parts begin alike, so
            that a server that keeps what it has read reads their common beginning once.
    """

    task: str
    steps: tuple[StepText, ...]
    cut: int = 0
    left_out: int = 0
    whole: str = ""

    @property
    def mark(self) -> str:
        """A word that no page can have known: the beginning of the record's own SHA-256."""
        return self.whole or digest([self.task, *(one.text for one in self.steps)])[:MARK_LENGTH]

    @property
    def text(self) -> str:
        """The whole between its delimiters."""
        parts = [f"<<<RECORD {self.mark}", f"Task: {self.task}"]
        parts += [f"[step {one.index}] {one.text}" for one in self.steps]
        if self.left_out:
            parts.append(f"({counted(self.left_out, 'further step')} not shown)")
        return "\n".join([*parts, f"RECORD {self.mark}>>>"])

    def step(self, index: int) -> StepText | None:
        return next((one for one in self.steps if one.index == index), None)


def transcript_of(recorded: RecordedEpisode, most_tokens: int = TOKENS) -> Transcript:
    """The episode in at most about so many tokens: the longest steps lose their middle first."""
    steps = recorded.steps[:MOST_STEPS]
    whole: list[StepText] = []
    before = Observation()
    for step in steps:
        seen = recorded.look(step)
        whole.append(StepText(index=step.index, text="\n  ".join(_parts(step, before, seen))))
        before = seen if seen is not None else before
    kept = truncated([one.text for one in whole], most_tokens)
    shown = [msgspec.structs.replace(one, text=text or "…") for one, text in zip(whole, kept, strict=True)]
    task = recorded.trajectory.header.task
    return Transcript(
        task=_harmless(task.intent or task.id, 4_000),
        steps=tuple(shown),
        cut=sum(one.text != text for one, text in zip(whole, kept, strict=True)),
        left_out=len(recorded.steps) - len(steps),
    )


def _parts(step: Step, before: Observation, seen: Observation | None) -> Iterator[str]:
    done = step.action.text if isinstance(step.action, Say) else done_words(step, before)
    yield _harmless(f"{step.note}: {done}" if isinstance(step.action, Say) and step.note else done)
    replies = "\n".join(map(answer_text, step.calls))
    told = {
        "thought": step.reasoning or step.reply or replies,
        "error": step.error,
        "output": step.output,
        "note": "" if isinstance(step.action, Say) else step.note,
        "address": step.url,
        "title": step.title,
    }
    for name, text in told.items():
        if text.strip():
            yield f"{name}: {_harmless(text)}"
    if seen is not None:
        fresh = _fresh(before, seen)
        if fresh:
            yield f"new on the page: {_harmless(' | '.join(fresh))}"


def _fresh(before: Observation, seen: Observation) -> list[str]:
    """What can be read on the page and couldn't on the one before, each text once."""
    known = {(node.role, node.name, node.value) for node in before.nodes}
    texts: dict[str, None] = {}
    for node in seen.nodes:
        if (node.role, node.name, node.value) in known:
            continue
        text = f"{node.name}: {node.value}" if node.value else node.name
        if text.strip():
            texts[" ".join(text.split())] = None
    return list(texts)


def _harmless(text: str, limit: int = LONGEST_PART) -> str:
    return " ".join(plain_text(text, limit=limit, newlines="keep").split())
