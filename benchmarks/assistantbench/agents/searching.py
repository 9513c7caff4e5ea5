"""Search tools: how a query becomes an action, and what is read from the page that it leads to.

Every search is a step of the episode, so that its results are in the record like any other page.
"""

from __future__ import annotations

from typing import Protocol
from urllib.parse import quote_plus

from webbench.core.action import Action, Goto, Search
from webbench.core.errors import UsageError
from webbench.core.models.tokens import first_tokens
from webbench.core.observation import Observation
from webbench.core.plain_text import plain_clip, plain_text

TASKS_OWN = "task"
_TEXT_ROLES = frozenset({"StaticText", "heading", "link"})
_LONGEST = 2000


class SearchTool(Protocol):
    """Looks something up for an agent."""

    def action(self, query: str) -> Action:
        """What leads to the results."""

    def passages(self, observation: Observation, most_tokens: int) -> str:
        """What the page of results says, at most about so many tokens."""


class TaskSearch:
    """The search engine of the task's setup: a bundle's own, else that of the setting `search_engine`."""

    def action(self, query: str) -> Action:
        return Search(query=query)

    def passages(self, observation: Observation, most_tokens: int) -> str:
        return page_text(observation, most_tokens)


class AddressSearch(TaskSearch):
    """Another search engine, by an address with `{query}` where the words go.

    Raises `UsageError` for an address without it.
    """

    def __init__(self, template: str) -> None:
        if "{query}" not in template or not template.startswith(("http://", "https://")):
            raise UsageError(
                f'"{plain_clip(template, 80)}" is no search tool',
                f'write "{TASKS_OWN}", or an address such as http://localhost:8080/?q={{query}}',
            )
        self._template = template

    def action(self, query: str) -> Action:
        return Goto(url=self._template.replace("{query}", quote_plus(query)))


def search_tool(name: str) -> SearchTool:
    """The tool that an agent's option `search` names. Raises `UsageError`."""
    return TaskSearch() if name == TASKS_OWN else AddressSearch(name)


def page_text(observation: Observation, most_tokens: int) -> str:
    """The texts of a page in reading order, a line each; a link's own text isn't told twice."""
    lines: list[str] = []
    for node in observation.nodes:
        text = plain_text(node.name, limit=_LONGEST).strip()
        if node.role in _TEXT_ROLES and text and (not lines or lines[-1] != text):
            lines.append(text)
    return first_tokens("\n".join(lines), most_tokens)
