"""Signing in on WebArena's sites: through their own forms, by the selectors in `login.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec

from webbench.core.browser.playwright import first_line
from webbench.core.errors import EnvironmentDown
from webbench.core.json_types import JsonObject
from webbench.core.site_settings import Account

if TYPE_CHECKING:
    import httpx
    from playwright.async_api import BrowserContext, Page

    from webbench.core.browser.launch import Browser

PAGE_SECONDS = 30.0
FORM_SECONDS = 5.0
ASK_SECONDS = 20.0
MOST_REDIRECTS = 10
PARSED: Literal["domcontentloaded"] = "domcontentloaded"


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
    text = (files("webbench.benchmarks.webarena") / "login.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, tuple[Way, ...]])


async def sign_in(browser: Browser, site: str, address: str, account: Account) -> JsonObject:
    """The storage state of a fresh context in which the account is signed in.

    Raises `EnvironmentDown` where no login form is found, or the account isn't signed in after it was sent.
    """
    from playwright.async_api import Error

    context = await (await browser.connected()).new_context()
    context.set_default_timeout(PAGE_SECONDS * 1000)
    try:
        await _send_form(context, site, address, account)
        state: JsonObject = dict(await context.storage_state())
    except Error as error:
        raise EnvironmentDown(f"signing in on {site} at {address} failed: {first_line(error)}") from error
    finally:
        await context.close()
    if not await is_signed_in(site, address, state):
        raise EnvironmentDown(
            f"{site} at {address} doesn't let {account.user} in",
            f"check accounts.webarena.{site}.user and .password",
        )
    return state


async def _send_form(context: BrowserContext, site: str, address: str, account: Account) -> None:
    page = await context.new_page()
    for way in ways()[site]:
        answer = await page.goto(address + way.login, wait_until=PARSED)
        if (answer is None or answer.ok) and await _has_form(page, way):
            await page.locator(way.user).first.fill(account.user)
            await page.locator(way.password).first.fill(account.password)
            async with page.expect_navigation(wait_until=PARSED):
                await page.locator(way.password).first.press("Enter")
            return
    tried = ", ".join(way.login for way in ways()[site])
    raise EnvironmentDown(f"{site} at {address} shows no login form (looked at {tried})")


async def _has_form(page: Page, way: Way) -> bool:
    from playwright.async_api import Error

    try:
        for selector in (way.user, way.password):
            await page.locator(selector).first.wait_for(timeout=FORM_SECONDS * 1000)
    except Error:
        return False
    return True


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
