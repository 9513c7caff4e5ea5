"""Signing in and out, alike on every site.

People get a cookie for the path at which the site serves an episode, programs a token.
"""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from starlette.responses import Response

from webbench.benchmarks.sample_sites.web import Visit
from webbench.benchmarks.sample_sites.world import World
from webbench.core.json_types import JsonObject

COOKIE = "session"


def signed_in(visit: Visit) -> str:
    """The account that this browser signed in with on this site, "" for a stranger."""
    return visit.world.sessions.get((visit.site, visit.request.cookies.get(COOKIE, "")), "")


def sign_in(visit: Visit, response: Response, account: str) -> Response:
    """The response, with the cookie of a new session of the account."""
    key = _new_session(visit.world, visit.site, account)
    response.set_cookie(COOKIE, key, path=visit.base, httponly=True, samesite="lax")
    return response


def sign_out(visit: Visit, response: Response) -> Response:
    """The response, with the session ended."""
    visit.world.sessions.pop((visit.site, visit.request.cookies.get(COOKIE, "")), None)
    response.delete_cookie(COOKIE, path=visit.base, httponly=True, samesite="lax")
    return response


def new_token(visit: Visit, account: str) -> str:
    """A token for the site's programming interface."""
    return _new_session(visit.world, f"{visit.site} token", account)


def known_token(visit: Visit) -> str:
    """The account whose token the request carries as "Authorization: Bearer …", else ""."""
    scheme, _, key = visit.request.headers.get("authorization", "").partition(" ")
    return visit.world.sessions.get((f"{visit.site} token", key), "") if scheme == "Bearer" else ""


def storage_state(world: World, origin: str, accounts: dict[str, str]) -> JsonObject:
    """A Playwright storage state in which each site (key) has its account (value, "" for none) signed in."""
    host = urlsplit(origin).hostname or ""
    cookies = [_cookie(world, host, site, account) for site, account in accounts.items() if account]
    return {"cookies": cookies, "origins": []}


def _cookie(world: World, host: str, site: str, account: str) -> JsonObject:
    return {
        "name": COOKIE,
        "value": _new_session(world, site, account),
        "domain": host,
        "path": world.base(site),
        "expires": -1,
        "httpOnly": True,
        "secure": False,
        "sameSite": "Lax",
    }


def _new_session(world: World, site: str, account: str) -> str:
    key = secrets.token_urlsafe(18)
    world.sessions[site, key] = account
    return key
