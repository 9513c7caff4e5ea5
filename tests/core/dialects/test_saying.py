"""One row per verb, read and written alike."""

from __future__ import annotations

import pytest

from webbench.core.action.action import Action, Click, ElementRef, Hover, Noop, Select, Submit, Type
from webbench.core.dialects.forms import Forms, needed, optional
from webbench.core.dialects.notations.bracketed import Bracketed
from webbench.core.dialects.notations.calls import Calls
from webbench.core.dialects.saying import says
from webbench.core.dialects.text_dialect import TextDialect

ID = needed("id", "element")
ROWS = (
    says("poke", Click, "", "", target=ID, button=optional("button", "button", "left"), count=1),
    says(
        "write", Type, "", "", target=ID, text=needed("text", "text"), enter=optional("enter", "flag", False)
    ),
    says("wipe", Type, "", "", target=ID, text=""),
    says("pick", Select, "", "", target=ID, options=optional("option", "choices", [])),
    says("send", Submit, "", "", target=optional("id", "element", None)),
    says("rest", Noop, "", "", seconds=optional("seconds", "number", 1, always=True)),
)


def dialect(grammar: Bracketed | Calls) -> TextDialect:
    return TextDialect("rows", Forms(ROWS), grammar, lambda _: "")


def ref(id: int) -> ElementRef:
    return ElementRef(id=id)


@pytest.mark.parametrize(
    ("action", "bracketed", "call"),
    [
        (Click(target=ref(3)), "poke [3]", "poke('3')"),
        (Click(target=ref(3), button="right"), "poke [3] [right]", "poke('3', 'right')"),
        (Type(target=ref(3), text="a", enter=True), "write [3] [a] [1]", "write('3', 'a', True)"),
        (Type(target=ref(3), text="a"), "write [3] [a]", "write('3', 'a')"),
        (Select(target=ref(3), options=("x",)), "pick [3] [x]", "pick('3', 'x')"),
        (Select(target=ref(3), options=("x", "y")), "pick [3] [x] [y]", "pick('3', ['x', 'y'])"),
        (Select(target=ref(3), options=()), "pick [3]", "pick('3')"),
        (Submit(), "send", "send()"),
        (Submit(target=ref(3)), "send [3]", "send('3')"),
        (Noop(seconds=1), "rest [1]", "rest(1)"),
    ],
)
def test_a_row_writes_what_it_reads(action: Action, bracketed: str, call: str) -> None:
    for grammar, text in ((Bracketed(), bracketed), (Calls("'", quoted_ids=True), call)):
        language = dialect(grammar)
        assert language.format(action) == text
        assert language.parse(text) == action


def test_a_fixed_field_is_never_an_argument_and_always_set() -> None:
    language = dialect(Bracketed())
    assert language.parse("wipe [4]") == Type(target=ref(4), text="")
    assert language.verbs()[2].form == "wipe [id]"


@pytest.mark.parametrize(
    "action",
    [
        Hover(target=ref(3)),
        Click(target=ref(3), count=2),
        Click(target=ElementRef(field="q")),
        Type(text="no target"),
        Type(target=ref(3), text="a", clear=False),
    ],
)
def test_what_no_row_says_is_written_as_json(action: Action) -> None:
    language = dialect(Bracketed())
    text = language.format(action)
    assert text.startswith("{")
    assert language.parse(text) == action
