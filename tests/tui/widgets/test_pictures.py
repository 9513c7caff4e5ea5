from __future__ import annotations

import base64
import io
import os
import pty
import re
import subprocess
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from webbench.core.observation import Box
from webbench.tui.pictures.detect import QUERY, parse_answer
from webbench.tui.pictures.half_block import half_blocks
from webbench.tui.pictures.kitty import NUMBERS, placeholders, transmission
from webbench.tui.pictures.sixel import sixel
from webbench.tui.pictures.source import decode
from webbench.tui.pictures.viewfinder import Viewfinder

sizes = st.integers(1, 3000)
views = st.builds(
    Viewfinder,
    width=sizes,
    height=sizes,
    columns=st.integers(1, 300),
    rows=st.integers(1, 100),
    scale=st.floats(0.5, 3),
    zoom=st.floats(1, 16),
    left=st.floats(-100, 3000),
    top=st.floats(-100, 3000),
)


@given(views, st.floats(0, 1), st.floats(0, 1))
def test_a_page_point_goes_to_a_cell_and_back(view: Viewfinder, across: float, down: float):
    left, top, right, bottom = view.window
    x = (left + (right - left) * across * 0.99) / view.scale
    y = (top + (bottom - top) * down * 0.99) / view.scale
    back = view.to_page(*view.to_cell(x, y))
    if back is not None:
        assert back == pytest.approx((x, y), abs=0.01 * view.unit + 1e-6)


@given(views, st.floats(0.2, 5), st.floats(-50, 50), st.floats(-50, 50))
def test_no_move_leaves_picture_or_pane(view: Viewfinder, factor: float, columns: float, rows: float):
    for moved in (view.zoomed(factor), view.panned(columns, rows), view.cropped(Box(5, 5, 40, 20))):
        left, top, right, bottom = moved.window
        assert left >= -1e-6
        assert top >= -1e-6
        assert right <= moved.width + 1e-6
        assert bottom <= moved.height + 1e-6
        assert moved.cells[0] <= moved.columns
        assert moved.cells[1] <= moved.rows


def test_a_wide_picture_keeps_its_shape_in_cells_twice_as_high_as_wide():
    assert Viewfinder(1280, 720, 100, 40).cells == (100, 28)
    assert Viewfinder(720, 1280, 100, 40).cells == (45, 40)


def quarters() -> Image.Image:
    image = Image.new("RGB", (40, 40), (252, 0, 0))
    image.paste((0, 252, 0), (20, 0, 40, 20))
    image.paste((0, 0, 252), (0, 20, 20, 40))
    image.paste((252, 252, 252), (20, 20, 40, 40))
    return image


def test_half_blocks_show_the_upper_colour_on_the_lower_and_merge_runs():
    blocks = half_blocks(quarters(), (0, 0, 40, 40), 4, 1)
    segments = list(blocks.strips[0])
    assert [segment.text for segment in segments] == ["▀▀", "▀▀"]
    styles = [part.style for part in segments if part.style]
    colours = [(one.color and one.color.triplet, one.bgcolor and one.bgcolor.triplet) for one in styles]
    assert colours == [((252, 0, 0), (0, 0, 252)), ((0, 252, 0), (252, 252, 252))]
    assert blocks.colour(3, 0, lower=True).triplet == (252, 252, 252)


def test_sixel_draws_every_pixel_in_its_colour():
    picture = unsixel(sixel(quarters()))
    for place in ((3, 3), (33, 3), (3, 33), (33, 33)):
        wanted = quarters().getpixel(place)
        assert isinstance(wanted, tuple)
        assert all(abs(a - b) < 12 for a, b in zip(picture[place], wanted, strict=True))
    assert len(picture) == 1600


