"""The card of a data set (README.md): what is in it, how it was made, and what every column means."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import version

import msgspec

from webbench.core.exchange.own.flat_rows import EpisodeRow, StepRow
from webbench.core.score.explanation import NO_SCORE
from webbench.core.text.plain_text import plain_text
from webbench.core.text.plural import counted
from webbench.core.trajectory import IMPORTED, Trajectory

EXTRA_COLUMNS = {
    "episodes": {"record": "the episode's header as webbench-tui keeps it, a JSON object"},
    "steps": {
        "screenshot": "the picture after the action; null where none was recorded",
        "tree": "the accessibility tree after the action, a line a node, in WebArena's text form",
        "html": "the page's HTML after the action, empty where it was not recorded",
        "seen": "the observation as webbench-tui keeps it, JSON: nodes with boxes and states, tabs, viewport",
        "record": "the step as webbench-tui keeps it, JSON: the action with its element, prompts, replies",
    },
}
"""By table: what it has beside the columns of the table of the same name in other exports."""
LEFT_OUT = frozenset({"observation"})
"""Columns of those tables that only name a file of the store."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"
_ATTRIBUTE = re.compile(r"^    ([a-z_, ]+): (.*(?:\n {8,}.*)*)", re.MULTILINE)


class Contents(msgspec.Struct):
    """What has been written so far, for the card."""

    episodes: int = 0
    steps: int = 0
    pictures: int = 0
    benchmarks: Counter[str] = msgspec.field(default_factory=Counter)
    actors: Counter[str] = msgspec.field(default_factory=Counter)
    verdicts: Counter[str] = msgspec.field(default_factory=Counter)
    rules: Counter[str] = msgspec.field(default_factory=Counter)
    origins: Counter[str] = msgspec.field(default_factory=Counter)
    times: list[str] = []

    def add(self, trajectory: Trajectory, pictures: int) -> None:
        """Count an episode."""
        header = trajectory.header
        self.episodes += 1
        self.steps += len(trajectory.steps)
        self.pictures += pictures
        self.benchmarks[header.task.benchmark] += 1
        self.actors[header.actor] += 1
        self.verdicts[header.score.status.words if header.score is not None else NO_SCORE] += 1
        self.rules[header.rules] += 1
        imported = header.settings.get(IMPORTED)
        origin = str(imported.get("format", "another tool")) if isinstance(imported, dict) else ""
        self.origins[f"imported from {origin}" if origin else "recorded by webbench-tui"] += 1
        if header.started:
            self.times = sorted({*self.times[:1], *self.times[-1:], header.started})


def card(contents: Contents, files: Mapping[str, str], lacks: str) -> str:
    """The text of README.md.

    Args:
        files: by table, the pattern of its files.
        lacks: what the data set has no place for.
    """
    return "\n".join([*_front(contents, files), *_body(contents, lacks)]) + "\n"


def _front(contents: Contents, files: Mapping[str, str]) -> Iterator[str]:
    """YAML that the Hub and `datasets` read; texts are JSON strings, which YAML takes."""
    size = next((name for most, name in _SIZES if contents.steps < most), _LARGEST)
    yield "---"
    yield f"pretty_name: {json.dumps('Trajectories: ' + _listed(contents.benchmarks))}"
    yield "license: unknown"
    yield "tags: [web-agents, trajectories]"
    yield f"size_categories: [{json.dumps(size)}]"
    yield "configs:"
    for table, pattern in files.items():
        yield f"- config_name: {table}"
        yield from ("  default: true",) if table == "steps" else ()
        yield f"  data_files: [{{split: train, path: {json.dumps(pattern)}}}]"
    yield "---"
    yield ""


def _body(contents: Contents, lacks: str) -> Iterator[str]:
    yield f"# Trajectories: {_listed(contents.benchmarks)}"
    yield ""
    yield "What people and agents did on web pages, step by step, with what they saw and how it was scored."
    yield ""
    yield "## What is in it"
    yield ""
    yield (
        f"{counted(contents.episodes, 'episode')}, {counted(contents.steps, 'step')} (step 0 of each is the "
        f"start), {counted(contents.pictures, 'screenshot')}."
    )
    yield ""
    yield from _counts(contents)
    yield ""
    yield (
        'Without a score means not scored, which is not 0. `datasets.load_dataset(PATH, "episodes")` has a '
        'row for each episode, `"steps"` one for each step; `run` and `episode` together join them.'
    )
    yield ""
    yield "## How it was made"
    yield ""
    yield (
        f"Exported by webbench-tui {version('webbench-tui')} from its own records{_period(contents)}. A step "
        "is written down before it is shown; nothing in a record is changed afterwards. What was typed into "
        "password fields, and what the owner's patterns match, is replaced by a mark."
    )
    yield ""
    yield f"Not in it: {lacks}."
    yield ""
    yield (
        "Pages and pictures belong to those who made them. Whoever publishes this names the licence above, "
        "in place of *unknown*, and looks for personal data first: names and addresses are as they were."
    )
    yield ""
    for table, kind in (("episodes", EpisodeRow), ("steps", StepRow)):
        yield f"## Columns of `{table}`"
        yield ""
        yield "| column | |"
        yield "|---|---|"
        told = {**_meanings(kind), **EXTRA_COLUMNS[table]}
        yield from (f"| `{name}` | {meaning} |" for name, meaning in told.items())
        yield ""


def _counts(contents: Contents) -> Iterator[str]:
    """A table of what the episodes are."""
    yield "| | | episodes |"
    yield "|---|---|---|"
    for name, found in (
        ("benchmark", contents.benchmarks),
        ("who acted", contents.actors),
        ("score", contents.verdicts),
        ("rules of the score", contents.rules),
        ("where it comes from", contents.origins),
    ):
        yield from (f"| {name} | {_cell(value)} | {count:,} |" for value, count in found.most_common())


def _period(contents: Contents) -> str:
    """When the records were begun."""
    days = list(dict.fromkeys(time[:10] for time in contents.times))
    return f", begun {' to '.join(map(_cell, days))}" if days else ""


def _meanings(kind: type[EpisodeRow | StepRow]) -> dict[str, str]:
    """What the docstring of a row says of each column."""
    found = {}
    for names, meaning in _ATTRIBUTE.findall(inspect.cleandoc(kind.__doc__ or "")):
        for name in names.split(", "):
            if name in kind.__struct_fields__ and name not in LEFT_OUT:
                found[name] = " ".join(meaning.split())
    return found


def _listed(counts: Counter[str]) -> str:
    return ", ".join(_cell(name) for name, _ in counts.most_common(5)) or "none"


def _cell(text: str) -> str:
    """Foreign text within a table of Markdown: one line, no markup."""
    line = " ".join(plain_text(text).split())[:300]
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", line)
