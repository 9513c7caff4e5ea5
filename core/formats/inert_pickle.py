"""Pickles read as data: nothing is imported, called or built; what a pickle would call is only named.

A pickle is a program for a stack machine. Python's loader runs it, and with it whatever it calls. This one
knows the same instructions, but a global is a `Named`, and calling it gives a `Record` of the call. Plain
values come out as they are. Source: the instruction set of protocols 0 to 5 (PEP 307, 3154, 574).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NoReturn

from webbench.core.errors import BadData
from webbench.core.formats.tree_text import unescaped

MOST_INSTRUCTIONS = 50_000_000
LONGEST_NUMBER = 1024
"""Bytes of a whole number."""

_MARK = object()
_BROKEN = (IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError, struct.error)


class Named:
    """What a pickle wanted to import: "module.name"."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Record:
    """An object that was not built.

    Attributes:
        name: of its class, or of the function that would have made it.
        arguments: it would have been called with.
        state: given to it afterwards, None where there was none.
        items, elements: what was put into it as into a dict or a list.
    """

    __slots__ = ("arguments", "elements", "items", "name", "state")

    def __init__(self, name: str, arguments: Any) -> None:
        self.name = name
        self.arguments = arguments
        self.state: Any = None
        self.items: dict[Any, Any] = {}
        self.elements: list[Any] = []

    def __repr__(self) -> str:
        return f"<record of {self.name}>"

    def field(self, name: str) -> Any:
        """A value by its key or attribute name, None where there is none."""
        if name in self.items:
            return self.items[name]
        states = self.state if isinstance(self.state, tuple) else (self.state,)
        return next((state[name] for state in states if isinstance(state, dict) and name in state), None)


def field(holder: Any, name: str) -> Any:
    """A value out of a dict or a record, None where there is none."""
    if isinstance(holder, dict):
        return holder.get(name)
    return holder.field(name) if isinstance(holder, Record) else None


def read_inert(data: bytes, where: str) -> Any:
    """The value that a pickle describes, with `Record` and `Named` for everything that isn't plain.

    Raises `BadData`, which names `where`, for anything that is no whole pickle, for persistent ids,
    extension codes and out-of-band buffers.
    """
    machine = _Machine(data)
    try:
        return machine.run()
    except _BROKEN as error:
        raise BadData(f"{where} is no pickle that can be read, at byte {machine.at}: {error}") from error
    except BadData as error:
        raise BadData(f"{where}: {error.message}, at byte {machine.at}") from error


class _Machine:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        data, steps = self.data, _STEPS
        for _ in range(MOST_INSTRUCTIONS):
            code = data[self.at]
            self.at += 1
            if code == 0x2E:  # STOP
                return self.stack.pop()
            steps[code](self)
        raise ValueError(f"more than {MOST_INSTRUCTIONS} instructions")

    # -- reading arguments -------------------------------------------------------------------------

    def take(self, count: int) -> bytes:
        end = self.at + count
        if count < 0 or end > len(self.data):
            raise ValueError("it is cut off")
        piece = self.data[self.at : end]
        self.at = end
        return piece

    def number(self, form: str) -> Any:
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return value

    def raw_line(self) -> bytes:
        end = self.data.index(b"\n", self.at)
        piece = self.data[self.at : end]
        self.at = end + 1
        return piece

    def line(self) -> str:
        return self.raw_line().decode("utf-8", "replace")

    # -- the stack -----------------------------------------------------------------------------------

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def since_mark(self) -> list[Any]:
        stack = self.stack
        place = len(stack) - 1
        while stack[place] is not _MARK:
            place -= 1
            if place < 0:
                raise ValueError("there is no mark")
        found = stack[place + 1 :]
        del stack[place:]
        return found

    def remember(self, key: int) -> None:
        self.memo[key] = self.stack[-1]

    # -- building --------------------------------------------------------------------------------------

    def add_items(self, pairs: list[Any]) -> None:
        holder = self.stack[-1]
        items = holder.items if isinstance(holder, Record) else holder
        if not isinstance(items, dict):
            raise TypeError("items are put into something that is no dict")
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            items[key if _hashable(key) else repr(key)] = value

    def add_elements(self, values: list[Any]) -> None:
        holder = self.stack[-1]
        elements = holder.elements if isinstance(holder, Record) else holder
        if not isinstance(elements, list):
            raise TypeError("elements are put into something that is no list")
        elements.extend(values)

    def call(self, made: Any, arguments: Any) -> None:
        self.push(Record(made.name if isinstance(made, Named) else repr(made), arguments))

    def build(self) -> None:
        state = self.stack.pop()
        holder = self.stack[-1]
        if not isinstance(holder, Record):
            raise TypeError("a state is given to something that has none")
        holder.state = state


