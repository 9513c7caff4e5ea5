"""Pictures that stand in text as base64: decoded within bounds, and only where they are pictures."""

from __future__ import annotations

import base64
import binascii

from webbench.core.exchange.account.tally import Lost
from webbench.core.exchange.episode_building import LARGEST_PICTURE
from webbench.core.exchange.import_format import Picture

PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")
"""First bytes of PNG, JPEG, GIF and WebP."""
_DATA_URL = "data:"


def _lose(lost: Lost, line: str) -> None:
    lost.has("pictures")
    lost.lose("pictures", line)


def picture_of_base64(
    text: str, lost: Lost, *, scale: float = 1.0, full_page: bool = False
) -> Picture | None:
    """The picture of base64 text or of a data URL, None for anything else, which is told.

    An address is no picture: nothing is ever fetched. In the account it counts as a picture that is left out.
    """
    if text.startswith(_DATA_URL):
        head, _, text = text.partition(",")
        if not head.startswith("data:image/") or not head.endswith(";base64"):
            _lose(lost, "a picture as a data URL that is no picture in base64")
            return None
    if len(text) > LARGEST_PICTURE * 4 // 3 + 4:
        _lose(lost, f"a picture larger than {LARGEST_PICTURE // 1024**2} MiB")
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        _lose(lost, "a picture that is no base64")
        return None
    picture = Picture(data, scale=scale, full_page=full_page)
    if not picture.format:
        _lose(lost, "a picture that is no PNG, JPEG or WebP")
        return None
    return picture
