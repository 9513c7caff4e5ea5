"""An action language of three verbs, made from the product's own parts: a table of forms and a grammar."""

from __future__ import annotations

from webbench.core.action.action import Click, Stop, Type
from webbench.core.dialects.forms import Forms, needed, optional
from webbench.core.dialects.notations.calls import Calls
from webbench.core.dialects.saying import says
from webbench.core.dialects.text_dialect import TextDialect
from webbench.core.observation import Observation

FORMS = Forms(
    (
        says("press", Click, "press on an element", "press(12)", target=needed("element", "element")),
        says(
            "write",
            Type,
            "write into a field",
            "write(5, 'running shoes')",
            target=needed("element", "element"),
            text=needed("text", "text"),
        ),
        says("done", Stop, "end, with an answer", "done('red')", answer=optional("answer", "text", "")),
    )
)


def render(observation: Observation) -> str:
    """What an agent of this language reads: what can be acted on, and all text."""
    lines = [observation.url]
    for node in observation.nodes:
        if node.interactive:
            lines.append(f"{node.id}: {node.role} {node.name}")
        elif node.role == "StaticText":
            lines.append(node.name)
    return "\n".join(lines)


def create() -> TextDialect:
    """The entry point."""
    return TextDialect("plain", FORMS, Calls("'"), render)
