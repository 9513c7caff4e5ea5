"""Stored pictures for a judge: found by the names in a question, in a form that every endpoint takes."""

from __future__ import annotations

from webbench.core.models.chat import Picture
from webbench.core.scoring.judges.model import PictureSource
from webbench.core.store.records.pictures import as_png
from webbench.core.store.store import Store


def pictures_of(store: Store) -> PictureSource:
    """Those of a store's episodes: PNG and JPEG as they were kept, WebP as the PNG that it was."""

    def picture(name: str) -> Picture:
        data, encoding = store.blobs.get_picture(name)
        if encoding == "webp":
            return Picture(data=as_png(data, name), format="png")
        return Picture(data=data, format=encoding)

    return picture
