"""The guard of one episode: hosts it may reach, and actions that a person has to confirm.

It looks twice. Before an agent's action it asks the page what the action would set off; and every request of
the episode passes it, so that what no word on the page told is stopped by its address, whatever set it off:
a script, a redirect, an innocent-looking button. What a person does is not held up, but for hosts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, Protocol, runtime_checkable

import msgspec

from webbench.core.action.action import Action
from webbench.core.environment import (
    WEB_SOCKET,
    Environment,
    EnvironmentSetup,
    NetworkAnswer,
    NetworkRequest,
    RequestFilter,
)
from webbench.core.errors import WebbenchError, internal_fault
from webbench.core.guards.hosts import AllowedHosts
from webbench.core.guards.risk import Purpose, Risk, Rules, risk_of
from webbench.core.guards.rules import read_rules
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation, PageMessage
from webbench.core.settings.guard_defaults import DEFAULT_ADDRESSES, DEFAULT_WORDS
from webbench.core.settings.settings import GuardSettings

BLOCKED = "blocked by the guard: "
"""What the message about a blocked request begins with."""

UNKNOWN = "what can't be known"
"""In place of a rule's name: what an action would set off could not be looked up."""

MOST_MESSAGES = 200
"""Blocked requests that a step tells of."""

_UNWATCHED = frozenset({"stylesheet", "script", "image", "font", "media", "manifest", WEB_SOCKET})
"""Parts of pages, and what couldn't be stopped by its address."""


class GuardOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a guard watches.

    Attributes:
        actions: "on", "off", or "auto": on, except where the task's stage says that nothing done there harms
            anybody.
        hosts: patterns of hosts that may be reached besides the task's own; empty = all.
        words, addresses: rules, see `rules`.
    """

    actions: Literal["auto", "on", "off"] = "auto"
    hosts: tuple[str, ...] = ()
    words: tuple[str, ...] = DEFAULT_WORDS
    addresses: tuple[str, ...] = DEFAULT_ADDRESSES


def configured_guard(settings: GuardSettings) -> GuardOptions:
    """What the settings have a guard watch."""
    return GuardOptions(
        actions=settings.actions, hosts=settings.hosts, words=settings.words, addresses=settings.addresses
    )


@runtime_checkable
class Inspectable(Protocol):
    """What an `Environment` may have besides: a page that can be asked what an action would set off."""

    async def purpose(self, action: Action) -> Purpose:
        """Nothing where the page can't be asked, or holds no such element. Never raises."""
        ...


class Guard:
    """Watches one episode; without arguments it watches nothing.

    Args:
        harmless: the stage says that nothing done there harms anybody.
        sites: addresses of the task, which are always allowed.

    Raises `BadData` for a rule or a pattern of hosts that can't be read.
    """

    def __init__(
        self,
        options: GuardOptions = GuardOptions(actions="off"),
        *,
        harmless: bool = False,
        sites: Mapping[str, str] | None = None,
    ) -> None:
        self._watches_actions = options.actions == "on" or (options.actions == "auto" and not harmless)
        self._rules = Rules(read_rules(options.words), read_rules(options.addresses))
        self._patterns = AllowedHosts(options.hosts).patterns
        self._sites = tuple((sites or {}).values())
        self._hosts: AllowedHosts | None = None
        self._next: RequestFilter | None = None
        self._passthrough: tuple[str, ...] = ()
        self._armed = False
        self._since = time.monotonic()
        self._messages: list[PageMessage] = []

    @property
    def told(self) -> JsonObject:
        """What it watches, for the record."""
        return {"actions": self._watches_actions, "hosts": list(self._patterns)}

    def around(self, setup: EnvironmentSetup) -> EnvironmentSetup:
        """The setup with every request passing the guard first, as far as it watches any."""
        if not self._watches_actions and not self._patterns:
            return setup
        search = (setup.search,) if setup.search else ()
        if self._patterns:
            own = (*setup.start_urls, *setup.passthrough, *self._sites, *search)
            self._hosts = AllowedHosts(self._patterns, own)
            setup = msgspec.structs.replace(setup, only_hosts=self._hosts.rules)
        self._next, self._passthrough = setup.request_filter, setup.passthrough
        return msgspec.structs.replace(setup, request_filter=self._answer, passthrough=())

    async def risk(self, action: Action, environment: Environment, page: Observation) -> Risk | None:
        """What a person has to confirm before an agent's action, None where nothing.

        What a fault of ours keeps from being looked up has to be confirmed, too.
        """
        if not self._watches_actions:
            return None
        purpose = Purpose()
        if isinstance(environment, Inspectable):
            try:
                purpose = await environment.purpose(action)
            except WebbenchError:
                raise
            except Exception as error:
                return Risk(UNKNOWN, internal_fault(error))
        return risk_of(action, purpose, page, self._rules)

    @contextmanager
    def letting(self, *, by_agent: bool, confirmed: bool) -> Iterator[None]:
        """While an action is carried out. An agent's leaves the page under watch, a person's doesn't."""
        self._armed = by_agent and not confirmed
        try:
            yield
        finally:
            self._armed = by_agent

    def take_messages(self) -> tuple[PageMessage, ...]:
        """What was blocked since the last call."""
        taken, self._messages = tuple(self._messages), []
        return taken

    async def _answer(self, request: NetworkRequest) -> NetworkAnswer:
        reason = self._refusal(request)
        if reason:
            self._tell(request, reason)
            return NetworkAnswer("abort", reason=reason)
        if request.resource_type == WEB_SOCKET:
            return NetworkAnswer("continue")
        if self._next is None or request.url.startswith(self._passthrough or ("\0",)):
            return NetworkAnswer("continue")
        return await self._next(request)

    def _refusal(self, request: NetworkRequest) -> str:
        if self._hosts is not None and not self._hosts.allow(request.url):
            return "no request goes to this host, the guard says"
        if not self._armed or not self._watches_actions or request.resource_type in _UNWATCHED:
            return ""
        risk = self._rules.of_address(request.url)
        return f"a person has to confirm what falls under {risk.rule}, the guard says" if risk else ""

    def _tell(self, request: NetworkRequest, reason: str) -> None:
        if len(self._messages) < MOST_MESSAGES:
            text = f"{BLOCKED}{request.method} ({request.resource_type}), {reason}"
            seconds = time.monotonic() - self._since
            self._messages.append(PageMessage("network", "error", text, request.url, seconds))
