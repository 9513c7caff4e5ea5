"""An agent from its spec: "name option ...", where the name is that of an agent or of a preset."""

from __future__ import annotations

import math
import re
import shlex
from itertools import product
from typing import cast

import msgspec

from webbench.core.agent import Agent
from webbench.core.agents.presets import load_presets
from webbench.core.benchmark.agent_request import AgentFactory, AgentRequest
from webbench.core.errors import UsageError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import AGENTS
from webbench.core.text.plain_text import plain_clip

MOST_VARIANTS = 200
_ALTERNATIVES = re.compile(r"([\w.-]+=|)\{(.*)\}", re.DOTALL)
"""An option, or a whole word, with its values in braces."""


def create_agent(spec: str, request: AgentRequest) -> Agent:
    """The agent of a spec "name option ...", quoted as in a shell; `request.options` come after.

    The name is that of an agent, or of a preset, whose options come before all others.

    Raises:
        UsageError: empty or unbalanced spec, no such agent, or options the agent refuses.
        BadData: the preset can't be used.
        PluginBroken: it is installed but can't be made.
    """
    called, *options = _split_spec(spec) or [""]
    name, *preset = _base_agent(called)
    factory = cast("AgentFactory", entry_points.find(AGENTS, "agent", name)())
    asked = msgspec.structs.replace(request, options=(*preset, *options, *request.options), called=called)
    return entry_points.make(AGENTS, name, lambda: factory(asked))


def variants(spec: str) -> tuple[str, ...]:
    """Every spec that one with alternatives stands for, the last alternatives changing fastest.

    "model shots={0,7} {,vision}" is four: an alternative that is empty leaves the word out.

    Raises `UsageError` for an unbalanced spec, for more than `MOST_VARIANTS`, and for the same one twice.
    """
    choices = [_alternatives(word) for word in _split_spec(spec)]
    count = math.prod(map(len, choices))
    if count > MOST_VARIANTS:
        raise UsageError(f"A sweep of {count:,} agents is too large", f"{MOST_VARIANTS} are the most")
    found = [shlex.join(filter(None, words)) for words in product(*choices)]
    if twice := next((one for one in found if found.count(one) > 1), ""):
        raise UsageError(f'the sweep has "{plain_clip(twice, 60)}" twice', "name each value once")
    return tuple(found)


def _alternatives(word: str) -> list[str]:
    found = _ALTERNATIVES.fullmatch(word)
    if found is None or "," not in found[2]:
        return [word]
    values = [value.strip() for value in found[2].split(",")]
    return [f"{found[1]}{value}" if value or found[1] else "" for value in values]


def _base_agent(name: str) -> list[str]:
    """The agent of this name, or of the preset of this name with the preset's words."""
    return [name] if name in entry_points.load(AGENTS) else load_presets().words_of(name)


def _split_spec(spec: str) -> list[str]:
    try:
        return shlex.split(spec)
    except ValueError as error:
        raise UsageError(
            f'The agent "{plain_clip(spec, 60)}" can\'t be read: {str(error).lower()}',
            'write: name option ..., for example "random steps=20"',
        ) from error
