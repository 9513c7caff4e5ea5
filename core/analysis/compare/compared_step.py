"""A step as comparisons see it: the page as the actor found it, and what was done there.

Ids, sessions and tokens differ from run to run, so addresses are reduced to patterns and elements to what a
person would call them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from webbench.core.action.action import Action, Scroll, Type, target_of
from webbench.core.analysis.compare.element_identity import Element, element_of
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.caseless import caseless
from webbench.core.trajectory import Step, Trajectory

SAMPLE = 512
"""Shingles that stand for a page: those with the smallest hashes, so that like pages give like samples."""
BUCKETS = 4096
_OPAQUE = re.compile(r"^(?:\d+|[0-9a-f]{8,}|[0-9a-f-]{32,}|(?=[^/]*\d)[A-Za-z0-9_-]{16,})$", re.IGNORECASE)
_TOKEN = re.compile(r"^[A-Za-z0-9_-]{16}$")
"""The secret that addresses of pages begin with which are served for one episode."""
_VALUES = ("text", "options", "value", "url", "answer", "keys", "checked", "files", "dy", "dx", "index")
_VERBS = {"clickat": "click", "hoverat": "hover", "dragat": "drag", "setrange": "type", "select": "type"}
"""Verbs that do the same by other means."""
_TRACELESS = frozenset(
    {
        "",
        "stop",
        "say",
        "search",
        "remember",
        "noop",
        "hover",
        "scroll",
        "scrollto",
        "gethtml",
        "capturescreen",
    }
)
"""Verbs that leave a page as it is when they work."""
_IDLE = frozenset({"stop", "say", "remember", "noop", "gethtml", "capturescreen"})
"""Verbs after which a page is known to be the one before, view and all."""
_TELLING_STATES = ("checked", "disabled", "expanded", "pressed", "selected")
"""States of a node that tell one page from another; which node has the focus does not."""

CALLS = {"click": "click", "fill": "type", "type": "type", "select": "type", "goto": "goto"}
"""Verbs of calls that could not be read as an action, by the first word of their names; others only read."""
_CALL = re.compile(r"^\s*([a-z]+)(\w*)\s*[(\[{]")

Effect = Literal["changed", "unchanged", "failed", ""]
"""What became of an action: the page changed; it stayed as it was; the action could not be done; unknown."""

Side = Literal["left", "right", ""]
"""Of a page."""


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One action with the page it was done on.

    Attributes:
        step: index of the step in its trajectory.
        url: pattern of the page's address, "" where it isn't known.
        shingles: buckets (0 to 4095) of neighbouring (role, name) pairs of its tree, a sample of at most 512;
            empty where there is no tree.
        state: hash of the page as a whole, 0 where nothing is known of it.
        verb: of the action, means alike counted as one; "" for text that is no action.
        element: role and name of what it was done to (`elements`), None where it has none or only a selector.
        selector: a unique CSS selector of it, or "".
        value: what was typed, chosen, answered, gone to; casefolded.
        scrolled: how far down the page a scroll began (CSS px), 0 for other actions.
        ok: it could be done.
        effect: what it did to the page; "" where that isn't recorded, or where it was to leave it as it is.
        before, after: the addresses it was done at and led to, without scheme and fragment; "" where that
            isn't recorded.
        left: shingles of the page it left behind, empty where there is no tree.
        text: what was sent.
        enter: what was typed was sent with the same action.
        reads: it only looks, waits, thinks or says; nothing is done.
        part: it belongs to the act beside it: a click into the field that is typed into next, the opening
            of a list, the sending of a search.
        vague: it is told in words that name no control.
        told: the words of a text that tells several acts which tell this one, "" for the whole of it.
        noun: its control without what tells which one of several it is, "" where nothing does.
        side: of the page where its control is, as far as prose tells one.
        gist: the same without where the control is, "" where it isn't told in prose.
    """

    step: int
    url: str = ""
    title: str = ""
    shingles: frozenset[int] = frozenset()
    state: int = 0
    verb: str = ""
    element: Element | None = None
    selector: str = ""
    value: str = ""
    scrolled: float = 0.0
    ok: bool = True
    effect: Effect = ""
    before: str = ""
    after: str = ""
    left: frozenset[int] = frozenset()
    text: str = ""
    enter: bool = False
    reads: bool = False
    part: bool = False
    vague: bool = False
    told: str = ""
    noun: str = ""
    side: Side = ""
    gist: str = ""

    @property
    def key(self) -> tuple[int, float, str, Element | None, str, str]:
        """The same on the same: equal for an action that is repeated on an unchanged page."""
        return self.state, self.scrolled, self.verb, self.element, self.selector, self.value


def moments(trajectory: Trajectory, look: Callable[[Step], Observation | None]) -> tuple[Moment, ...]:
    """The actions of a trajectory in order; notes and the start are none.

    An action whose page wasn't recorded may have led anywhere: what comes next was done on an unknown page.

    Args:
        look: gives what was seen after a step, or None where that isn't recorded.
    """
    found: list[Moment] = []
    page = _NOWHERE
    for step in trajectory.steps:
        recorded = bool(step.url or step.observation or step.title)
        after = _page(step, look(step)) if recorded else _NOWHERE
        if step.acted:
            found.append(_moment(step, page, after))
        if recorded or (step.acted and step.ok and _verb(step.action) not in _IDLE):
            page = after
    return tuple(found)


