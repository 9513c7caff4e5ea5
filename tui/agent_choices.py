"""What a person chooses an agent from."""

from __future__ import annotations

from webbench.core.plain_text import plain_clip

_LINE_CELLS = 58


def agent_choices(benchmark: str) -> list[tuple[str, str]]:
    """Name and line of every agent and preset for tasks of a benchmark, one row each in a narrow dialog."""
    from webbench.core.agents.listing import choices

    listed = choices(benchmark)
    width = max(len(one.name) for one in listed)
    return [
        (one.name, plain_clip(f"{one.name:<{width}}  {_short(one.title)}", _LINE_CELLS)) for one in listed
    ]


def _short(title: str) -> str:
    """A title without the words that all agents share, up to its first colon."""
    return title.removeprefix("The agent that ").partition(":")[0].rstrip(".")
