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
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from tests.performance import clickability, ways_there
from tests.performance.chromium import bare, tab, tab_of
from tests.performance.page_groups import groups
from tests.performance.pages import PAGES, page_file
from webbench.core.browser.driver import PageTarget
from webbench.core.browser.playwright.page import PlaywrightPage
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.observation import AccessibilityNode, ObservationOptions

RELATIONS = {
    "url", "labelledby", "describedby", "owns", "controls", "details", "errormessage", "activedescendant",
    "flowto", "roledescription", "keyshortcuts", "actions",
}  # fmt: skip
WANTED = 99.5
WAYS: tuple[Literal["script", "cdp"], ...] = ("script", "cdp")
BEGIN = "() => { globalThis.core?.startEpisodeReal?.() }"
"""MiniWoB++ shows its task only once it is begun."""

REASONS = {
    "nesting of ": "the same node; one side has an unnamed box around it that the other leaves out",
    "generic: only in ours": "a positioned box with no role, name or state: ours keeps all, the tree some",
    "generic: only in the tree": "a container with no role, name, state or text of its own: which the tree"
    " keeps depends on more than a script can see",
}
PATHS = """(ids) => {
  const places = new Map([[document, ""]]);
  const visit = (node, place) => {
    places.set(node, place);
    const root = node.nodeType === 1 ? snapshot.rootOf(node) : null;
    const put = node.tagName === "SLOT" ? node.assignedNodes() : [];
    const kids = root ? root.childNodes : put.length > 0 ? put : node.childNodes;
    kids.forEach((kid, index) => visit(kid, `${place}${root ? "/s" : ""}/${index}`));
    const inside = ["IFRAME", "FRAME", "OBJECT"].includes(node.tagName) ? node.contentDocument : null;
    if (inside) visit(inside, `${place}/d`);
  };
  visit(document, "");
  return JSON.stringify(ids.map((id) => places.get(snapshot.node(id)) ?? "elsewhere"));
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


class Seen(NamedTuple):
    """A page as ours has it, with the places of its nodes, and a layout snapshot of it."""

    nodes: list[AccessibilityNode]
    places: list[str]
    snapshot: dict[str, Any]


async def seen(page: PageTarget, snapshotter: Snapshotter, options: ObservationOptions) -> Seen:
    """Read a page: what its main frame's process has of it."""
    reading = await snapshotter.read(page, options)
    styles = {"computedStyles": list(clickability.STYLES)}
    snapshot = await page.session.send("DOMSnapshot.captureSnapshot", styles)
    world = await snapshotter.worlds.of(page)
    ids = msgspec.json.encode([node.id for node in reading.nodes]).decode()
    places = msgspec.json.decode(await snapshotter.worlds.evaluate(world, f"({PATHS})({ids})"))
    return Seen(list(reading.nodes), places, snapshot)


async def compare(page: PlaywrightPage, options: ObservationOptions = ObservationOptions()) -> Verdict:
    """Read a page both ways and judge every non-ignored node of its main frame."""
    return await _tree_verdict(page, await seen(page, Snapshotter(), options))


async def _tree_verdict(page: PageTarget, ours: Seen) -> Verdict:
    tree = (await page.session.send("Accessibility.getFullAXTree"))["nodes"]
    kept = [
        (node, place)
        for node, place in zip(ours.nodes, ours.places, strict=True)
        if node.frame == 0 and not node.added
    ]
    return judge(
        _theirs(tree, _places(ours.snapshot)), _ours([node for node, _ in kept], [place for _, place in kept])
    )


async def compare_clicks(page: PageTarget, ours: Seen) -> clickability.Verdict:
    """What is clickable there by our reading and by the browser."""
    truths = await clickability.truths(page.session, ours.snapshot, _places(ours.snapshot))
    elements = {place: node for node, place in zip(ours.nodes, ours.places, strict=True) if node.tag}
    return clickability.judge(truths, elements)


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


def _theirs(tree: list[dict[str, Any]], places: dict[int, str]) -> list[Entry]:
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


