"""What the action languages share: a table of forms, each a verb with its parameters.

A dialect is such a table, a grammar (bracketed verbs or calls) that finds verb and arguments in a
text, and a function that puts an action into the dialect's words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeAlias

import msgspec

from webbench.core.action.action import Action, ElementRef
from webbench.core.text.nearest import nearest_names

Value: TypeAlias = str | int | float | bool | list["Value"] | None
"""An argument as a grammar reads or writes it."""

Kind = Literal[
    "element",  # an id
    "field",  # an HTML name, or an id
    "option",  # which of several fields of that name
    "choice",  # an option of the list named before
    "choices",  # several of them
    "text",
    "files",
    "number",
    "whole",
    "tab",
    "flag",
    "point",  # inside the element before, in percents
    "direction",
    "button",
    "modifiers",
    "keys",
    "url",
    "answer",
]
"""What a parameter means: says how to read it, and what to offer when completing it."""

GREEDY: frozenset[Kind] = frozenset({"text", "choice", "keys", "url"})
SEVERAL: frozenset[Kind] = frozenset({"choices", "files", "modifiers"})
DIRECTIONS = ("up", "down", "left", "right")
BUTTONS = ("left", "right", "middle")
ANSWERS = ("accept", "dismiss")
MODIFIERS = ("Alt", "Control", "Meta", "Shift", "ControlOrMeta")

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_KEY_NAMES = {
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
    "esc": "Escape",
    "del": "Delete",
    "return": "Enter",
    "control": "Control",
    "shift": "Shift",
    "alt": "Alt",
    "meta": "Meta",
    "enter": "Enter",
    "tab": "Tab",
    "space": "Space",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "arrowup": "ArrowUp",
    "arrowdown": "ArrowDown",
    "arrowleft": "ArrowLeft",
    "arrowright": "ArrowRight",
    "backspace": "Backspace",
    "escape": "Escape",
    "delete": "Delete",
    "home": "Home",
    "end": "End",
}


class Unfit(Exception):
    """A text is no action: where reading gave up, why, and the form that was being read."""

    def __init__(self, position: int, reason: str, form: Form | None = None) -> None:
        super().__init__(reason)
        self.position = position
        self.reason = reason
        self.form = form


class Parameter(msgspec.Struct, frozen=True):
    """`default` stands in where the argument is left out; `required` ones can't be.

    `always` ones are written even where the default would do. `read` takes the place of the reader of the
    kind, where a language names things in its own way; it raises ValueError with half a sentence.
    """

    name: str
    kind: Kind
    default: Value = None
    required: bool = True
    always: bool = False
    read: Callable[[Value], object] | None = None


def unsaid(_: Action) -> Sequence[Value] | None:
    """The `say` of a form that is read and never written."""
    return None


class Form(msgspec.Struct, frozen=True):
    """One verb of a dialect.

    Attributes:
        build: gets one converted value per parameter, in order.
        say: the arguments with which the verb says an action, None where it can't. It may be careless
            about details: whoever writes checks that the words read back as the same action.
    """

    verb: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., Action]
    meaning: str
    example: str
    aliases: tuple[str, ...] = ()
    say: Callable[[Action], Sequence[Value] | None] = unsaid


class Argument(msgspec.Struct, frozen=True):
    """An argument in the text: its value, where it starts, and its keyword if it has one."""

    value: Value
    position: int
    keyword: str = ""


def needed(name: str, kind: Kind) -> Parameter:
    return Parameter(name, kind)


def optional(name: str, kind: Kind, default: Value, *, always: bool = False) -> Parameter:
    return Parameter(name, kind, default, required=False, always=always)


class Forms:
    """The forms of a dialect, found by verb or alias, whatever the case.

    `instead` names, for verbs that the language has and we can't do, the verb to use.
    """

    def __init__(self, forms: Iterable[Form], instead: Mapping[str, str] = MappingProxyType({})) -> None:
        self._forms = tuple(forms)
        self._instead = instead
        self._by_verb: dict[str, list[Form]] = {}
        for form in self._forms:
            for verb in (form.verb, *form.aliases):
                self._by_verb.setdefault(verb, []).append(form)

    def __iter__(self) -> Iterator[Form]:
        return iter(self._forms)

    def named(self, verb: str) -> Sequence[Form]:
        """The forms of a verb, those with fewer parameters first; empty for an unknown verb."""
        return self._by_verb.get(verb) or self._by_verb.get(verb.lower()) or ()

    def near(self, verb: str) -> list[Form]:
        """Forms that may have been meant, likeliest first."""
        names = [self._instead[verb]] if verb in self._instead else nearest_names(verb, self._by_verb)
        return [self._by_verb[name][0] for name in names]

    def verbs(self) -> list[str]:
        """Every verb once, in the order of the forms; aliases are left out."""
        return list(dict.fromkeys(form.verb for form in self._forms))


def build(form: Form, arguments: Sequence[Argument], end: int) -> Action:
    """The action that a form makes of its arguments, one per parameter or fewer.

    Raises `Unfit` where an argument is missing, unknown, doubled or of the wrong kind.
    """
    values: dict[str, Argument] = {}
    names = [parameter.name for parameter in form.parameters]
    for index, argument in enumerate(arguments):
        name = argument.keyword or (names[index] if index < len(names) else "")
        if name not in names:
            raise Unfit(argument.position, _surplus(form, argument), form)
        if name in values:
            raise Unfit(argument.position, f'"{name}" is given twice', form)
        values[name] = argument
    converted: list[object] = []
    for parameter in form.parameters:
        given = values.get(parameter.name)
        if given is None and parameter.required:
            raise Unfit(end, f'"{form.verb}" needs {parameter.name}', form)
        value = parameter.default if given is None else given.value
        if given is None and value is None:
            converted.append(None)
            continue
        try:
            converted.append(parameter.read(value) if parameter.read else convert(parameter.kind, value))
        except ValueError as error:
            raise Unfit(given.position if given else end, f"{parameter.name}: {error}", form) from None
    return form.build(*converted)


def _surplus(form: Form, argument: Argument) -> str:
    if argument.keyword:
        return f'"{form.verb}" has no argument named "{argument.keyword[:40]}"'
    count = len(form.parameters)
    return f'"{form.verb}" takes {count or "no"} argument{"" if count == 1 else "s"}'


def convert(kind: Kind, value: Value) -> object:
    """Read a value as its kind says. Raises ValueError with half a sentence."""
    if kind in SEVERAL:
        return _several(kind, value)
    if kind == "point":
        return _point(value)
    if isinstance(value, list):
        raise ValueError("one value is wanted here, not a list")
    return _READERS[kind](value)


def _several(kind: Kind, value: Value) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [] if value is None else [value]
    texts = tuple(_text(item) for item in values)
    if kind == "modifiers":
        for text in texts:
            if text not in MODIFIERS:
                raise ValueError(f"a modifier is one of {', '.join(MODIFIERS)}")
    return texts


def _point(value: Value) -> tuple[float, float]:
    complaint = 'a point of an element is two percents, "at 40% 60%"'
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(complaint)
    x, y = (_number(one) for one in value)
    if not (0 <= x <= 100 and 0 <= y <= 100):
        raise ValueError(f"{complaint}, each from 0 to 100")
    return x, y


def _text(value: Value) -> str:
    if value is None or isinstance(value, list):
        raise ValueError("a text is wanted here")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _element(value: Value) -> ElementRef:
    return ElementRef(id=_whole(value, "an id is a whole number, as in the observation"))


def _field(value: Value) -> ElementRef:
    if isinstance(value, int) and not isinstance(value, bool):
        return ElementRef(id=value)
    name = _text(value)
    if not name:
        raise ValueError("a field has a name")
    return ElementRef(field=name)


def _number(value: Value) -> float:
    if isinstance(value, str) and _NUMBER.fullmatch(value[:400].strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number is wanted here")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("the number is too large")
    return number


def _whole(value: Value, complaint: str = "a whole number is wanted here") -> int:
    if isinstance(value, str) and _WHOLE.fullmatch(value[:40].strip()):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(complaint)
    return value


def _flag(value: Value) -> bool:
    known = {"1": True, "true": True, "0": False, "false": False}
    word = str(value)[:6].strip().lower()
    if word not in known:
        raise ValueError("0 or 1 is wanted here")
    return known[word]


def _one_of(words: Sequence[str]) -> Callable[[Value], str]:
    def read(value: Value) -> str:
        word = str(value)[:20].strip().lower()
        if word not in words:
            raise ValueError(f"one of {', '.join(words)} is wanted here")
        return word

    return read


def _keys(value: Value) -> str:
    chord = _text(value)
    if not chord:
        raise ValueError('a key is wanted here, such as "Enter" or "Control+a"')
    if len(chord) > 200:
        raise ValueError("a chord of keys isn't that long")
    return "+".join(_KEY_NAMES.get(key.strip().lower(), key) for key in chord.split("+"))


_READERS: dict[Kind, Callable[[Value], object]] = {
    "element": _element,
    "field": _field,
    "option": _text,
    "choice": _text,
    "text": _text,
    "url": _text,
    "number": _number,
    "whole": _whole,
    "tab": _whole,
    "flag": _flag,
    "direction": _one_of(DIRECTIONS),
    "button": _one_of(BUTTONS),
    "answer": _one_of(ANSWERS),
    "keys": _keys,
}
