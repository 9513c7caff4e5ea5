"""A WebArena task made live: its sites found or opened, its start pages named, its account signed in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import msgspec

from webbench.benchmarks.webarena.live.accounts import account_of, passwords_in_use
from webbench.benchmarks.webarena.live.functions import FunctionCall
from webbench.benchmarks.webarena.live.saved_logins import LoginsClash, sites_to_sign_in, valid_login
from webbench.benchmarks.webarena.live.shop_api import ShopApi
from webbench.benchmarks.webarena.sites import (
    PLACEHOLDERS,
    addresses_set,
    fill,
    how_to_set,
    placeholders_in,
)
from webbench.core.benchmark.benchmark import Stage
from webbench.core.benchmark.bundle import Bundle, OpenSites
from webbench.core.environment import EnvironmentSetup, ExchangeLog, refuse_all
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.observation import Observation
from webbench.core.task import Task

AND = " |AND| "
"""Stands between the addresses of several start pages, each a tab."""


ORIGINALLY_SIGNED_IN: Mapping[tuple[str, ...], Sequence[str]] = {("REDDIT", "SHOPPING"): ("REDDIT",)}
"""By the sites of a task: those on which its original begins signed in, where that is not all of them.
WebArena-Verified doesn't say, and is signed in on all unless they exclude each other."""


class WebArenaStage(Stage):
    """One task's sites, which are copies made for it.

    Attributes:
        task: what is staged.
        addresses: by placeholder ("__SHOPPING__"), without a slash at the end.
    """

    harmless = True

    def __init__(self, task: Task, addresses: Mapping[str, str], setup: EnvironmentSetup) -> None:
        self.task = task
        self.addresses = dict(addresses)
        self.setup = setup
        if is_verified(task):
            self.setup = msgspec.structs.replace(setup, exchanges=ExchangeLog())
        self._shop: ShopApi | None = None

    async def ask_shop(self, call: FunctionCall) -> str:
        """A question of the task data to the shop's own interface. Raises as `ShopApi.ask` does."""
        if self._shop is None:
            address = self.addresses.get("__SHOPPING__", "")
            if not address:
                told = f"{call.name} asks the shop, which has no address"
                raise EnvironmentDown(told, how_to_set("SHOPPING"))
            self._shop = ShopApi(address, account_of("SHOPPING_ADMIN"))
        return await self._shop.ask(call)

    async def ended(self, observation: Observation) -> str:
        """Never by itself: the actor stops."""
        return ""


class LastingStage(WebArenaStage):
    """On sites that outlive the episode, whose logins may have expired since the last one."""

    async def ready(self) -> None:
        """Begin with a login that the sites accept now. Raises `EnvironmentDown` where none can be had."""
        sites = sites_to_sign_in(self.task)
        if sites:
            addresses = {site: self.addresses[f"__{site}__"] for site in sites}
            state = await self._login(sites, addresses)
            self.setup = msgspec.structs.replace(self.setup, storage_state=state)

    async def _login(self, sites: Sequence[str], addresses: Mapping[str, str]) -> JsonObject:
        """On all the sites; where one login ends another, on those that the original task signs in on."""
        try:
            return await valid_login(sites, addresses)
        except LoginsClash as clash:
            fewer = ORIGINALLY_SIGNED_IN.get(tuple(sites), ()) if is_verified(self.task) else ()
            if not fewer:
                raise
            self.warnings = (f"signed in on {', '.join(fewer)} alone, as the original task: {clash.message}",)
            return await valid_login(fewer, addresses)


def is_verified(task: Task) -> bool:
    """Whether it is of WebArena-Verified, whose evaluators are a list."""
    return isinstance(task.gold.get("eval"), list)


def sites_of(task: Task) -> list[str]:
    """The sites a task needs ("SHOPPING"): those it names, and those whose addresses it uses."""
    listed = task.data.get("sites")
    named = [f"__{str(site).upper()}__" for site in listed] if isinstance(listed, list) else []
    used = placeholders_in([task.data.get("start_url"), task.data.get("start_urls"), task.gold])
    signed_in = [f"__{site}__" for site in sites_to_sign_in(task)]
    return [one.strip("_") for one in dict.fromkeys((*named, *used, *signed_in)) if one in PLACEHOLDERS]


def start_urls(task: Task, addresses: Mapping[str, str]) -> tuple[str, ...]:
    """One per tab, with real addresses. Raises `BadData` where the task names none."""
    listed = task.data.get("start_urls")
    named = listed if isinstance(listed, list) else str(task.data.get("start_url") or "").split(AND)
    urls = tuple(str(fill(url, addresses)).strip() for url in named if isinstance(url, str) and url.strip())
    if not urls:
        raise BadData(f"task {task.name} names no start_url")
    wrong = next((url for url in urls if not url.startswith(("http://", "https://"))), "")
    if wrong:
        raise BadData(f'task {task.name} starts at "{wrong[:80]}", which is no address of a page')
    return urls


@asynccontextmanager
async def bundled_stage(task: Task, bundle: Bundle) -> AsyncIterator[WebArenaStage]:
    """The task on fresh sites of its bundle; nothing else can be reached."""
    async with bundle.open(sites_of(task)) as opened:
        addresses = _by_placeholder(opened)
        setup = EnvironmentSetup(
            start_urls=start_urls(task, addresses),
            request_filter=refuse_all,
            passthrough=opened.passthrough,
            storage_state=opened.storage_state or None,
        )
        yield WebArenaStage(task, addresses, setup)


@asynccontextmanager
async def lasting_stage(task: Task) -> AsyncIterator[WebArenaStage]:
    """The task on the sites that the settings name. Raises `EnvironmentDown` where one isn't set."""
    addresses = addresses_set()
    missing = missing_site(task, addresses)
    if missing:
        raise EnvironmentDown(
            f"task {task.name} runs on {missing}, which has no address", how_to_set(missing)
        )
    stage = LastingStage(task, addresses, EnvironmentSetup(start_urls=start_urls(task, addresses)))
    stage.secrets = passwords_in_use()
    stage.sites = {site: addresses[f"__{site}__"] for site in sites_of(task)}
    yield stage


def missing_site(task: Task, addresses: Mapping[str, str]) -> str:
    """The first site a task needs that has no address, "" where all have one."""
    return next((site for site in sites_of(task) if f"__{site}__" not in addresses), "")


def _by_placeholder(opened: OpenSites) -> dict[str, str]:
    return {f"__{name}__": address.rstrip("/") for name, address in opened.addresses.items()}
