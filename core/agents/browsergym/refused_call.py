"""Why a call isn't carried out, in the words that BrowserGym's agents know from Python and Playwright.

BrowserGym runs a call as Python, so what is wrong with its arguments is told by Python (`TypeError: ...`), by
the look for the element (`ValueError: ...`), or by Playwright (`Error: modifiers: expected array, ...`).
"""

from __future__ import annotations

from collections.abc import Sequence

from webbench.core.agents.browsergym.answered_calls import Call, NotCarriedOut, Rules, read_answer
from webbench.core.dialects.forms import BUTTONS, Parameter
from webbench.core.dialects.notations.browsergym_calls import FORMS

LONGEST_SHOWN = 200
KINDS = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", tuple: "array"}
"""What Playwright calls a value of this type."""

FIRST = {"element": 0, "modifiers": 1}
"""What is looked at before the rest."""


def why_refused(text: str) -> str:
    """What is wrong with the arguments of this one call; "" where BrowserGym has no words for it."""
    try:
        (call,) = read_answer(text, Rules(frozenset(FORMS.verbs()))).calls
    except (NotCarriedOut, ValueError):
        return ""
    form = FORMS.named(call.name)[0]
    return _unbound(call, form.parameters) or next(
        (told for name, value in _order(call, form.parameters) if (told := _unfit(name, value))), ""
    )


def _unbound(call: Call, parameters: Sequence[Parameter]) -> str:
    """What Python says where the arguments don't go with the parameters."""
    names = [parameter.name for parameter in parameters]
    given, begin = len(call.arguments), f"TypeError: {call.name}()"
    if given > len(names):
        least = sum(parameter.required for parameter in parameters)
        takes = str(least) if least == len(names) else f"from {least} to {len(names)}"
        ending = "" if takes == "1" else "s"
        were = "was" if given == 1 else "were"
        return f"{begin} takes {takes} positional argument{ending} but {given} {were} given"
    bound = set(names[:given])
    for name, _ in call.named:
        if name not in names:
            return f"{begin} got an unexpected keyword argument '{name[:80]}'"
        if name in bound:
            return f"{begin} got multiple values for argument '{name}'"
        bound.add(name)
    missing = [repr(one.name) for one in parameters if one.required and one.name not in bound]
    if not missing:
        return ""
    listed = ", ".join(missing[:-1]) + ("," if len(missing) > 2 else "") + f" and {missing[-1]}"
    several = "s" if len(missing) > 1 else ""
    return (
        f"{begin} missing {len(missing)} required positional argument{several}: "
        f"{listed if several else missing[0]}"
    )


def _order(call: Call, parameters: Sequence[Parameter]) -> list[tuple[Parameter, object]]:
    """The arguments as BrowserGym comes upon them: elements are looked for before Playwright is called."""
    names = (parameter.name for parameter in parameters)
    named = dict(zip(names, call.arguments, strict=False)) | dict(call.named)
    given = [(one, named[one.name]) for one in parameters if one.name in named]
    return sorted(given, key=lambda pair: FIRST.get(pair[0].kind, len(FIRST)))


def _unfit(parameter: Parameter, value: object) -> str:
    name, kind = parameter.name, KINDS.get(type(value), "object")
    match parameter.kind:
        case "element" if isinstance(value, str):
            known = value.strip().isdecimal()
            return "" if known else f'ValueError: Could not find element with bid "{value[:LONGEST_SHOWN]}"'
        case "element" if type(value) is not int:
            return f"ValueError: expected a string, got {repr(value)[:LONGEST_SHOWN]}"
        case "modifiers" if kind != "array":
            return f"Error: {name}: expected array, got {kind}"
        case "number" if kind != "number":
            return f"Error: {name}: expected float, got {kind}"
        case "button" if value not in BUTTONS:
            return f"Error: {name}: expected one of ({'|'.join(BUTTONS)})"
    return ""
