"""Plans that drag: boxes, shapes, and items of lists that can be sorted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webbench.benchmarks.miniwob.plans.sight import SUBMIT, Plan, Sight, at, click, fill, words
from webbench.core.action.action import Drag, DragAt, Noop, ScrollTo

if TYPE_CHECKING:
    from bs4 import Tag

SVG_LEFT, SVG_TOP = 2, 52
"""Where drawings lie on the page: below the question, within the area's edge."""
DIRECTIONS = {"left": (-25, 0), "right": (25, 0), "up": (0, -18), "down": (0, 18)}
SHAPES = {"rectangles": "rect", "circles": "circle", "triangles": "polygon"}
GRID = (
    *("top left", "top center", "top right", "center left", "center", "center right"),
    *("bottom left", "bottom center", "bottom right"),
)


def box_into_box(sight: Sight) -> Plan:
    """The page compares the boxes' offsets, so the way between these is what the small one is moved by."""
    yield from sight.look()
    small, large = (_offset(sight.one(name)) for name in ("#draggableSmall", "#draggableLarge"))
    x, y = sight.text_box("s").centre
    yield DragAt(x=x, y=y, to_x=x + large[0] + 15 - small[0], to_y=y + large[1] + 15 - small[1])
    yield click(SUBMIT)


def _offset(box: Tag) -> tuple[float, float]:
    left, top = (re.search(rf"{side}: (-?[\d.]+)px", str(box["style"])) for side in ("left", "top"))
    assert left is not None
    assert top is not None
    return float(left[1]), float(top[1])


def one_shape(sight: Sight) -> Plan:
    (direction,) = sight.said(r"Drag the (?:circle|item) (\w+)")
    yield from sight.look()
    x, y = _middle(sight.one("svg circle, svg rect, svg polygon"))
    across, down = DIRECTIONS[direction]
    yield DragAt(x=x, y=y, to_x=x + across, to_y=y + down)
    yield click(SUBMIT)


def shapes_into_box(sight: Sight) -> Plan:
    (kind,) = sight.said(r"Drag all (\w+) into")
    yield from sight.look()
    box = sight.one("#shape-container")
    found = sight.all(f"svg {SHAPES[kind]}:not(#shape-container)")
    for place, one in enumerate(found):
        yield _into(one, box, place)
    yield click(SUBMIT)


def shapes_apart(sight: Sight) -> Plan:
    """By shape or by colour: these into the left box, the others into the right one."""
    (kind,) = sight.said(r"Drag all (\w+)")
    yield from sight.look()
    left, right = sight.all("#shape-container")
    shapes = [one for one in sight.all("#area_svg > *") if one.get("id") != "shape-container"]
    for place, one in enumerate(shapes):
        chosen = one.name == SHAPES[kind] if kind in SHAPES else one["fill"] == kind
        yield _into(one, left if chosen else right, place)
    yield click(SUBMIT)


def _into(shape: Tag, box: Tag, place: int) -> DragAt:
    """Each to a spot of its own, in rows of four, so that none covers another."""
    x, y = _middle(shape)
    left, top = float(str(box["x"])), float(str(box["y"]))
    across, down = 12 + place % 4 * 14, 14 + place // 4 * 16
    return DragAt(x=x, y=y, to_x=SVG_LEFT + left + across, to_y=SVG_TOP + top + down)


def _middle(shape: Tag) -> tuple[float, float]:
    """On the page."""
    if shape.name == "polygon":
        points = [tuple(map(float, point.split(","))) for point in str(shape["points"]).split()]
        xs, ys = zip(*points, strict=True)
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + 2 * max(ys)) / 3
    elif shape.name == "circle":
        x, y = float(str(shape["cx"])), float(str(shape["cy"]))
    else:
        width, height = float(str(shape["width"])), float(str(shape["height"]))
        x, y = float(str(shape["x"])) + width / 2, float(str(shape["y"])) + height / 2
    return SVG_LEFT + x, SVG_TOP + y


