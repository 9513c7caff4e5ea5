"""Marks drawn over a screenshot."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from webbench.core.browser.seeing.set_of_marks import colour_of, draw_marks, marked
from webbench.core.observation import AccessibilityNode, Box, Observation, Screenshot, Viewport


def control(
    id: int, role: str, box: Box, *, interactive: bool = True, offscreen: bool = False
) -> AccessibilityNode:
    return AccessibilityNode(id=id, role=role, box=box, interactive=interactive, offscreen=offscreen)


PAGE = Observation(
    viewport=Viewport(200, 100),
    nodes=(
        control(1, "button", Box(20, 30, 60, 20)),
        control(2, "LabelText", Box(100, 30, 90, 30)),
        control(3, "checkbox", Box(105, 35, 10, 10)),
        control(4, "link", Box(20, 300, 60, 20), offscreen=True),
        control(5, "paragraph", Box(0, 0, 200, 20), interactive=False),
        control(6, "link", Box(5, 5, 0, 0)),
    ),
)


def white(format: str, scale: float = 1.0) -> Screenshot:
    buffer = io.BytesIO()
    size = (int(200 * scale), int(100 * scale))
    Image.new("RGB", size, "white").save(buffer, format.upper())
    return Screenshot(buffer.getvalue(), format, *size, scale)  # type: ignore[arg-type]


def test_only_visible_controls_are_marked_and_none_inside_a_label() -> None:
    assert [node.id for node in marked(PAGE)] == [1, 2]


@pytest.mark.parametrize("format", ["png", "jpeg", "webp"])
def test_marks_keep_format_and_size(format: str) -> None:
    drawn = draw_marks(white(format), PAGE)
    picture = Image.open(io.BytesIO(drawn.data))
    assert (picture.format, picture.size) == (format.upper(), (200, 100))
    assert drawn.data != white(format).data


def test_the_box_has_the_colour_of_its_id_at_the_picture_s_scale() -> None:
    drawn = Image.open(io.BytesIO(draw_marks(white("png", 2.0), PAGE).data))
    assert drawn.getpixel((100, 60)) == colour_of(1)
    assert drawn.getpixel((100, 80)) == (255, 255, 255)


def test_colours_are_stable_and_differ() -> None:
    assert colour_of(7) == colour_of(7)
    assert len({colour_of(number) for number in range(1, 101)}) == 100
