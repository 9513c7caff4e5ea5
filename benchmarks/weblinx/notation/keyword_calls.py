"""The notation of WebLINX' actions: calls whose arguments are all named, `load(url="https://…")`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webbench.benchmarks.weblinx.notation.output import parse_output
from webbench.core.action.action import Action
from webbench.core.dialects.forms import Argument, Form, Forms, Parameter, Unfit, Value, build
from webbench.core.dialects.notations.calls import Calls
from webbench.core.dialects.notations.literals import write_literal
from webbench.core.errors import BadData

_QUOTE = '"'
_WHOLE = re.compile(r"\s*(\w+)\(.*\)\s*", re.DOTALL)
_HEAD = re.compile(r"\s*\w*\s*\(?")


class KeywordCalls(Calls):
    """Reads what `Calls` reads, arguments by place included; writes every argument with its name."""

    def __init__(self) -> None:
        super().__init__(_QUOTE)

    def read(self, text: str, forms: Forms) -> Action:
        """As a strict call; where quotes in a text are not escaped, as upstream's reader takes it.

        Raises `Unfit` as the strict reading does where neither gives an action.
        """
        try:
            return super().read(text, forms)
        except Unfit as unfit:
            found = _loosely(text, forms)
            if found is None:
                raise unfit from None
            return found

    def write(self, form: Form, arguments: Sequence[Value]) -> str:
        """An argument that is None is left out."""
        given = zip(form.parameters, arguments, strict=False)
        named = [f"{one.name}={write_literal(value, _QUOTE)}" for one, value in given if value is not None]
        return f"{form.verb}({', '.join(named)})"

    def shape(self, form: Form, *, optional: bool = True) -> str:  # noqa: ARG002 - the usual arguments are shown either way
        """The usual arguments; other ways to name an element are told in the meaning of a verb."""
        return f"{form.verb}({', '.join(f'{one.name}=…' for one in form.parameters if _usual(one))})"

    def repairs(self, text: str, form: Form) -> list[str]:
        """Close what is open, or take the words in the brackets for the first argument."""
        head = _HEAD.match(text)
        inner = text[head.end() if head else 0 :].rstrip()
        bare = inner.removesuffix(")").strip(" '\"")
        first = next((one.name for one in form.parameters if one.required or one.kind == "element"), "")
        open_text = inner.removesuffix(")") + '")'
        closed = [f"{form.verb}({whole}" for whole in (inner, inner + ")", open_text)]
        if not bare or "=" in bare:
            return closed
        return [*closed, f"{form.verb}({first}={write_literal(bare, _QUOTE)})"]

    def opening(self, form: Form) -> str:
        """Up to the first argument that isn't always the same."""
        if not form.parameters:
            return f"{form.verb}()"
        fixed = [one for one in form.parameters if one.always]
        written = "".join(f"{one.name}={write_literal(one.default, _QUOTE)}, " for one in fixed)
        return f"{form.verb}({written}{form.parameters[len(fixed)].name}="

    def filling(self, form: Form, index: int, value: Value) -> str:
        following = form.parameters[index + 1 : index + 2]
        after = f", {following[0].name}=" if following and following[0].required else ")"
        return write_literal(value, _QUOTE) + after


def _loosely(text: str, forms: Forms) -> Action | None:
    """Named arguments, split at commas outside of double quotes; None where that gives no action."""
    whole = _WHOLE.fullmatch(text)
    named = forms.named(whole[1]) if whole else ()
    try:
        _, args = parse_output(text, quoted_text=True)
        if not named or any(str(value).count(_QUOTE) % 2 for value in args.values()):
            return None
        return build(named[0], [Argument(value, 0, name) for name, value in args.items()], len(text))
    except (Unfit, BadData):
        return None


def _usual(parameter: Parameter) -> bool:
    return parameter.required or parameter.always or parameter.kind == "element"
