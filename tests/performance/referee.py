"""Our nodes against Chromium's own accessibility tree, node by node; prints every class of difference.

Nodes are joined by their place in the DOM (child indices from the document, through shadow roots). What
the browser makes itself (list markers, generated text, the inside of fields) counts with its host element.
Lines of text (InlineTextBox) are no nodes of the page and take no part. Every class of difference is listed
with its reason; one without a known reason is a missed figure, as is a page below 99.5 %.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.performance.chromium import tab
from tests.performance.pages import PAGES, page_file
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.observation import AccessibilityNode, ObservationOptions

RELATIONS = {
    "url", "labelledby", "describedby", "owns", "controls", "details", "errormessage", "activedescendant",
    "flowto", "roledescription", "keyshortcuts", "actions",
}  # fmt: skip
WANTED = 99.5
REASONS = {
    "nesting of ": "the same node; one side has an unnamed box around it that the other leaves out",
    "generic: only in ours": "a positioned box with no role, name or state: ours keeps all, the tree some",
    "generic: only in the tree": "a container with no role, name, state or text of its own: which the tree"
    " keeps depends on more than a script can see",
}
PATHS = """(ids) => {
  const place = new Map();
  const path = (node) => {
    if (node.nodeType === 9) return "";
    const known = place.get(node);
    if (known !== undefined) return known;
    let text;
    if (node.nodeType === 11) text = path(node.host) + "/s";
    else {
      const kids = node.parentNode.childNodes;
      const above = path(node.parentNode);
      for (let index = 0; index < kids.length; index += 1) place.set(kids[index], `${above}/${index}`);
      return place.get(node);
    }
    place.set(node, text);
    return text;
  };
  return JSON.stringify(ids.map((id) => path(snapshot.node(id))));
}"""


class Entry(NamedTuple):
    """One node as either side has it: host place, then what must be equal."""

    place: str
    role: str
    name: str
    value: str
    states: frozenset[tuple[str, str]]
    above: str


def reason_of(kind: str) -> str:
    """Why a class of difference is there, "" if that is not known."""
    return next((reason for pattern, reason in REASONS.items() if re.match(pattern, kind)), "")


class Verdict(msgspec.Struct):
    """How many of the tree's nodes ours has alike, and what is different about the others."""

    total: int
    alike: int
    ours: int
    differences: Counter[str]
    examples: dict[str, str]

    @property
    def share(self) -> float:
        return 100 * self.alike / self.total


async def compare(page: PlaywrightPage, options: ObservationOptions = ObservationOptions()) -> Verdict:
    """Read a page both ways and judge every non-ignored node of its main frame."""
    snapshotter = Snapshotter()
    reading = await snapshotter.read(page, options)
    ours = [node for node in reading.nodes if node.frame == 0]
    tree = (await page.session.send("Accessibility.getFullAXTree"))["nodes"]
    await page.session.send("DOM.enable", {"includeWhitespace": "all"})
    document = await page.session.send("DOM.getDocument", {"depth": -1, "pierce": True})
    await page.session.send("DOM.disable")
    world = await snapshotter.worlds.of(page)
    ids = [node.id for node in ours]
    places = msgspec.json.decode(
        await snapshotter.worlds.evaluate(world, f"({PATHS})({msgspec.json.encode(ids).decode()})")
    )
    return judge(_theirs(tree, document["root"]), _ours(ours, places))


def judge(theirs: list[Entry], ours: list[Entry]) -> Verdict:
    at_place: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in ours:
        at_place[entry.place].append(entry)
    verdict = Verdict(len(theirs), 0, len(ours), Counter(), {})
    for entry in theirs:
        mine = at_place[entry.place].pop(0) if at_place[entry.place] else None
        kind = _difference(entry, mine)
        if kind is None or kind.startswith("nesting"):
            verdict.alike += 1
        if kind is not None:
            verdict.differences[kind] += 1
            verdict.examples.setdefault(
                kind, f"{entry.place} {entry.name[:40]!r} / {mine and mine.name[:40]!r}"
            )
    for place, rest in at_place.items():
        for entry in rest:
            kind = f"{entry.role}: only in ours"
            verdict.differences[kind] += 1
            verdict.examples.setdefault(kind, f"{place} {entry.name[:40]!r}")
    return verdict


