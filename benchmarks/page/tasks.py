"""The name of a task on any page says all of it: the address, and after a blank what is to be done there."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from webbench.core.errors import UsageError
from webbench.core.task import Task
from webbench.core.text.plain_text import plain_clip

NAME = "page"
SCHEMES = ("http", "https")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:/")
_HOST = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+|\[[0-9A-Fa-f:.]+\])(:\d+)?([/?#]|$)|[\w-]+:\d+([/?#]|$)")
LONGEST_ADDRESS = 4000
LONGEST_INTENT = 4000


def task_name(address: str, intent: str = "") -> str:
    """The name of the task of doing this there. Raises `UsageError` for what is no address of a page."""
    address, intent = address.strip(), " ".join(intent.split())
    if len(intent) > LONGEST_INTENT:
        raise UsageError(f"The intent has {len(intent):,} characters", f"at most {LONGEST_INTENT:,}")
    return f"{_page_address(address)} {intent}".rstrip()


def written_as_address(text: str) -> bool:
    """Whether it can only be an address: it has a scheme, or begins with a host with a dot or a port."""
    return bool(_SCHEME.match(text) or _HOST.match(text))


def read_task(name: str) -> Task:
    """The task of this name. Raises `UsageError` where it doesn't begin with the address of a page."""
    address, _, intent = name.strip().partition(" ")
    name = task_name(address, intent)
    address, _, intent = name.partition(" ")
    return Task(
        benchmark=NAME,
        name=name,
        intent=intent or f"Look at {address}",
        site=urlsplit(address).hostname or "",
        kind="to be judged" if intent else "not scored",
        data={"start": address, "judged": bool(intent)},
    )


def _page_address(text: str) -> str:
    """As a browser takes it; a host alone is one of the web. Raises `UsageError`."""
    shown = plain_clip(text, 80)
    whole = text if _SCHEME.match(text) else f"http://{text}"
    try:
        parts = urlsplit(whole)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"{shown} is no address: {error}", "write https://HOST/PATH") from error
    if parts.scheme.lower() not in SCHEMES or not host:
        raise UsageError(f"{shown or 'Nothing'} is no address of a page", "write https://HOST/PATH")
    if parts.username is not None or parts.password is not None:
        raise UsageError("The address holds a password", "sign in on the page: addresses are recorded")
    if len(whole) > LONGEST_ADDRESS or any(sign.isspace() or not sign.isprintable() for sign in whole):
        raise UsageError(f"{shown} is no address of a page", "write it with %20 for a blank, and not longer")
    return parts._replace(path=parts.path or "/").geturl()
