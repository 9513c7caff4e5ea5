"""The selectable agents: what a person chooses an agent from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webbench.core.text.plain_text import plain_text

if TYPE_CHECKING:
    from webbench.tui.screens.dialogs.pick_prompt import Pick

WITH_OPTIONS = "type to narrow down; options go after the name"
NEEDS_OPTIONS = {
    "browsergym": "Which agent? MODULE:NAME, or FILE.py:NAME, then its key=value.",
    "command": "Which program? It gets one observation per JSON line and answers one action per line.",
    "ensemble": "Which two? first=NAME second=NAME",
    "replay": "Which recorded episode?",
}
"""Agents that are nothing without options, and what is asked then."""


def agent_choices(benchmark: str) -> list[Pick]:
    """Every agent and preset for tasks of a benchmark: those made for it first."""
    from webbench.core.agents.known_agents import ListedAgent, choices, short_title
    from webbench.tui.screens.dialogs.pick_prompt import Pick

    def detail(one: ListedAgent) -> str:
        kind = f"preset of {one.base}" if one.kind == "preset" else "agent"
        return f"{plain_text(one.title).rstrip('.')} ({kind}, {plain_text(one.origin)})"

    return [
        Pick(one.name, short_title(one.title), detail(one), NEEDS_OPTIONS.get(one.name, ""))
        for one in sorted(choices(benchmark), key=lambda one: not one.benchmarks)
    ]
