"""API actions of the Agent Data Protocol in our terms.

The protocol leaves the functions to each data set. Three kinds are known: our own verbs with our fields (as
we export them), elements named by XPath or selector, and BrowserGym's calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import msgspec

from webbench.core.action.action import Action, Check, Click, ElementRef, Hover, Press, Select, Type
from webbench.core.exchange.episode_building import text_of
from webbench.core.exchange.foreign_terms import action_of
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.text import bounded_json

_ATTRIBUTE = re.compile(r"""@([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_PLAIN_XPATH = re.compile(
    r"""^//(\w+)\[(?:\s*+(?:and\s++)?@[\w-]++\s*+=\s*+(?:"[^"]*+"|'[^']*+')\s*+)++\]$"""
)
_ROLES = {
    "radio": "radio",
    "checkbox": "checkbox",
    "text": "textbox",
    "range": "slider",
    "number": "spinbutton",
}
_WHERE = ("xpath", "selector", "css", "css_selector")
_TEXTS = ("value", "text", "content")
_OPTIONS = ("options", "option", "value", "text", "label")
_KEYS = ("keys", "key_comb", "key")


def call_text(function: str, arguments: JsonObject) -> str:
    """The call as text: `click(xpath="//a")`."""
    given = (f"{name}={_written(_unquoted(value))}" for name, value in arguments.items())
    return f"{function}({', '.join(given)})"


def _written(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def action_of_call(function: str, arguments: JsonObject, seen: Observation | None) -> Action | None:
    """The action of a call, None where we know no such function.

    Args:
        seen: the page it was done on.
    """
    return (
        _ours(function, arguments)
        or _on_element(function, arguments)
        or _browsergym(function, arguments, seen)
    )


def _ours(function: str, arguments: JsonObject) -> Action | None:
    try:
        action: Action = msgspec.convert({**arguments, "verb": function}, type=Action)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return None
    return action


def _browsergym(function: str, arguments: JsonObject, seen: Observation | None) -> Action | None:
    given = ", ".join(_written(_unquoted(value)) for value in arguments.values() if value is not None)
    return action_of(f"{function}({given})", "browsergym", seen)


def _unquoted(value: Json) -> Json:
    """Without a second layer of quotation marks, as Go-Browse writes each value: `'"149"'` is 149."""
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        try:
            inner = bounded_json.decode(value) if value[0] == '"' else value[1:-1]
        except (ValueError, RecursionError):
            inner = value[1:-1]
        return inner if isinstance(inner, str) else value
    return value


def _on_element(function: str, arguments: JsonObject) -> Action | None:
    where = next((text_of(arguments[name]) for name in _WHERE if arguments.get(name)), "")
    build = _BUILDERS.get(function)
    return build(element_at(where), arguments) if where and build else None


def element_at(where: str) -> ElementRef:
    """The element of an XPath or a CSS selector; attributes that an XPath names tell what it is."""
    found = {name: one or other for name, one, other in _ATTRIBUTE.findall(where)}
    plain = _PLAIN_XPATH.match(where.strip())
    selector = where
    if where.lstrip().startswith(("/", "(")):
        selector = f"{plain[1]}{''.join(_conditions(found))}" if plain else ""
    return ElementRef(
        field=found.get("name", ""),
        option=found.get("value", ""),
        role=_ROLES.get(found.get("type", ""), ""),
        selector=selector,
        path="" if selector else where,
    )


def _conditions(attributes: dict[str, str]) -> Iterator[str]:
    for name, value in attributes.items():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name}="{escaped}"]'


def _first(arguments: JsonObject, names: tuple[str, ...]) -> Json:
    return next((arguments[name] for name in names if arguments.get(name) is not None), "")


def _selected(target: ElementRef, arguments: JsonObject) -> Action:
    chosen = _first(arguments, _OPTIONS)
    options = chosen if isinstance(chosen, list) else [chosen]
    return Select(target=target, options=tuple(map(text_of, options)))


def _typed(target: ElementRef, arguments: JsonObject) -> Action:
    return Type(target=target, text=text_of(_first(arguments, _TEXTS)))


def _pressed(target: ElementRef, arguments: JsonObject) -> Action:
    return Press(keys=text_of(_first(arguments, _KEYS)), target=target)


_BUILDERS: dict[str, Callable[[ElementRef, JsonObject], Action]] = {
    "click": lambda target, _: Click(target=target),
    "dblclick": lambda target, _: Click(target=target, count=2),
    "hover": lambda target, _: Hover(target=target),
    "check": lambda target, _: Check(target=target),
    "uncheck": lambda target, _: Check(target=target, checked=False),
    "fill": _typed,
    "type": _typed,
    "input": _typed,
    "select": _selected,
    "select_option": _selected,
    "press": _pressed,
}
