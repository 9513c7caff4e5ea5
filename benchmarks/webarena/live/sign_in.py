"""Signing in on WebArena's sites: by a header where they take one, else through their own forms, as
`login.toml` has it."""

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
    from http.cookiejar import Cookie

    import httpx

    from webbench.core.browser.browser_environment import BrowserEnvironment
    from webbench.core.browser.launch import Browser

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
    header: str = ""


@cache
def ways() -> Mapping[str, Sequence[Way]]:
    """By site, in the order in which they are tried."""
    text = Path(__file__).with_name("login.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, tuple[Way, ...]])


async def sign_in(browser: Browser, site: str, address: str, account: Account) -> JsonObject:
    """The storage state of a fresh context in which the account is signed in.

    Raises `EnvironmentDown` where no login form is found, or the account isn't signed in after it was sent.
    """
    by_header = await header_login(site, address, account)
    if by_header:
        return by_header
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


async def header_login(site: str, address: str, account: Account) -> JsonObject:
    """The storage state of whoever sends the site's login header; an empty one where that signs nobody in.

    Source: WebArena-Verified, docs/environments. Redirects are followed on the site's own origin alone, so
    that no other one is sent the password.
    """
    import httpx

    for way in ways()[site]:
        if not way.header:
            continue
        try:
            cookies = await _cookies_for_header(address + way.home, way.header, account)
        except (httpx.HTTPError, UnicodeEncodeError):
            continue
        state: JsonObject = {"cookies": cookies, "origins": []}
        if cookies and await is_signed_in(site, address, state):
            return state
    return {}


async def _cookies_for_header(url: str, header: str, account: Account) -> list[JsonObject]:
    import httpx

    told = {header: f"{account.user}:{account.password}"}
    own = httpx.URL(url)
    async with httpx.AsyncClient(timeout=ASK_SECONDS, follow_redirects=False) as client:
        at = own
        for _ in range(MOST_REDIRECTS):
            answer = await client.get(at, headers=told)
            if answer.next_request is None:
                break
            at = answer.next_request.url
            if (at.scheme, at.netloc) != (own.scheme, own.netloc):
                break
        return [_as_kept(cookie, own.host) for cookie in client.cookies.jar if cookie.value is not None]


def _as_kept(cookie: Cookie, host: str) -> JsonObject:
    """As a storage state has it. Python's jar calls hosts without a dot by their name in .local."""
    domain = host if cookie.domain.lstrip(".") in (host, f"{host}.local") else cookie.domain
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": domain,
        "path": cookie.path,
        "expires": cookie.expires if cookie.expires is not None else -1,
        "httpOnly": cookie.has_nonstandard_attr("HttpOnly"),
        "secure": cookie.secure,
        "sameSite": "Lax",
    }


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
