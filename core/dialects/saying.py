"""A verb said as one row: the action that it stands for, which fields are arguments, which are fixed.

The row both reads and writes, so that the two directions of a language can't drift apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webbench.core.action.action import Action, ActionBase, ElementRef
from webbench.core.dialects.forms import Form, Parameter, Value, convert

SINGLE = ("choices", "files")
"""Kinds of which one alone is written as it is, several as a list."""


def says(
    verb: str,
    action: type[ActionBase],
    meaning: str,
    example: str,
    *,
    aliases: tuple[str, ...] = (),
    **fields: Parameter | Value,
) -> Form:
    """The form of a verb.

    Args:
        fields: the action's fields, arguments in their order. A `Parameter` is an argument of the verb,
            anything else the value that the field always has.
    """
    parameters = {name: given for name, given in fields.items() if isinstance(given, Parameter)}
    fixed = {name: given for name, given in fields.items() if not isinstance(given, Parameter)}
    make: Any = action

    def build(*values: object) -> Action:
        made: Action = make(**fixed, **dict(zip(parameters, values, strict=True)))
        return made

    def say(said: Action) -> Sequence[Value] | None:
        if type(said) is not action or any(getattr(said, name) != value for name, value in fixed.items()):
            return None
        return _arguments(said, parameters)

    return Form(verb, tuple(parameters.values()), build, meaning, example, aliases, say)


class Verb:
    """What a verb does in every notation that has it, whatever it is called there.

    Args:
        meaning: help, as people and agents read it.
        fields: as of `says`.
    """

    def __init__(self, action: type[ActionBase], meaning: str, **fields: Parameter | Value) -> None:
        self._action = action
        self._meaning = meaning
        self._fields = fields

    def form(
        self, name: str, example: str, *, aliases: tuple[str, ...] = (), **fields: Parameter | Value
    ) -> Form:
        """The verb under this name. `fields`: arguments that have another name here, and further ones."""
        return says(name, self._action, self._meaning, example, aliases=aliases, **(self._fields | fields))


def name_of(reference: ElementRef | None) -> Value:
    """How an argument names an element where names are wanted: by field, else by id."""
    return None if reference is None else reference.field or reference.id


def _arguments(said: Action, parameters: Mapping[str, Parameter]) -> Sequence[Value] | None:
    """The action's fields as arguments; those at the end that say nothing new are left out."""
    arguments: list[Value] = []
    length = 0
    for name, parameter in parameters.items():
        found = getattr(said, name)
        value = _written(found, parameter)
        if value is None and parameter.required:
            return None
        arguments.append(value)
        if parameter.required or parameter.always or found != _default(parameter):
            length = len(arguments)
    return arguments[:length]


def _written(found: Any, parameter: Parameter) -> Value:
    if isinstance(found, ElementRef):
        return found.id if parameter.kind == "element" else name_of(found)
    if isinstance(found, tuple):
        return found[0] if len(found) == 1 and parameter.kind in SINGLE else list(found)
    value: Value = found
    return value


def _default(parameter: Parameter) -> object:
    return None if parameter.default is None else convert(parameter.kind, parameter.default)