def unsixel(text: str) -> dict[tuple[int, int], tuple[int, int, int]]:
    """A plain decoder: pixel by place."""
    body = text[text.index("q") + 1 : text.index("\x1b\\")]
    palette: dict[int, tuple[int, int, int]] = {}
    pixels: dict[tuple[int, int], tuple[int, int, int]] = {}
    x = y = colour = 0
    for token in re.findall(r'"[\d;]+|#\d+(?:;\d+)*|!\d+.|[?-~]|[$-]', body):
        if token[0] == "#":
            numbers = [int(number) for number in token[1:].split(";")]
            colour = numbers[0]
            if len(numbers) == 5:
                palette[colour] = tuple(round(level * 2.55) for level in numbers[2:])  # type: ignore[assignment]
        elif token == "$":
            x = 0
        elif token == "-":
            x, y = 0, y + 6
        elif token[0] != '"':
            count = int(token[1:-1]) if token[0] == "!" else 1
            bits = ord(token[-1]) - 63
            lit = [line for line in range(6) if bits >> line & 1]
            pixels.update({(at, y + line): palette[colour] for at in range(x, x + count) for line in lit})
            x += count
    return pixels


def test_kitty_gets_the_very_pixels_in_chunks():
    noise = Image.effect_noise((90, 90), 90).convert("RGB")
    sent = transmission(noise, 77, 9, 5)
    chunks = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", sent)
    assert "i=77" in chunks[0][0]
    assert [control.endswith("m=1") for control, _ in chunks] == [True] * (len(chunks) - 1) + [False]
    assert all(len(payload) <= 4096 for _, payload in chunks)
    assert zlib.decompress(base64.b64decode("".join(payload for _, payload in chunks))) == noise.tobytes()


def test_kitty_cells_name_row_and_column_and_through_tmux_every_escape_is_doubled():
    assert len(set(NUMBERS)) == len(NUMBERS)
    strips = placeholders(77, 3, 2)
    assert [strip.cell_length for strip in strips] == [3, 3]
    assert strips[1].text[3:6] == "\U0010eeee" + chr(NUMBERS[1]) + chr(NUMBERS[1])
    wrapped = transmission(Image.new("RGB", (2, 2)), 77, 1, 1, tmux=True)
    assert wrapped.startswith("\x1bPtmux;\x1b\x1b_G")
    assert wrapped.endswith("\x1b\x1b\\\x1b\\")


@pytest.mark.parametrize(
    "data", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, b"GIF89a" + b"\0" * 20]
)
def test_what_is_no_picture_is_refused_with_a_reason(data: bytes):
    with pytest.raises(ValueError, match="not a picture"):
        decode(data)


def test_a_torn_picture_is_refused():
    file = io.BytesIO()
    Image.effect_noise((300, 300), 50).save(file, "PNG")
    with pytest.raises(ValueError, match="not a picture"):
        decode(file.getvalue()[:2000])


@pytest.mark.parametrize(
    ("answer", "mode", "cell"),
    [
        ("", "half-block", (10, 20)),
        ("\x1b[?1;2c", "half-block", (10, 20)),
        ("\x1b[?62;4;6c", "sixel", (10, 20)),
        ("\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.35.1)\x1b\\\x1b[6;22;11t\x1b[?62;c", "kitty", (11, 22)),
        ("\x1b_Gi=31;OK\x1b\\\x1bP>|WezTerm 2024\x1b\\\x1b[?65;4;6c", "sixel", (10, 20)),
        ("\x1b_Gi=31;EINVAL\x1b\\\x1bP>|kitty(0.1)\x1b\\\x1b[?62;c", "half-block", (10, 20)),
        ("\x1b[6;0;0t\x1b[?64;14;24c", "half-block", (10, 20)),
    ],
)
def test_answers_of_terminals(answer: str, mode: str, cell: tuple[int, int]):
    graphics = parse_answer(answer)
    assert (graphics.mode, graphics.cell) == (mode, cell)


SCRIPT = """
import os, sys
from webbench.tui.pictures.detect import detect_graphics
found = detect_graphics(timeout=3, environment={"TERM": "xterm"})
print("found", found.mode, found.terminal)
"""


def test_a_terminal_is_asked_and_its_answer_read_without_an_echo():
    controller, follower = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", SCRIPT], stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    seen = b""
    try:
        while QUERY.encode() not in seen:
            seen += os.read(controller, 4096)
        os.write(controller, b"\x1bP>|foot(1.16)\x1b\\\x1b[6;18;9t\x1b[?62;4;22c")
        while not seen.endswith(b"\n"):
            seen += os.read(controller, 4096)
    finally:
        child.wait(20)
        os.close(controller)
    assert b"found sixel foot(1.16)" in seen
    assert b"?62;4;22c" not in seen
