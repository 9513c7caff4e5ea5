"""Search tools: how a query becomes an action, and what is read from the page that it leads to.

Every search is a step of the episode, so that its results are in the record like any other page; so is every
page that is opened from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol
from urllib.parse import parse_qsl, quote_plus, urldefrag, urlsplit

import msgspec

from webbench.core.action.action import Action, Goto, Search
from webbench.core.errors import UsageError
from webbench.core.models.tokens import first_tokens
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.plain_text import plain_clip, plain_text

TASKS_OWN = "task"
_TEXT_ROLES = frozenset({"StaticText", "heading", "link"})
_LONGEST = 2000


class Hit(msgspec.Struct, frozen=True):
    """A page that a search found."""

    title: str
    url: str


class SearchTool(Protocol):
    """Looks something up for an agent."""

    def action(self, query: str) -> Action:
        """What leads to the results."""
        ...

    def passages(self, observation: Observation, most_tokens: int) -> str:
        """What the page of results says, at most about so many tokens."""
        ...

    def hits(self, observation: Observation) -> Sequence[Hit]:
        """The pages that were found, best first."""
        ...


class TaskSearch:
    """The search engine of the task's setup: a bundle's own, else that of the setting `search_engine`."""

    def action(self, query: str) -> Action:
        return Search(query=query)

    def passages(self, observation: Observation, most_tokens: int) -> str:
        return page_text(observation, most_tokens)

    def hits(self, observation: Observation) -> Sequence[Hit]:
        return links_elsewhere(observation)


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
    """The texts of a page in reading order, a line each; a link's own text isn't told twice.

    Of a page that marks its main part only that.
    """
    lines: list[str] = []
    for node in _main_part(observation.nodes):
        text = plain_text(node.name, limit=_LONGEST).strip()
        if node.role in _TEXT_ROLES and text and (not lines or lines[-1] != text):
            lines.append(text)
    return first_tokens("\n".join(lines), most_tokens)


def links_elsewhere(observation: Observation) -> list[Hit]:
    """The links of a page that lead to other hosts, in order, each page once.

    Search engines that count clicks link to themselves, with the page's address as a parameter.
    """
    found: dict[str, Hit] = {}
    for node in _main_part(observation.nodes):
        url = _elsewhere(node.attributes.get("href", ""), observation.url) if node.role == "link" else ""
        if url and node.name.strip():
            found.setdefault(urldefrag(url).url, Hit(plain_text(node.name, limit=_LONGEST).strip(), url))
    return list(found.values())


def _main_part(nodes: Sequence[AccessibilityNode]) -> Iterator[AccessibilityNode]:
    """The nodes below the first "main"; all of them where there is none."""
    start = next((at for at, node in enumerate(nodes) if node.role == "main"), None)
    if start is None:
        yield from nodes
        return
    for node in nodes[start + 1 :]:
        if node.depth <= nodes[start].depth:
            return
        yield node


def _elsewhere(href: str, page: str) -> str:
    """The address outside the host of this page that a link leads to, "" where it stays there."""
    own = _host(page)
    carried = [value for _, value in parse_qsl(href.partition("?")[2])]
    for url in (href, *carried):
        host = _host(url)
        if host and not f".{host}".endswith(f".{own}") and not f".{own}".endswith(f".{host}"):
            return url
    return ""


def _host(url: str) -> str:
    """Of an http address, "" for anything else."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""
