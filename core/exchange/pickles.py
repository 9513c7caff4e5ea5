"""Pickles read as data: nothing is imported, called or built; what a pickle would call is only named.

A pickle is a program for a stack machine. Python's loader runs it, and with it whatever it calls. Here
`pickletools` of the standard library takes it apart into instructions, and a global is a `Named`, and calling
it gives a `Record` of the call. Plain values come out as they are. Source: the instruction set of protocols
0 to 5 (PEP 307, 3154, 574).
"""

from __future__ import annotations

from codecs import escape_decode
from collections.abc import Callable, Iterator
from io import BytesIO
from pickletools import OpcodeInfo, opcodes, read_stringnl
from typing import Any

from webbench.core.errors import BadData
from webbench.core.text.plain_text import plain_clip
from webbench.core.text.plural import counted

MOST_INSTRUCTIONS = 50_000_000
LONGEST_NUMBER = 1024
"""Bytes of a whole number."""
LONGEST_NAME = 1024
"""Characters of a module with a name in it."""
MOST_PLAIN, LARGEST_PLAIN = 5_000, 2**53
"""Values that are taken as JSON at most, and the number that JSON can hold exactly."""
MOST_WORK = 1_000_000
"""Values that are looked at beyond those that an instruction brings along."""
MOST_VALUES, MOST_DEPTH, LONGEST_TEXT = 100, 4, 200
"""How much is written of what is no plain value: values, levels, characters of each."""
LONGEST_REASON = 200
"""Characters of what is wrong; `pickletools` repeats the data."""

_INSTRUCTIONS = {one.code.encode("latin-1"): one for one in opcodes}
_MARK = object()
_BROKEN = (IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError)


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


def plain(value: Any, depth: int = 8, left: list[int] | None = None) -> Any:
    """The JSON value of a value, with a record as the object of its fields; None for what is none."""
    left = [MOST_PLAIN] if left is None else left
    left[0] -= 1
    if left[0] < 0 or depth == 0:
        return None
    if isinstance(value, Record):
        states = value.state if isinstance(value.state, tuple) else (value.state,)
        value = {
            name: inner
            for one in (*states, value.items)
            if isinstance(one, dict)
            for name, inner in one.items()
        }
    if isinstance(value, dict):
        return {name: plain(inner, depth - 1, left) for name, inner in value.items() if isinstance(name, str)}
    if isinstance(value, list | tuple):
        return [plain(inner, depth - 1, left) for inner in value]
    if isinstance(value, bool | str) or value is None:
        return value
    return value if isinstance(value, int | float) and abs(value) < LARGEST_PLAIN else None


def written(value: Any) -> str:
    """A text as it is, nothing as "", of anything else the beginning.

    A few bytes can hold tuples of tuples that take for ever to write out: the memo gives one many times.
    """
    if value is None or isinstance(value, str):
        return value or ""
    return _described(value, [MOST_VALUES], MOST_DEPTH)


def _described(value: Any, left: list[int], depth: int) -> str:
    left[0] -= 1
    if isinstance(value, str | bytes):
        return repr(value[:LONGEST_TEXT])
    if not isinstance(value, tuple | list):
        return repr(value) if _hashable(value) or isinstance(value, Named | Record) else "{…}"
    parts: list[str] = []
    for one in value:
        if depth == 0 or left[0] <= 0:
            parts.append("…")
            break
        parts.append(_described(one, left, depth - 1))
    return f"({', '.join(parts)})" if isinstance(value, tuple) else f"[{', '.join(parts)}]"


def read_inert(data: bytes, where: str, tell: Callable[[str], object] = lambda _: None) -> Any:
    """The value that a pickle describes, with `Record` and `Named` for everything that isn't plain.

    A text of Python 2 is bytes without a name for their encoding: it is read as UTF-8 where it is that, else
    as Latin-1, in which every byte is a character.

    Args:
        tell: given a sentence on how many texts were read as Latin-1, where there are any.

    Raises `BadData`, which names `where`, for anything that is no whole pickle, for persistent ids,
    extension codes and out-of-band buffers.
    """
    machine = _Machine()
    try:
        found = machine.run(data)
    except _BROKEN as error:
        reason = plain_clip(str(error), LONGEST_REASON)
        raise BadData(f"{where} is no pickle that can be read, at byte {machine.at}: {reason}") from error
    except BadData as error:
        raise BadData(f"{where}: {error.message}, at byte {machine.at}") from error
    if machine.latin:
        tell(f"{where}: {counted(machine.latin, 'text')} of Python 2 read as Latin-1, being no UTF-8")
    return found


