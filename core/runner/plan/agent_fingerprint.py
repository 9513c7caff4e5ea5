"""What the agent of a run comes down to, by fingerprint, so that one run never has two agents in it.

A spec may name a preset, and its prompts are files: both may change before a run goes on, or be others on
another machine.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from webbench.core.agents.model.accepted_options import declared_options, read_model_options
from webbench.core.agents.model.kind import AgentKind, prompts_of
from webbench.core.agents.model.prompts import placed_prompt
from webbench.core.agents.presets import Presets, load_presets
from webbench.core.errors import BadData, WebbenchError
from webbench.core.plugins import entry_points
from webbench.core.plugins.groups import AGENTS

DEEPEST = 8
"""Agents may be made of others so often."""


def agent_parts(spec: str) -> dict[str, str]:
    """Fingerprints of presets and prompts by what people call them; empty for an agent that has neither."""
    return dict(_parts(spec, load_presets(), DEEPEST))


def require_same_agent(spec: str, planned: Mapping[str, str]) -> None:
    """Raises `BadData` where what was planned is something else now, naming it."""
    if not planned:
        return
    try:
        now = agent_parts(spec)
    except WebbenchError as error:
        raise BadData(
            f"the agent {spec} can't be made as it was planned: {error.message}", error.hint
        ) from error
    changed = [part for part, known in planned.items() if now.get(part) != known]
    if changed:
        raise BadData(
            f"the agent {spec} is not what it was when the run was planned: {', '.join(changed)} changed",
            "put back what it was, or begin a new run",
        )


def _parts(spec: str, presets: Presets, deepest: int) -> Iterator[tuple[str, str]]:
    called, *words = shlex.split(spec) or [""]
    agents = entry_points.load(AGENTS)
    base = called
    if called not in agents:
        base, *preset = presets.words_of(called)
        yield f"the preset {called}", _print("\n".join([base, *preset]).encode())
        words = [*preset, *words]
    factory = agents[base]()
    if isinstance(factory, AgentKind):
        options = read_model_options(called, words, factory.options)
        for one in declared_options(factory.options):
            if one.prompt:
                placed = placed_prompt(str(getattr(options, one.name)), prompts_of(options))
                yield f"the prompt {placed.name}", _print(Path(placed.file).read_bytes())
        return
    for word in words if deepest else ():
        part = word.partition("=")[2]
        if part.partition(" ")[0] in presets.presets:
            yield from _parts(part, presets, deepest - 1)


def _print(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
