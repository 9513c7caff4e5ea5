"""The objects of a JSON list, one after the other, so that a long list costs no more memory than one object.

A list that is cut off gives what it holds before the cut. Only where objects end is found here; they are
decoded by `bounded_json`, as any other JSON of strangers is.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator

from webbench.core.errors import BadData
from webbench.core.exchange.place import MOST_VALUES, Place, values_in
from webbench.core.json_types import JsonObject
from webbench.core.text import bounded_json

LARGEST_OBJECT = 64 * 1024 * 1024
"""Characters of one object."""
_READ_AT_ONCE = 4 * 1024 * 1024
_SMALLEST_MOVE = 1 << 16
_NEAR_THE_END = 16
_SCANNER = json.JSONDecoder()
_BETWEEN = re.compile(r"[\s,]*")


def objects(place: Place) -> Iterator[JsonObject]:
    """The objects of the list that a file holds, in order.

    Raises `BadData` where it holds no list of objects, and where it can't be read any further; what was
    given before stays good.
    """
    if place.size <= _READ_AT_ONCE:
        whole = _whole(place)
        if whole is not None:
            yield from whole
            return
    window = _Window(place)
    if not window.skip("["):
        raise BadData(f"{place} holds no list of objects")
    while not window.skip("]"):
        yield window.object()


def _whole(place: Place) -> list[JsonObject] | None:
    """The list decoded at once; None where that fails, to be read up to the place of the trouble."""
    try:
        found = bounded_json.decode(place.text(_READ_AT_ONCE))
    except (BadData, ValueError, RecursionError):
        return None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise BadData(f"{place} holds no list of objects")
    return found


class _Window:
    """The part of a file that is looked at, moved on from object to object."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._texts = _texts(place)
        self._text = ""
        self._at = 0
        self._given = 0

    def skip(self, sign: str) -> bool:
        """Go to what is next but blanks and commas; past it, where it is this sign."""
        while True:
            between = _BETWEEN.match(self._text, self._at)
            self._at = between.end() if between else self._at
            if self._at < len(self._text) or not self._more():
                break
        if not self._text.startswith(sign, self._at):
            return False
        self._at += 1
        return True

    def object(self) -> JsonObject:
        """The object that begins here, moved past."""
        if not self._text.startswith("{", self._at):
            broken = self._at < len(self._text)
            raise self._trouble("the list holds something else" if broken else "the list ends in the middle")
        while True:
            try:
                _, end = _SCANNER.raw_decode(self._text, self._at)
                return self._taken(end)
            except json.JSONDecodeError as error:
                told = error.msg
                if not self._is_cut(error):
                    raise self._trouble(f"what follows is no JSON ({told})") from error
            except (ValueError, RecursionError) as error:
                raise self._trouble(f"what follows is no readable JSON ({error})") from error
            if len(self._text) - self._at > LARGEST_OBJECT:
                raise self._trouble(f"an object is larger than {LARGEST_OBJECT // 1024**2} MiB")
            if not self._more():
                if not self._given:
                    return self._taken(len(self._text), cut=True)
                raise self._trouble(f"it is cut off or broken within an object ({told})")

    def _taken(self, end: int, *, cut: bool = False) -> JsonObject:
        found: JsonObject = self._place.json_of(self._text[self._at : end], cut=cut)
        self._at = end
        self._given += 1
        return found

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        """Whether the text ends where more was to come, rather than being wrong."""
        return error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR_THE_END

    def _more(self) -> bool:
        """Read on, twice as far where an object is long, so that a long one is not looked at often."""
        rest = self._text[self._at :]
        wanted = max(_SMALLEST_MOVE, len(rest))
        read: list[str] = []
        for text in self._texts:
            read.append(text)
            wanted -= len(text)
            if wanted <= 0:
                break
        self._text, self._at = "".join([rest, *read]), 0
        if len(self._text) > MOST_VALUES:
            self._place.require_few(values_in(self._text))
        return bool(read)

    def _trouble(self, what: str) -> BadData:
        return BadData(f"{self._place}: {what}, after {self._given} whole objects")


def _texts(place: Place) -> Iterator[str]:
    """The file as text, piece by piece; what is no UTF-8 becomes U+FFFD, which is told."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    for piece in place.pieces():
        text = decoder.decode(piece)
        if text.count("\ufffd") > piece.count(b"\xef\xbf\xbd"):
            place.tell_of_bad_text()
        if text:
            yield text
