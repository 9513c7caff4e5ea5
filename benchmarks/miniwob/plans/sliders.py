"""Plans for sliders, and for fields that are scrolled, resized or marked."""

from __future__ import annotations

import re

from webbench.benchmarks.miniwob.plans.sight import SUBMIT, Plan, Sight, at, click, words
from webbench.core.action.action import Click, DragAt, Press, Scroll
from webbench.core.observation import AccessibilityNode

HANDLE = ".ui-slider-handle"
PAGES = 5
"""A slider's page is this share of its range."""


def slider(sight: Sight) -> Plan:
    """Its ends are found by going there."""
    (number,) = sight.said(r"Select (-?\d+) with the slider")
    ends = []
    for key in ("End", "Home"):
        yield Press(keys=key, target=at(f"#slider {HANDLE}"))
        yield from sight.look()
        ends.append(int(words(sight.one("#val"))))
    yield from _moved("#slider", int(number) - ends[1], ends[0] - ends[1])
    yield click(SUBMIT)


def sliders(sight: Sight) -> Plan:
    numbers = re.findall(r"\d+", sight.said(r"combination \[(.+)\]")[0])
    for place, number in enumerate(numbers, 1):
        yield Press(keys="Home", target=at(f"#slider-{place} {HANDLE}"))
        yield from _moved(f"#slider-{place}", int(number), 20)
    yield click(SUBMIT)


def slider_and_box(sight: Sight) -> Plan:
    number, place = sight.said(r"Select (-?\d+) with the slider, click the (\d)")
    yield Press(keys="Home", target=at(f"#slider {HANDLE}"))
    yield from _moved("#slider", int(number) + 10, 20)
    yield click(f"#checkbox-{place}")
    yield click(SUBMIT)


def _moved(slider: str, steps: int, span: int) -> Plan:
    """From the lower end so many steps up, by pages as far as they lead."""
    page = max(1, span // PAGES)
    pages, rest = divmod(steps, page) if span % PAGES == 0 else (0, steps)
    for key, times in (("PageUp", pages), ("ArrowRight", rest)):
        for _ in range(times):
            yield Press(keys=key, target=at(f"{slider} {HANDLE}"))


def scrolled(sight: Sight) -> Plan:
    yield Scroll(target=at("#text-area"), dy=5000 if "bottom" in sight.intent else -5000)
    yield click(SUBMIT)


def resized(sight: Sight) -> Plan:
    """Pull the field's edge by the pixel of its handle that shows."""
    along, wish = sight.said(r"the (width|height) is (larger|smaller)")
    box = sight.box(_is_text_area)
    far = 15 if wish == "larger" else -15
    middle_x, middle_y = box.centre
    if along == "width":
        edge = box.x + box.width - 1
        yield DragAt(x=edge, y=middle_y, to_x=edge + far, to_y=middle_y)
    else:
        edge = box.y + box.height - 1
        yield DragAt(x=middle_x, y=edge, to_x=middle_x, to_y=edge + far)
    yield click("#submit")


def _is_text_area(node: AccessibilityNode) -> bool:
    return node.tag == "textarea"


def marked(sight: Sight) -> Plan:
    """Three clicks mark a paragraph."""
    place = re.search(r"the (\d)\w\w paragraph", sight.intent)
    target = f"#randomText > p:nth-child({place[1]})" if place else "#randomText"
    yield Click(target=at(target), count=3)
    yield click(SUBMIT)
