"""The declared form of a command: its fields, read from what Typer asks for, and the words they come to."""

from __future__ import annotations

import inspect
import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from webbench.core.errors import UsageError
from webbench.tui.cli.listed_commands import EXIT_CODES, GROUPS, ON_SCREENS, made

Kind = Literal["text", "whole", "number", "path", "choice", "switch"]
STORE = "store"
"""The parameter that every command has that reads or writes records."""


class FieldMissing(UsageError):
    """A field that must be filled in is empty: no fault of what was typed until the command is run."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One argument or option of a command.

    Attributes:
        name: of the parameter; what values are given by.
        flag, off: of an option; "" for an argument, and where nothing turns a switch off.
        many: it takes several words.
        default: what leaving it out comes to, in words; "" for nothing.
        least, most: the bounds of a number.
    """

    name: str
    kind: Kind
    help: str
    flag: str = ""
    off: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False
    required: bool = False
    default: str = ""
    least: float | None = None
    most: float | None = None

    @property
    def label(self) -> str:
        """What it is called in a form."""
        return self.flag.removeprefix("--") or self.name.replace("_", " ")

    @property
    def answers(self) -> tuple[str, ...]:
        """What it can be, where that is one of few; "" is as it is without it."""
        if self.kind == "switch" and self.default:
            return ("no", "yes") if self.default == "no" else ("yes", "no")
        return ("", "yes", "no") if self.kind == "switch" else ("", *self.choices)

    def said(self, text: str) -> list[str]:
        """The words of a command line for what was filled in.

        Raises `FieldMissing` for nothing where something is needed, `UsageError` for what it can't be.
        """
        text = text.strip()
        if self.kind == "switch":
            return self._switched(text)
        if not text:
            if self.required:
                raise FieldMissing(f"fill in {self.label}", self.help)
            return []
        values = self._split(text) if self.many else [_unquoted(text)]
        for one in values:
            self._check(one)
        if not self.flag:
            return values
        return [word for one in values for word in self._given(one)]

    def _switched(self, text: str) -> list[str]:
        if text in ("", self.default):
            return []
        return [self.flag] if text == "yes" else [self.off]

    def _split(self, text: str) -> list[str]:
        try:
            return shlex.split(text)
        except ValueError as error:
            raise UsageError(f"{self.label} can't be read: {error}", "quote as in a shell") from error

    def _check(self, value: str) -> None:
        if self.kind not in ("whole", "number"):
            return
        try:
            number = int(value) if self.kind == "whole" else float(value)
        except ValueError:
            number = math.nan
        least = -math.inf if self.least is None else self.least
        most = math.inf if self.most is None else self.most
        if not (math.isfinite(number) and least <= number <= most):
            kind = "a whole number" if self.kind == "whole" else "a number"
            bounds = [f"from {self.least:g}"] if self.least is not None else []
            bounds += [f"to {self.most:g}"] if self.most is not None else []
            raise UsageError(f'{self.label} is {" ".join([kind, *bounds])}, not "{value}"')

    def _given(self, value: str) -> list[str]:
        """An option with its value, also where that looks like an option itself."""
        return [f"{self.flag}={value}"] if value.startswith("-") else [self.flag, value]


