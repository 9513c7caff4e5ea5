"""The environments of MiniWoB++: where the package `miniwob` keeps their pages, and what each one is.

The package is asked for its folder alone. None of its code is run, so that its needs (Gymnasium, Selenium)
don't matter here.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import msgspec

PACKAGE = "miniwob"
FLIGHT = "flight."
_LIST = Path(__file__).with_name("environments.json")


class Environment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of an environment besides its page.

    Attributes:
        kind: how MiniWoB++ groups it: "original", "nodelay", "additional", "hidden test" ...
        split: BrowserGym's "train" or "test"; "flight", and "unregistered" for pages that the package's own
            list leaves out.
        parts: further published selections that it is in.
    """

    kind: str
    split: str
    parts: tuple[str, ...] = ()


@cache
def known() -> dict[str, Environment]:
    """The environments of release 1.1, by name."""
    return msgspec.json.decode(_LIST.read_bytes(), type=dict[str, Environment])


def package_folder() -> Path | None:
    """The installed package's pages; None where it isn't installed."""
    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec is not None else None
    return next((Path(place) / "html" for place in places or ()), None)


def package_version() -> str:
    """Of the installed package, "" where it isn't known."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return ""


def page_of(name: str) -> str:
    """An environment's page, relative to the folder of pages."""
    if name.startswith(FLIGHT):
        return f"flight/{name.removeprefix(FLIGHT)}/wrapper.html"
    return f"miniwob/{name}.html"
