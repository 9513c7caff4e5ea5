"""The words of an episode that tell how it failed: of steps, pages and checks, never of the task."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from urllib.parse import unquote, urlsplit

import msgspec

from webbench.core.analysis.recorded.search import done_words
from webbench.core.models.call_text import answer_text
from webbench.core.observation import Observation
from webbench.core.score.score import Status
from webbench.core.text.plain_text import plain_clip
from webbench.core.trajectory import Step, Trajectory

MOST_STEPS = 1_000
LONGEST_TEXT = 20_000
"""Characters of one text that are looked at."""
LONGEST_WORD = 30
EMBEDDED = 200
"""Words of an episode that a model of embeddings is given: within the 512 tokens that most of them read."""

_WORD = re.compile(r"[^\W\d_]{3,}")


class EpisodeWords(msgspec.Struct, frozen=True, kw_only=True):
    """An episode as a bag of words.

    Attributes:
        counts: how often each word stands in it.
        steps: for each word the first step that has it; checks belong to the last one.
    """

    run: str
    episode: str
    counts: dict[str, int]
    steps: dict[str, int]

    @property
    def name(self) -> str:
        return f"{self.run}/{self.episode}"

    @property
    def text(self) -> str:
        """Its words, each once in the order in which they come, as many as small models read."""
        return " ".join(list(self.counts)[:EMBEDDED])


def episode_words(run: str, episode: str, trajectory: Trajectory) -> EpisodeWords:
    """The words of what was done and thought, of addresses and titles, of errors and of unmet checks.

    Words of the task are left out: attempts at one task are alike for another reason than how they failed.
    """
    task = trajectory.header.task
    given = set(_words(f"{task.intent} {task.id} {task.template}"))
    counts: Counter[str] = Counter()
    steps: dict[str, int] = {}
    last = 0
    for step in trajectory.steps[:MOST_STEPS]:
        last = step.index
        for text in _texts(step):
            for word in _words(text):
                if word not in given:
                    counts[word] += 1
                    steps.setdefault(word, step.index)
    score = trajectory.header.score
    for check in score.checks if score is not None else ():
        if check.status is not Status.SCORED or check.value != 1:
            for word in _words(f"{check.name} {check.target}"):
                if word not in given:
                    counts[word] += 1
                    steps.setdefault(word, last)
    return EpisodeWords(run=run, episode=episode, counts=dict(counts), steps=steps)


@cache
def _common() -> frozenset[str]:
    """Words of every episode, whatever became of it."""
    text = (files("webbench.core.analysis.clusters") / "common_words.txt").read_text("utf-8")
    return frozenset(text.split())


def _texts(step: Step) -> Iterator[str]:
    yield done_words(step, Observation()) if step.index else ""
    yield step.reasoning or step.reply or "\n".join(map(answer_text, step.calls))
    yield from (step.error, step.output, step.note, step.title)
    try:
        yield unquote(urlsplit(step.url).path)
    except ValueError:
        return


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text[:LONGEST_TEXT].casefold()):
        if word not in _common():
            yield plain_clip(word, LONGEST_WORD)