def _unquoted(text: str) -> str:
    """A text without the quotation marks around all of it, with which a shell would be given it."""
    if text[0] not in "'\"":
        return text
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    return words[0] if len(words) == 1 else text


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A command: its words, what it does, and its fields, arguments first."""

    path: tuple[str, ...]
    help: str
    fields: tuple[FormField, ...]
    in_store: bool
    """It takes the store as an option."""

    @property
    def title(self) -> str:
        return self.help.partition("\n\n")[0]

    @property
    def exits(self) -> str:
        """What its help says of its exit codes, "" for nothing."""
        sentences = re.split(r"(?<=[.])\s+", " ".join(self.help.split()))
        return " ".join(one for one in sentences if one.startswith("Exit "))

    def opens_screen(self, filled: Mapping[str, str]) -> bool:
        """Whether it would show a screen of its own, filled in like this."""
        unless = ON_SCREENS.get(self.path)
        if unless is None:
            return False
        given = {name for name, text in filled.items() if text.strip() not in ("", "no")}
        return not any((name.removeprefix("!") in given) != name.startswith("!") for name in unless)

    def exit_words(self, code: int) -> str:
        """What a code says, and what the command's help says of its codes where it names this one."""
        told = EXIT_CODES.get(code, "it was ended by a signal")
        explained = code and re.search(rf"\b{code}\b", self.exits)
        return f"{told}. {self.exits}" if explained else f"{told}."

    def words(self, filled: Mapping[str, str], store: Path | None = None) -> list[str]:
        """The words after the program's name.

        Args:
            filled: by name of field what stands there; switches are "yes" or "no".
            store: is named, too, where the command takes one.

        Raises `UsageError` for what a field can't be, before `FieldMissing` for one that is empty.
        """
        arguments: list[str] = []
        options: list[str] = []
        left_out = ""
        missing: FieldMissing | None = None
        for one in self.fields:
            try:
                said = one.said(filled.get(one.name, ""))
            except FieldMissing as error:
                missing = missing or error
                continue
            if one.flag:
                options += said
            elif not said:
                left_out = left_out or one.label
            elif left_out:
                raise UsageError(f"{left_out} comes before {one.label}", "fill it in, too")
            else:
                arguments += said
        if missing is not None:
            raise missing
        if store is not None and self.in_store:
            options += ["--store", str(store)]
        if any(word.startswith("-") for word in arguments):
            return [*self.path, *options, "--", *arguments]
        return [*self.path, *arguments, *options]


def declared_form(path: Sequence[str]) -> CommandForm:
    """The form of a command by its words; a group's name alone is the command that it stands for.

    Raises `KeyError` where there is no such command. Imports the command's module.
    """
    group, name = (path[0], path[1]) if len(path) > 1 else ("", path[0])
    if not group and name in GROUPS:
        group, name = name, GROUPS[name].default
    command = made(group, name)
    found = [_field(one) for one in command.params if one.name != STORE and not one.hidden]
    return CommandForm(
        path=(group, name) if group else (name,),
        help=_unwrapped(command.help or ""),
        fields=tuple(sorted(found, key=lambda one: bool(one.flag))),
        in_store=any(one.name == STORE for one in command.params),
    )


def _unwrapped(help: str) -> str:
    """Paragraphs on one line each; what was laid out by hand stays so."""
    parts = inspect.cleandoc(help).split("\n\n")
    return "\n\n".join(
        part.removeprefix("\b\n") if part.startswith("\b\n") else " ".join(part.split()) for part in parts
    )


def _field(parameter: Any) -> FormField:
    """Of Typer's parameter."""
    kind, choices = _kind(parameter.type_descriptor.annotation)
    is_option = parameter.opts[0].startswith("-")
    many = parameter.nargs == -1 or getattr(parameter, "multiple", False)
    return FormField(
        name=parameter.name,
        kind=kind,
        help=" ".join((parameter.help or "").split()),
        flag=parameter.opts[0] if is_option else "",
        off=parameter.secondary_opts[0] if parameter.secondary_opts else "",
        choices=choices,
        many=many,
        required=parameter.required,
        default=_in_words(parameter.default),
        least=parameter.min,
        most=parameter.max,
    )


def _kind(annotation: Any) -> tuple[Kind, tuple[str, ...]]:
    if get_origin(annotation) is list:
        return _kind(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return "choice", tuple(one for one in get_args(annotation) if one)
    kinds: dict[Any, Kind] = {bool: "switch", int: "whole", float: "number", Path: "path"}
    return kinds.get(annotation, "text"), ()


def _in_words(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, float) and default == int(default):
        return str(int(default))
    return "" if default is None else str(default)
