"""What no longer holds of a recorded way, and since which step: a pure comparison of then and now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from webbench.benchmarks.webcanvas.recording import RecordedStep
from webbench.benchmarks.webcanvas.scoring.outcomes import Outcome
from webbench.benchmarks.webcanvas.upkeep.walk import FAILED, Footing, Walk
from webbench.core.action.action import ElementRef, target_of

Kind = Literal[
    "blocked", "page gone", "address changed", "element gone", "element moved", "element unsure", "key node"
]
_INDEX = re.compile(r"\[\d+\]")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that changed on a site, as one task meets it.

    Attributes:
        change: what changed, in words that are the same for every task that meets it.
        step: number of the recorded action, 0 = the start.
        told: one sentence about this step.
        nodes: numbers of the key nodes that are not reached any more because of it.
        after_step: what shows it is the page after the step, not the one before.
    """

    kind: Kind
    change: str
    step: int
    told: str
    nodes: tuple[int, ...] = ()
    after_step: bool = False


def findings(walk: Walk, then: Sequence[Outcome], now: Sequence[Outcome]) -> list[Finding]:
    """Steps and key nodes that don't hold any more.

    Args:
        then, now: the task's key nodes over the recording, and over the walk.

    A key node that is not reached any more belongs to the change at the step which had reached it, else to
    the one that ended the walk before; where neither is there, it is a finding by itself.
    """
    found = [*_start(walk), *(one for footing in walk.footings for one in _of_step(footing))]
    ended = found[-1].step if found and _cut_short(walk) else None
    nodes: dict[int, list[int]] = {}
    alone: list[Finding] = []
    for number, (before, after) in enumerate(zip(then, now, strict=True), start=1):
        if before.value < 1 or after.value >= 1:
            continue
        place = _place(found, before.step, ended)
        if place is None:
            alone.append(_unmet(number, before))
        else:
            nodes.setdefault(place, []).append(number)
    attributed = [
        msgspec.structs.replace(one, nodes=tuple(nodes.get(place, ()))) for place, one in enumerate(found)
    ]
    return attributed + alone


def _start(walk: Walk) -> Iterator[Finding]:
    if walk.start_wall:
        change = f"{_host(walk.recording.start)} is blocked: {walk.start_wall}"
        yield Finding(kind="blocked", change=change, step=0, told="the start page keeps visitors out")


def _of_step(footing: Footing) -> Iterator[Finding]:
    step = footing.step
    if footing.wall:
        change = f"{_host(footing.url)} is blocked: {footing.wall}"
        told = f"step {step.number} ends on a blocked page"
        yield Finding(kind="blocked", change=change, step=step.number, told=told, after_step=True)
    elif not footing.ok:
        yield _failed(footing)
    else:
        yield from _element(footing)
        yield from _landing(footing)


def _failed(footing: Footing) -> Finding:
    step = footing.step
    where = _path(step.after)
    what = step.element or step.words
    if footing.direct and footing.status >= FAILED:
        return Finding(
            kind="page gone",
            change=f"{_host(step.after)}{where} is gone (status {footing.status})",
            step=step.number,
            told=f"{_named(step)} can't be done, and the page it led to is gone",
            after_step=True,
        )
    on = "" if footing.direct else "; the steps after it were not tried"
    return Finding(
        kind="element gone",
        change=f"{what} on {_host(step.before)}{_generic(step.before)} can't be acted on",
        step=step.number,
        told=f"{_named(step)}: {footing.error or 'it has no effect'}{on}",
    )


def _element(footing: Footing) -> Iterator[Finding]:
    then, now, step = target_of(footing.step.action), footing.found, footing.step
    if then is None or now is None:
        return
    what = f"{step.element} on {_host(step.before)}{_generic(step.before)}"
    if footing.unsure:
        told = f"{_named(step)} had to guess its element: {now.role} “{now.name}” was taken"
        yield Finding(kind="element unsure", change=f"{what} is not to be told", step=step.number, told=told)
    elif then.path and now.path and _shape(then) != _shape(now):
        told = f"{_named(step)}: it stood at {_shape(then)}, and stands at {_shape(now)} now"
        yield Finding(kind="element moved", change=f"{what} moved", step=step.number, told=told)


def _landing(footing: Footing) -> Iterator[Finding]:
    step, host = footing.step, _host(footing.step.after)
    if footing.status >= FAILED:
        change = f"{_host(footing.url)}{_path(footing.url)} is gone (status {footing.status})"
        told = f"{_named(step)} leads to a page that isn't there"
        yield Finding(kind="page gone", change=change, step=step.number, told=told, after_step=True)
        return
    renamed = _renamed(step.after, footing.url) if _path(step.before) != _path(step.after) else ""
    if renamed:
        same = "the same title" if step.title == footing.title else f"the title “{footing.title}”"
        yield Finding(
            kind="address changed",
            change=f"on {host} {renamed}",
            step=step.number,
            told=f"{_named(step)} led to {step.after} and leads to {footing.url} now, a page with {same}",
            after_step=True,
        )


def _unmet(number: int, then: Outcome) -> Finding:
    node = then.node
    reference = f"{node.key}={node.reference_answer}" if node.key else str(node.reference_answer)
    return Finding(
        kind="key node",
        change=f"{node.match_function} of “{reference}” is not met any more",
        step=then.step,
        told=f"step {then.step} had reached key node {number}",
        nodes=(number,),
        after_step=node.target == "url",
    )


def _place(found: Sequence[Finding], step: int, ended: int | None) -> int | None:
    at_step = [place for place, one in enumerate(found) if one.step == step]
    if at_step:
        return at_step[-1]
    return len(found) - 1 if ended is not None and ended <= step else None


def _cut_short(walk: Walk) -> bool:
    return bool(walk.start_wall) or (bool(walk.footings) and walk.footings[-1].stopped)


def _renamed(then: str, now: str) -> str:
    """How the path differs in words, "" where only what varies from visit to visit does."""
    if _host(then) != _host(now):
        return f"{_path(then)} became {now}"
    old, new = _path(then).split("/"), _path(now).split("/")
    if len(old) != len(new):
        return f"{_path(then)} became {_path(now)}"
    differing = [(a, b) for a, b in zip(old, new, strict=True) if a != b and not _varies(a, b)]
    if not differing:
        return ""
    if len(differing) == 1:
        return f"/{differing[0][0]} became /{differing[0][1]}"
    return f"{_path(then)} became {_path(now)}"


def _varies(a: str, b: str) -> bool:
    """Numbers and keys of something that is made at every visit."""
    return any(map(str.isdigit, a)) and any(map(str.isdigit, b))


def _shape(ref: ElementRef) -> str:
    """The path without places among siblings: lists grow, and menus lose an entry."""
    return _INDEX.sub("", ref.path)


def _named(step: RecordedStep) -> str:
    return f"step {step.number} ({step.words})"


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return url


def _path(url: str) -> str:
    try:
        return urlsplit(url).path.rstrip("/") or "/"
    except ValueError:
        return url


def _generic(url: str) -> str:
    """The first part of the path: pages of one kind share it."""
    parts = _path(url).split("/")
    return f"/{parts[1]}" + ("/…" if len(parts) > 2 else "")
