"""One recorded event against one key node.

Two clauses differ between the rule sets. A semantic match of a text fails under `published`, whose code never
waits for the judge; and an XPath that meets nothing fails there, where the paper's rule is simply not met.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UnsetType

from webbench.benchmarks.webcanvas.scoring.element_values import (
    text_exact_match,
    text_include_match,
    value_exact_match,
    value_include_match,
)
from webbench.benchmarks.webcanvas.scoring.key_nodes import KeyNode
from webbench.benchmarks.webcanvas.scoring.recorded_page import SELECTOR, XPATH, Page
from webbench.benchmarks.webcanvas.scoring.urls import (
    included_text,
    site_label,
    url_exact_match,
    url_include_match,
    whole_or_parameter,
)
from webbench.core.errors import BadData
from webbench.core.json_types import Json

PUBLISHED, PAPER = "published", "paper"
RULE_SETS = (PUBLISHED, PAPER)

Judge = Callable[[str, str], float]
"""Gives the verdict on (what was found, what was asked for), in [0, 1]."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What one step shows to the key nodes.

    Attributes:
        url: address of the page when the action was chosen.
        path: of the element that was acted on, null where there was none.
        value: that element's value or label, or what was typed.
        text: an answer given or kept.
        html: the page, null where it wasn't recorded.
        number: of the step, where several events belong to one; null = the event's place in the list.
        same: by reference selector, whether the element acted on is that of the reference, as
            `Page.same_element` found on the page as it was then; kept instead of `html`.
    """

    url: Json = None
    path: Json = None
    value: Json = None
    text: Json = None
    html: Json = None
    number: int | None = None
    same: dict[str, bool] | None = None


class Match(msgspec.Struct, frozen=True):
    """How far an event meets a key node.

    Attributes:
        value: 0 to 1; fractions come from semantic matches.
        actual, normalised: what was compared, before and after.
        why: one sentence.
    """

    value: float
    actual: Json
    normalised: Json
    why: str


class PageMissing(BadData):
    """Whether a path meets its reference can't be told without the page."""


def match(node: KeyNode, event: Event, page: Page, judge: Judge, rules: str = PUBLISHED) -> Match:
    """How far `event` meets `node`.

    Raises `BadData` where the rule set's code fails, `PageMissing` where the page decides and wasn't
    recorded, and whatever `judge` raises.
    """
    if node.target == "url":
        return _match_url(node, event, judge)
    if node.target == "path":
        return _match_path(node, event, page, rules)
    if node.target == "value":
        return _match_element_value(node, event, page, judge)
    if node.target == "text":
        return _match_text(node, event, judge, rules)
    return Match(0, None, None, f'the function "{node.match_function}" is unknown and never matches')


def _match_url(node: KeyNode, event: Event, judge: Judge) -> Match:
    key = node.needed("key")
    read = included_text if node.manner == "include" else whole_or_parameter
    found = read(event.url, key)
    part = f'the parameter "{key}"' if key else "the address"
    if found is None:
        return Match(0, event.url, None, f"{part} is not in the address")
    if node.manner == "semantic":
        return _judged(judge, event.url, found, node)
    if node.manner == "include":
        value = url_include_match(event.url, node.reference_answer, key)
        return Match(value, event.url, found, _comparison_sentence(part, "include", value))
    value = url_exact_match(event.url, node.reference_answer, key)
    return Match(value, event.url, found, _comparison_sentence(part, "equal", value))


def _match_path(node: KeyNode, event: Event, page: Page, rules: str) -> Match:
    method = node.needed("method")
    elsewhere = _elsewhere(node, site_label(event.url), event.path)
    if elsewhere:
        return elsewhere
    same = _same_element(event, node.reference_answer, method, page, rules)
    why = "the element acted on is that of the reference, or around it" if same else "it is another element"
    return Match(int(same), event.path, event.path, why)


def _match_element_value(node: KeyNode, event: Event, page: Page, judge: Judge) -> Match:
    if event.path is None or event.value is None:
        return Match(0, event.value, event.value, "no element was acted on")
    if node.manner == "semantic" and _is_empty(event.value):
        return Match(0, event.value, event.value, "the value is empty")
    label = site_label(event.url)
    if isinstance(node.path, UnsetType) or label != node.needed("netloc"):
        return match_value(node, event.value, label, judge)
    if not _same_element(event, node.path, SELECTOR, page, PUBLISHED):
        return Match(0, event.value, event.value, "it is the value of another element")
    return match_value(node, event.value, label, judge)


def match_value(node: KeyNode, value: Json, site: Json, judge: Judge) -> Match:
    """How far an element's value on `site` meets a value node, whatever element it is of."""
    elsewhere = _elsewhere(node, site, value)
    if elsewhere:
        return elsewhere
    if node.manner == "semantic":
        if _is_empty(value):
            return Match(0, value, value, "the value is empty")
        return _judged(judge, value, value, node)
    if node.manner == "include":
        found = value_include_match(value, node.reference_answer)
        return Match(found, value, value, _comparison_sentence("the value", "include", found))
    found = value_exact_match(value, node.reference_answer)
    return Match(found, value, value, _comparison_sentence("the value", "equal", found))


def _is_empty(value: Json) -> bool:
    try:
        return len(value) == 0
    except TypeError:
        raise BadData(f"the value {value!r} is no text") from None


def _match_text(node: KeyNode, event: Event, judge: Judge, rules: str) -> Match:
    if event.text is None or event.text == "":
        return Match(0, event.text, event.text, "no text was given")
    if node.manner == "semantic":
        if rules == PUBLISHED:
            raise BadData(f"the published code never waits for the judge of {node.match_function}, and fails")
        return _judged(judge, event.text, event.text, node)
    compare = text_include_match if node.manner == "include" else text_exact_match
    value = compare(event.text, node.reference_answer)
    verb = "include" if node.manner == "include" else "equal"
    return Match(
        value, event.text, event.text.lower(), _comparison_sentence("in lower case the text", verb, value)
    )


def _elsewhere(node: KeyNode, site: Json, actual: Json) -> Match | None:
    """A match of 0 where the event happened on another site, else None."""
    wanted = node.needed("netloc")
    if site == wanted:
        return None
    return Match(0, actual, actual, f'it happened on the site "{site}", not on "{wanted}"')


def _same_element(event: Event, reference: Json, method: Json, page: Page, rules: str) -> bool:
    if event.same is not None and method == SELECTOR and isinstance(reference, str):
        known = event.same.get(reference)
        if known is not None:
            return known
    if page.html is None and event.path is not None and method in (SELECTOR, XPATH):
        raise PageMissing("the page of this step wasn't recorded, and it decides which element was acted on")
    try:
        return page.same_element(event.path, reference, method)
    except BadData:
        if rules == PAPER:
            return False
        raise


def _judged(judge: Judge, actual: Json, found: Json, node: KeyNode) -> Match:
    value = judge(str(found), str(node.reference_answer))
    return Match(value, actual, found, f"the judge gives {value:g} for meeting the requirement")


def _comparison_sentence(subject: str, verb: str, holds: float) -> str:
    return f"{subject} {verb}s the reference" if holds else f"{subject} doesn't {verb} the reference"
