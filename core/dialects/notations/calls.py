"""The grammar of calls: `fill('12', 'a text')`, `modify_text("name", "value")`.

One call per action, arguments by position or keyword. Nothing is evaluated: see `literals`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from webbench.core.action.action import Action
from webbench.core.dialects.forms import SEVERAL, Argument, Form, Forms, Kind, Unfit, Value, build
from webbench.core.dialects.notations.grammar import Cursor
from webbench.core.dialects.notations.literals import Unclosed, read_literal, skip_space, write_literal

_NAME = re.compile(r"\s*((?:[A-Za-z_]\w{0,40}\.){0,3})([A-Za-z_]\w{0,40})(?!\w)\s*")
_KEYWORD = re.compile(r"([A-Za-z_]\w{0,40})\s*=(?!=)\s*")
_AFTER = re.compile(r"\s*;?\s*")
_CHUNK = re.compile(r"\"[^\"]*\"|'[^']*'|\[[^\]]*\]|[^\s,()\[\]\"']+")
_MOST_CHUNKS = 8
_CLOSING_QUOTE = re.compile(r"['\"]\s*(?=[,)\]])")


class Calls:
    """Reads and writes `verb(argument, keyword=argument)`.

    Args:
        quote: the quotation mark to write with.
        prefixes: what may stand before a verb ("self.actions.").
        quoted_ids: ids are written as strings.
    """

    def __init__(self, quote: str, prefixes: Sequence[str] = (), *, quoted_ids: bool = False) -> None:
        self._quote = quote
        self._prefixes = frozenset(("", *prefixes))
        self._quoted_ids = quoted_ids

    def read(self, text: str, forms: Forms) -> Action:
        """Raises `Unfit`."""
        match = _NAME.match(text)
        if match is None:
            start = len(text) - len(text.lstrip())
            raise Unfit(start, "an action starts with a verb" if text.strip() else "there is no action here")
        named = forms.named(match[2]) if match[1] in self._prefixes else ()
        if not named:
            raise Unfit(match.start(1), f'there is no action "{match[1]}{match[2]}"')
        if not text.startswith("(", match.end()):
            raise Unfit(match.end(), '"(" is missing', named[0])
        return self._call(text, match.end() + 1, named)

    def _call(self, text: str, position: int, named: Sequence[Form]) -> Action:
        try:
            arguments, end = _read_arguments(text, position)
        except Unfit as unfit:
            unfit.form = unfit.form or named[0]
            raise
        after = _AFTER.match(text, end)
        rest = after.end() if after else end
        if rest < len(text):
            raise Unfit(rest, "one action at a time: there is more behind the call", named[0])
        form = next((form for form in named if len(form.parameters) >= len(arguments)), named[-1])
        return build(form, arguments, end - 1)

    def write(self, form: Form, arguments: Sequence[Value]) -> str:
        kinds: list[Kind] = [parameter.kind for parameter in form.parameters]
        written = [
            self._literal(argument, kinds[index] if index < len(kinds) else None)
            for index, argument in enumerate(arguments)
        ]
        return f"{form.verb}({', '.join(written)})"

    def _literal(self, value: Value, kind: Kind | None) -> str:
        if kind == "element" and self._quoted_ids:
            value = str(value)
        return write_literal(value, self._quote)

    def shape(self, form: Form, *, optional: bool = True) -> str:
        shown = [parameter.name for parameter in form.parameters if parameter.required]
        if optional:
            shown += [
                f"{parameter.name}={write_literal(parameter.default, self._quote)}"
                for parameter in form.parameters
                if not parameter.required
            ]
        return f"{form.verb}({', '.join(shown)})"

    def repairs(self, text: str, form: Form) -> list[str]:
        """Close what is open, mend quotes inside quotes, quote bare words, drop what follows the call."""
        verb = form.verb
        match = _NAME.match(text)
        rest = text[match.end() :] if match else ""
        inner = rest.strip().rstrip(";").removeprefix("(").removesuffix(")")
        closers = ("", ")", "')", '")', "])", "'])", '"])')
        chunks: list[Value] = [chunk.strip("'\"[] ") for chunk in _CHUNK.findall(inner)[:_MOST_CHUNKS]]
        return [
            *(f"{verb}({rest.removeprefix('(')}{closer}" for closer in closers),
            f"{verb}({rest.partition('(')[2].partition(')')[0]})",
            self.write(form, _loosely_quoted(inner)),
            self.write(form, chunks),
            *(self.write(form, chunks[:count]) for count in range(len(chunks) - 1, 0, -1)),
        ]

    def cursor(self, text: str, forms: Forms) -> Cursor:
        match = _NAME.match(text)
        if match is None or not text.startswith("(", match.end()):
            start = match.start(1) if match else len(text) - len(text.lstrip())
            return Cursor(partial=text[match.start(2) if match else start :], start=start)
        named = forms.named(match[2]) if match[1] in self._prefixes else ()
        before: list[Value] = []
        position = match.end() + 1
        try:
            for value, end in _values(text, position):
                before.append(value)
                position = end
        except Unclosed as unclosed:
            return _at(named, before, unclosed.partial, unclosed.opened)
        except Unfit as unfit:
            return _at(named, before, text[unfit.position :], unfit.position)
        return Cursor(partial="", start=position, beyond=True)

    def opening(self, form: Form) -> str:
        return f"{form.verb}(" if form.parameters else f"{form.verb}()"

    def filling(self, form: Form, index: int, value: Value) -> str:
        parameter = form.parameters[index]
        literal = self._literal([value] if parameter.kind in SEVERAL else value, parameter.kind)
        following = form.parameters[index + 1 : index + 2]
        return literal + (", " if following and following[0].required else ")")


def _read_arguments(text: str, position: int) -> tuple[list[Argument], int]:
    """The arguments behind "(" and the offset behind ")". Raises `Unfit`."""
    arguments: list[Argument] = []
    position = skip_space(text, position)
    while not text.startswith(")", position):
        if position >= len(text):
            raise Unfit(position, '")" is missing')
        keyword = _KEYWORD.match(text, position)
        start = position
        value, position = read_literal(text, keyword.end() if keyword else position)
        arguments.append(Argument(value, start, keyword[1] if keyword else ""))
        position = skip_space(text, position)
        if text.startswith(",", position):
            position = skip_space(text, position + 1)
        elif not text.startswith(")", position):
            raise Unfit(position, '"," or ")" is missing')
    return arguments, position + 1


def _values(text: str, position: int) -> Iterator[tuple[Value, int]]:
    """Finished arguments one by one; raises `Unfit` at the one that is being typed."""
    while True:
        position = skip_space(text, position)
        keyword = _KEYWORD.match(text, position)
        opened = keyword.end() if keyword else position
        value, end = read_literal(text, opened)
        end = skip_space(text, end)
        if end >= len(text):
            raise Unfit(opened, "the argument may go on")
        yield value, end
        if text[end] != ",":
            return
        position = end + 1


def _at(named: Sequence[Form], before: Sequence[Value], partial: str, start: int) -> Cursor:
    form = next((form for form in named if len(form.parameters) > len(before)), None)
    if form is None:
        return Cursor(partial=partial, start=start, beyond=True)
    return Cursor(partial, start, form, len(before), tuple(before))


def _loosely_quoted(inner: str) -> list[Value]:
    """Arguments where a quote closes only before a comma or the end: 'it's good' is one text."""
    values: list[Value] = []
    rest = inner.strip()
    while rest:
        if rest[0] in "'\"":
            closing = _CLOSING_QUOTE.search(rest + ")", 1)
            end = closing.start() if closing else len(rest)
            values.append(rest[1:end])
            rest = rest[end + 1 :].lstrip().removeprefix(",").lstrip()
        else:
            value, _, rest = rest.partition(",")
            values.append(value.strip())
            rest = rest.lstrip()
    return values
