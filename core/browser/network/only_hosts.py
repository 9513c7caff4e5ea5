"""Keeping a context from all hosts but some, whatever asks for them: a page, a worker, a WebSocket.

A request filter is asked about requests only, and DevTools blocks no WebSocket. So such a context goes out by
a proxy that isn't there, and the hosts that it may reach are its exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NOWHERE = "socks5://127.0.0.1:1"
"""Nothing listens on this port, and only the superuser could. Over SOCKS no name is looked up here either."""

LOOPBACK_TOO = "<-loopback>"
"""Without it Chromium asks no proxy for loopback addresses."""

NO_DATAGRAMS = (
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""Peer connections go by the proxy or not at all; versions of Chromium listen to the one or the other. They
hold for a whole browser: there is no such thing for a context."""

UNWALLED = (
    "this browser goes out by a proxy, so only its requests are held to the guard's hosts: no WebSockets"
)

JOINED = (
    "this browser was started by somebody else, so only its requests are held to the guard's hosts: no "
    "WebSockets"
)

_SWITCHES = ("--proxy-server", "--proxy-pac-url", "--proxy-auto-detect")


def exceptions(hosts: Sequence[str]) -> str:
    """Chromium's list of what is reached without the proxy; later rules count for more."""
    return ",".join((LOOPBACK_TOO, *hosts))


def by_proxy(arguments: Sequence[str], variables: Mapping[str, str]) -> bool:
    """Whether a browser that we start with these goes out by a proxy: its exceptions would lose their way."""
    if any(one.startswith(_SWITCHES) for one in arguments):
        return True
    # Long to load, and every screen loads this module for its switches.
    from urllib.request import getproxies_environment

    named = {name.lower() for name, value in variables.items() if value}
    inherited = {f"{name}_proxy" for name, value in getproxies_environment().items() if value}
    return bool((named | inherited) & {"all_proxy", "http_proxy", "https_proxy", "auto_proxy"})
