"""A judge behind a real socket that grades screenshots as it is told, and the pictures that it is shown."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PIL import Image

from tests.core.models.endpoint import Answer, Endpoint, Request, running_endpoint, said
from webbench.core.store.store import Store

KEY_POINTS = "1. A red mug\n2. It is in the cart"
GRADED = "one screenshot from the middle"


def png(number: int) -> bytes:
    """A picture that no other number has."""
    made = io.BytesIO()
    Image.new("RGB", (8, 8), (number, 10, 20)).save(made, "PNG")
    return made.getvalue()


def kept_pictures(store: Store, count: int) -> list[list[int | str]]:
    """So many pictures in the store, as evidence names them."""
    return [[step, store.blobs.put_picture(png(step), "png")] for step in range(count)]


def shown(request: Request) -> list[str]:
    """SHA-256 of each picture of a request."""
    return [hashlib.sha256(_bytes(url)).hexdigest() for url in request.pictures]


def _bytes(url: str) -> bytes:
    head, _, data = url.partition(",")
    assert head == "data:image/png;base64"
    return base64.b64decode(data)


@contextmanager
def webjudge(grade: Callable[[str], str], verdict: str = "success") -> Iterator[Endpoint]:
    """An endpoint that lists key points, grades each picture by its SHA-256, and gives the verdict."""

    def answer(request: Request) -> Answer:
        if GRADED in request.prompt:
            return said(f"I see\nsomething.\nVERDICT: {grade(shown(request)[0])}")
        if request.pictures or "Its key points:" in request.prompt:
            return said(f"Both points are met.\nVERDICT: {verdict}")
        return said(f"**Key Points**:\n{KEY_POINTS}\n")

    with running_endpoint() as endpoint:
        endpoint.answers = answer
        yield endpoint
