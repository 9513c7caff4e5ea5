"""Shared targets: what several attempts and the reference acted on, on the page as one of them saw it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from webbench.core.action.aim import Aim
from webbench.core.observation import Box, Observation, Screenshot, Viewport

REFERENCE = "reference"
POINT = 6.0
"""CSS px around a point that an action by coordinates is marked by."""


class Pointed(msgspec.Struct, frozen=True, kw_only=True):
    """What an attempt did, and the page that it saw before.

    Attributes:
        page: what tells one page from another, such as a pattern of its address.
        reference: the box of what the reference acted on there, None where nothing tells.
    """

    name: str
    words: str
    page: str
    seen: Observation = Observation()
    picture: Screenshot | None = None
    aim: Aim = Aim()
    reference: Box | None = None


class PageTarget(msgspec.Struct, frozen=True):
    """Whose target, what was done to it, and where it is in the viewport of the page that is shown."""

    name: str
    words: str
    box: Box


class SharedTargets(msgspec.Struct, frozen=True, kw_only=True):
    """One page with the targets of all who acted on it.

    Attributes:
        of: whose page it is.
        targets: the reference's first, then the attempts' in their order.
        left_out: by name, why an attempt's target isn't among them.
    """

    of: str = ""
    seen: Observation = Observation()
    picture: Screenshot | None = None
    targets: tuple[PageTarget, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()


def shared_targets(acts: Sequence[Pointed], prefer: str = "") -> SharedTargets:
    """Targets on the page of the preferred attempt, or of the first that has a picture.

    Pages of one kind may be scrolled differently: boxes are moved to where they are on the one that is shown.
    """
    pictured = [one for one in acts if one.picture is not None]
    shown = next((one for one in pictured if one.name == prefer), pictured[0] if pictured else None)
    if shown is None:
        return SharedTargets(left_out=tuple((one.name, "no picture was recorded") for one in acts))
    view = shown.seen.viewport
    targets: list[PageTarget] = []
    left: list[tuple[str, str]] = []
    for one in acts:
        why = _elsewhere(one, shown)
        box = _box(one.aim)
        if why or box is None:
            left.append((one.name, why or "its action points nowhere"))
            continue
        targets.append(PageTarget(one.name, one.words, _moved(box, one.seen.viewport, view)))
    known = [one for one in acts if one.reference is not None and not _elsewhere(one, shown)]
    if known and known[0].reference is not None:
        box = _moved(known[0].reference, known[0].seen.viewport, view)
        targets.insert(0, PageTarget(REFERENCE, "", box))
    return SharedTargets(
        of=shown.name,
        seen=shown.seen,
        picture=shown.picture,
        targets=tuple(targets),
        left_out=tuple(left),
    )


def _elsewhere(one: Pointed, shown: Pointed) -> str:
    """Why its boxes mean nothing on the page that is shown, "" where they do."""
    if one.page != shown.page:
        return "it is on another page"
    here, there = one.seen.viewport, shown.seen.viewport
    if (here.width, here.height) != (there.width, there.height):
        return "its window has another size"
    return ""


def _box(aim: Aim) -> Box | None:
    if aim.box is not None or aim.point is None:
        return aim.box
    x, y = aim.point
    return Box(x - POINT, y - POINT, 2 * POINT, 2 * POINT)


def _moved(box: Box, here: Viewport, there: Viewport) -> Box:
    return Box(
        box.x + here.scroll_x - there.scroll_x, box.y + here.scroll_y - there.scroll_y, box.width, box.height
    )
