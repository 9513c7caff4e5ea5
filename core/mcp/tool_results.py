"""The results of tools, as text: the task, the page, what an action led to, the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from webbench.core.dialects.dialect import find_dialect
from webbench.core.engine.wire.catalogue_messages import TasksListed
from webbench.core.episode.episode import Episode
from webbench.core.observation import Observation
from webbench.core.renderings.viewport import shown
from webbench.core.score.explanation import every_check_in_words, score_text
from webbench.core.score.score import Score
from webbench.core.task import Task, TaskEntry
from webbench.core.text.plural import counted
from webbench.core.trajectory import Step, memory

LONGEST_PAGE = 60_000
"""Characters of a page in one reply; the rest is asked for by its line."""


def benchmarks_text(listed: Sequence[TasksListed]) -> str:
    """One line for each benchmark."""
    return "\n".join(
        f"{one.benchmark}: {one.title}; {one.status.state}, {counted(len(one.entries), 'task')}"
        for one in listed
    )


def tasks_text(found: Sequence[TaskEntry], total: int, first: int) -> str:
    """One line for each task, and how to see more."""
    lines = [f"{_names(entry)} [{entry.site or entry.split}] {entry.intent}" for entry in found]
    if first + len(found) < total:
        lines.append(f"... {total - first - len(found)} more: call again with first={first + len(found)}")
    return harmless("\n".join(lines) or "no task matches")


def _names(entry: TaskEntry) -> str:
    return entry.name if entry.instances is None else f"{entry.name}#0..{entry.instances - 1}"


def task_text(task: Task, episode: Episode) -> str:
    """What is asked, in which language actions are written, and the limits."""
    options = episode.options
    limits = [counted(options.step_limit, "action")]
    if options.seconds_limit:
        limits.append(f"{options.seconds_limit:g} s")
    verbs = "\n".join(
        f"  {verb.form}: {verb.meaning}, e.g. {verb.example}"
        for verb in find_dialect(episode.dialect.name).verbs()
    )
    return (
        f"{task.heading}\nlimits: {', '.join(limits)}\n"
        f"actions, in the language {episode.dialect.name}, one a call:\n{verbs}"
    )


def page_text(episode: Episode, *, viewport_only: bool = False, from_line: int = 0) -> str:
    """Address, tabs, what was remembered, and the page as agents read it, from a line on."""
    observation = episode.observation
    if viewport_only:
        observation = msgspec.structs.replace(observation, nodes=tuple(shown(observation, True)))
    rendered = episode.dialect.render(observation)
    head = [f"remembered: {note}" for note in memory(episode.steps)]
    if observation.url not in rendered:
        head = [*_address(observation), *head]
    return harmless("\n".join([*head, *_page(rendered.split("\n"), from_line)]))


def _address(observation: Observation) -> Iterator[str]:
    yield f"url: {observation.url}"
    if len(observation.tabs) > 1:
        titles = (f"{'*' if tab.active else ''}{tab.index} {tab.title}" for tab in observation.tabs)
        yield f"tabs: {' | '.join(titles)}"


def _page(lines: Sequence[str], from_line: int) -> Iterator[str]:
    room = LONGEST_PAGE
    for number, line in enumerate(lines[from_line:], from_line):
        room -= len(line) + 1
        if room < 0 and number > from_line:
            yield f"... {len(lines) - number} more lines: call observe with from_line={number}"
            return
        yield line[:LONGEST_PAGE]


def step_text(step: Step) -> str:
    """What became of an action."""
    lines = [f"step {step.index}: {step.text}"]
    if not step.ok:
        lines.append(f"it had no effect: {step.error}")
    if step.output:
        lines.append(f"output: {step.output[:LONGEST_PAGE]}")
    return harmless("\n".join(lines))


def score_told(score: Score, *, final: bool) -> str:
    """The headline and every check; until the end without what was expected, which would tell answers."""
    if final:
        return harmless(score_text(score))
    lines = [
        score.headline(),
        *(f"  {check.name}: {check.value}" for check in every_check_in_words(score.checks)),
    ]
    return harmless("\n".join(lines))


def harmless(text: str) -> str:
    """Text that can be sent as UTF-8: a lone surrogate of a page becomes a question mark."""
    return text.encode(errors="replace").decode()
