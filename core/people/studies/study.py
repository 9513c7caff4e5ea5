"""A study: which people do which tasks of a benchmark, under which conditions. A small TOML file."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.errors import BadData, UsageError
from webbench.core.labels.label import pseudonym
from webbench.core.store.records.names import is_name
from webbench.core.text import toml_decoding
from webbench.core.text.nearest import nearest_names

SCHEMA_VERSION = 1
LARGEST_FILE = 1 << 20
AS_THE_AGENT = "agent"
FREE_BROWSER = "free browser"
MOST_STEPS = 200

Facet = Literal["template", "site", "difficulty", "split", "kind"]
"""What a sample can be drawn by."""


class Sample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tasks to be drawn.

    Attributes:
        split: draw from this one, "" = from all tasks.
        size: how many; None = as many as there are, after `one_per`.
        one_per: keep one task of each: WebArena's human study took one per template.
        stratify: the sample has the same shares of these as what it is drawn from.
        instances: of a task with many instances, only the first so many can be drawn.
    """

    split: str = ""
    size: int | None = None
    one_per: Literal["", "template", "site", "difficulty", "split", "kind"] = ""
    stratify: tuple[Facet, ...] = ()
    instances: int = 1


class Study(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The conditions of a study.

    Attributes:
        name: also names its folder in a store.
        tasks: names or ids of tasks; else `sample` says how they are drawn.
        annotators: pseudonyms.
        tasks_per_annotator: at most so many each; None = what there is, dealt evenly.
        overlap: how many of the tasks are done by several people, so that their agreement is known.
        people_per_overlap: by how many; None = by all.
        dialect: "agent" for the benchmark's own action language on the agent's observation, the name of
            another language, or "free browser" for an ordinary browser window, in which clicks, texts and
            choices are recorded, and pages.
        minutes_per_task: when they are over, the task ends with the score of what is there; None = any.
        steps_per_task: actions after which it ends.
        blind: no scores and nobody else's work are shown.
        rules: rule set of the scores, "" for the benchmark's first.
        instructions: shown before the first task, and whenever somebody asks.
    """

    name: str
    benchmark: str
    annotators: tuple[str, ...]
    title: str = ""
    tasks: tuple[str, ...] = ()
    sample: Sample | None = None
    seed: int = 0
    tasks_per_annotator: int | None = None
    overlap: int = 0
    people_per_overlap: int | None = None
    dialect: str = AS_THE_AGENT
    minutes_per_task: float | None = None
    steps_per_task: int = MOST_STEPS
    blind: bool = True
    rules: str = ""
    instructions: str = ""
    schema_version: int = SCHEMA_VERSION

    @property
    def overlapping_people(self) -> int:
        return len(self.annotators) if self.people_per_overlap is None else self.people_per_overlap

    @property
    def action_language(self) -> str:
        """Name of the dialect, "" for the benchmark's own."""
        return "" if self.dialect in (AS_THE_AGENT, FREE_BROWSER) else self.dialect

    @property
    def seconds_per_task(self) -> float | None:
        return None if self.minutes_per_task is None else self.minutes_per_task * 60

    @property
    def hash(self) -> str:
        """SHA-256 of everything it says, comments and order of keys aside."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()


def read_study(path: Path) -> Study:
    """The study of a file.

    Raises `UsageError` where there is no such file, `BadData` naming everything that is wrong in it.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"The study {path} can't be read: {error.strerror}", "name a study's TOML file"
        ) from error
    if len(data) > LARGEST_FILE:
        raise BadData(f"{path} is larger than a study can be ({LARGEST_FILE // 1024} KiB)")
    return parse_study(data, str(path))