def _hashable(key: Any) -> bool:
    return isinstance(key, str | int | float | bool | bytes | None)


def _step(action: Callable[[_Machine], object]) -> Callable[[_Machine], None]:
    def run(machine: _Machine) -> None:
        action(machine)

    return run


def _pushing(value: Callable[[_Machine], Any]) -> Callable[[_Machine], None]:
    def run(machine: _Machine) -> None:
        machine.stack.append(value(machine))

    return run


def _refusing(what: str) -> Callable[[_Machine], None]:
    def run(_: _Machine) -> NoReturn:
        raise BadData(f"{what} can't be read without running the pickle")

    return run


def _text(machine: _Machine, form: str) -> str:
    return machine.take(machine.number(form)).decode("utf-8", "surrogatepass")


def _long(machine: _Machine, form: str) -> int:
    size = machine.number(form)
    if size > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return int.from_bytes(machine.take(size), "little", signed=True)


def _decimal(machine: _Machine) -> Any:
    text = machine.line()
    if text in ("00", "01"):
        return text == "01"
    if len(text) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return int(text.removesuffix("L"))


def _popped(count: int) -> Callable[[_Machine], Any]:
    def pop(machine: _Machine) -> Any:
        values = machine.stack[-count:]
        if len(values) < count:
            raise IndexError("the stack is empty")
        del machine.stack[-count:]
        return tuple(values)

    return pop


def _dict(machine: _Machine) -> dict[Any, Any]:
    values = machine.since_mark()
    pairs = zip(values[::2], values[1::2], strict=True)
    return {key if _hashable(key) else repr(key): value for key, value in pairs}


def _set_item(machine: _Machine) -> None:
    machine.add_items(list(_popped(2)(machine)))


def _append(machine: _Machine) -> None:
    machine.add_elements([machine.stack.pop()])


def _add_to_set(machine: _Machine) -> None:
    values = machine.since_mark()
    machine.stack[-1].elements.extend(values)


def _global(machine: _Machine) -> Named:
    module, name = machine.line(), machine.line()
    return Named(f"{module}.{name}")


def _stack_global(machine: _Machine) -> Named:
    module, name = _popped(2)(machine)
    return Named(f"{module}.{name}")


def _reduce(machine: _Machine) -> None:
    made, arguments = _popped(2)(machine)
    machine.call(made, arguments)


def _new_with_keywords(machine: _Machine) -> None:
    made, arguments, keywords = _popped(3)(machine)
    machine.call(made, arguments)
    if isinstance(keywords, dict):
        machine.stack[-1].items.update(keywords)


def _instance(machine: _Machine) -> None:
    made = _global(machine)
    machine.call(made, tuple(machine.since_mark()))


def _object(machine: _Machine) -> None:
    made, *arguments = machine.since_mark()
    machine.call(made, tuple(arguments))


def _unknown(_: _Machine) -> None:
    raise ValueError("there is no such instruction")


