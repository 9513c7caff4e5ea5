"""The grammar of bracketed verbs: `type [5] [any text, even [brackets]] [1]`.

A text argument reaches from its opening bracket to the last closing one that leaves the flags behind it
readable, so nothing needs escaping. Reading is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from webbench.core.action import Action
from webbench.core.dialects.forms import (
    GREEDY,
    Argument,
    Form,
    Forms,
    Parameter,
    Unfit,
    Value,
    build,
    convert,
)
from webbench.core.dialects.grammar import Cursor

_VERB = re.compile(r"\s*([A-Za-z][A-Za-z_]{0,40})(?![A-Za-z_0-9])\s*")
_SEPARATOR = re.compile(r"\]\s*\[")
_CHUNK = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")
_WORD = re.compile(r"[A-Za-z]+")
_UNBRACKETED = "direction"
_LONGEST_FLAG = 60


class Bracketed:
    """Reads and writes `verb [argument] [argument]`."""

    def read(self, text: str, forms: Forms) -> Action:
        """Raises `Unfit`."""
        match = _VERB.match(text)
        if match is None:
            start = len(text) - len(text.lstrip())
            raise Unfit(start, "an action starts with a verb" if text.strip() else "there is no action here")
        named = forms.named(match[1])
        if not named:
            raise Unfit(match.start(1), f'there is no verb "{match[1]}"')
        form = named[0]
        end = len(text.rstrip())
        return build(form, _arguments(text, match.end(), end, form), end)

    def write(self, form: Form, arguments: Sequence[Value]) -> str:
        words = [form.verb]
        for argument in arguments:
            several = argument if isinstance(argument, list) else [argument]
            words.extend(f"[{_written(value)}]" for value in several)
        return " ".join(words)

    def shape(self, form: Form, *, optional: bool = True) -> str:
        parts = [form.verb]
        for parameter in form.parameters:
            if not (parameter.required or optional):
                continue
            more = " ..." if parameter.kind in ("choices", "files") else ""
            slot = f"[{parameter.name}]{more}"
            parts.append(slot if parameter.required else f"({slot})")
        return " ".join(parts)

    def repairs(self, text: str, form: Form) -> list[str]:
        """The right verb, the missing bracket, brackets around bare words, surplus arguments left out."""
        match = _VERB.match(text)
        rest = text[match.end() :].strip() if match else ""
        count = len(form.parameters)
        least = max(sum(parameter.required for parameter in form.parameters), 1)
        words: list[Value] = [word.strip("[]()'\" ") for word in _CHUNK.findall(rest)]
        joined = words
        if count and len(words) > least:
            joined = [*words[: least - 1], " ".join(map(str, words[least - 1 :]))]
        return [
            f"{form.verb} {rest}".strip(),
            f"{form.verb} {rest}]",
            self.write(form, joined),
            self.write(form, words),
            self.write(form, words[:count]),
        ]

    def cursor(self, text: str, forms: Forms) -> Cursor:
        match = _VERB.match(text)
        if match is None or "[" not in text:
            lead = len(text) - len(text.lstrip())
            return Cursor(partial=text[lead:], start=lead)
        named = forms.named(match[1])
        if not named or not text.startswith("[", match.end()):
            return Cursor(partial=text[match.end() :], start=match.end(), beyond=True)
        pieces = _SEPARATOR.split(text[match.end() + 1 :])
        if text.rstrip().endswith("]"):
            return Cursor(partial="", start=len(text), beyond=True)
        return Cursor(
            partial=pieces[-1],
            start=len(text) - len(pieces[-1]),
            form=named[0],
            index=len(pieces) - 1,
            before=tuple(pieces[:-1]),
        )

    def opening(self, form: Form) -> str:
        return f"{form.verb} [" if form.parameters else form.verb

    def filling(self, form: Form, index: int, value: Value) -> str:
        following = form.parameters[index + 1 : index + 2]
        return f"{_written(value)}]" + (" [" if following and following[0].required else "")


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _arguments(text: str, start: int, end: int, form: Form) -> list[Argument]:
    if start >= end:
        return []
    if text[start] != "[":
        word = _WORD.fullmatch(text, start, end)
        if word and form.parameters and form.parameters[0].kind == _UNBRACKETED:
            return [Argument(word[0], start)]
        raise Unfit(start, 'arguments stand in brackets: "[" is missing', form)
    found: list[Argument] = []
    position = start
    for index, parameter in enumerate(form.parameters):
        if position >= end:
            return found
        if text[position] != "[":
            raise Unfit(position, 'arguments stand in brackets: "[" is missing', form)
        if parameter.kind in GREEDY or parameter.kind in ("choices", "files"):
            return found + _rest(text, position, end, form.parameters[index:], form)
        close = text.find("]", position, end)
        if close < 0:
            raise Unfit(end, '"]" is missing', form)
        found.append(_argument(text[position + 1 : close].strip(), position + 1, parameter))
        position = close + 1
        while position < end and text[position].isspace():
            position += 1
    if position < end:
        found.append(Argument(text[position:end], position))
    return found


def _rest(text: str, start: int, end: int, parameters: Sequence[Parameter], form: Form) -> list[Argument]:
    """The greedy argument that opens at `start`, and the flags behind it."""
    if text[end - 1] != "]" or end - 1 == start:
        raise Unfit(end, '"]" is missing', form)
    greedy, *flags = parameters
    if greedy.kind in ("choices", "files"):
        pieces: list[Value] = [*_SEPARATOR.split(text[start + 1 : end - 1])]
        return [Argument(pieces, start + 1)]
    tail: list[Argument] = []
    for flag in reversed(flags):
        opened = text.rfind("[", start + 1, end)
        closed = len(text[start + 1 : opened].rstrip()) + start
        if opened < 0 or end - opened > _LONGEST_FLAG or closed <= start or text[closed] != "]":
            break
        argument = _argument(text[opened + 1 : end - 1].strip(), opened + 1, flag)
        try:
            convert(flag.kind, argument.value)
        except ValueError:
            break
        tail.insert(0, argument)
        end = closed + 1
    return [Argument(text[start + 1 : end - 1], start + 1), *tail]


def _argument(raw: str, position: int, parameter: Parameter) -> Argument:
    """`[direction=down]` is `[down]`."""
    return Argument(raw.removeprefix(f"{parameter.name}=").strip(), position, parameter.name)
