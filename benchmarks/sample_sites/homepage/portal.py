"""The list of sites, and that of accounts, at the addresses of WebArena's own homepage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import BaseRoute

from webbench.benchmarks.sample_sites.forge.data import seed as forge
from webbench.benchmarks.sample_sites.forum import seed as forum
from webbench.benchmarks.sample_sites.shop.data import seed as shop
from webbench.benchmarks.sample_sites.web import Visit, page

SITE = "homepage"


class Listed(NamedTuple):
    """A site that is linked to.

    Attributes:
        site: its own name, also the path that it is mounted at.
        user, password: of its account, "" where nobody signs in.
    """

    site: str
    title: str
    about: str
    user: str = ""
    password: str = ""


SITES = (
    Listed("shop", "Harbour & Pine", "A shop for things of daily use.", shop.MARAS_ACCOUNT[1], shop.PASSWORD),
    Listed("admin", "Back office", "Orders, products and reports of the shop.", *shop.STAFF),
    Listed("forum", "Breakwater", "A forum for things that take time.", forum.ACCOUNT, forum.PASSWORD),
    Listed("forge", "Slipway", "Projects, files, issues and reviews.", forge.ACCOUNT, forge.PASSWORD),
    Listed("map", "Sandholm on the map", "Places, addresses and directions."),
    Listed("encyclopaedia", "Fathom", "A short encyclopaedia of coasts."),
)
"""In the order in which they are listed."""


def here(visit: Visit) -> list[Listed]:
    """The sites that are open in this episode."""
    return [one for one in SITES if one.site in visit.world.databases]


def home(visit: Visit) -> Response:
    listed = [(one, visit.world.base(one.site)) for one in here(visit)]
    return visit.render("home.html", sites=listed)


def accounts(visit: Visit) -> Response:
    return visit.render("accounts.html", sites=[one for one in here(visit) if one.user])


def routes() -> Sequence[BaseRoute]:
    return [page(SITE, "/", home), page(SITE, "/password.html", accounts)]
