"""Written TOML: values and keys, and one value of a file set or taken away while all else stays."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from webbench.core.text import toml_decoding

_KEY = re.compile(r"""\s*(?:(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)[ \t]*\.?[ \t]*)+(?==)""")


class CannotEdit(ValueError):
    """The value stands where it can't be changed alone, such as within an inline table."""


class _Statement(NamedTuple):
    """Lines from `start` up to `end`: the heading of a table, or a key with its value; `name` is dotted."""

    start: int
    end: int
    name: str
    is_heading: bool


def toml_value(value: object) -> str:
    """Texts, numbers, truth values and lists of these. JSON's are TOML's, but DEL has to be an escape."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """A key as it stands before its value: quoted where it has to be."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


def with_value(text: str, group: str, key: str, value: object) -> str:
    """The text with `key` of the table `group` ("" for none) set. Comments stay where they are.

    Raises ValueError for a text that is no TOML, `CannotEdit`.
    """
    before = dict(flat(toml_decoding.decode(text.encode())))
    name = f"{group}.{key}" if group else key
    lines, statements = _lines(text), list(_statements(text))
    held = next((one for one in statements if one.name == name and not one.is_heading), None)
    if held is not None:
        written = ["".join([*lines[: held.start], *_renewed(lines, held, value), *lines[held.end :]])]
    else:
        written = list(_with_new(lines, statements, group, key, value))
    return _checked(written, before | {name: value}, name)


def without_value(text: str, name: str) -> str:
    """The text without a key by its dotted name; the same text where it has none.

    Raises ValueError for a text that is no TOML, `CannotEdit`.
    """
    before = dict(flat(toml_decoding.decode(text.encode())))
    if name not in before:
        return text
    lines = _lines(text)
    held = next((one for one in _statements(text) if one.name == name and not one.is_heading), None)
    written = [] if held is None else ["".join([*lines[: held.start], *lines[held.end :]])]
    return _checked(written, {one: value for one, value in before.items() if one != name}, name)


def flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every value by its dotted name."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _lines(text: str) -> list[str]:
    """With their ends; the last one gets one."""
    found = re.findall(r"[^\n]*\n|[^\n]+", text)
    if found and not found[-1].endswith("\n"):
        found[-1] += "\n"
    return found


def _statements(text: str) -> Iterator[_Statement]:
    """A statement ends with the first line up to which it is TOML."""
    lines, table, at = _lines(text), "", 0
    while at < len(lines):
        bare = lines[at].strip()
        if not bare or bare.startswith("#"):
            at += 1
            continue
        end = next(end for end in range(at + 1, len(lines) + 1) if _parsed(lines[at:end]) is not None)
        name = _name(_parsed(lines[at:end]))
        if bare.startswith("["):
            table = f"{name}." if name else ""
            yield _Statement(at, end, name, is_heading=True)
        else:
            yield _Statement(at, end, table + name, is_heading=False)
        at = end


def _parsed(lines: list[str]) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads("".join(lines))
    except tomllib.TOMLDecodeError:
        return None


def _name(parsed: Any) -> str:
    """The dotted name of what one statement sets; an inline table of one key reads as a dotted name."""
    parts = []
    while isinstance(parsed, dict) and len(parsed) == 1:
        ((key, parsed),) = parsed.items()
        parts.append(key)
    return ".".join(parts)


def _renewed(lines: list[str], held: _Statement, value: object) -> Iterator[str]:
    """The statement with another value: a comment on its line stays there, those within it come before it."""
    text = "".join(lines[held.start : held.end])
    key = _KEY.match(text)
    if key is None:
        return
    comments = [found[1] for found in toml_decoding.OPAQUE.finditer(text) if found[1]]
    one_line = held.end - held.start == 1
    if not one_line:
        yield from (f"{comment.rstrip()}\n" for comment in comments)
    behind = f"  {comments[-1].rstrip()}" if comments and one_line else ""
    yield f"{key[0].rstrip()} = {toml_value(value)}{behind}\n"


def _with_new(
    lines: list[str], statements: list[_Statement], group: str, key: str, value: object
) -> Iterator[str]:
    """Ways to write a key that isn't there: in its table, as a table of its own, before all tables."""
    line = f"{toml_key(key)} = {toml_value(value)}\n"
    headings = [one for one in statements if one.is_heading]
    first = headings[0].start if headings else len(lines)
    held = next((at for at, one in enumerate(statements) if one.is_heading and one.name == group), None)
    if group and held is not None:
        within = [statements[held]]
        for one in statements[held + 1 :]:
            if one.is_heading:
                break
            within.append(one)
        yield "".join([*lines[: within[-1].end], line, *lines[within[-1].end :]])
    if group:
        yield "".join([*lines, *(["\n"] if lines else []), f"[{group}]\n", line])
        line = f"{group}.{line}"
    top = [one.end for one in statements if one.start < first]
    while not top and first and lines[first - 1].startswith("#"):
        first -= 1
    at = top[-1] if top else first
    yield "".join([*lines[:at], line, *(["\n"] if not top and at < len(lines) else []), *lines[at:]])


def _checked(ways: list[str], wanted: Mapping[str, object], name: str) -> str:
    """The first way that says what is wanted and nothing else."""
    for text in ways:
        try:
            if dict(flat(toml_decoding.decode(text.encode()))) == wanted:
                return text
        except ValueError:
            continue
    raise CannotEdit(f"{name} can't be changed there by itself")
