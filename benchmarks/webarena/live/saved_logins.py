"""The saved logins: one storage state per site and per pair of sites, readable by their owner alone."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.benchmarks.webarena.live.accounts import account_of
from webbench.benchmarks.webarena.live.sign_in import is_signed_in, merged, sign_in, ways
from webbench.benchmarks.webarena.sites import NAME, how_to_set
from webbench.core.browser.starting.configured import configured_launch
from webbench.core.errors import EnvironmentDown, WebbenchError
from webbench.core.json_types import JsonObject
from webbench.core.settings import locations
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Task
from webbench.core.text import bounded_json

if TYPE_CHECKING:
    from webbench.core.browser.launch import Browser

ENDING = "_state.json"
LARGEST_FILE = 4 * 1024 * 1024
_PARTS = ("cookies", "origins")

OpenBrowser = Callable[[], AbstractAsyncContextManager["Browser"]]


class LoginResult(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one site.

    Attributes:
        file: where its login is kept, "" where there is none.
        problem: why it isn't signed in, "" where it is.
        warning: with which other sites it can't be signed in at once, and why; "" where with all.
    """

    site: str
    address: str = ""
    user: str = ""
    file: str = ""
    problem: str = ""
    warning: str = ""


class LoginsClash(EnvironmentDown):
    """Sites can be signed in on one by one, but not in one browser: their cookies replace each other."""


def folder() -> Path:
    return locations.data_folder() / "logins" / NAME


def file_of(sites: Sequence[str]) -> Path:
    """The file of one site or several, named as the task data name them: "gitlab.reddit_state.json"."""
    return folder() / f"{'.'.join(sorted(site.lower() for site in sites))}{ENDING}"


def sites_to_sign_in(task: Task) -> list[str]:
    """Those on which a task begins signed in, sorted; the verified edition names none, and means all."""
    named = task.data.get("storage_state")
    if isinstance(named, str) and named.endswith(ENDING):
        words = Path(named).name.removesuffix(ENDING).split(".")
    elif task.data.get("require_login") or "start_urls" in task.data:
        listed = task.data.get("sites")
        words = [str(site) for site in listed] if isinstance(listed, list) else []
    else:
        words = []
    return sorted({word.upper() for word in words} & ways().keys())


def own_browser() -> AbstractAsyncContextManager[Browser]:
    """One as the settings say, for as long as signing in takes; that needs no real mouse and keyboard."""
    from webbench.core.browser.launch import launch

    return launch(msgspec.structs.replace(configured_launch(load_settings()), input="browser"))


async def valid_login(
    sites: Sequence[str], addresses: Mapping[str, str], open_browser: OpenBrowser = own_browser
) -> JsonObject:
    """A storage state in which all these sites are signed in; what has expired is renewed, and saved.

    Args:
        addresses: by site.
        open_browser: called only where something has to be renewed.

    Raises `EnvironmentDown` where a site can't be signed in on.
    """
    saved = await _accepted(sites, addresses)
    if saved:
        return saved
    async with _one_at_a_time():
        return await _accepted(sites, addresses) or await _renewed(sites, addresses, open_browser)


async def _accepted(sites: Sequence[str], addresses: Mapping[str, str]) -> JsonObject:
    """The kept login where all sites accept it, else an empty one."""
    saved = _load(file_of(sites))
    return saved if saved and not await _expired(sites, addresses, saved) else {}


async def _renewed(
    sites: Sequence[str], addresses: Mapping[str, str], open_browser: OpenBrowser
) -> JsonObject:
    states = {site: await _accepted([site], addresses) for site in sites}
    expired = [site for site, state in states.items() if not state]
    if expired:
        async with open_browser() as browser:
            for site in expired:
                states[site] = await sign_in(browser, site, addresses[site], account_of(site))
                _save(file_of([site]), states[site])
    if len(sites) == 1:
        return states[sites[0]]
    return await _together(sites, addresses, states)


async def _together(
    sites: Sequence[str], addresses: Mapping[str, str], states: Mapping[str, JsonObject]
) -> JsonObject:
    """One state with the logins of all these sites, saved where they accept it. Raises `LoginsClash`."""
    state = merged([states[site] for site in sites])
    lost = await _expired(sites, addresses, state)
    if lost:
        file_of(sites).unlink(missing_ok=True)
        others = ", ".join(site for site in sites if site not in lost) or "each other"
        raise LoginsClash(
            f"{', '.join(lost)} can't be signed in beside {others}, whose cookies replace its own",
            "sites on one host may share names of cookies: serve them under different host names",
        )
    _save(file_of(sites), state)
    return state


@asynccontextmanager
async def _one_at_a_time() -> AsyncIterator[None]:
    """Episodes that run side by side, in this process or another, sign in once and not each for itself."""
    folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(folder() / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            await asyncio.to_thread(fcntl.flock, lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


async def log_in(
    addresses: Mapping[str, str], wanted: Sequence[str] = (), open_browser: OpenBrowser = own_browser
) -> list[LoginResult]:
    """Sign in anew on each site, and keep the logins of each one and of each pair that can be held at once.

    Args:
        addresses: by site; those without one are told, not tried.
        wanted: only these sites; all that have a login when empty.
        open_browser: called only where there is something to sign in on.
    """
    sites = list(wanted or ways())
    results = {site: LoginResult(site=site, problem=f"no address: {how_to_set(site)}") for site in sites}
    states: dict[str, JsonObject] = {}
    there = [site for site in sites if site in addresses]
    if there:
        async with open_browser() as browser:
            for site in there:
                results[site] = await _log_in_alone(browser, site, addresses[site], states)
    for pair in combinations(sorted(states), 2):
        try:
            await _together(pair, addresses, states)
        except EnvironmentDown as error:
            told = "; ".join(filter(None, (results[pair[1]].warning, error.message)))
            results[pair[1]] = msgspec.structs.replace(results[pair[1]], warning=told)
    return [results[site] for site in sites]


async def _log_in_alone(
    browser: Browser, site: str, address: str, states: dict[str, JsonObject]
) -> LoginResult:
    """The state goes into `states` where it worked."""
    told = LoginResult(site=site, address=address)
    try:
        account = account_of(site)
        told = msgspec.structs.replace(told, user=account.user)
        state = await sign_in(browser, site, address, account)
        _save(file_of([site]), state)
    except WebbenchError as error:
        return msgspec.structs.replace(told, problem=str(error))
    states[site] = state
    return msgspec.structs.replace(told, file=str(file_of([site])))


async def _expired(sites: Sequence[str], addresses: Mapping[str, str], state: JsonObject) -> list[str]:
    return [site for site in sites if not await is_signed_in(site, addresses[site], state)]


def _save(path: Path, state: JsonObject) -> None:
    """Replaced whole, and at no moment readable by others. Raises `EnvironmentDown`."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(state))
        temporary.replace(path)
    except OSError as error:
        raise EnvironmentDown(f"the login {path} can't be kept: {error.strerror or error}") from error


def _load(path: Path) -> JsonObject:
    """Empty where there is none, or none that can be used: then it is renewed."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            return {}
        state = bounded_json.decode(path.read_bytes())
    except (OSError, ValueError):
        return {}
    shaped = isinstance(state, dict) and all(isinstance(state.get(part), list) for part in _PARTS)
    return state if shaped else {}
