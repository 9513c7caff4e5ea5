"""Plans for what is drawn as SVG: shapes to click, count or name, points to find by geometry, strokes."""

from __future__ import annotations

import math
import re
from collections.abc import Generator
from typing import TYPE_CHECKING

from webbench.benchmarks.miniwob.plans.sight import SUBMIT, Plan, Sight, click, words
from webbench.core.action.action import Action, ClickAt, HoverAt, MouseDown, MouseUp
from webbench.core.errors import ActionFailed

if TYPE_CHECKING:
    from bs4 import Tag

TOP = 50
"""Where drawings begin below the question, as the pages reckon it."""
COLOURS = frozenset(("red", "green", "blue", "aqua", "black", "magenta", "yellow"))
SHAPES = {"rect": "rectangle", "circle": "circle", "polygon": "triangle"}
BIG = 15.0
"""A shape is large from this size on; there are two sizes, 10 and 20."""


def shape(sight: Sight) -> Plan:
    (told,) = sight.said(r"Click on a (.+)$")
    yield from sight.look()
    yield click(_fitting(sight, told)[0])


def counted_shapes(sight: Sight) -> Plan:
    (told,) = sight.said(r"How many (.+)s are there")
    yield from sight.look()
    yield click(sight.named("#count-buttons button", str(len(_fitting(sight, told)))))


def kind_of_shape(sight: Sight) -> Plan:
    yield from sight.look()
    kind, _ = _kinds(sight.one("#area_svg > *"))
    yield click(f'#area-buttons button[data-type="{kind}"]')


def _fitting(sight: Sight, told: str) -> list[Tag]:
    """Shapes that a description such as "large red item" fits."""
    *traits, noun = told.split()
    return [
        one
        for one in sight.all("#area_svg > *")
        if noun in ("item", *_kinds(one))
        and all(trait == (one["fill"] if trait in COLOURS else _size(one)) for trait in traits)
    ]


def _kinds(one: Tag) -> tuple[str, str]:
    """Its own name, and that of its class: ("circle", "shape"), ("digit", "7")."""
    if one.name in SHAPES:
        return SHAPES[one.name], "shape"
    text = words(one)
    return ("digit" if text.isdigit() else "letter"), text


def _size(one: Tag) -> str:
    if one.name == "polygon":
        across = [float(point.split(",")[0]) for point in str(one["points"]).split()]
        size = max(across) - min(across)
    elif one.name == "circle":
        size = 2 * float(str(one["r"]))
    else:
        size = float(re.sub(r"px$", "", str(one.get("width") or one["font-size"])))
    return "large" if size > BIG else "small"


def grid_point(sight: Sight) -> Plan:
    (point,) = sight.said(r"coordinate (\(-?\d,-?\d\))")
    yield click(f'[id="{point}"]')


def ascending(sight: Sight) -> Plan:
    """The numbers vanish behind boxes once the first is clicked; the boxes keep their order."""
    yield from sight.look()
    yield click(sight.named("svg text", "1"))
    for place in range(2, 6):
        yield click(f'svg rect[data-index="{place}"]')


def centre(sight: Sight) -> Plan:
    yield from sight.look()
    yield from _point(*_centre_of(sight.one("circle.black-circle")))


def midpoint(sight: Sight) -> Plan:
    yield from sight.look()
    (ax, ay), (bx, by) = (_centre_of(one) for one in sight.all("circle.black-circle"))
    yield from _point((ax + bx) / 2, (ay + by) / 2)


def bisector(sight: Sight) -> Plan:
    """On the line that halves the angle, as far from its corner as stays on the drawing."""
    yield from sight.look()
    corner = _centre_of(sight.one("circle.init-blue"))
    one, other = (_direction(corner, _centre_of(point)) for point in sight.all("circle.init-black"))
    yield from _ray(corner, (one[0] + other[0], one[1] + other[1]))


def right_angle(sight: Sight) -> Plan:
    yield from sight.look()
    corner = _centre_of(sight.one("#init-blue"))
    across, down = _direction(corner, _centre_of(sight.one("#init-black")))
    yield from _ray(corner, (-down, across))


def _ray(corner: tuple[float, float], towards: tuple[float, float]) -> Plan:
    """A point in this direction or against it, whichever has more room."""
    length = math.hypot(*towards) or 1.0
    across, down = towards[0] / length, towards[1] / length
    found = corner
    for far in range(5, 150):
        x, y = corner[0] + far * across, corner[1] + far * down
        if not (5 <= x <= 145 and 5 <= y <= 125):
            break
        found = x, y
    yield from _point(*found)


def _direction(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down) or 1.0
    return across / length, down / length


def _centre_of(circle: Tag) -> tuple[float, float]:
    return float(str(circle["cx"])), float(str(circle["cy"]))


def _point(x: float, y: float) -> Plan:
    """Click a place of the drawing, then submit."""
    yield ClickAt(x=round(x), y=round(y + TOP))
    yield click(SUBMIT)


def hot_spot(sight: Sight) -> Plan:
    """Feel for it: wide steps until it is cold instead of ice cold, then ever smaller ones around there."""
    place = yield from _felt(sight, [(x, y) for y in (30, 95) for x in (27, 80, 133)], 0)
    place = yield from _felt(sight, _around(place, 12), 1)
    place = yield from _felt(sight, _around(place, 4), 2)
    yield ClickAt(x=place[0], y=place[1] + TOP)


SIGNALS = ("COLD", "WARM", "HOT")


def _felt(
    sight: Sight, places: list[tuple[int, int]], wanted: int
) -> Generator[Action, None, tuple[int, int]]:
    """The first place that is at least so warm. Raises `ActionFailed` where none is."""
    for x, y in places:
        yield HoverAt(x=x, y=y + TOP)
        if any(node.name in SIGNALS[wanted:] for node in sight.view.observation.nodes):
            return x, y
    raise ActionFailed(f"no place is {SIGNALS[wanted].lower()}")


def _around(middle: tuple[int, int], step: int) -> list[tuple[int, int]]:
    """Places on the drawing around one, the near ones first."""
    offsets = [(across * step, down * step) for across in range(-4, 5) for down in range(-4, 5)]
    offsets.sort(key=lambda offset: math.hypot(*offset))
    found = [(middle[0] + across, middle[1] + down) for across, down in offsets]
    return [(x, y) for x, y in found if 1 <= x < 159 and 1 <= y < 125]


def straight_line(sight: Sight) -> Plan:
    """Through the dot, from side to side or from top to bottom, in one stroke of the mouse."""
    yield from sight.look()
    x, y = _centre_of(sight.one("#circ"))
    flat = "horizontal" in sight.intent
    yield from _stroke([(x + far if flat else x, y if flat else y + far) for far in (-28, 28)])


def circle_around(sight: Sight) -> Plan:
    yield from sight.look()
    x, y = _centre_of(sight.one("#circ"))
    turns = [2 * math.pi * part / 16 for part in range(17)]
    yield from _stroke([(x + 20 * math.cos(turn), y + 20 * math.sin(turn)) for turn in turns])


def _stroke(path: list[tuple[float, float]]) -> Plan:
    """Drawn with the button held down; the drawing's own edge is two pixels in."""
    places = [(x + 2, y + TOP + 2) for x, y in path]
    yield MouseDown(x=places[0][0], y=places[0][1])
    for x, y in places[1:-1]:
        yield HoverAt(x=x, y=y)
    yield MouseUp(x=places[-1][0], y=places[-1][1])
    yield click("#controls button")
