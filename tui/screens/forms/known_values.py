"""What is known of a field's values: what the screen has at hand, and what else it may be chosen from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from webbench.core.errors import WebbenchError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import BENCHMARKS, DIALECTS, EXPORTERS, FORMATS
from webbench.core.store.store import Store
from webbench.core.text.plural import counted
from webbench.tui.cli.declared_form import CommandForm, FormField
from webbench.tui.screens.dialogs.pick_prompt import Pick
from webbench.tui.screens.dialogs.selectable_agents import agent_choices

MOST_FILES = 500
MOST_EPISODES = 2_000
OPTIONS_AT_HAND = frozenset({"annotator", "codebook", "episode", "taxonomy"})
MEANINGS = {
    "agent": "agent",
    "annotator": "annotator",
    "benchmark": "benchmark",
    "beside": "run",
    "codebook": "codebook",
    "dialect": "dialect",
    "episode": "episode",
    "episodes": "episode",
    "names": "record",
    "reference": "run",
    "resume": "run",
    "run": "run",
    "runs": "run",
    "task": "task",
    "tasks": "task",
    "taxonomy": "taxonomy",
}
"""What a field holds, by its name."""
OF_COMMANDS = {
    ("attach", "name"): "episode",
    ("baseline study", "study"): "study",
    ("config set", "name"): "setting",
    ("config set", "value"): "value",
    ("config unset", "name"): "setting",
    ("data get", "name"): "data set",
    ("export", "to"): "exporter",
    ("fork", "name"): "episode",
    ("import", "only"): "format",
    ("instruct", "name"): "episode",
    ("label codebook", "name"): "codebook",
    ("label queue", "name"): "queue",
    ("label taxonomies", "name"): "taxonomy",
    ("record", "checks"): "check",
    ("record", "near_miss"): "episode",
    ("record", "second"): "episode",
    ("record", "third"): "episode",
    ("record", "what"): "episode",
    ("score", "what"): "episode",
    ("show", "name"): "record",
    ("step", "resume"): "episode",
    ("view", "name"): "episode",
    ("webcanvas check", "episodes"): "episode",
}
"""Where a name alone doesn't say it."""


def meaning(form: CommandForm, one: FormField) -> str:
    """A word for what a field holds, "" where nothing is known of it."""
    found = OF_COMMANDS.get((" ".join(form.path), one.name))
    if found or one.kind == "path":
        return found or "path"
    return MEANINGS.get(one.name, "") if one.kind == "text" else ""


def at_hand_values(form: CommandForm, at_hand: Mapping[str, str]) -> dict[str, str]:
    """What stands in the fields: what the screen has at hand; where one is asked, the first of several.

    An option that makes another command of it is left to the person.
    """
    found = {}
    for one in form.fields:
        held = meaning(form, one)
        text = at_hand.get(held, "") if not one.flag or held in OPTIONS_AT_HAND else ""
        if text:
            found[one.name] = text if one.many else text.partition(" ")[0]
    return found


def known_values(form: CommandForm, one: FormField, filled: Mapping[str, str], store: Path) -> list[Pick]:
    """What a field may be chosen from, with a few words on each; empty if none is known. Reads the disk."""
    kinds: dict[str, Callable[[], Iterable[Pick]]] = {
        "agent": lambda: agent_choices(filled.get("benchmark", "")),
        "benchmark": partial(_plugins, BENCHMARKS),
        "check": partial(_checks, filled, store),
        "codebook": partial(_taxonomies, store),
        "data set": _data_sets,
        "dialect": partial(_plugins, DIALECTS),
        "episode": partial(_episodes, store),
        "exporter": partial(_plugins, EXPORTERS),
        "format": partial(_plugins, FORMATS),
        "path": partial(_files, filled.get(one.name, "")),
        "record": lambda: [*_runs(store), *_episodes(store)],
        "queue": partial(_queues, store),
        "run": partial(_runs, store),
        "setting": _settings,
        "study": lambda: [*_studies(store), *_files(filled.get(one.name, ""))],
        "task": partial(_tasks, filled.get("benchmark", "")),
        "taxonomy": partial(_taxonomies, store),
        "value": partial(_values, filled.get("name", "")),
    }
    asked = kinds.get(meaning(form, one))
    return list(asked()) if asked is not None else []


