"""Page text over a picture: what is written where."""

from __future__ import annotations

from PIL import Image

from webbench.core.observation import AccessibilityNode, Box
from webbench.tui.pictures.viewfinder import Viewfinder
from webbench.tui.widgets.picture.page_text import place_page_text

RUST = AccessibilityNode(id=1, role="checkbox", name="Rust", box=Box(80, 32, 16, 16), tag="input")
LABEL = AccessibilityNode(id=2, role="StaticText", name="Rust", box=Box(104, 32, 40, 16))


def written(*nodes: AccessibilityNode) -> list[tuple[int, int, str]]:
    """(row, column, text) on a white page of 800 x 320 CSS px in 100 x 20 cells."""
    view = Viewfinder(width=800, height=320, columns=100, rows=20)
    rows = place_page_text(nodes, Image.new("RGB", (800, 320), "white"), view)
    return [(row, column, piece.text.strip()) for row in rows for column, piece in rows[row]]


def test_a_tick_boxs_label_that_the_tree_leaves_out_is_written_beside_it() -> None:
    assert written(RUST) == [(2, 12, "Rust")]


def test_a_label_with_a_text_of_its_own_is_written_once() -> None:
    assert written(RUST, LABEL) == [(2, 13, "Rust")]
