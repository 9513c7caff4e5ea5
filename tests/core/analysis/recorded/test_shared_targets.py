"""What several attempts and the reference acted on, on one page."""

from __future__ import annotations

import msgspec

from webbench.core.action.aim import Aim
from webbench.core.analysis.recorded.shared_targets import POINT, REFERENCE, Pointed, shared_targets
from webbench.core.observation import Box, Observation, Screenshot, Viewport

PICTURE = Screenshot(b"", "png", 1280, 720)


def pointed(name: str, aim: Aim, scrolled: float = 0.0, **more: object) -> Pointed:
    one = Pointed(
        name=name,
        words=f"{name} clicks",
        page="shop.test/",
        seen=Observation(viewport=Viewport(scroll_y=scrolled)),
        picture=PICTURE,
        aim=aim,
    )
    return msgspec.structs.replace(one, **more)


def test_targets_are_moved_to_the_page_that_is_shown_and_the_reference_comes_first() -> None:
    first = pointed("first", Aim(box=Box(10, 200, 30, 40)), picture=None)
    second = pointed("second", Aim(point=(50, 60)), scrolled=150, reference=Box(5, 20, 10, 10))
    other = pointed("other", Aim(box=Box(0, 0, 9, 9)), page="shop.test/cart")
    narrow = pointed("narrow", Aim(box=Box(0, 0, 9, 9)), seen=Observation(viewport=Viewport(width=800)))
    none = pointed("none", Aim())
    found = shared_targets([first, second, other, narrow, none])
    assert (found.of, found.picture, found.seen) == ("second", PICTURE, second.seen)
    assert [(one.name, one.box) for one in found.targets] == [
        (REFERENCE, Box(5, 20, 10, 10)),
        ("first", Box(10, 50, 30, 40)),
        ("second", Box(50 - POINT, 60 - POINT, 2 * POINT, 2 * POINT)),
    ]
    assert dict(found.left_out) == {
        "other": "it is on another page",
        "narrow": "its window has another size",
        "none": "its action points nowhere",
    }
    assert shared_targets([second, other], prefer="other").of == "other"
    assert shared_targets([first]).left_out == (("first", "no picture was recorded"),)