def list_item(sight: Sight) -> Plan:
    name, wish = sight.said(r"Drag (.+?) ((?:to the|up by|down by) .+)\.$")
    yield from sight.look()
    names = [words(one) for one in sight.all("#sortable li")]
    start = names.index(name)
    number = re.search(r"(\d)", wish)
    if "by one" in wish:
        end = start + (1 if "down" in wish else -1)
    elif number:
        end = int(number[1]) - 1
    else:
        end = 0 if "top" in wish else len(names) - 1
    yield _sorted_to(sight, names, start, end)


def grid_item(sight: Sight) -> Plan:
    name, wish = sight.said(r"Drag (.+?) ((?:to the|up by|down by|left by|right by) .+)\.$")
    yield from sight.look()
    names = [words(one) for one in sight.all("#sortable li")]
    start = names.index(name)
    steps = {"up by one": -3, "down by one": 3, "left by one": -1, "right by one": 1}
    end = start + steps[wish] if wish in steps else GRID.index(wish.removeprefix("to the "))
    (x, y), (to_x, to_y) = (sight.text_box(names[place]).centre for place in (start, end))
    beyond = 10 if end > start else -10
    yield DragAt(x=x, y=y, to_x=to_x + beyond, to_y=to_y + beyond)


def sorted_numbers(sight: Sight) -> Plan:
    """Bring the smallest of those that are left to the front, again and again."""
    for end in range(3):
        yield from sight.look()
        names = [words(one) for one in sight.all("#sortable li")]
        start = names.index(min(names[end:], key=int))
        if start != end:
            yield _sorted_to(sight, names, start, end)
    yield click(SUBMIT)


def _sorted_to(sight: Sight, names: list[str], start: int, end: int) -> DragAt:
    """Past the middle of the item that stands there, by as much as makes it give way."""
    source, target = sight.text_box(names[start]), sight.text_box(names[end])
    beyond = target.height * (0.4 if end > start else -0.4)
    x, y = source.centre
    return DragAt(x=x, y=y, to_x=x, to_y=target.centre[1] + beyond)


TURNS, STILL_SECONDS = 30, 0.8
"""How often a cube is turned, and after what time it rests."""


def cube(sight: Sight) -> Plan:
    """Turn it a little, and look which side is in front: up and down to 1 and 6, around to the others."""
    ends = ("1", "6")
    for _ in range(TURNS):
        yield from sight.look()
        front = words(sight.one(".cube-image.active"))
        if front == sight.quoted[0]:
            break
        upright = sight.quoted[0] in ends or front in ends
        yield DragAt(x=80, y=120, to_x=80 + (0 if upright else 50), to_y=120 + (50 if upright else 0))
        yield Noop(seconds=STILL_SECONDS)
    yield click(SUBMIT)


HALF_HOUR = 20.42
"""Pixels of the calendar's half hours."""
HOURS = {"30 mins": 1, "0.5 hours": 1, "60 mins": 2, "1 hour": 2, "90 mins": 3, "1.5 hours": 3}


def appointment(sight: Sight) -> Plan:
    """Draw it over half hours that no other one covers, then give it its name."""
    length, name, start, end = sight.said(r'Create a (.+) event named "(.+)", between (\d+\wM) and (\d+\wM)')
    yield from sight.look()
    taken = {half for one in sight.all(".event") for half in _covered(str(one["style"]))}
    span = HOURS[length]
    free = (
        first
        for first in range(_half_hour(start), _half_hour(end) - span + 1)
        if not taken.intersection(range(first, first + span))
    )
    first = next(free)
    yield ScrollTo(target=at(f"#hh-{first + span}"))
    yield Drag(source=at(f"#hh-{first}"), target=at(f"#hh-{first + span - 1}"))
    yield fill("#event-name", name)
    yield click("#controls .create")


def _covered(style: str) -> range:
    """The half hours below an entry, by where it lies."""
    top, height = (float(one) for one in re.findall(r"([\d.]+)px", style)[:2])
    first = round((top - 4) / HALF_HOUR)
    return range(first, first + round(height / HALF_HOUR))


def _half_hour(hour: str) -> int:
    """The number of the half hour that begins at "8AM"."""
    return (int(hour[:-2]) % 12 + (12 if hour.endswith("PM") else 0)) * 2
