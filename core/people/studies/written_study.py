"""A study's file as it is written for its author: every key with what it says, unset ones as comments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

import msgspec

from webbench.core.people.studies.study import Sample, Study
from webbench.core.text.written_toml import toml_value

WIDTH = 100

HEADING = (
    "A study of people: who does which tasks, under which conditions.",
    "",
    "  webbench-tui baseline {given} --plan     who does what",
    "  webbench-tui baseline {given} --as {first}   work on it",
    "  webbench-tui baseline {given} --results  what came of it",
    "",
    "Everything here but comments is hashed, and the hash is kept with the plan: once somebody has begun, a "
    "change makes it another study, which needs another name.",
)
KEYS: Mapping[str, tuple[str, object]] = {
    "name": ("Also the name of its folder in the store.", ""),
    "title": ("What people read above their tasks.", "Pilot"),
    "benchmark": ("What the tasks are from.", ""),
    "annotators": ("Pseudonyms, not names: they go into every record.", ()),
    "tasks": ("By name or id; @NAME means a subset.", ()),
    "seed": ("Draws and deals the tasks, the same on every machine.", 0),
    "tasks_per_annotator": ("At most so many each; without it all are dealt evenly.", 8),
    "overlap": ("So many tasks are done by several people, so that their agreement is known.", 0),
    "people_per_overlap": ("By how many; without it by all.", 2),
    "dialect": (
        '"agent": the page and the actions that an agent gets. Also the name of another action language, or '
        '"free browser": an ordinary browser window, where there is a display.',
        "",
    ),
    "minutes_per_task": ("When they are over, pauses left out, the task ends as it is.", 15),
    "steps_per_task": ("Actions after which a task ends.", 0),
    "blind": ("No scores, and nobody else's work, until the study is over.", True),
    "rules": ("Rule set of the scores; without it the benchmark's first.", "published"),
    "instructions": (
        "Shown before the first task, and whenever somebody asks.",
        "Do each task as its intent says it, as you would for somebody who asked you to.",
    ),
}
"""What each key says, and an example for where it isn't set."""
SAMPLE_KEYS: Mapping[str, tuple[str, object]] = {
    "split": ("Drawn from this split; without it from all tasks.", "test"),
    "size": ("How many; without it as many as there are.", 12),
    "one_per": ("Of each template, site, difficulty, split or kind only one.", "template"),
    "stratify": ("With the shares that these have among all tasks.", ("site",)),
    "instances": ("Of a task with many instances only the first so many.", 1),
}


def study_text(study: Study, given: str) -> str:
    """The file of a study; reading it gives the same study. `given` is how commands name it."""
    lines = [
        *_heading(study, given),
        *_lines_of_keys(study, KEYS, {"tasks"} if study.sample is not None else set()),
    ]
    if study.sample is not None:
        lines += ["", "# The tasks are drawn.", "[sample]", *_lines_of_keys(study.sample, SAMPLE_KEYS, set())]
    return "\n".join(lines) + "\n"


def _heading(study: Study, given: str) -> Iterator[str]:
    first = study.annotators[0] if study.annotators else "NAME"
    for line in HEADING:
        yield from _comment(line.format(given=given, first=first))


def _lines_of_keys(
    held: Study | Sample, keys: Mapping[str, tuple[str, object]], left_out: set[str]
) -> Iterator[str]:
    for key, (about, example) in keys.items():
        if key in left_out:
            continue
        value = msgspec.to_builtins(getattr(held, key))
        yield ""
        yield from _comment(about)
        if value in (None, "", [], ()):
            yield f"# {key} = {toml_value(example)}"
        else:
            yield f"{key} = {toml_value(value)}"


def _comment(text: str) -> list[str]:
    if text.startswith(" ") or not text:
        return [f"# {text}".rstrip()]
    return [f"# {line}" for line in textwrap.wrap(text, WIDTH - 2)]
