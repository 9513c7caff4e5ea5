"""Addresses of the sites: tasks name them by placeholders such as __GITLAB__, evidence by real addresses."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.settings.site_settings import SiteSettings, setting_of

NAME = "webarena"
PLACEHOLDERS = (
    "__SHOPPING__",
    "__SHOPPING_ADMIN__",
    "__REDDIT__",
    "__GITLAB__",
    "__MAP__",
    "__WIKIPEDIA__",
    "__HOMEPAGE__",
)
FOREIGN_VARIABLES = ("WA_", "")
"""What stands before a site's name in the variables of BrowserGym, and in those of the published code."""

_PLACEHOLDER = re.compile("|".join(PLACEHOLDERS))


def addresses_set() -> dict[str, str]:
    """Site addresses by placeholder, without a slash at the end.

    From the settings (`sites.webarena.GITLAB`), else the variables that people of this benchmark have set
    already: `WA_GITLAB`, then `GITLAB`. What is no address is passed over.
    """
    settings = SiteSettings(NAME)
    named = {placeholder: _address(placeholder.strip("_"), settings) for placeholder in PLACEHOLDERS}
    return {placeholder: address for placeholder, address in named.items() if address}


def _address(site: str, settings: SiteSettings) -> str:
    others = (os.environ.get(prefix + site, "") for prefix in FOREIGN_VARIABLES)
    given = (address.strip().rstrip("/") for address in (settings.address(site), *others))
    return next((address for address in given if address.startswith(("http://", "https://"))), "")


def how_to_set(site: str) -> str:
    """Where the address of a site ("GITLAB") can be written."""
    return f'set {setting_of("sites", NAME, site)} = "http://...", or the variable {site} or WA_{site}'


def resolved(gold: JsonObject, evidence: JsonObject) -> JsonObject:
    """The gold data with the addresses of evidence["sites"] in place of placeholders.

    Raises `BadData` where the sites are no object of texts.
    """
    sites = evidence.get("sites") or {}
    if not isinstance(sites, dict) or not all(isinstance(address, str) for address in sites.values()):
        raise BadData("the evidence's sites are no object of placeholder and address")
    filled: JsonObject = _filled(gold, sites)
    return filled


def unresolved(gold: JsonObject, kind: str, evidence: JsonObject) -> str:
    """A placeholder that an evaluator would compare with a real address, "" where there is none.

    Evidence that isn't recorded is compared with nothing, and what names the sites by placeholders itself
    can be compared as it is.
    """
    wanted: Json = None
    actual: Json = None
    if kind == "url_match":
        wanted, actual = gold.get("reference_url"), evidence.get("url")
    elif kind == "program_html":
        targets = gold.get("program_html")
        listed = targets if isinstance(targets, list) else []
        wanted = [target.get("required_contents") for target in listed if isinstance(target, dict)]
        actual = evidence.get("pages")
    left = None if actual is None else _PLACEHOLDER.search(repr(wanted))
    return left[0] if left and not _PLACEHOLDER.search(repr(actual)) else ""


def fill(value: Json, sites: Mapping[str, str]) -> Json:
    """The value with addresses in place of the placeholders among `sites`."""
    return _filled(value, sites)


def placeholders_in(value: Json) -> list[str]:
    """The placeholders in a value, each once, in the order in which they stand there."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(repr(value))))


def _filled(value: Json, sites: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return _PLACEHOLDER.sub(lambda found: sites.get(found[0], found[0]).rstrip("/"), value)
    if isinstance(value, dict):
        return {key: _filled(item, sites) for key, item in value.items()}
    return [_filled(item, sites) for item in value] if isinstance(value, list) else value