def _instructions(data: bytes) -> Iterator[tuple[OpcodeInfo, Any, int]]:
    """Each with its argument and its place; a STRING with its bytes, which `genops` takes for ASCII alone."""
    stream = BytesIO(data)
    try:
        while True:
            at = stream.tell()
            code = stream.read(1)
            instruction = _INSTRUCTIONS.get(code)
            if instruction is None:
                raise ValueError(
                    f"the byte {code!r} is no instruction" if code else "it ends before its STOP"
                )
            if instruction.name == "STRING":
                yield instruction, _quoted(stream), at
            else:
                yield instruction, instruction.arg and instruction.arg.reader(stream), at
            if instruction.name == "STOP":
                return
    except ValueError as error:
        too_long = "integer string conversion" in str(error)
        reason = "a number is too long" if too_long else f"it is cut off or broken: {error}"
        raise ValueError(reason) from error


def _quoted(stream: BytesIO) -> bytes:
    """What stands between the quotation marks of a STRING, its escapes undone."""
    written_out = read_stringnl(stream, decode=False)
    assert isinstance(written_out, bytes)  # as it isn't decoded
    return escape_decode(written_out)[0]


class _Machine:
    """The stack and the memo of the loader. Each method takes the argument of its instruction."""

    def __init__(self) -> None:
        self.at = 0
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.work = 0
        self.latin = 0
        """Texts of Python 2 that are no UTF-8."""

    def run(self, data: bytes) -> Any:
        effects = _EFFECTS
        for count, (instruction, argument, self.at) in enumerate(_instructions(data)):
            if count >= MOST_INSTRUCTIONS:
                raise ValueError(f"more than {MOST_INSTRUCTIONS} instructions")
            effects[instruction.name](self, argument)
        return self.stack.pop()

    # -- the stack ---------------------------------------------------------------------------------

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def push_number(self, value: int) -> None:
        if value.bit_length() > 8 * LONGEST_NUMBER:
            raise ValueError("a number is too long")
        self.stack.append(value)

    def push_text_of_python_2(self, text: bytes | str) -> None:
        """Bytes, or the characters of the same numbers."""
        data = text.encode("latin-1") if isinstance(text, str) else text
        try:
            self.stack.append(data.decode())
        except UnicodeDecodeError:
            self.latin += 1
            self.stack.append(data.decode("latin-1"))

    def popped(self, count: int) -> tuple[Any, ...]:
        values = tuple(self.stack[-count:])
        if len(values) < count:
            raise IndexError("the stack is empty")
        del self.stack[-count:]
        return values

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

    def remember(self, key: int | None) -> None:
        self.memo[len(self.memo) if key is None else key] = self.stack[-1]

    # -- building ----------------------------------------------------------------------------------

    def add_items(self, pairs: list[Any]) -> None:
        holder = self.stack[-1]
        items = holder.items if isinstance(holder, Record) else holder
        if not isinstance(items, dict):
            raise TypeError("items are put into something that is no dict")
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            items[self.key(key)] = value

    def add_elements(self, values: list[Any]) -> None:
        holder = self.stack[-1]
        elements = holder.elements if isinstance(holder, Record) else holder
        if not isinstance(elements, list):
            raise TypeError("elements are put into something that is no list")
        elements.extend(values)

    def make_dict(self, _: Any) -> None:
        pairs = self.since_mark()
        self.push({})
        self.add_items(pairs)

    def key(self, key: Any) -> Any:
        """A plain value, or the beginning of how another one is written."""
        if _hashable(key):
            return key
        left = [MOST_VALUES]
        beginning = _described(key, left, MOST_DEPTH)
        self.spend(MOST_VALUES - left[0])
        return beginning

    def spend(self, work: int) -> None:
        self.work += work
        if self.work > MOST_WORK:
            raise ValueError("its values are nested in each other too often")

    # -- what the loader would import and call -----------------------------------------------------

    def name(self, module: Any, name: Any) -> None:
        if not isinstance(module, str) or not isinstance(name, str):
            raise TypeError("what is imported has no name")
        if len(module) + len(name) > LONGEST_NAME:
            raise ValueError("a name is too long")
        self.push(Named(f"{module}.{name}"))

    def call(self, made: Any, *arguments: Any) -> None:
        """`arguments`: those of the call as one value, and keyword arguments behind them."""
        named = isinstance(made, Named | Record)
        record = Record(made.name if named else f"a {type(made).__name__}", arguments[0])
        for keywords in arguments[1:]:
            if isinstance(keywords, dict):
                self.spend(len(keywords))
                record.items.update(keywords)
        self.push(record)

    def call_named(self, pair: str) -> None:
        """INST: a name, and the arguments behind the last mark."""
        arguments = tuple(self.since_mark())
        self.name(*pair.split(" ", 1))
        self.call(self.stack.pop(), arguments)

    def call_marked(self, _: Any) -> None:
        """OBJ: a class and its arguments behind the last mark."""
        made, *arguments = self.since_mark()
        self.call(made, tuple(arguments))

    def build(self, _: Any) -> None:
        (state,) = self.popped(1)
        holder = self.stack[-1]
        if not isinstance(holder, Record):
            raise TypeError("a state is given to something that has none")
        holder.state = state