def _difference(theirs: Entry, ours: Entry | None) -> str | None:
    if ours is None:
        return f"{theirs.role}: only in the tree"
    if theirs.role != ours.role:
        return f"role {theirs.role}, ours {ours.role}"
    if theirs.name != ours.name:
        return f"{theirs.role}: name"
    if theirs.states != ours.states:
        changed = sorted(theirs.states ^ ours.states)
        sides = (f"{'tree' if state in theirs.states else 'ours'} {state[0]}={state[1]}" for state in changed)
        return f"{theirs.role}: states {', '.join(sides)}"
    if theirs.value != ours.value:
        return f"{theirs.role}: value"
    return None if theirs.above == ours.above else f"nesting of {theirs.role}"


def _states(properties: dict[str, Any]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (name, f"{value:g}" if isinstance(value, float) else str(value))
        for name, value in properties.items()
        if name not in RELATIONS
    )


def _ours(nodes: list[AccessibilityNode], places: list[str]) -> list[Entry]:
    above: list[str] = []
    entries = []
    for node, place in zip(nodes, places, strict=True):
        del above[node.depth :]
        parent = above[-1] if above else ""
        entries.append(
            Entry(place, node.role, node.name, node.value or "", _states(dict(node.states)), parent)
        )
        above.append(place)
    return entries


def _theirs(tree: list[dict[str, Any]], root: dict[str, Any]) -> list[Entry]:
    places = dict(_places(root))
    by_id = {node["nodeId"]: node for node in tree}
    entries: list[Entry] = []
    pending: list[tuple[dict[str, Any], str, str]] = [(tree[0], "", "")]
    while pending:
        node, above, nearest = pending.pop()
        if node["role"].get("value") == "InlineTextBox":
            continue
        place = places.get(node.get("backendDOMNodeId", 0), nearest)
        inner = above
        if not node["ignored"]:
            properties = {entry["name"]: entry["value"].get("value") for entry in node.get("properties", ())}
            value = node.get("value", {}).get("value", "")
            entries.append(
                Entry(
                    place,
                    node["role"].get("value", ""),
                    node.get("name", {}).get("value", ""),
                    f"{value:g}" if isinstance(value, int | float) else str(value),
                    _states(properties),
                    above,
                )
            )
            inner = place
        children = [by_id[child] for child in node.get("childIds", ()) if child in by_id]
        pending.extend((child, inner, place) for child in reversed(children))
    return entries


def _places(root: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Backend node id -> place; the browser's own shadow trees and pseudo elements lie at their host."""
    pending: list[tuple[dict[str, Any], str, bool]] = [(root, "", False)]
    while pending:
        node, place, own = pending.pop()
        yield node["backendNodeId"], place
        for index, child in enumerate(node.get("children", ())):
            pending.append((child, place if own else f"{place}/{index}", own))
        pending.extend((pseudo, place, True) for pseudo in node.get("pseudoElements", ()))
        for shadow in node.get("shadowRoots", ()):
            builtin = shadow.get("shadowRootType") == "user-agent"
            pending.append((shadow, place if builtin else f"{place}/s", builtin or own))


def report(name: str, verdict: Verdict) -> list[str]:
    """Print a page's table of differences; returns what was missed."""
    print(
        f"{name}: {verdict.alike} of {verdict.total} nodes alike = {verdict.share:.2f} %"
        f" ({verdict.ours} in ours)",
        flush=True,
    )
    missed = []
    if verdict.share < WANTED:
        missed.append(f"referee: {verdict.share:.2f} % of {name} alike, wanted {WANTED} %")
    for kind, count in verdict.differences.most_common():
        reason = reason_of(kind)
        print(f"  {count:6}  {kind}: {reason or 'NO REASON KNOWN'}\n          e.g. {verdict.examples[kind]}")
        if not reason:
            missed.append(f"referee: no reason known for {count} x {kind!r} on {name}")
    return missed


async def _all(names: list[str]) -> list[str]:
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        async with tab() as page:
            for name in names:
                path = Path(name).resolve() if name not in PAGES else page_file(name, Path(folder))
                if path is None:
                    print(f"{name}: its source is not on this machine")
                    continue
                await page.page.goto(path.as_uri(), wait_until="domcontentloaded")
                await asyncio.sleep(0.5)
                missed += report(name, await compare(page))
    return missed


def main() -> list[str]:
    """Compare the pages named on the command line, or all; returns the figures that were missed, in words."""
    return asyncio.run(_all(sys.argv[1:] or list(PAGES)))


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
