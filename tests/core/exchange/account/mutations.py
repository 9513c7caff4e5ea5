"""Mutations: ways to take away or change one thing of a file that is to be imported, as data.

Each takes the file's bytes and a source of chance, and gives other bytes; None where it doesn't apply. What
changes a value puts `MARK` in its place, so that it can be told whether the change came through.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

MARK = "zzmarkzz"
Mutation = Callable[[bytes, random.Random], bytes | None]


def _places(value: Any, holder: Any = None, key: Any = None) -> Iterator[tuple[Any, Any, Any]]:
    """Every value of a JSON value with what holds it."""
    if holder is not None:
        yield holder, key, value
    for inner, one in value.items() if isinstance(value, dict) else ():
        yield from _places(one, value, inner)
    for number, one in enumerate(value) if isinstance(value, list) else ():
        yield from _places(one, value, number)


def documents(data: bytes) -> tuple[list[Any], bool] | None:
    """The JSON values of a file, and whether it holds lines; None where it is no JSON."""
    plain = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    try:
        return [json.loads(plain)], False
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in plain.splitlines() if line.strip()], True
    except ValueError:
        return None


def _changed(kind: Callable[[Any], bool], change: Callable[[Any, Any, Any], None], **dump: Any) -> Mutation:
    """A mutation of one value of a kind, wherever in the file it stands."""

    def mutate(data: bytes, chance: random.Random) -> bytes | None:
        read = documents(data)
        if read is None:
            return None
        whole, lines = copy.deepcopy(read[0]), read[1]
        places = [one for document in whole for one in _places(document) if kind(one[2])]
        if not places:
            return None
        change(*chance.choice(places))
        if lines:
            return "\n".join(json.dumps(one, **dump) for one in whole).encode()
        return json.dumps(whole[0], **dump).encode()

    return mutate


def _put(value: Any) -> Callable[[Any, Any, Any], None]:
    def change(holder: Any, key: Any, _: Any) -> None:
        holder[key] = value

    return change


def _as(build: Callable[[Any], Any]) -> Callable[[Any, Any, Any], None]:
    def change(holder: Any, key: Any, value: Any) -> None:
        holder[key] = build(value)

    return change


def _drop(holder: Any, key: Any, _: Any) -> None:
    del holder[key]


def _rename(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, dict):
        holder[f"{key}_zz"] = holder.pop(key)


def _add(holder: Any, key: Any, value: Any) -> None:
    value["zz_unknown"] = MARK


def _double(_: Any, __: Any, value: Any) -> None:
    value.insert(1, copy.deepcopy(value[0]))


def _swap(_: Any, __: Any, value: Any) -> None:
    value[0], value[1] = value[1], value[0]


def _cut_item(_: Any, __: Any, value: Any) -> None:
    del value[len(value) // 2]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1


def _is_full(value: Any) -> bool:
    return value not in (None, "", [], {})


def _nested(depth: int) -> Any:
    value: Any = MARK
    for _ in range(depth):
        value = [value]
    return value


def _number_as(text: str) -> Mutation:
    """A number in the text of the file, which no JSON writer would write."""
    marked = _changed(_is_number, _put("@number@"))

    def mutate(data: bytes, chance: random.Random) -> bytes | None:
        found = marked(data, chance)
        return found.replace(b'"@number@"', text.encode(), 1) if found is not None else None

    return mutate


def _resaved(**dump: Any) -> Mutation:
    def mutate(data: bytes, _: random.Random) -> bytes | None:
        read = documents(data)
        if read is None:
            return None
        return "\n".join(json.dumps(one, **({} if read[1] else dump)) for one in read[0]).encode()

    return mutate


def _line(change: Callable[[list[bytes]], list[bytes]]) -> Mutation:
    def mutate(data: bytes, _: random.Random) -> bytes | None:
        lines = data.splitlines(keepends=True)
        return b"".join(change(lines)) if len(lines) > 3 and data[:1] not in (b"[", b"{", b"\x1f") else None

    return mutate


def _in_utf16(data: bytes) -> bytes | None:
    try:
        return data.decode().encode("utf-16")
    except UnicodeDecodeError:
        return None


MUTATIONS: dict[str, Mutation] = {
    "a value is missing": _changed(_is_full, _drop),
    "a text is missing": _changed(_is_text, _drop),
    "a number is missing": _changed(_is_number, _drop),
    "an item in the middle is missing": _changed(_is_list, _cut_item),
    "an item is there twice": _changed(_is_list, _double),
    "two items are exchanged": _changed(_is_list, _swap),
    "a key has another name": _changed(_is_full, _rename),
    "a key is added": _changed(lambda value: isinstance(value, dict), _add),
    "a text is another": _changed(_is_text, _put(MARK)),
    "a text is a number": _changed(_is_text, _put(90210)),
    "a text is a list": _changed(_is_text, _put([MARK])),
    "a text is an object": _changed(_is_text, _put({"zz": MARK})),
    "a text is empty": _changed(_is_text, _put("")),
    "a text is null": _changed(_is_text, _put(None)),
    "a text has half a character": _changed(_is_text, _as(lambda value: value + "\ud83d")),
    "a text has control characters": _changed(_is_text, _as(lambda value: value + "\x1b[2J\x00")),
    "a number is a text": _changed(_is_number, _as(str)),
    "a number is far too large": _changed(_is_number, _put(9999)),
    "a number is negative": _changed(_is_number, _put(-1)),
    "a truth is a text": _changed(lambda value: isinstance(value, bool), _as(str)),
    "a truth is turned": _changed(lambda value: isinstance(value, bool), _as(lambda value: not value)),
    "a list is an object": _changed(_is_list, _put({"zz": MARK})),
    "a list is empty": _changed(_is_list, _put([])),
    "an item is a text": _changed(_is_list, lambda _, __, value: value.__setitem__(0, MARK)),
    "an item is null": _changed(_is_list, lambda _, __, value: value.__setitem__(0, None)),
    "an object is a text": _changed(lambda value: isinstance(value, dict) and bool(value), _put(MARK)),
    "a value is nested deeply": _changed(_is_text, _put(_nested(100))),
    "NaN": _number_as("NaN"),
    "minus infinity": _number_as("-Infinity"),
    "1e400": _number_as("1e400"),
    "10^400": _number_as("1" + "0" * 400),
    "re-saved with default spaces": _resaved(),
    "re-saved with line breaks": _resaved(indent=1),
    "re-saved with sorted keys": _resaved(sort_keys=True),
    "cut off in the middle": lambda data, _: data[: len(data) // 2],
    "cut off near the end": lambda data, _: data[:-20],
    "UTF-16": lambda data, _: _in_utf16(data),
    "a byte-order mark": lambda data, _: b"\xef\xbb\xbf" + data if data[:2] != b"\x1f\x8b" else None,
    "bytes of cp1252": lambda data, _: data.replace(b"e", b"\xe9", 3) if data[:2] != b"\x1f\x8b" else None,
    "empty": lambda _, __: b"",
    "packed": lambda data, _: gzip.compress(data, mtime=0),
    "zeros at the end": lambda data, _: data + b"\x00" * 64,
    "a row of rubbish": _line(lambda lines: [*lines[:2], b"zz,zz\n", *lines[2:]]),
    "a row twice": _line(lambda lines: [*lines[:2], *lines[1:]]),
    "a line is missing": _line(lambda lines: [*lines[:2], *lines[3:]]),
    "the last row is torn": _line(lambda lines: [*lines[:-1], lines[-1][: len(lines[-1]) // 2]]),
}
"""By what is wrong with the file then."""
