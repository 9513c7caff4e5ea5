"""The known agents and presets, as people choose them: names, origins, and what each option comes down to."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from webbench.core.agents.model.accepted_options import ModelOptions, declared_options, read_model_options
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompts import PlacedPrompt, placed_prompt
from webbench.core.agents.presets import EffectiveOption, Presets, load_presets
from webbench.core.errors import WebbenchError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import AGENTS
from webbench.core.settings.load_settings import load_settings
from webbench.core.settings.settings import Settings
from webbench.core.text.plain_text import plain_text

_FROM_SETTINGS = {"model": "name", "url": "url", "key_file": "key_file", "stream": "stream"}
_FROM_SETTINGS |= {"timeout": "timeout", "retries": "retries"}
"""Options that the settings below `model.` decide where nothing else does."""


class ListedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """One name that can stand after `--agent`.

    Attributes:
        base: the agent that a preset comes down to; of an agent its own name.
        origin: "built-in", the package, or the file of a preset.
        about: of an agent, what its module tells of it below the title: how its options are written.
        words: of a preset, all that it puts after its agent.
        hides: file of a preset of the same name that this one wins over.
        benchmarks: what it is made for, empty for any.
        problem: why it can't be used.
    """

    name: str
    kind: Literal["agent", "preset"]
    base: str = ""
    title: str = ""
    source: str = ""
    about: str = ""
    words: tuple[str, ...] = ()
    origin: str = ""
    hides: str = ""
    benchmarks: tuple[str, ...] = ()
    problem: str = ""


class ListedOption(msgspec.Struct, frozen=True, kw_only=True):
    """An option with what it comes down to; `origin` is a preset, a setting with its own, or the default."""

    name: str
    value: str
    origin: str
    description: str


def listed_agents(presets: Presets | None = None) -> list[ListedAgent]:
    """Agents, then presets, each in alphabetical order."""
    presets = presets or load_presets()
    agents = [_agent(name) for name in entry_points.load(AGENTS)]
    return [*agents, *(_preset(name, presets) for name in sorted(presets.presets))]


def short_title(title: str) -> str:
    """A title without the words that all agents share."""
    return plain_text(title).removeprefix("The agent that ").removeprefix("The agent ").rstrip(".")


def choices(benchmark: str) -> list[ListedAgent]:
    """What can be chosen for tasks of a benchmark: the agents and presets made for it or for any."""
    return [
        one
        for one in listed_agents()
        if not one.problem and (not one.benchmarks or benchmark in one.benchmarks)
    ]


def listed_options(name: str) -> list[ListedOption]:
    """What the options of an agent or preset come down to; empty where it doesn't declare any.

    Raises `UsageError` for an unknown name, `PluginBroken` for an agent that can't be imported.
    """
    kind, given = _declared(name)
    return [] if kind is None else list(_options(kind, given, load_settings()))


def listed_prompts(name: str) -> list[PlacedPrompt]:
    """The prompts of an agent or preset, in the order of its options, with the file of each.

    Raises as `listed_options`, and `BadData` for a prompt that isn't there.
    """
    kind, given = _declared(name)
    if kind is None:
        return []
    words = [f"{option.name}={option.value}" for option in given.values()]
    options = read_model_options(name, words, kind.options)
    named = [str(getattr(options, one.name)) for one in declared_options(kind.options) if one.prompt]
    return [placed_prompt(prompt, prompts_of(options)) for prompt in named]


def _declared(name: str) -> tuple[AgentKind[ModelOptions] | None, Mapping[str, EffectiveOption]]:
    """The kind of an agent, None where it declares no options, and what a preset gives them."""
    presets = load_presets()
    is_agent = name in entry_points.load(AGENTS)
    factory = entry_points.load(AGENTS)[name if is_agent else presets.base_of(name)]()
    if not isinstance(factory, AgentKind):
        return None, {}
    return factory, {} if is_agent else {option.name: option for option in presets.options_of(name)}


def _options(
    kind: AgentKind[ModelOptions], given: Mapping[str, EffectiveOption], settings: Settings
) -> Iterator[ListedOption]:
    for declared in declared_options(kind.options):
        value, origin = _as_word(declared.default), "default"
        setting = _FROM_SETTINGS.get(declared.name)
        if declared.name in given:
            value, origin = given[declared.name].value, f"preset {given[declared.name].preset}"
        elif setting is not None:
            value = _as_word(getattr(settings.model, setting))
            where = settings.origins.get(f"model.{setting}", "default")
            origin = f"setting model.{setting} ({where})"
        yield ListedOption(name=declared.name, value=value, origin=origin, description=declared.description)


def _agent(name: str) -> ListedAgent:
    point = next(one for one in entry_points.claims(AGENTS) if one.name == name)
    origin = "built-in" if entry_points.built_in(point) else point.dist.name if point.dist else point.value
    try:
        factory = entry_points.load(AGENTS)[name]()
    except WebbenchError as error:
        return ListedAgent(name=name, kind="agent", base=name, origin=origin, problem=error.message)
    module = sys.modules.get(factory.module if isinstance(factory, AgentKind) else factory.__module__)
    title, _, about = inspect.cleandoc(module.__doc__ or "" if module is not None else "").partition("\n")
    made_for = factory.benchmarks if isinstance(factory, AgentKind) else ()
    return ListedAgent(
        name=name,
        kind="agent",
        base=name,
        title=title,
        about=about.strip(),
        origin=origin,
        benchmarks=made_for,
    )


def _preset(name: str, presets: Presets) -> ListedAgent:
    preset, base, problem = presets.presets[name], "", ""
    words: list[str] = []
    try:
        base, *words = presets.words_of(name)
        factory = entry_points.load(AGENTS)[base]()
        if isinstance(factory, AgentKind):
            read_model_options(name, words, factory.options)
    except WebbenchError as error:
        problem = str(error)
    return ListedAgent(
        name=name,
        kind="preset",
        base=base,
        title=preset.title,
        source=preset.source,
        words=tuple(words),
        origin=presets.origins[name],
        hides=presets.hidden.get(name, ""),
        benchmarks=preset.benchmarks,
        problem=problem,
    )


def _as_word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "|".join(map(str, value))
    return "" if value is None else str(value)
