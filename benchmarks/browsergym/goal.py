"""The goal of an environment in BrowserGym's form: its words, and its pictures made fit to be kept."""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Sequence

from webbench.core.json_types import Json, JsonObject
from webbench.core.task import TaskPicture
from webbench.core.text.message_parts import message_text
from webbench.core.text.plural import counted

LONGEST_TEXT = 20_000
MOST_PICTURES = 8
LARGEST_SIDE = 1024
"""Pixels; a larger picture is made smaller."""

MOST_PIXELS = 50_000_000


def goal_text(goal: Sequence[JsonObject]) -> str:
    """The words of the goal."""
    return cut(message_text(list(goal)))


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    """A text within bounds, which says at its end how much is left out."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text) - most:,} more characters are left out)"


def goal_pictures(goal: Sequence[JsonObject]) -> tuple[list[TaskPicture], str]:
    """Its pictures, and what is to be said of those that are left out, "" where none is.

    Only pictures in the goal itself are taken: an address is not asked for.
    """
    given = [one.get("image_url") for one in goal if one.get("type") == "image_url"]
    found = [picture for one in given[:MOST_PICTURES] if (picture := _picture(one)) is not None]
    lost = len(given) - len(found)
    told = f"{counted(lost, 'picture')} of the task can't be shown: no picture, an address, or one too many"
    return found, told if lost else ""


def _picture(given: Json) -> TaskPicture | None:
    from PIL import Image

    address = given.get("url") if isinstance(given, dict) else given
    head, comma, data = str(address).partition(",")
    if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
        return None
    try:
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
            small = image.convert("RGB")
            small.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
    except (binascii.Error, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    out = io.BytesIO()
    small.save(out, "jpeg", quality=88)
    width, height = small.size
    text = base64.b64encode(out.getvalue()).decode()
    return TaskPicture(format="jpeg", width=width, height=height, base64=text)
