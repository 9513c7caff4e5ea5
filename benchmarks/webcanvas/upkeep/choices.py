"""Which key nodes a recorded step can be: the address first, else the element (paper, appendix C).

An address outlives a new look of the page, and whoever gets there by another way meets it too; an element is
what is left where a step changes no address.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from webbench.benchmarks.webcanvas.recording import RecordedStep
from webbench.benchmarks.webcanvas.scoring.matched_key_node import Event
from webbench.benchmarks.webcanvas.scoring.recorded_page import SELECTOR, Page
from webbench.benchmarks.webcanvas.scoring.urls import site_label
from webbench.core.action.action import Select, SetRange, Type
from webbench.core.json_types import JsonObject

LONGEST_VALUE = 400


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One key node that a step could be.

    Attributes:
        function: name of the match function.
        reference: what is looked for; a person writes it where it is a requirement for a judge.
        key: query parameter, "" = the address.
        path: selector of the element whose value counts, "" = any.
        url: page of the annotation.
        why: what speaks for it, in a few words.
    """

    function: str
    reference: str
    key: str = ""
    path: str = ""
    url: str = ""
    why: str = ""

    @property
    def for_judge(self) -> bool:
        return "semantic" in self.function

    def annotation(self) -> JsonObject:
        """The node as a task file of Mind2Web-Live has it."""
        content: JsonObject = {"reference_answer": self.reference}
        if self.function.startswith("url_"):
            return _node(self.function, {"key": self.key, **content, "url": self.url})
        if self.function.startswith("final_answer_"):
            return _node(self.function, content)
        content["netloc"] = site_label(self.url)
        if self.function.startswith("element_path_"):
            return _node(self.function, {**content, "url": self.url}, method=SELECTOR)
        path = {"path": self.path} if self.path else {}
        return _node(self.function, {**content, **path, "url": self.url})


def choices(step: RecordedStep) -> tuple[Choice, ...]:
    """What the step could be, most advisable first; empty where it shows nothing to a key node."""
    found = (*_of_address(step), *_of_element(step))
    return tuple({(one.function, one.key, one.reference, one.path): one for one in found}.values())


def answer_choices(answer: str, url: str) -> tuple[Choice, ...]:
    """What the answer at the end could be."""
    if not answer:
        return ()
    shown = answer[:LONGEST_VALUE]
    return (
        Choice(function="final_answer_included_match", reference=shown, url=url, why="it says this"),
        Choice(function="final_answer_exact_match", reference=shown, url=url, why="it says only this"),
    )


def _node(function: str, content: JsonObject, **more: str) -> JsonObject:
    return {"match_function_name": function, **more, "content": content}


def _of_address(step: RecordedStep) -> Iterator[Choice]:
    if step.before == step.after:
        return
    new = _new_parameters(step)
    moved = _place(step.before) != _place(step.after)
    included = Choice(
        function="url_included_match",
        reference=_place(step.after),
        url=step.after,
        why="it leads to this address" if moved else "it stays at this address",
    )
    if moved:
        yield included
    for key, value in new:
        why = f"it sets the parameter {key}"
        yield Choice(function="url_exactly_match", key=key, reference=value, url=step.after, why=why)
    for key, value in new:
        why = f"a judge decides about the parameter {key}"
        wanted = f"decide whether it means {value}"
        yield Choice(function="url_semantic_match", key=key, reference=wanted, url=step.after, why=why)
    if not moved:
        yield included
    exact = unquote(step.after)
    yield Choice(function="url_exactly_match", reference=exact, url=step.after, why="exactly this address")


def _of_element(step: RecordedStep) -> Iterator[Choice]:
    event = step.event()
    selector = _selector(step, event)
    if not selector:
        return
    value = event.value[:LONGEST_VALUE] if isinstance(event.value, str) else ""
    entered = isinstance(step.action, Type | Select | SetRange)
    path = Choice(
        function="element_path_exactly_match",
        reference=selector,
        url=step.before,
        why="it acts on this element",
    )
    if not entered:
        yield path
    if value:
        why = "this is entered" if entered else "the element is called so"
        yield _value("exactly", value, selector, step, why)
        yield _value("included", value, selector, step, why + ", or more")
        wanted = f"decide whether it means {value}"
        yield _value("semantic", wanted, selector, step, "a judge decides about it")
    if entered:
        yield path


def _value(manner: str, reference: str, selector: str, step: RecordedStep, why: str) -> Choice:
    function = f"element_value_{manner}_match"
    return Choice(function=function, reference=reference, path=selector, url=step.before, why=why)


def _selector(step: RecordedStep, event: Event) -> str:
    """The recorded selector; one that rests on an address gives way to the element's place on the page."""
    selector = event.path if isinstance(event.path, str) else ""
    page = Page(step.html or None)
    if not selector or page.element(selector) is None:
        return ""
    return page.place(selector) if "[href=" in selector else selector


def _new_parameters(step: RecordedStep) -> list[tuple[str, str]]:
    """Parameters whose value is new after the step."""
    old, new = _parameters(step.before), _parameters(step.after)
    return [(key, value) for key, value in new.items() if key and old.get(key) != value]


def _parameters(url: str) -> dict[str, str]:
    try:
        return {key: unquote(values[0]) for key, values in parse_qs(urlsplit(url).query).items()}
    except ValueError:
        return {}


def _place(url: str) -> str:
    """Host without "www.", path and fragment, decoded: what an inclusion is searched in."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return unquote(parts.netloc.removeprefix("www.") + parts.path + fragment)
