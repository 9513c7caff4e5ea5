"""What the files of a demonstration tell of a page's elements, read when an element is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from webbench.benchmarks.weblinx.pages.elements import Page, PageElements, UnreadablePage
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.benchmarks.weblinx.turns.files import bytes_if_there, json_of, text_of
from webbench.benchmarks.weblinx.turns.state import BOXES, PAGES, boxes_name
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject

_USUAL_IDS = re.compile(f'{ID}="([^"]*)"')
_IDS = re.compile(r"""data-webtasks-id\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_NO_NAME = frozenset("/\0")


def page_of(folder: Path, name: Json) -> Page:
    """A page of the demonstration in `folder`; it has no elements where the files are missing."""
    if not isinstance(name, str) or not name or not _NO_NAME.isdisjoint(name):
        return PageElements()
    # Pyright takes no `cached_property` for the property of a protocol.
    return _PageFiles(str(folder), name)  # pyright: ignore[reportReturnType]


class _PageFiles:
    """A page whose files have a megabyte, and of which most turns want one element or none."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder, self._name = folder, name

    @cached_property
    def boxes(self) -> Mapping[str, JsonObject] | None:
        try:
            return _boxes(f"{self._folder}/{BOXES}/{boxes_name(self._name)}")
        except BadData as error:
            raise UnreadablePage(str(error)) from error

    @cached_property
    def xpaths(self) -> Mapping[str, str]:
        try:
            content = bytes_if_there(f"{self._folder}/{PAGES}/{self._name}")
        except BadData as error:
            raise UnreadablePage(str(error)) from error
        return {} if content is None else page_ids(text_of(content))


def page_ids(html: str) -> dict[str, str]:
    """The ids of elements in a page's HTML. Paths are "", for no score uses them."""
    ids: list[str] = _USUAL_IDS.findall(html)
    if len(ids) == html.count(ID):
        return dict.fromkeys(ids, "")
    return {double or single or bare: "" for double, single, bare in _IDS.findall(html)}


class _Boxes(Mapping[str, JsonObject]):
    """The boxes of a page as its file has them; of thousands one or two are asked for, and only they read."""

    def __init__(self, path: str, texts: Mapping[str, msgspec.Raw]) -> None:
        self._path, self._texts = path, texts

    def __getitem__(self, name: str) -> JsonObject:
        text = self._texts[name]
        try:
            return _FLAT_BOX.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            # Of another shape: with more care.
            return read_boxes(Path(self._path))[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, name: object) -> bool:
        return name in self._texts


_TEXTS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_FLAT_BOX = msgspec.json.Decoder(dict[str, float | int | str | bool | None])


def _boxes(path: str) -> Mapping[str, JsonObject] | None:
    content = bytes_if_there(path)
    if content is None:
        return None
    try:
        return _Boxes(path, _TEXTS.decode(content))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return read_boxes(Path(path))


def read_boxes(path: Path) -> dict[str, JsonObject]:
    """All boxes by id. Raises `BadData`."""
    data = json_of(path)
    if not isinstance(data, dict) or not all(isinstance(box, dict) for box in data.values()):
        raise BadData(f"{path}: boxes are an object of objects")
    return data
