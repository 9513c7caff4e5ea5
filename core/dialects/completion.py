"""Ways to go on typing an action: verbs, then whatever the argument is about.

Elements are matched by id, or by the letters of role and name; what is looked up per page is computed
once per observation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from webbench.core.dialects.dialect import Completion
from webbench.core.dialects.element_index import ElementIndex, element_index
from webbench.core.dialects.forms import ANSWERS, BUTTONS, DIRECTIONS, MODIFIERS, Form, Forms, Value
from webbench.core.dialects.notations.grammar import Cursor, Grammar
from webbench.core.observation import AccessibilityNode, Observation
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip

MOST = 50
_LABEL_CELLS = 60
_CHORDS = (
    *("Enter", "Tab", "Escape", "Backspace", "Delete", "Space", "Shift+Tab", "F5"),
    *("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End"),
    *("Control+a", "Control+c", "Control+v", "Control+x", "Control+z", "Control+Enter"),
)
_TICKED_TYPES = frozenset({"radio", "checkbox"})


def complete(text: str, forms: Forms, grammar: Grammar, observation: Observation | None) -> list[Completion]:
    """At most 50 completions, best first; empty where nothing can follow."""
    cursor = grammar.cursor(text, forms)
    if cursor.beyond:
        return []
    if cursor.form is None:
        return _verbs(cursor, forms, grammar)
    return list(islice(_arguments(cursor, cursor.form, grammar, observation), MOST))


def _verbs(cursor: Cursor, forms: Forms, grammar: Grammar) -> list[Completion]:
    typed = cursor.partial.strip().lower()[:40]
    by_verb = {form.verb: form for form in reversed(list(forms))}
    starting = [verb for verb in reversed(by_verb) if verb.startswith(typed)]
    inside = [verb for verb in by_verb if typed and typed in verb and verb not in starting]
    close = [verb for verb in nearest_names(typed, by_verb) if verb not in starting + inside] if typed else []
    return [
        Completion(grammar.opening(by_verb[verb]), cursor.start, f"{grammar.shape(by_verb[verb])}  {meaning}")
        for verb in (starting + inside + close)[:MOST]
        for meaning in (by_verb[verb].meaning,)
    ]


def _arguments(
    cursor: Cursor, form: Form, grammar: Grammar, observation: Observation | None
) -> Iterator[Completion]:
    if not form.parameters:
        return
    index = min(cursor.index, len(form.parameters) - 1)
    kind = form.parameters[index].kind
    if kind in ("element", "field", "option", "choice", "choices", "tab", "url"):
        if observation is None:
            return
        pairs = _from_page(kind, cursor, form, observation)
    else:
        pairs = _matching(cursor.partial, _FIXED.get(kind, ()))
    for value, label in pairs:
        yield Completion(grammar.filling(form, index, value), cursor.start, label)


_FIXED: dict[str, Sequence[tuple[Value, str]]] = {
    "keys": [(chord, "key") for chord in _CHORDS],
    "direction": [(word, "") for word in DIRECTIONS],
    "button": [(word, "mouse button") for word in BUTTONS],
    "modifiers": [(word, "held key") for word in MODIFIERS],
    "answer": [(word, "the open dialog") for word in ANSWERS],
    "flag": [(True, "yes"), (False, "no")],
    "point": [
        ("at 50% 50%", "its middle"),
        ("at 0% 50%", "its left edge"),
        ("at 100% 50%", "its right edge"),
        ("at 50% 0%", "its upper edge"),
        ("at 50% 100%", "its lower edge"),
    ],
}


def _matching(typed: str, pairs: Iterable[tuple[Value, str]]) -> Iterator[tuple[Value, str]]:
    """Those whose value or label holds the typed text, values that start with it first."""
    wanted = typed.strip().lower()
    rest: list[tuple[Value, str]] = []
    for value, label in pairs:
        if str(value).lower().startswith(wanted):
            yield value, label
        elif wanted in str(value).lower() or wanted in label.lower():
            rest.append((value, label))
    yield from rest


def _from_page(
    kind: str, cursor: Cursor, form: Form, observation: Observation
) -> Iterable[tuple[Value, str]]:
    index = element_index(observation)
    if kind == "element":
        return ((node.id, _label(node)) for node in index.search(cursor.partial, MOST))
    if kind == "field":
        return _fields(cursor.partial, form, index)
    if kind == "tab":
        tabs = ((tab.index, plain_clip(tab.title or tab.url, _LABEL_CELLS)) for tab in observation.tabs)
        return _matching(cursor.partial, tabs)
    if kind == "url":
        urls = dict.fromkeys((observation.url, *(tab.url for tab in observation.tabs)))
        return _matching(cursor.partial, ((url, "open now") for url in urls if url))
    named = index.named(cursor.before[0]) if cursor.before else []
    if kind == "option":
        return _matching(cursor.partial, ((_option(node), _label(node)) for node in named))
    options = (option for node in named for option in index.options(node))
    return _matching(cursor.partial, ((node.name, _label(node)) for node in options))


def _fields(typed: str, form: Form, index: ElementIndex) -> Iterator[tuple[Value, str]]:
    """Names of form fields, those that suit the verb first; then elements without a name, by id."""
    fields = sorted(index.fields.items(), key=lambda item: not _suits(form.verb, item[1]))
    yield from _matching(typed, ((name, _label(node)) for name, node in fields))
    for node in index.search(typed, MOST):
        if "name" not in node.attributes:
            yield node.id, _label(node)


def _suits(verb: str, node: AccessibilityNode) -> bool:
    """Whether a field is of the type that a verb such as "modify_radio" is for."""
    kind = verb.rpartition("_")[2]
    if kind == "text":
        return node.tag == "textarea" or node.attributes.get("type", "text") not in _TICKED_TYPES
    return kind in (node.attributes.get("type"), node.tag)


def _option(node: AccessibilityNode) -> str:
    """What a form sends for a radio or a tick box, or what another node is called."""
    return node.attributes.get("value") or node.value or node.name


def _label(node: AccessibilityNode) -> str:
    return plain_clip(f'[{node.id}] {node.role} "{node.name}"', _LABEL_CELLS)
