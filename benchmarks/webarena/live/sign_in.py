"""Signing in on WebArena's sites: through their own forms, by the selectors in `login.toml`."""

from __future__ import annotations

import asyncio
import time
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webbench.core.action.action import ElementRef, Goto, Type
from webbench.core.browser.acting.settle import Patience
from webbench.core.environment import EnvironmentSetup
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.settings.site_settings import Account

if TYPE_CHECKING:
    import httpx

    from webbench.core.browser.browser_environment import BrowserEnvironment
    from webbench.core.browser.starting.launch import Browser

PAGE_SECONDS = 30.0
FORM_SECONDS = 5.0
ASK_SECONDS = 20.0
MOST_REDIRECTS = 10
FORM_PAUSE = 0.1
_SHOWN = """(selectors) => {
  if ((performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0) >= 400) return "no";
  const shown = (selector) => document.querySelector(selector)?.checkVisibility();
  return selectors.every(shown) ? "yes" : "not yet";
}"""


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to sign in on a site; see `login.toml`."""

    login: str
    user: str
    password: str
    home: str
    signed_in: str


@cache
def ways() -> Mapping[str, Sequence[Way]]:
    """By site, in the order in which they are tried."""
    text = Path(__file__).with_name("login.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, tuple[Way, ...]])


async def sign_in(browser: Browser, site: str, address: str, account: Account) -> JsonObject:
    """The storage state of a fresh context in which the account is signed in.

    Raises `EnvironmentDown` where no login form is found, or the account isn't signed in after it was sent.
    """
    environment = browser.environment(Patience(deadline=2 * PAGE_SECONDS, navigation=PAGE_SECONDS))
    try:
        await environment.reset(EnvironmentSetup())
        await _send_form(environment, site, address, account)
        state = await environment.storage_state()
    finally:
        await environment.close()
    if not await is_signed_in(site, address, state):
        raise EnvironmentDown(
            f"{site} at {address} doesn't let {account.user} in",
            f"check accounts.webarena.{site}.user and .password",
        )
    return state


async def _send_form(environment: BrowserEnvironment, site: str, address: str, account: Account) -> None:
    for way in ways()[site]:
        await _done(environment, Goto(url=address + way.login), site, address)
        if await _has_form(environment, way):
            fields = {"user": ElementRef(selector=way.user), "password": ElementRef(selector=way.password)}
            await _done(environment, Type(target=fields["user"], text=account.user), site, address)
            send = Type(target=fields["password"], text=account.password, enter=True)
            await _done(environment, send, site, address)
            return
    tried = ", ".join(way.login for way in ways()[site])
    raise EnvironmentDown(f"{site} at {address} shows no login form (looked at {tried})")


async def _done(environment: BrowserEnvironment, action: Goto | Type, site: str, address: str) -> None:
    result = await environment.act(action)
    if not result.ok:
        raise EnvironmentDown(f"signing in on {site} at {address} failed: {result.error}")


async def _has_form(environment: BrowserEnvironment, way: Way) -> bool:
    deadline = time.monotonic() + FORM_SECONDS
    while time.monotonic() < deadline:
        shown = await environment.probe(_SHOWN, [way.user, way.password])
        if shown != "not yet":
            return bool(shown == "yes")
        await asyncio.sleep(FORM_PAUSE)
    return False


async def is_signed_in(site: str, address: str, state: JsonObject) -> bool:
    """Whether the site takes whoever comes with this storage state for a signed-in account.

    Raises `EnvironmentDown` where the site doesn't answer.
    """
    import httpx

    try:
        async with httpx.AsyncClient(
            cookies=cookie_jar(state),
            timeout=ASK_SECONDS,
            follow_redirects=True,
            max_redirects=MOST_REDIRECTS,
        ) as client:
            for way in ways()[site]:
                answer = await client.get(address + way.home)
                if answer.status_code == 200 and way.signed_in in answer.text:
                    return True
    except httpx.TooManyRedirects:
        return False
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        raise EnvironmentDown(f"{site} at {address} does not answer: {reason}") from error
    return False


def cookie_jar(state: JsonObject) -> httpx.Cookies:
    """The cookies of a storage state, as requests from Python send them."""
    import httpx

    jar = httpx.Cookies()
    for cookie in _cookies(state):
        domain = cookie["domain"]
        # Python's jar knows hosts without a dot, such as localhost, by the name they would have in .local
        known_as = domain if "." in domain else f"{domain}.local"
        jar.set(cookie["name"], cookie["value"], domain=known_as, path=cookie["path"])
    return jar


def _cookies(state: JsonObject) -> list[dict[str, str]]:
    """Those with a name, a value, a domain and a path."""
    listed = state.get("cookies")
    wanted = ("name", "value", "domain", "path")
    return [
        {key: str(cookie[key]) for key in wanted}
        for cookie in (listed if isinstance(listed, list) else ())
        if isinstance(cookie, dict) and all(isinstance(cookie.get(key), str) for key in wanted)
    ]


def merged(states: Sequence[JsonObject]) -> JsonObject:
    """One storage state with all of their cookies and stored items; the later one wins."""
    cookies = {(one["name"], one["domain"], one["path"]): one for state in states for one in state["cookies"]}
    origins = {one["origin"]: one for state in states for one in state["origins"]}
    return {"cookies": list(cookies.values()), "origins": list(origins.values())}
