"""A box picture: a turn's screenshot with what was done and what models predicted (figures 4, 10 and 11)."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence

from webbench.benchmarks.weblinx.pages.elements import CORNERS
from webbench.core.agents.model.choices import letter
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Box, Screenshot
from webbench.core.trajectory import Trajectory

REFERENCE = "reference"
COLOURS = ("#0057d9", "#c8102e", "#b35900", "#6a1b9a")
"""The reference is blue, as in the paper; then the episodes in their order, and from the fourth on again."""
LINE, LETTERS = 4, 18
"""Pixels."""
_TURN = re.compile(r"turn (\d{1,6}) was: ")
"""How the recorded world begins what it answers to a prediction."""
FARTHEST = 100_000
"""CSS px from the page's corner; a box beyond is none: records of others may hold any number."""


def boxes_of_turn(evidence: Mapping[str, JsonObject], turn: int) -> dict[str, tuple[float, ...]]:
    """Corners by name, the reference first; who named no element, or has no such turn, is not in it.

    Args:
        evidence: what the score of each episode rests on, by name.
    """
    found: dict[str, tuple[float, ...]] = {}
    predicted: dict[str, tuple[float, ...]] = {}
    for name, one in evidence.items():
        turns = one.get("turns")
        for told in turns if isinstance(turns, list) else ():
            if not isinstance(told, dict) or told.get("turn") != turn:
                continue
            gold = told.get("gold")
            references = gold.get("references") if isinstance(gold, dict) else None
            reference = _box(references[0]) if isinstance(references, list) and references else None
            if reference is not None:
                found[REFERENCE] = reference
            own = _box(told) or _box(told.get("action"))
            if own is not None:
                predicted[name] = own
    return found | predicted


def reference_boxes(trajectory: Trajectory) -> dict[int, Box]:
    """What was done in the turn that each step predicted, by the step's index; see `PointsAtReference`."""
    evidence = next((step.evidence for step in reversed(trajectory.steps) if step.evidence), {})
    found: dict[int, Box] = {}
    for step in trajectory.steps:
        if (told := _TURN.match(step.output)) is None:
            continue
        corners = boxes_of_turn({"": evidence}, int(told[1])).get(REFERENCE)
        if corners is not None:
            top, left, right, bottom = corners
            found[step.index] = Box(left, top, right - left, bottom - top)
    return found


def _box(action: Json) -> tuple[float, ...] | None:
    element = action.get("element") if isinstance(action, dict) else None
    box = element.get("bbox") if isinstance(element, dict) else None
    values = [box.get(corner) for corner in CORNERS] if isinstance(box, dict) else []
    numbers = [float(value) for value in values if isinstance(value, int | float) and abs(value) <= FARTHEST]
    return tuple(numbers) if len(numbers) == len(CORNERS) else None


def box_picture(screenshot: Screenshot, boxes: Sequence[tuple[str, tuple[float, ...]]]) -> bytes:
    """A PNG: each box in a colour, with a letter at its corner, and below the picture who each letter is."""
    from PIL import Image, ImageDraw, ImageFont

    with Image.open(io.BytesIO(screenshot.data)) as opened:
        page = opened.convert("RGB")
    scale = screenshot.scale
    line, size = max(2, round(LINE * scale)), max(12, round(LETTERS * scale))
    row, font = size + 8, ImageFont.load_default(size)
    whole = Image.new("RGB", (page.width, page.height + row * len(boxes)), "white")
    on_page, below = ImageDraw.Draw(page), ImageDraw.Draw(whole)
    for at, (name, (top, left, right, bottom)) in enumerate(boxes):
        colour = COLOURS[0] if name == REFERENCE else COLOURS[1 + (at - 1) % (len(COLOURS) - 1)]
        sign, inset = letter(at), line * at
        x, y = left * scale - inset, top * scale - inset
        edges = (x, y, max(right * scale + inset, x + 1), max(bottom * scale + inset, y + 1))
        on_page.rectangle(edges, outline=colour, width=line)
        on_page.text((max(0, x) + at * size, max(0, y - row)), sign, colour, font)
        below.text((8, page.height + 4 + at * row), f"{sign}  {name}", colour, font)
    whole.paste(page, (0, 0))
    stream = io.BytesIO()
    whole.save(stream, "PNG")
    return stream.getvalue()
