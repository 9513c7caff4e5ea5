"""Where an action is marked on the picture of the page it was done on."""

import base64
import io

from PIL import Image

from webbench.core.action.action import Action, Click, ClickAt, DragAt, ElementRef, Goto
from webbench.core.action.aim import aim
from webbench.core.observation import AccessibilityNode, Box, Observation, Screenshot, Viewport
from webbench.core.report.pages.report_pictures import POINT, Gallery, Shape
from webbench.core.report.pages.report_pictures import marks as marks_of

SEEN = Observation(
    nodes=(AccessibilityNode(id=7, role="button", box=Box(10, 20, 30, 40)),),
    viewport=Viewport(1000, 500, scroll_y=100),
)
PICTURE = Screenshot(b"", "png", 2000, 1000, scale=2.0)
WHOLE = Screenshot(b"", "png", 2000, 4000, scale=2.0, full_page=True)
PART = Screenshot(b"", "png", 200, 100, scale=2.0, origin=(5, 10))
FAR = ElementRef(role="link", box=Box(10, 900, 30, 40))


def marks(action: Action | None, seen: Observation, picture: Screenshot) -> list[Shape]:
    return marks_of(aim(action, seen), seen, picture)


def test_the_box_is_that_of_the_page_that_was_seen() -> None:
    there = ElementRef(id=7, box=Box(500, 300, 30, 40))

    assert marks(Click(target=there), SEEN, PICTURE) == [Shape("box", 20, 40, 60, 80)]


def test_a_picture_of_the_whole_page_begins_at_its_top() -> None:
    assert marks(Click(target=ElementRef(id=7)), SEEN, WHOLE) == [Shape("box", 20, 240, 60, 80)]
    assert marks(Click(target=FAR), SEEN, WHOLE) == [Shape("box", 20, 2000, 60, 80)]


def test_a_picture_of_a_part_begins_at_its_origin() -> None:
    assert marks(Click(target=ElementRef(id=7)), SEEN, PART) == [Shape("box", 10, 20, 60, 80)]
    assert marks(ClickAt(x=106, y=10), SEEN, PART) == []


def test_what_is_outside_or_nowhere_is_not_marked() -> None:
    assert marks(Click(target=FAR), SEEN, PICTURE) == []
    assert marks(Click(target=ElementRef(id=99)), SEEN, PICTURE) == []
    assert marks(Goto(url="http://x.test"), SEEN, PICTURE) == []
    assert marks(None, SEEN, PICTURE) == []


def test_points_and_drags() -> None:
    assert marks(ClickAt(x=5, y=6), SEEN, PICTURE) == [Shape("point", 10, 12, 2 * POINT)]
    assert marks(DragAt(x=5, y=6, to_x=7, to_y=8), SEEN, PICTURE)[1] == Shape("line", 10, 12, 14, 16)


def test_a_small_picture_is_shown_as_large_as_it_was() -> None:
    encoded = io.BytesIO()
    Image.effect_noise((1600, 1000), 80).convert("RGB").save(encoded, "PNG")
    picture = Screenshot(encoded.getvalue(), "png", 1600, 1000, 1.0)
    gallery = Gallery(small=True)

    shown = gallery.show("blob", picture)
    ((name, width, height, address),) = gallery.images

    assert shown is not None
    assert (shown.name, shown.width, width, height) == (name, 1600, 1600, 1000)
    data = base64.b64decode(address.removeprefix("data:image/webp;base64,"))
    assert Image.open(io.BytesIO(data)).size == (800, 500)