def _places(snapshot: dict[str, Any]) -> dict[int, str]:
    """Place of each node by backend id; the browser's own shadow trees and pseudo elements lie at their host.

    A layout snapshot tells, as the DOM domain makes some pages crash that are read again after it.
    """
    places: dict[int, str] = {}
    outer = {0: ""}
    strings = snapshot["strings"]
    for number, raw in enumerate(snapshot["documents"]):
        nodes = raw["nodes"]
        shadow, pseudo = nodes["shadowRootType"], set(nodes["pseudoType"]["index"])
        roots = {at: strings[kind] for at, kind in zip(shadow["index"], shadow["value"], strict=True)}
        here = [outer.get(number, "elsewhere")]
        own = [False]  # whether a node is of the browser's own making
        counts: Counter[str] = Counter()  # children so far, by the place above them
        for index, parent in enumerate(nodes["parentIndex"][1:], start=1):
            above = here[parent]
            own.append(own[parent] or index in pseudo or roots.get(index) == "user-agent")
            if own[index]:
                here.append(above)
            else:
                above = f"{above}/s" if index in roots else above  # the roots themselves are left out
                here.append(f"{above}/{counts[above]}")
                counts[above] += 1
        places |= zip(nodes["backendNodeId"], here, strict=True)
        inside = nodes["contentDocumentIndex"]
        outer |= {
            document: f"{here[at]}/d" for at, document in zip(inside["index"], inside["value"], strict=True)
        }
    return places


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


async def clicks_on(page: PageTarget) -> clickability.Verdict:
    """What is clickable on a page by our two ways, each against the browser, and against each other."""
    snapshotter = Snapshotter()
    whole = clickability.Verdict()
    told: list[dict[str, str]] = []
    disabled: list[str] = []
    for way in WAYS:
        ours = await seen(page, snapshotter, ObservationOptions(prefer=way))
        whole.add(await compare_clicks(page, ours))
        disabled = clickability.disabled_places(ours.snapshot, _places(ours.snapshot))
        told.append(
            {
                place: node.clickable
                for node, place in zip(ours.nodes, ours.places, strict=True)
                if node.clickable
            }
        )
    for place in told[0].keys() | told[1].keys():
        reasons = [one.get(place, "nothing") for one in told]
        if reasons[0] != reasons[1]:
            kind = f"{reasons[0]} by script, {reasons[1]} by the protocol"
            around = any(f"{place}/".startswith(f"{one}/") for one in disabled)
            whole.differ(clickability.DISABLED_AROUND if around else kind, place)
    return whole


def report_clicks(name: str, verdict: clickability.Verdict) -> list[str]:
    """Print a group's table; returns what was missed."""
    print(f"{name}: {verdict.alike} of {verdict.total} clickable elements alike", flush=True)
    for kind, count in verdict.differences.most_common():
        reason = clickability.REASONS.get(kind, "NO REASON KNOWN")
        print(f"  {count:6}  {kind}: {reason}\n          e.g. {verdict.examples[kind]}")
    return [
        f"referee: no reason known for {verdict.differences[kind]} x {kind!r} in {name}"
        for kind in verdict.unexplained
    ]


async def _groups() -> list[str]:
    """Every group of pages, then every way of coming to a page, by each driver."""
    missed = []
    async with bare() as browser:
        for name, pages in groups():
            whole = clickability.Verdict()
            for title, address in pages:
                async with tab_of(browser) as page:
                    await page.page.goto(address, wait_until="load")
                    await page.page.evaluate(BEGIN)
                    one = await clicks_on(page)
                one.examples = {kind: f"{title}: {example}" for kind, example in one.examples.items()}
                whole.add(one)
            missed += report_clicks(name, whole)
    for driver in ways_there.DRIVERS:
        found = await ways_there.differences(driver)
        print(f"{driver}: {len(found)} readings are not as wanted after coming to a page in each way")
        missed += [f"referee: {one}" for one in found]
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
    missed = asyncio.run(_all(sys.argv[1:] or list(PAGES)))
    return missed if sys.argv[1:] else missed + asyncio.run(_groups())


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
