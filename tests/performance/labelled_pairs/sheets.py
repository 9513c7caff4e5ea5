"""Write each pair out for readers who don't see our tool, a file a pair, into the folder that is named.

A sheet is plain text: the task, then both sides step by step under the record's own numbers, with what was
sent, its target among its neighbours, and what changed. It tells neither the source nor the part of a pair.
"""

from __future__ import annotations

import re
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.performance.labelled_pairs.attempt import Pair, attempts_in, chosen_pairs
from tests.shared import shared_folder
from webbench.core.action.action import ElementRef, Say, Stop
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.store.store import Store
from webbench.core.text.plain_text import plain_text
from webbench.core.trajectory import Step, Trajectory, step_words

LINE = 160
"""Characters of a line of reasoning, of which two are shown."""
NEIGHBOURS = 4
"""Nodes shown before and after a target."""
CHANGES = 6
"""New, gone and changed nodes shown of each kind."""
INDENT = "    "
_SENT_ID = re.compile(r"\bbid\W+(\w+)")


def main(folder: Path, pairs: Sequence[Pair]) -> None:
    shared = shared_folder()
    if shared is None:
        raise SystemExit("no shared data: nothing to write out")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        store = Store(Path(place))
        found = dict(attempts_in(store, shared))
        for pair in pairs:
            for side in (pair.a, pair.b):
                if side not in found:
                    raise SystemExit(
                        f"pair {pair.pair}: {side.path}, {side.number} is read in another way now"
                    )
            text = "\n".join(_sheet(store, pair.pair, {"A": found[pair.a], "B": found[pair.b]}))
            (folder / f"{pair.pair:02}.md").write_text(text + "\n", "utf-8")
    print(f"{len(pairs)} sheets in {folder}")


def _sheet(store: Store, number: int, sides: dict[str, Trajectory]) -> Iterator[str]:
    yield f"# Pair {number:02}"
    yield ""
    intents = list(dict.fromkeys(_cut(side.header.task.intent, 1500) for side in sides.values()))
    for intent in intents:
        yield f"Task: {intent}"
    for name, trajectory in sides.items():
        yield ""
        yield f"## {name}: {_who(trajectory)}, steps 0 to {trajectory.steps[-1].index}"
        yield from _outcome(trajectory)
        yield ""
        yield from _steps(store, trajectory)


def _who(trajectory: Trajectory) -> str:
    actor = trajectory.header.actor
    return {"human": "a person", "unknown": "an agent without a name"}.get(actor, actor)


def _outcome(trajectory: Trajectory) -> Iterator[str]:
    header = trajectory.header
    stops = [step.action.answer for step in trajectory.steps if isinstance(step.action, Stop)]
    answer = stops[-1] if stops else str(header.settings.get("agent_answer", ""))
    score = "not scored" if header.score is None or header.score.value is None else f"{header.score.value:g}"
    yield f"Final answer: {_cut(answer, 700) or 'none recorded'}"
    yield f"Outcome: score {score}; {header.end_reason or 'no reason of its end recorded'}"
    if not any(step.observation or step.url for step in trajectory.steps):
        yield "Pages: none recorded; the steps below are all there is"


def _steps(store: Store, trajectory: Trajectory) -> Iterator[str]:
    before: Observation | None = None
    url = title = ""
    for step in trajectory.steps:
        seen = store.observation(trajectory, step) if step.observation else None
        yield f"{step.index}. {_done(step)}"
        if step.index:
            yield from _lines("page", _page(url, title))
            yield from _sent(step)
            yield from _thought(step.reasoning)
            yield from _target(step, before)
            yield from _lines("error", _cut(step.error, 2 * LINE))
        if step.note and not isinstance(step.action, Say):
            yield from _lines("note", _cut(step.note, 2 * LINE))
        yield from _after(step, url, title, before, seen)
        before = seen or before
        url, title = step.url or url, step.title or (title if not step.url or step.url == url else "")


def _done(step: Step) -> str:
    if not step.index:
        return "start"
    if isinstance(step.action, Say):
        return _cut(step_words(step), 600)
    if step.action is None:
        return f"(no single action) {_cut(step.text, 500)}" if step.text else "(nothing was recorded)"
    return _cut(step_words(step), 2 * LINE)


def _sent(step: Step) -> Iterator[str]:
    """The action in the source's own notation or words, where that says more than our words for it."""
    if step.action is not None and not isinstance(step.action, (Say, Stop)):
        sent = _cut(step.text, 3 * LINE)
        if sent and sent != _done(step):
            yield from _lines("as recorded", sent)


