"""What a grammar can do: find verb and arguments in a text, and write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from webbench.core.action.action import Action
from webbench.core.dialects.forms import Form, Forms, Value


class Cursor(msgspec.Struct, frozen=True):
    """Where typing stands at the end of a text.

    Attributes:
        partial: what is typed so far of the verb or argument.
        start: offset where a completion would go in.
        form: the form whose argument is being typed, None while the verb is.
        index: which parameter.
        before: the arguments before it, as typed.
        beyond: nothing can be completed here.
    """

    partial: str
    start: int
    form: Form | None = None
    index: int = 0
    before: tuple[Value, ...] = ()
    beyond: bool = False


class Grammar(Protocol):
    def read(self, text: str, forms: Forms) -> Action:
        """Raises `Unfit` and nothing else, in time linear in the text."""
        ...

    def write(self, form: Form, arguments: Sequence[Value]) -> str:
        """The form's verb with these arguments."""
        ...

    def shape(self, form: Form, *, optional: bool = True) -> str:
        """The form with its parameter names: "type [id] [text]"; the optional ones on request."""
        ...

    def repairs(self, text: str, form: Form) -> list[str]:
        """Texts that may be what was meant, likeliest first, with the form's verb as theirs."""
        ...

    def cursor(self, text: str, forms: Forms) -> Cursor: ...

    def opening(self, form: Form) -> str:
        """What to type before the first argument, or the whole action where there is none."""
        ...

    def filling(self, form: Form, index: int, value: Value) -> str:
        """An argument with what follows it."""
        ...
