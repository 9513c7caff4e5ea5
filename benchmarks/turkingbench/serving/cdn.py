"""What happens to requests that leave a task page: substitutes for well-known libraries, or a quick end.

Task pages ask content-delivery networks for some sixty scripts and style sheets. With a network, each
page gets the version it names. Without one, jQuery, jQuery UI and Bootstrap come from installed
packages (one jQuery 3 with Migrate answers for all versions), and whatever else can't be had fails at
once instead of holding up the page.

A page speaks to the public network or to its own server, never to this machine's other servers or to
private networks: their names and addresses are out of reach, and so is a name that leads to them.
"""

from __future__ import annotations

import functools
import re
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from webbench.benchmarks.turkingbench.serving.reach import KnownServers, Server, is_local
from webbench.core.environment import NetworkAnswer, NetworkRequest

STATIC = Path(__file__).parents[1] / "static"
_PORTS = {"http": 80, "https": 443}
_CLOSED = "other servers of this machine and of private networks are closed to a task's page"
_OUT_OF_REACH = "no public server answers there"


class Part(msgspec.Struct, frozen=True):
    """One file of a substitute: a path inside a distribution, or inside our own static folder."""

    path: str
    distribution: str = ""


class Substitute(msgspec.Struct, frozen=True):
    """What answers for the addresses that match `pattern` (host and path, lower case)."""

    pattern: str
    parts: tuple[Part, ...]
    content_type: str = "text/javascript"


_JQUERY = (
    Part("jquery.min.js", "XStatic-jQuery"),
    Part("quiet-migrate.js"),
    Part("jquery-migrate.min.js", "XStatic-JQuery-Migrate"),
)
_BOOTSTRAP_4_STYLE = Part("css/bootstrap.min.css", "xstatic-bootstrap")

SUBSTITUTES = (
    Substitute(r"/jquery[-.]?migrate[^/]*\.js$", (Part("quiet-migrate.js"),)),
    Substitute(
        r"jquery-?ui[^?]*\.js$|/ui/[\d.]+/[^?]*\.js$", (Part("jquery-ui.min.js", "XStatic-jquery-ui"),)
    ),
    Substitute(
        r"jquery-?ui[^?]*\.css$|/ui/[\d.]+/[^?]*\.css$",
        (Part("jquery-ui.min.css", "XStatic-jquery-ui"),),
        "text/css",
    ),
    Substitute(
        r"/jquery(-[\d.]+|/[\d.]+/jquery|@[\d.]+[^?]*/jquery)?(\.slim)?(\.min)?\.js$"
        r"|/lightbox-plus-jquery[^/]*\.js$",
        _JQUERY,
    ),
    Substitute(r"/popper[^/]*\.js$", (Part("popper-in-bundle.js"),)),
    Substitute(
        r"bootstrap[/@]3[^?]*/bootstrap(\.min)?\.js$",
        (Part("js/bootstrap.min.js", "XStatic-Bootstrap-SCSS"),),
    ),
    Substitute(
        r"bootstrap[/@]3[^?]*/bootstrap(\.min)?\.css$|/bs30/css/bootstrap[^/]*\.css$",
        (_BOOTSTRAP_4_STYLE, Part("bootstrap3.css")),
        "text/css",
    ),
    Substitute(
        r"bootstrap[/@][45][^?]*/bootstrap(\.bundle)?(\.min)?\.js$",
        (Part("js/bootstrap.bundle.min.js", "xstatic-bootstrap"), Part("bootstrap4-labels.js")),
    ),
    Substitute(r"bootstrap[/@][45][^?]*/bootstrap(\.min)?\.css$", (_BOOTSTRAP_4_STYLE,), "text/css"),
    Substitute(r"/externalhit_v1\.js$", (Part("external-hit.js"),)),
    Substitute(r"/crowd-html-elements[^/]*\.js$", (Part("crowd.js"),)),
)


def substitute_for(url: str) -> Substitute | None:
    """The substitute that answers for this address, or None."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    address = f"{parts.netloc}{parts.path}".lower()
    return next((entry for entry in SUBSTITUTES if re.search(entry.pattern, address)), None)


@functools.cache
def content(substitute: Substitute) -> bytes | None:
    """The substitute's parts joined, or None where a package that holds one is not installed."""
    texts = [_read(part) for part in substitute.parts]
    separator = b"\n;\n" if substitute.content_type == "text/javascript" else b"\n"
    return None if None in texts else separator.join(text for text in texts if text is not None)


def _read(part: Part) -> bytes | None:
    if not part.distribution:
        return (STATIC / part.path).read_bytes()
    try:
        listed = files(part.distribution) or []
    except PackageNotFoundError:
        return None
    found = next((file for file in listed if file.as_posix().endswith(f"/data/{part.path}")), None)
    return Path(str(found.locate())).read_bytes() if found else None


class ForeignRequests:
    """Decides about every request that leaves the task's own server.

    Args:
        servers: knows which servers answer.
    """

    def __init__(self, servers: KnownServers | None = None) -> None:
        self._servers = servers or KnownServers()

    async def answer(self, request: NetworkRequest) -> NetworkAnswer:
        """The `RequestFilter` of a stage."""
        if request.url.partition(":")[0] in {"data", "blob", "about"}:
            return NetworkAnswer("continue")
        server = _server(request.url)
        is_closed = server is not None and is_local(server.host)
        if server and not is_closed and await self._servers.reach(server):
            return NetworkAnswer("continue")
        substitute = substitute_for(request.url)
        body = content(substitute) if substitute else None
        if substitute and body is not None:
            return NetworkAnswer("fulfil", 200, f"{substitute.content_type}; charset=utf-8", body)
        return NetworkAnswer("abort", reason=_CLOSED if is_closed else _OUT_OF_REACH)


def _server(url: str) -> Server | None:
    """Who answers for an address; None where nobody can."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return Server(parts.scheme, parts.hostname or "", port)