def _thought(reasoning: str) -> Iterator[str]:
    for at, line in enumerate(
        textwrap.wrap(_cut(reasoning, 100 * LINE), LINE, max_lines=2, placeholder=" …")
    ):
        yield f"{INDENT}{'thought:' if not at else '        '} {line}"


def _target(step: Step, before: Observation | None) -> Iterator[str]:
    """The target among the nodes beside it on the last page that was seen."""
    at = _position(step, before.nodes) if before is not None else None
    if before is None or at is None:
        return
    yield f"{INDENT}on the page:"
    for place in range(max(0, at - NEIGHBOURS), min(len(before.nodes), at + NEIGHBOURS + 1)):
        yield f"{INDENT}  {'>' if place == at else ' '} {_node(before.nodes[place])}"


def _position(step: Step, nodes: Sequence[AccessibilityNode]) -> int | None:
    target = getattr(step.action, "target", None)
    if isinstance(target, ElementRef) and target.id is not None:
        return next((at for at, node in enumerate(nodes) if node.id == target.id), None)
    sent = _SENT_ID.search(step.text) if step.action is None else None
    if sent is None:
        return None
    return next((at for at, node in enumerate(nodes) if node.own_id == sent[1]), None)


def _node(node: AccessibilityNode) -> str:
    """One line; a node without a name is told apart by where it is."""
    value = f" = {_cut(node.value, 60)!r}" if node.value else ""
    states = " ".join(
        name for name in ("checked", "selected", "expanded", "focused") if node.states.get(name)
    )
    where = ""
    if not node.name.strip() and node.box is not None:
        where = f" at {node.box.x:.0f},{node.box.y:.0f}"
    return (
        f"{node.id_text}{node.role} {_cut(node.name, 100)!r}{value}{where}{f' ({states})' if states else ''}"
    )


def _after(
    step: Step, url: str, title: str, before: Observation | None, seen: Observation | None
) -> Iterator[str]:
    """What the step led to: another page, and which nodes came, went or changed."""
    moved = bool(step.url) and (step.url, step.title) != (url, title)
    if moved:
        yield from _lines("page now" if step.index else "page", _page(step.url, step.title))
    if seen is None:
        if before is not None and not moved and not isinstance(step.action, (Say, Stop)):
            yield from _lines("after", "the page after this step was not recorded")
        return
    if before is None:
        first = [_node(node) for node in seen.nodes if node.name.strip()][: 2 * CHANGES]
        yield from _lines("shown", f"{len(seen.nodes)} nodes, first: {'; '.join(first)}")
        return
    yield from _changes(before, seen)


def _changes(before: Observation, seen: Observation) -> Iterator[str]:
    old, new = (Counter(map(_shown, page.nodes)) for page in (before, seen))
    come, gone = (new - old), (old - new)
    if not any(come) and not any(gone):
        yield from _lines("after", "the record of the page shows no difference")
    for name, nodes in (("new", come), ("gone", gone)):
        listed = [one for one in nodes if one]
        if listed:
            more = f"; and {len(listed) - CHANGES} more" if len(listed) > CHANGES else ""
            yield from _lines(name, "; ".join(listed[:CHANGES]) + more)


def _shown(node: AccessibilityNode) -> str:
    """A node as two pages have it alike; "" for one without a name or a value."""
    if not node.name.strip() and not node.value:
        return ""
    states = "".join(f" {name}" for name in ("checked", "selected", "expanded") if node.states.get(name))
    value = f" = {_cut(node.value, 40)!r}" if node.value else ""
    return f"{node.role} {_cut(node.name, 60)!r}{value}{states}"


def _page(url: str, title: str) -> str:
    """The address without scheme, and what it asks for readable."""
    if not url:
        return title
    parts = urlsplit(url)
    address = f"{parts.netloc}{parts.path}" + (f"?{parts.query}" if parts.query else "")
    shown = _cut(unquote(address) if parts.netloc else url, 140)
    shown += f" #{_cut(parts.fragment, 40)}" if parts.netloc and parts.fragment else ""
    return f"{shown}  [{_cut(title, 80)}]" if title else shown


def _lines(name: str, words: str) -> Iterator[str]:
    if words:
        yield f"{INDENT}{name}: {words}"


def _cut(text: str, most: int) -> str:
    """On one line, and at most so long."""
    line = plain_text(" ".join(text.split()))
    return line if len(line) <= most else line[: most - 2] + " …"


if __name__ == "__main__":
    main(Path(sys.argv[1]), chosen_pairs(*map(Path, sys.argv[2:])))
