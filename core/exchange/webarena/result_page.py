"""A WebArena page of results taken apart: the task's settings, and each state with what was then done."""

from __future__ import annotations

import ast
import base64
import binascii
import itertools
import re
from collections.abc import Iterator

import msgspec

from webbench.core.exchange.account.tally import Lost
from webbench.core.json_types import Json, JsonObject

LONGEST_LITERAL = 50_000
"""Characters of a setting that is read as a Python literal; a longer one stays text."""
_SETTINGS = re.compile(r"<body>\s*<pre>(.*?)</pre>", re.DOTALL)
_SETTING = re.compile(r"^([a-z_]{1,40}): ?(.*)$")
_STATE = re.compile(r"<h2>New Page</h2>\s*<h3 class='url'>")
_URL = re.compile(r"<a href=(.*?)>URL: ", re.DOTALL)
_TREE = re.compile(r"<div class='state_obv'><pre>(.*?)</pre><div>", re.DOTALL)
_PICTURE = re.compile(r"<img src='data:image/[a-z]{3,5};base64,([A-Za-z0-9+/=\s]*)'")
_REPLY = re.compile(r"<div class='raw_parsed_prediction'[^>]*><pre>(.*?)</pre></div>", re.DOTALL)
_PARSED = re.compile(r"<div class='parsed_action'[^>]*><pre>(.*?)</pre></div>", re.DOTALL)


class RenderedState(msgspec.Struct, frozen=True):
    """A page as the agent saw it, and its answer.

    Attributes:
        tree: the tabs in a line, then the accessibility tree.
        picture: the screenshot's bytes, b"" where there is none.
        reply: the model's words.
        parsed: the action in WebArena's words.
    """

    url: str = ""
    tree: str = ""
    picture: bytes = b""
    reply: str = ""
    parsed: str = ""


def task_settings(page: str) -> JsonObject:
    """The settings of the task above the first state, values as far as they are plain literals."""
    found = _SETTINGS.search(page)
    settings: JsonObject = {}
    for line in found[1].splitlines() if found else ():
        named = _SETTING.match(line)
        if named:
            settings[named[1]] = _literal(named[2])
    return settings


def rendered_states(page: str, lost: Lost) -> Iterator[RenderedState]:
    """The states in order; one that the file breaks off in is given as far as it goes, which is told."""
    starts = [found.start() for found in _STATE.finditer(page)]
    for number, (start, end) in enumerate(itertools.pairwise([*starts, len(page)])):
        part = page[start:end]
        tree, picture = _group(_TREE, part), _group(_PICTURE, part)
        state = RenderedState(
            url=_group(_URL, part),
            tree=tree,
            picture=_decoded(picture, number, lost),
            reply=_group(_REPLY, part),
            parsed=_group(_PARSED, part),
        )
        if not state.tree or not state.parsed:
            lost.append(f"state {number} is not whole: the page breaks off or has another shape there")
        yield state


def _group(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _decoded(text: str, number: int, lost: Lost) -> bytes:
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        lost.append(f"the screenshot of state {number} is cut off")
        return b""


def _literal(text: str) -> Json:
    """A literal of Python, which is parsed and never run; anything else stays text."""
    if len(text) > LONGEST_LITERAL or text[:1] not in "[{'\"-0123456789TFN":
        return text
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
    return found if isinstance(found, bool | int | float | str | list | dict) or found is None else text