_INSTRUCTIONS: dict[bytes, Callable[[_Machine], None]] = {
    b"\x80": _step(lambda m: m.take(1)),
    b"\x95": _step(lambda m: m.take(8)),
    b"(": _pushing(lambda _: _MARK),
    b"0": _step(lambda m: m.stack.pop()),
    b"1": _step(lambda m: m.since_mark()),
    b"2": _pushing(lambda m: m.stack[-1]),
    b"N": _pushing(lambda _: None),
    b"\x88": _pushing(lambda _: True),
    b"\x89": _pushing(lambda _: False),
    b"I": _pushing(_decimal),
    b"L": _pushing(_decimal),
    b"J": _pushing(lambda m: m.number("<i")),
    b"K": _pushing(lambda m: m.number("<B")),
    b"M": _pushing(lambda m: m.number("<H")),
    b"\x8a": _pushing(lambda m: _long(m, "<B")),
    b"\x8b": _pushing(lambda m: _long(m, "<i")),
    b"F": _pushing(lambda m: float(m.line())),
    b"G": _pushing(lambda m: m.number(">d")),
    b"S": _pushing(lambda m: unescaped(m.line()[1:-1])),
    b"T": _pushing(lambda m: m.take(m.number("<i")).decode("utf-8", "replace")),
    b"U": _pushing(lambda m: m.take(m.number("<B")).decode("utf-8", "replace")),
    b"V": _pushing(lambda m: m.raw_line().decode("raw_unicode_escape", "replace")),
    b"X": _pushing(lambda m: _text(m, "<I")),
    b"\x8c": _pushing(lambda m: _text(m, "<B")),
    b"\x8d": _pushing(lambda m: _text(m, "<Q")),
    b"B": _pushing(lambda m: m.take(m.number("<I"))),
    b"C": _pushing(lambda m: m.take(m.number("<B"))),
    b"\x8e": _pushing(lambda m: m.take(m.number("<Q"))),
    b"\x96": _pushing(lambda m: m.take(m.number("<Q"))),
    b"]": _pushing(lambda _: []),
    b"}": _pushing(lambda _: {}),
    b")": _pushing(lambda _: ()),
    b"\x8f": _pushing(lambda _: Record("builtins.set", ())),
    b"l": _pushing(lambda m: m.since_mark()),
    b"t": _pushing(lambda m: tuple(m.since_mark())),
    b"d": _pushing(_dict),
    b"\x91": _pushing(lambda m: tuple(m.since_mark())),
    b"\x85": _pushing(_popped(1)),
    b"\x86": _pushing(_popped(2)),
    b"\x87": _pushing(_popped(3)),
    b"a": _append,
    b"e": _step(lambda m: m.add_elements(m.since_mark())),
    b"s": _set_item,
    b"u": _step(lambda m: m.add_items(m.since_mark())),
    b"\x90": _add_to_set,
    b"p": _step(lambda m: m.remember(int(m.line()))),
    b"q": _step(lambda m: m.remember(m.number("<B"))),
    b"r": _step(lambda m: m.remember(m.number("<I"))),
    b"\x94": _step(lambda m: m.remember(len(m.memo))),
    b"g": _pushing(lambda m: m.memo[int(m.line())]),
    b"h": _pushing(lambda m: m.memo[m.number("<B")]),
    b"j": _pushing(lambda m: m.memo[m.number("<I")]),
    b"c": _pushing(_global),
    b"\x93": _pushing(_stack_global),
    b"R": _reduce,
    b"\x81": _reduce,
    b"\x92": _new_with_keywords,
    b"i": _instance,
    b"o": _object,
    b"b": _step(lambda m: m.build()),
    b"P": _refusing("a persistent id"),
    b"Q": _refusing("a persistent id"),
    b"\x82": _refusing("an extension code"),
    b"\x83": _refusing("an extension code"),
    b"\x84": _refusing("an extension code"),
    b"\x97": _refusing("an out-of-band buffer"),
    b"\x98": _refusing("an out-of-band buffer"),
}
_STEPS = [_INSTRUCTIONS.get(bytes([code]), _unknown) for code in range(256)]
