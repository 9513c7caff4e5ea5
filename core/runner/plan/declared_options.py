"""Declared options: a request says of each of its fields how it is asked for, once.

A field of a request struct, or a parameter of a command, is `Annotated[type, Option(...)]`. Flags of the
command line, fields of a form and the words of a shell command all follow from that; what has no `Option` is
none of theirs.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from webbench.core.errors import UsageError

Function = TypeVar("Function", bound=Callable[..., Any])


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """How a field is asked for.

    Attributes:
        help: one sentence for the list of options.
        flag: "--task"; "" where it is the name of the field.
        older: what the flag was called in a release before, and still may be.
        argument: it stands without a flag.
        least, most: the lowest and the highest number that is taken.
        word: what a switch is called as the value of its flag: "not-scored".
        always: its words are said of the default, too.
        label: what it is called in a form.
        empty: what leaving it empty in a form comes to.
    """

    help: str
    flag: str = ""
    older: str = ""
    argument: bool = False
    least: int | None = None
    most: int | None = None
    word: str = ""
    always: bool = False
    label: str = ""
    empty: str = ""


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a request with its option; `kind` is its type."""

    name: str
    kind: type
    default: object
    option: Option

    @property
    def flag(self) -> str:
        return self.option.flag or f"--{self.name.replace('_', '-')}"

    @property
    def is_switch(self) -> bool:
        return bool in (self.kind, *get_args(self.kind)) and not self.option.word

    @property
    def has_opposite(self) -> bool:
        """A switch with a flag for off besides the one for on."""
        return self.is_switch and self.default is not False

    @property
    def is_list(self) -> bool:
        """Its flag may be repeated."""
        return get_origin(self.kind) is tuple

    @property
    def is_whole(self) -> bool:
        return int in (self.kind, *get_args(self.kind))

    @property
    def sentence(self) -> str:
        """What it is, for somebody who gives the value itself and not a word for it."""
        told = self.option.help.removeprefix(f"{self.option.word}: ")
        return told[:1].upper() + told[1:]

    def number(self, text: str) -> int | float | None:
        """What a field of a form holds, empty for the default. Raises `UsageError` for no such number."""
        text = text.strip()
        if not text:
            return self.default  # type: ignore[return-value]  # declared as a number, or as None
        try:
            value = int(text) if self.is_whole else float(text)
        except ValueError:
            value = math.nan
        least = self.option.least
        if not (math.isfinite(value) and abs(value) < 2**53 and (least is None or value >= least)):
            kind = "a whole number" if self.is_whole else "a number"
            bound = "" if least is None else f" from {least}"
            raise UsageError(
                f'{self.option.label} is {kind}{bound}, not "{text}"', f"left empty: {self.option.empty}"
            )
        return value

    def words(self, value: object) -> Iterator[str]:
        """What is said on a command line for this value of it."""
        if value == self.default and not self.option.always:
            return
        if self.option.argument:
            yield str(value)
        elif self.option.word:
            yield from (self.flag, self.option.word)
        elif self.is_switch:
            yield self.flag if value else f"--no-{self.flag.removeprefix('--')}"
        else:
            for one in value if isinstance(value, tuple) else (value,):
                yield from (self.flag, _short(one) if isinstance(one, float) else str(one))


def _short(value: float) -> str:
    """As short as it is exact."""
    return str(int(value)) if value == int(value) else repr(value)


@cache
def declared(request: type[msgspec.Struct]) -> tuple[Declared, ...]:
    """The fields of a request that have an option, in order."""
    kinds = get_type_hints(request, include_extras=True)
    found = (as_declared(one.name, kinds[one.name], one.default) for one in msgspec.structs.fields(request))
    return tuple(one for one in found if one is not None)


def as_declared(name: str, hint: object, default: object) -> Declared | None:
    """A field, or a parameter of a command, whose annotation has an option; else None."""
    if get_origin(hint) is not Annotated:
        return None
    kind, *notes = get_args(hint)
    option = next((note for note in notes if isinstance(note, Option)), None)
    return None if option is None else Declared(name=name, kind=kind, default=default, option=option)


def declared_field(request: type[msgspec.Struct], name: str) -> Declared:
    """One of them by the name of the field. Raises `KeyError`."""
    return {one.name: one for one in declared(request)}[name]


def option_words(request: msgspec.Struct, *, without: tuple[str, ...] = ()) -> list[str]:
    """A command line's words that ask for the same, where that isn't the default anyway."""
    return [
        word
        for one in declared(type(request))
        if one.name not in without
        for word in one.words(getattr(request, one.name))
    ]


def taking(request: type[msgspec.Struct], options: type) -> Callable[[Function], Function]:
    """Lists the `**options` that a function takes in its signature and at the end of its docstring's "Args".

    Args:
        options: a typed dictionary of them; each has the name of a field of the request.
    """
    listed = [declared_field(request, name) for name in options.__annotations__]

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        more = [
            inspect.Parameter(
                one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.kind
            )
            for one in listed
        ]
        vars(function)["__signature__"] = signature.replace(parameters=[*own, *more])
        # Some versions of Python keep a docstring's indentation, others don't.
        before, args, after = inspect.cleandoc(function.__doc__ or "").partition("\nArgs:\n")
        own_args, blank, rest = after.partition("\n\n")
        told = "".join(f"\n    {one.name}: {one.sentence}" for one in listed)
        function.__doc__ = before + args + own_args + told + blank + rest
        return function

    return decorate