def page_moment(url: str, title: str, seen: Observation | None) -> Moment:
    """A page without an action, for comparing pages alone."""
    return _moment(Step(index=0, at=""), _page(Step(index=0, at="", url=url, title=title), seen), _NOWHERE)


class _Page(msgspec.Struct, frozen=True):
    """A page as a step left it, its hash (0: nothing is known of it) and a sample of its tree."""

    url: str = ""
    title: str = ""
    seen: Observation | None = None
    state: int = 0
    shingles: frozenset[int] = frozenset()


_NOWHERE = _Page()


def _page(step: Step, seen: Observation | None) -> _Page:
    seen = seen if seen is not None and seen.nodes else None
    state = _state(step.url, step.title, seen) if step.url or seen is not None else 0
    return _Page(step.url, step.title, seen, state, _shingles(seen) if seen is not None else frozenset())


def _moment(step: Step, page: _Page, after: _Page) -> Moment:
    action = step.action
    reference = target_of(action) if action is not None else None
    return Moment(
        step=step.index,
        url=url_pattern(page.url),
        title=caseless(page.title),
        shingles=page.shingles,
        state=page.state,
        verb=_verb(action),
        element=element_of(action, page.seen),
        selector=reference.selector if reference else "",
        value=_value(action) if action is not None else caseless(step.text),
        scrolled=page.seen.viewport.scroll_y if page.seen and isinstance(action, Scroll) else 0.0,
        ok=step.ok,
        effect=_effect(step, _verb(action) or called(step.text) or "", page, after),
        before=address(page.url),
        after=address(after.url),
        left=after.shingles,
        text=step.text,
        enter=isinstance(action, Type) and action.enter,
    )


def _effect(step: Step, verb: str, page: _Page, after: _Page) -> Effect:
    """Pages without a tree, or trees without fields, may change unseen: they only ever tell that they did."""
    if not step.ok:
        return "failed"
    if verb in _TRACELESS or not page.state or not after.state:
        return ""
    if page.seen is None or after.seen is None:
        return "changed" if (page.url, page.title) != (after.url, after.title) else ""
    if page.state != after.state:
        return "changed"
    return "unchanged" if _would_show(verb, after.seen) else ""


def _would_show(verb: str, seen: Observation) -> bool:
    """Whether this record of a page tells of fields at all: many trees leave out what is typed or ticked."""
    if verb == "type":
        return any(node.value for node in seen.nodes)
    return verb != "check" or any("checked" in node.states for node in seen.nodes)


def url_pattern(url: str) -> str:
    """Host, path and the names of query parameters; parts that are only numbers or tokens become "*".

    "http://shop.test/p/4711?sid=9a8b#top" is "shop.test/p/*?sid"; the port goes with the host.
    """
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2].casefold()
    except ValueError:
        return url.casefold()
    loopback = host.startswith(("127.0.0.1", "localhost"))
    pieces = ["*" if _OPAQUE.match(part) else part for part in unquote(parts.path).strip("/").split("/")]
    if loopback and _TOKEN.match(pieces[0]):
        pieces[0] = "*"
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    path = "/".join([host.partition(":")[0] if loopback else host, *filter(None, pieces)])
    return path + (f"?{'&'.join(names)}" if names else "")


def address(url: str) -> str:
    """What tells one page from another in an address."""
    return url.partition("#")[0].partition("://")[2].removeprefix("www.").rstrip("/")


def _state(url: str, title: str, seen: Observation | None) -> int:
    text = f"{url.partition('#')[0]}\n{title}"
    if seen is not None:
        text += "".join(
            f"\n{node.role} {node.name} {node.value or ''}{_state_text(node)}" for node in seen.nodes
        )
    return zlib.crc32(text.encode("utf-8", "replace")) + 1


def _state_text(node: AccessibilityNode) -> str:
    """The states of a node that belong to the page's."""
    return "".join(f" {name}={node.states[name]}" for name in _TELLING_STATES if name in node.states)


def _shingles(seen: Observation) -> frozenset[int]:
    hashes = set()
    before = ""
    for node in seen.nodes:
        here = f"{node.role} {node.name}"
        hashes.add(zlib.crc32(f"{before}\n{here}".encode("utf-8", "replace")))
        before = here
    return frozenset(value % BUCKETS for value in sorted(hashes)[:SAMPLE])


def _verb(action: Action | None) -> str:
    if action is None:
        return ""
    verb = type(action).__name__.lower()
    return _VERBS.get(verb, verb)


def called(text: str) -> str | None:
    """The verb of a text that is a call, "" where it only reads; None for any other text."""
    call = _CALL.match(text)
    return CALLS.get(call[1], "") if call is not None else None


def _value(action: Action) -> str:
    given = [getattr(action, name) for name in _VALUES if getattr(action, name, None) not in (None, "", ())]
    words = [" ".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in given]
    return caseless(" ".join(words))