def parse_study(data: bytes, where: str) -> Study:
    """Raises `BadData` naming everything that is wrong; `where` names the file."""
    try:
        parsed = toml_decoding.decode(data)
    except ValueError as error:
        raise BadData(f"{where} is no TOML: {error}", "see examples/laptop-arena-study.toml") from error
    version = parsed.get("schema_version", SCHEMA_VERSION)
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise BadData(f"{where} has schema_version {version}; this release reads up to {SCHEMA_VERSION}")
    try:
        study = msgspec.convert(parsed, Study)
    except msgspec.ValidationError as error:
        raise BadData(f"{where}: {_explained(str(error))}", "see examples/laptop-arena-study.toml") from error
    if wrong := complaints(study):
        told = wrong[0] if len(wrong) == 1 else "".join(f"\n  - {one}" for one in wrong)
        raise BadData(f"{where}: {told}", "")
    return study


def _explained(error: str) -> str:
    """A validation error with keys as the file writes them, and the nearest key for one that isn't known."""
    message, _, place = error.partition(" - at ")
    key = place.strip("`").removeprefix("$").removeprefix(".")
    unknown = re.search(r"unknown field `(.*)`$", message)
    if unknown:
        holder = Sample if key == "sample" else Study
        near = nearest_names(unknown[1], holder.__struct_fields__, 1)
        within = f" in [{key}]" if key else ""
        return f'there is no key "{unknown[1]}"{within}' + (f"; did you mean {near[0]}?" if near else "")
    missing = re.search(r"missing required field `(.*)`$", message)
    if missing:
        return f'the key "{missing[1]}" is missing'
    return f"{key}: {message[:1].lower()}{message[1:]}" if key else message


def complaints(study: Study) -> list[str]:
    """Everything that is wrong with a study by itself, without a look at its benchmark."""
    return [*_about_names(study), *_about_tasks(study), *_about_numbers(study)]


def _about_names(study: Study) -> list[str]:
    found = []
    if not is_name(study.name) or len(study.name) > 60:
        found.append('name: use up to 60 letters, digits, ".", "_" and "-"')
    if not study.annotators:
        found.append("annotators: name at least one, by a pseudonym")
    for name in study.annotators:
        try:
            pseudonym(name)
        except UsageError as error:
            found.append(f"annotators: {error.message}; {error.hint}")
    folded = [name.casefold() for name in study.annotators]
    if len(set(folded)) < len(folded):
        twice = next(name for name in study.annotators if folded.count(name.casefold()) > 1)
        found.append(f'annotators: "{twice}" is there twice')
    return found


def _about_tasks(study: Study) -> list[str]:
    sample = study.sample
    if study.tasks and sample is not None:
        return ["tasks and [sample]: say one or the other"]
    if not study.tasks and sample is None:
        return ["which tasks? Give tasks = [...], or [sample] with what they are drawn from"]
    if len(set(study.tasks)) < len(study.tasks):
        twice = next(name for name in study.tasks if study.tasks.count(name) > 1)
        return [f'tasks: "{twice}" is there twice']
    if sample is None:
        return []
    found = []
    if sample.size is not None and sample.size < 1:
        found.append(f"sample.size: {sample.size} is no number of tasks")
    if sample.instances < 1:
        found.append(f"sample.instances: {sample.instances} is no number of instances")
    if sample.one_per in sample.stratify:
        found.append(f"sample.stratify: one task is kept per {sample.one_per}, so that has no shares")
    return found


def _about_numbers(study: Study) -> list[str]:
    found = []
    people = len(study.annotators)
    for key in ("tasks_per_annotator", "minutes_per_task", "steps_per_task"):
        value = getattr(study, key)
        if value is not None and not 0 < value < float("inf"):
            found.append(f"{key}: {value} must be more than 0")
    if study.overlap < 0:
        found.append(f"overlap: {study.overlap} must not be negative")
    if study.overlap and people < 2:
        found.append("overlap: it takes two annotators to do a task twice")
    if study.people_per_overlap is not None and not 2 <= study.people_per_overlap <= max(2, people):
        found.append(f"people_per_overlap: {study.people_per_overlap} must be from 2 to {people}")
    return found
