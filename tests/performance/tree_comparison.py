"""Our nodes against Chromium's own accessibility tree, node by node.

Nodes are joined by their place in the DOM (child indices from the document, through shadow roots). What
the browser makes itself (list markers, generated text, the inside of fields) counts with its host element.
Lines of text (InlineTextBox) are no nodes of the page and take no part. Every class of difference has its
reason in `REASONS`; one that isn't there is a missed figure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, NamedTuple

import msgspec

from tests.performance import clickability
from tests.performance.verdict import Verdict
from webbench.core.browser.driver import PageTarget
from webbench.core.browser.seeing.snapshot import Snapshotter
from webbench.core.observation import AccessibilityNode, ObservationOptions

RELATIONS = {
    "url", "labelledby", "describedby", "owns", "controls", "details", "errormessage", "activedescendant",
    "flowto", "roledescription", "keyshortcuts", "actions",
}  # fmt: skip
REASONS = {
    "nesting of .*": "the same node; one side has an unnamed box around it",
    "part of (audio|video): .*: only in the tree": "a player's own buttons; keys play it by the player",
    "part of input: .*: only in the tree": "a field in a field, as a date's day; it is written whole",
    "SvgRoot: only in ours": "a drawing that was empty when the tree came to it, and is not looked at again",
    "button: name, none in the tree": "a button in a label: the tree asks that, a script is told its text",
    "generic: only in ours": "a positioned box with no role, name or state: ours keeps all, the tree some",
    "(part of .*: )?generic: only in the tree": "a container with no role, name, state or text of its own:"
    " which the tree keeps depends on more than a script can see",
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
    """One node as either side has it: host place, then what must be equal; last, whose part it is.

    `part`: the tag of the element inside which the browser made it, "" for a node of the page. `loose`: the
    layout doesn't tell where it belongs, so it stands at the nearest place around it.
    """

    place: str
    role: str
    name: str
    value: str
    states: frozenset[tuple[str, str]]
    above: str
    part: str = ""
    loose: bool = False


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


async def compare(page: PageTarget, options: ObservationOptions = ObservationOptions()) -> Verdict:
    """Read a page and judge every non-ignored node of its main frame."""
    return await verdict_of(page, await seen(page, Snapshotter(), options))


async def verdict_of(page: PageTarget, ours: Seen) -> Verdict:
    tree = (await page.session.send("Accessibility.getFullAXTree"))["nodes"]
    kept = [
        (node, place)
        for node, place in zip(ours.nodes, ours.places, strict=True)
        if node.frame == 0 and not node.added
    ]
    theirs = _theirs(tree, places_of(ours.snapshot), _hosts(ours.snapshot))
    return judge(theirs, _ours([node for node, _ in kept], [place for _, place in kept]))


def judge(theirs: list[Entry], ours: list[Entry]) -> Verdict:
    at_place: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in ours:
        at_place[entry.place].append(entry)
    verdict = Verdict(len(theirs), ours=len(ours))
    for entry in theirs:
        place = _place_of(entry, at_place) if entry.loose else entry.place
        mine = at_place[place].pop(0) if at_place[place] else None
        kind = _difference(entry, mine)
        if kind is None or kind.startswith("nesting of"):
            verdict.alike += 1
        if kind is not None:
            verdict.differ(kind, f"{entry.place} {entry.name[:40]!r} / {mine and mine.name[:40]!r}")
    for place, rest in at_place.items():
        for entry in rest:
            kind = f"{entry.role}: only in ours"
            verdict.differ(kind, f"{place} {entry.name[:40]!r}")
    return verdict


def _place_of(loose: Entry, ours: dict[str, list[Entry]]) -> str:
    """The place in ours of something alike there or inside; unnamed boxes are all alike."""
    if loose.role == "generic":
        return loose.place
    inside = (place for place in ours if f"{place}/".startswith(f"{loose.place}/"))
    alike = (
        place
        for place in inside
        for one in ours[place][:1]
        if (one.role, one.name) == (loose.role, loose.name)
    )
    return next(alike, loose.place)


def _difference(theirs: Entry, ours: Entry | None) -> str | None:
    kind = _unlike(theirs, ours)
    return f"part of {theirs.part}: {kind}" if kind is not None and theirs.part and ours is None else kind


def _unlike(theirs: Entry, ours: Entry | None) -> str | None:
    if ours is None:
        return f"{theirs.role}: only in the tree"
    if theirs.role != ours.role:
        return f"role {theirs.role}, ours {ours.role}"
    if theirs.name != ours.name:
        return f"{theirs.role}: name{'' if theirs.name else ', none in the tree'}"
    if theirs.states != ours.states:
        changed = sorted(theirs.states ^ ours.states)
        sides = (f"{'tree' if state in theirs.states else 'ours'} {state[0]}={state[1]}" for state in changed)
        return f"{theirs.role}: states {', '.join(sides)}"
    if theirs.value != ours.value:
        return f"{theirs.role}: value"
    return None if theirs.above == ours.above or theirs.loose else f"nesting of {theirs.role}"


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


def _theirs(tree: list[dict[str, Any]], places: dict[int, str], hosts: dict[int, str]) -> list[Entry]:
    by_id = {node["nodeId"]: node for node in tree}
    entries: list[Entry] = []
    pending: list[tuple[dict[str, Any], str, str, str]] = [(tree[0], "", "", "")]
    while pending:
        node, above, nearest, host = pending.pop()
        if node["role"].get("value") == "InlineTextBox":
            continue
        backend = node.get("backendDOMNodeId", 0)
        loose = backend not in places
        place = places.get(backend, nearest)
        host = host if loose else hosts[backend]
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
                    host if loose else "",
                    loose,
                )
            )
            inner = place
        children = [by_id[child] for child in node.get("childIds", ()) if child in by_id]
        pending.extend((child, inner, place, host) for child in reversed(children))
    return entries


def _hosts(snapshot: dict[str, Any]) -> dict[int, str]:
    """The tag of each node by backend id; inside of what the browser makes, that of the element around it."""
    strings, hosts = snapshot["strings"], {}
    for raw in snapshot["documents"]:
        nodes = raw["nodes"]
        shadow = zip(nodes["shadowRootType"]["index"], nodes["shadowRootType"]["value"], strict=True)
        made = {at for at, kind in shadow if strings[kind] == "user-agent"}
        tags: list[str] = []
        for index, parent in enumerate(nodes["parentIndex"]):
            tags.append(tags[parent] if index in made else strings[nodes["nodeName"][index]].lower())
        hosts |= zip(nodes["backendNodeId"], tags, strict=True)
    return hosts


def places_of(snapshot: dict[str, Any]) -> dict[int, str]:
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
                # Only what lies in a root is there, not the root itself.
                above = f"{above}/s" if index in roots and parent not in roots else above
                here.append(f"{above}/{counts[above]}")
                counts[above] += 1
        places |= zip(nodes["backendNodeId"], here, strict=True)
        inside = nodes["contentDocumentIndex"]
        outer |= {
            document: f"{here[at]}/d" for at, document in zip(inside["index"], inside["value"], strict=True)
        }
    return places
