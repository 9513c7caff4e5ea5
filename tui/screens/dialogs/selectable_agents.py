"""The selectable agents: what a person chooses an agent from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webbench.core.text.plain_text import plain_text

NEEDS_OPTIONS = {
    "browsergym": "Which agent? MODULE:NAME, or FILE.py:NAME, then its key=value.",
    "command": "Which program? It gets one observation per JSON line and answers one action per line.",
    "ensemble": "Which two? first=NAME second=NAME",
    "replay": "Which recorded episode?",
}
"""Agents that are nothing without options, and what is asked then."""


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """A name, "" for nobody; a few words; and all there is to say."""

    name: str
    title: str
    detail: str = ""

    @property
    def asks(self) -> str:
        """What has to be said besides, "" for nothing."""
        return NEEDS_OPTIONS.get(self.name, "")


def agent_choices(benchmark: str) -> list[AgentChoice]:
    """Every agent and preset for tasks of a benchmark: those made for it first."""
    from webbench.core.agents.known_agents import ListedAgent, choices

    def detail(one: ListedAgent) -> str:
        kind = f"preset of {one.base}" if one.kind == "preset" else "agent"
        return f"{plain_text(one.title).rstrip('.')} ({kind}, {plain_text(one.origin)})"

    return [
        AgentChoice(one.name, short_title(one.title), detail(one))
        for one in sorted(choices(benchmark), key=lambda one: not one.benchmarks)
    ]


def fitting(choices: Sequence[AgentChoice], typed: str) -> list[AgentChoice]:
    """Those with the typed word in their name or, after these, in their title; all where nothing is typed."""
    word = typed.casefold()
    by_name = [one for one in choices if word in one.name.casefold()]
    begins = sorted(by_name, key=lambda one: not one.name.casefold().startswith(word)) if word else by_name
    return begins + [one for one in choices if one not in by_name and word in one.title.casefold()]


def short_title(title: str) -> str:
    """A title without the words that all agents share."""
    return plain_text(title).removeprefix("The agent that ").removeprefix("The agent ").rstrip(".")