def _hashable(key: Any) -> bool:
    return isinstance(key, str | int | float | bool | bytes | None)


def _refusing(what: str) -> Callable[[_Machine, Any], None]:
    def refuse(_: _Machine, __: Any) -> None:
        raise BadData(f"{what} can't be read without running the pickle")

    return refuse


_EFFECTS: dict[str, Callable[[_Machine, Any], object]] = {
    **dict.fromkeys(("PROTO", "FRAME", "STOP"), lambda _, __: None),
    "MARK": lambda m, _: m.push(_MARK),
    "POP": lambda m, _: m.popped(1),
    "POP_MARK": lambda m, _: m.since_mark(),
    "DUP": lambda m, _: m.push(m.stack[-1]),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"), _Machine.remember),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), lambda m, key: m.push(m.memo[key])),
    "NONE": lambda m, _: m.push(None),
    "NEWTRUE": lambda m, _: m.push(True),
    "NEWFALSE": lambda m, _: m.push(False),
    **dict.fromkeys(("BININT", "BININT1", "BININT2", "FLOAT", "BINFLOAT"), _Machine.push),
    **dict.fromkeys(("INT", "LONG", "LONG1", "LONG4"), _Machine.push_number),
    **dict.fromkeys(("STRING", "BINSTRING", "SHORT_BINSTRING"), _Machine.push_text_of_python_2),
    **dict.fromkeys(("UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"), _Machine.push),
    **dict.fromkeys(("SHORT_BINBYTES", "BINBYTES", "BINBYTES8"), _Machine.push),
    "BYTEARRAY8": lambda m, data: m.push(bytes(data)),
    "EMPTY_LIST": lambda m, _: m.push([]),
    "EMPTY_DICT": lambda m, _: m.push({}),
    "EMPTY_TUPLE": lambda m, _: m.push(()),
    "EMPTY_SET": lambda m, _: m.push(Record("builtins.set", ())),
    "LIST": lambda m, _: m.push(m.since_mark()),
    **dict.fromkeys(("TUPLE", "FROZENSET"), lambda m, _: m.push(tuple(m.since_mark()))),
    "TUPLE1": lambda m, _: m.push(m.popped(1)),
    "TUPLE2": lambda m, _: m.push(m.popped(2)),
    "TUPLE3": lambda m, _: m.push(m.popped(3)),
    "DICT": _Machine.make_dict,
    "APPEND": lambda m, _: m.add_elements(list(m.popped(1))),
    **dict.fromkeys(("APPENDS", "ADDITEMS"), lambda m, _: m.add_elements(m.since_mark())),
    "SETITEM": lambda m, _: m.add_items(list(m.popped(2))),
    "SETITEMS": lambda m, _: m.add_items(m.since_mark()),
    "GLOBAL": lambda m, pair: m.name(*pair.split(" ", 1)),
    "STACK_GLOBAL": lambda m, _: m.name(*m.popped(2)),
    **dict.fromkeys(("REDUCE", "NEWOBJ"), lambda m, _: m.call(*m.popped(2))),
    "NEWOBJ_EX": lambda m, _: m.call(*m.popped(3)),
    "INST": _Machine.call_named,
    "OBJ": _Machine.call_marked,
    "BUILD": _Machine.build,
    **dict.fromkeys(("PERSID", "BINPERSID"), _refusing("a persistent id")),
    **dict.fromkeys(("EXT1", "EXT2", "EXT4"), _refusing("an extension code")),
    **dict.fromkeys(("NEXT_BUFFER", "READONLY_BUFFER"), _refusing("an out-of-band buffer")),
}
"""What each instruction of `pickletools` does, by its name."""
