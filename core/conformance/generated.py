"""Actions, texts and damaged data, drawn by a seed: what the rules are tried with."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any, cast, get_args

import msgspec
from msgspec import inspect

from webbench.core.action.action import Action
from webbench.core.json_types import Json

ACTIONS: tuple[type, ...] = get_args(Action)
TEXTS = (
    "",
    "mugs",
    "two words",
    'it\'s "so"',
    "a|b",
    "[0]",
    "] [1",
    "line\nline",
    "é ß 猫",
    "```",
    "1e5",
    "\\n",
)
SIGNS = "ab[]()'\"\\,=01 \n\t{}`;:\x00é\ud800"
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 0.5, 1e300, 10**30),
    *("", "x", "x" * 5000, "\x1b[2J\n", "../../x", "\ud83d"),
    *([], [[]], [None, {}], {}, {"x": [1]}),
)
"""Values that no field of data has all of."""
DEEPEST = 6


def any_action(kind: type, chance: random.Random) -> Action:
    """An action of this kind, its fields drawn."""
    return cast("Action", msgspec.convert(_value(inspect.type_info(kind), chance, 0), kind))


def _value(kind: inspect.Type, chance: random.Random, depth: int) -> Any:
    match kind:
        case inspect.StructType():
            if kind.array_like:
                return [_value(one.type, chance, depth + 1) for one in kind.fields]
            fields = [one for one in kind.fields if one.required or chance.random() < 0.5]
            made = {one.encode_name: _value(one.type, chance, depth + 1) for one in fields}
            return made | ({kind.tag_field: kind.tag} if kind.tag_field else {})
        case inspect.UnionType():
            types = [one for one in kind.types if depth < DEEPEST or isinstance(one, inspect.NoneType)]
            return _value(chance.choice(types or list(kind.types)), chance, depth)
        case inspect.LiteralType():
            return chance.choice(kind.values)
        case inspect.TupleType():
            return [_value(one, chance, depth + 1) for one in kind.item_types]
        case inspect.VarTupleType() | inspect.ListType():
            return [_value(kind.item_type, chance, depth + 1) for _ in range(chance.randrange(3))]
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.IntType():
            return chance.choice((0, 1, 3, 12, 345, 50_000))
        case inspect.FloatType():
            return chance.choice((0.0, 1.0, -1.0, 12.5, 320.0, -45.25, 4000.0))
        case inspect.NoneType():
            return None
    return chance.choice(TEXTS)


def any_text(chance: random.Random) -> str:
    """A text that may be anything."""
    return "".join(chance.choice(SIGNS) for _ in range(chance.randrange(40)))


def damaged_text(text: str, chance: random.Random) -> str:
    """The text with a piece cut out, and something put in its place."""
    at = chance.randrange(len(text) + 1)
    put = "".join(chance.choice(SIGNS) for _ in range(chance.randrange(4)))
    return text[:at] + put + text[at + chance.randrange(5) :]


def damaged_bytes(data: bytes, chance: random.Random) -> bytes:
    """Data that is cut off, or has wrong bytes in it."""
    if chance.random() < 0.4:
        return data[: chance.randrange(len(data) + 1)]
    wrong = bytearray(data)
    for _ in range(min(len(wrong), 5)):
        wrong[chance.randrange(len(wrong))] = chance.randrange(256)
    return bytes(wrong)


def places_in(value: Json, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of a value and of everything in it, from the outside in."""
    yield at
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield from places_in(one, (*at, name))


def replaced(value: Json, at: tuple[Any, ...], new: Json) -> Json:
    """The same with another value at a place."""
    if not at:
        return new
    changed: Any = copy.deepcopy(value)
    holder = changed
    for step in at[:-1]:
        holder = holder[step]
    holder[at[-1]] = new
    return cast("Json", changed)


def damaged_value(value: Json, chance: random.Random) -> Json:
    """The same with something at one place that doesn't belong there."""
    places = [place for place in places_in(value) if place]
    return replaced(value, chance.choice(places), chance.choice(ODD)) if places else chance.choice(ODD)
