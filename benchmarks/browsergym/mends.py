"""What keeps a foreign package or environment from working, and its mend: a package, a setting, a site."""

from __future__ import annotations

import re

import msgspec

from webbench.core.text.plain_text import plain_clip

LONGEST = 400
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
_SITE = re.compile(
    r"ERR_NAME_NOT|ERR_CONNECTION|ERR_INTERNET|ERR_ADDRESS|ERR_TIMED_OUT|ERR_TUNNEL|ERR_PROXY"
    r"|ConnectionError|Max retries|Connection refused|Failed to connect|will not be reachable|not reachable"
)
_HUB = re.compile(
    r"huggingface|hf_hub|datasets?-server|LocalEntryNotFound|OfflineMode|DatasetNotFound", re.IGNORECASE
)
_PLAYWRIGHT = re.compile(r"requires playwright==([\d.]+\d)")
_NLTK = re.compile(r"punkt|nltk", re.IGNORECASE)
_PLACE = re.compile(r"https?://[^\s'\"<>)]+")


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """What was raised there.

    Attributes:
        missing: the module that wasn't found.
        place: file and line.
    """

    type: str
    message: str = ""
    missing: str = ""
    place: str = ""

    @property
    def words(self) -> str:
        """In one line, with the place."""
        told = plain_clip(" ".join(f"{self.type}: {self.message}".split()), LONGEST)
        at = "/".join(self.place.split("/")[-3:])
        return f"{told} (at {plain_clip(at, 100)})" if at else told


def mend_of(trouble: Trouble, python: str) -> str:
    """What to do about it.

    Args:
        python: the interpreter that has the package.
    """
    told = f"{trouble.type}: {trouble.message}"
    if trouble.missing:
        top = trouble.missing.partition(".")[0]
        return f"install the package that has the module {top}: {python} -m pip install {top}"
    if _NLTK.search(told):
        return f"{python} -m nltk.downloader punkt_tab (it is fetched from the network)"
    if _HUB.search(told):
        return "its data is fetched from a hub: give it a network once, or a filled cache (HF_HOME)"
    if wanted := _PLAYWRIGHT.search(told):
        return f"{python} -m pip install playwright=={wanted[1]}"
    if _SITE.search(told):
        site = _PLACE.search(told)
        where = f" at {site[0][:100]}" if site else ""
        return f"start its site, or name the address where it runs{where}"
    if trouble.type in ("KeyError", "AssertionError", "ValueError", "EnvironmentError") and (
        found := _VARIABLE.findall(told)
    ):
        names = ", ".join(dict.fromkeys(found))
        return f"set {names[:200]} in the environment of webbench-tui"
    return "its own README says what it needs"