def _plugins(group: str) -> list[Pick]:
    return [Pick(name, "") for name in sorted(entry_points.load(group))]


def _runs(store: Path) -> list[Pick]:
    return [
        Pick(one.run, f"{one.benchmark} {one.agent}, {counted(one.episodes, 'episode')}")
        for one in Store(store).runs()
    ]


def _episodes(store: Path) -> list[Pick]:
    return [
        Pick(f"{one.run}/{one.episode}", f"{one.task} {one.actor}")
        for one in Store(store).episodes()[:MOST_EPISODES]
    ]


def _checks(filled: Mapping[str, str], store: Path) -> list[Pick]:
    """What can be checked of the demonstration that is named; none while no episode is."""
    from webbench.tui.cli.benchmarks.authoring.task_shapes import task_shape

    opened = Store(store)
    try:
        shown = opened.load(opened.find(filled.get("what", "").strip()))
        listed = task_shape(filled.get("shape", ""), opened).listed(shown)
    except WebbenchError:
        return []
    return [Pick(one.pick, f"{one.looks_at} {one.wanted}", one.why) for one in listed]


def _tasks(benchmark: str) -> list[Pick]:
    from webbench.core.engine import catalogue

    if not benchmark:
        return []
    return [Pick(one.name, one.intent[:80]) for one in catalogue.list_tasks(benchmark).entries]


def _taxonomies(store: Path) -> list[Pick]:
    from webbench.core.labels.codebook import load_codebook
    from webbench.core.labels.ledger import ledger_of

    found = load_codebook(written=ledger_of(Store(store)).codebooks)
    return [Pick(name, one.title) for name, one in found.taxonomies.items()]


def _studies(store: Path) -> list[Pick]:
    from webbench.core.people.studies.known_studies import known_studies

    return [Pick(one.name, one.title or one.benchmark) for one in known_studies(Store(store))]


def _queues(store: Path) -> list[Pick]:
    from webbench.core.people.labelling.queues import queue_names

    return [Pick(name, "") for name in queue_names(Store(store))]


def _settings() -> list[Pick]:
    from webbench.core.settings.load_settings import load_settings
    from webbench.core.settings.settings import declarations, value_text

    settings = load_settings()
    told = [(one, one.of(settings)) for one in declarations()]
    return [Pick(one.name, "" if one.table else value_text(now), f"{one.description}.") for one, now in told]


def _values(name: str) -> list[Pick]:
    """Of a setting that is one of few."""
    from webbench.core.settings.settings import declarations
    from webbench.themes.install import known_themes

    if name == "theme":
        return [Pick(one, "") for one in known_themes()]
    declared = next((one for one in declarations() if one.name == name), None)
    return [Pick(one, "") for one in declared.choices] if declared is not None else []


def _data_sets() -> list[Pick]:
    from webbench.core.datasets.data_family import data_families

    return [Pick(one.name, one.title) for family in data_families() for one in family.known()]


def _files(typed: str) -> list[Pick]:
    """What lies in the folder that is typed, or in the one of what is typed; folders first."""
    at = Path(typed.strip() or ".").expanduser()
    folder = at if at.is_dir() else at.parent
    try:
        inside = sorted(folder.iterdir(), key=lambda one: (not one.is_dir(), one.name))[:MOST_FILES]
    except OSError:
        return []
    up = Pick(f"{folder.absolute().parent}/", "the folder above")
    return [up, *(Pick(f"{one}/" if one.is_dir() else str(one), "") for one in inside)]
