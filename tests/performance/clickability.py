"""What we say can be clicked, against the browser: its listeners, what it takes for clickable, its cursors.

Every class of difference has its reason in `REASONS`; one that isn't there is a missed figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from tests.performance.verdict import Verdict
from webbench.core.browser.driver import CdpSession
from webbench.core.browser.seeing.listeners import EVERYTHING, POINTING
from webbench.core.observation import AccessibilityNode

STYLES = ("cursor", "visibility", "pointer-events")
REASONS = {
    "the whole page": "html and body hear for what is in them; a person clicks something, not the page",
    "a line break": "it is an end of a line, and takes no room that one could aim at",
    "a framework's root": f"it hears {EVERYTHING} kinds of events or more, for what is inside",
    "no room": "nothing of it is to be seen, so there is nothing to click",
    "folded away": "a closed disclosure holds it, which is there itself",
    "takes no pointer": "its style hands every click through to what lies under it",
    "disabled": "it is there, with the state that says why it can't be acted on",
    "inert": "a dialog lies over it, or the page says that it is inert",
    "in a canvas": "it stands in for what is painted, and lies nowhere itself",
    "label of a field": "its field is there itself, and both do the same",
    "inside of a field": "a part of a field, or of a text that can be edited, which is there itself",
    "choice of a closed list": "it has no place of its own; the list is there",
}


class Truth(NamedTuple):
    """An element that the browser takes a click for: why, its tag, and what there is to say against it."""

    why: str
    tag: str
    excuse: str


def judge(truths: dict[str, Truth], ours: dict[str, AccessibilityNode]) -> Verdict:
    """Both by place in the DOM."""
    verdict = Verdict(len(truths), ours=sum(node.interactive for node in ours.values()))
    for place, truth in truths.items():
        node = ours.get(place)
        if node is not None and node.interactive:
            verdict.alike += 1
        else:
            kind = truth.excuse or f"{truth.why} on {truth.tag} that ours lacks"
            verdict.differ(kind, f"{place} {truth.tag}, {truth.why}")
    for place, node in ours.items():
        if node.clickable in ("listener", "cursor") and place not in truths:
            verdict.differ(f"{node.clickable} on {node.tag} in ours alone", f"{place} {node.name[:40]!r}")
    return verdict


async def truths(session: CdpSession, snapshot: dict[str, Any], places: dict[int, str]) -> dict[str, Truth]:
    """By place in the DOM. `snapshot`: of the layout, with `STYLES`; `places`: by backend node id."""
    top = snapshot["documents"][0]["nodes"]["backendNodeId"][0]
    document = (await session.send("DOM.resolveNode", {"backendNodeId": top}))["object"]
    asked = {"objectId": document["objectId"], "depth": -1, "pierce": True}
    kinds: dict[int, set[str]] = {}
    for listener in (await session.send("DOMDebugger.getEventListeners", asked))["listeners"]:
        kinds.setdefault(listener.get("backendNodeId", 0), set()).add(listener["type"])
    found: dict[str, Truth] = {}
    for raw in snapshot["documents"]:
        for backend, truth in _clickable(_Page(raw, snapshot["strings"]), kinds):
            if backend in places:
                found[places[backend]] = truth
    return found


class _Page:
    """A document of a layout snapshot."""

    def __init__(self, raw: dict[str, Any], strings: list[str]) -> None:
        nodes, layout = raw["nodes"], raw["layout"]
        self.backend: list[int] = nodes["backendNodeId"]
        self.parents: list[int] = nodes["parentIndex"]
        self.types: list[int] = nodes["nodeType"]
        self.tags = [strings[name].lower() if name >= 0 else "" for name in nodes["nodeName"]]
        self.clickable = set(nodes.get("isClickable", {}).get("index", ()))
        self.attributes = [
            {strings[name]: strings[value] for name, value in zip(flat[::2], flat[1::2], strict=True)}
            for flat in nodes["attributes"]
        ]
        self.inside = set(nodes["shadowRootType"]["index"])
        self.closed = {
            index
            for index, kind in zip(*nodes["shadowRootType"].values(), strict=True)
            if strings[kind] == "user-agent"
        }
        self.bounds: dict[int, list[float]] = {}
        self.styles: dict[int, dict[str, str]] = {}
        for at, bounds, styles in zip(layout["nodeIndex"], layout["bounds"], layout["styles"], strict=True):
            if at not in self.bounds:
                self.bounds[at] = bounds
                values = (strings[value] if value >= 0 else "" for value in styles)
                self.styles[at] = dict(zip(STYLES, values, strict=False))

    def above(self, index: int) -> Iterator[int]:
        while index >= 0:
            yield index
            index = self.parents[index]

    def has_hand(self, index: int) -> bool:
        """Whether the mouse turns into a hand here and not around it."""
        if self.styles.get(index, {}).get("cursor") != "pointer":
            return False
        around = next((at for at in list(self.above(index))[1:] if at in self.styles), -1)
        return self.styles.get(around, {}).get("cursor") != "pointer"


def _clickable(page: _Page, kinds: dict[int, set[str]]) -> Iterator[tuple[int, Truth]]:
    for index, backend in enumerate(page.backend):
        if page.types[index] != 1:
            continue
        heard = kinds.get(backend, set())
        why = (
            "listener"
            if heard & POINTING
            else "clickable"
            if index in page.clickable
            else "cursor"
            if page.has_hand(index)
            else ""
        )
        if why:
            yield backend, Truth(why, page.tags[index], _excuse(page, index, heard))


def _is_folded(page: _Page, at: int, inner: int) -> bool:
    """Whether an element is a closed disclosure, and what is in it not its heading."""
    return page.tags[at] == "details" and "open" not in page.attributes[at] and page.tags[inner] != "summary"


def _excuse(page: _Page, index: int, heard: set[str]) -> str:
    tag, above = page.tags[index], list(page.above(index))
    tags = [page.tags[at] for at in above]
    if tag == "br":
        return "a line break"
    if tag in ("html", "body"):
        return "the whole page"
    if any(at in page.closed for at in above):
        return "inside of a field"
    if not heard & POINTING and any("contenteditable" in page.attributes[at] for at in above[1:]):
        return "inside of a field"
    if "canvas" in tags[1:]:
        return "in a canvas"
    if tag in ("option", "optgroup"):
        return "choice of a closed list"
    width, height = page.bounds.get(index, [0, 0, 0, 0])[2:]
    if width <= 0 or height <= 0 or page.styles[index]["visibility"] != "visible":
        return "no room"
    if page.styles[index]["pointer-events"] == "none":
        return "takes no pointer"
    if any(
        "disabled" in page.attributes[at] or page.attributes[at].get("aria-disabled") == "true"
        for at in above
    ):
        return "disabled"
    if any(_is_folded(page, at, inner) for inner, at in pairwise(above)):
        return "folded away"
    if any("inert" in page.attributes[at] for at in above):
        return "inert"
    if tag == "label" and not heard & POINTING:
        return "label of a field"
    return "a framework's root" if len(heard) >= EVERYTHING else ""
