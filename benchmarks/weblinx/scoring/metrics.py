"""What WebLINX measures of one predicted action against one reference, each a pure function.

Paper: X. H. Lù, Z. Kasner, S. Reddy, "WebLINX: Real-World Website Navigation with Multi-Turn Dialogue", 2024,
its section on evaluation. Where the published code and the paper disagree, an argument chooses.

Score of a turn = intent match x (IoU x chrF where both exist, else URL-F, else chrF, else IoU).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from urllib.parse import urlparse

from webbench.benchmarks.weblinx.turns.action import TurnAction
from webbench.benchmarks.weblinx.turns.intents import (
    CHANGE,
    COPY,
    ELEMENT_INTENTS,
    LOAD,
    PASTE,
    SAY,
    SCROLL,
    TEXT_INPUT,
    TEXT_INTENTS,
)
from webbench.core.errors import BadData
from webbench.core.json_types import Json, JsonObject
from webbench.core.scoring.metrics.chrf import Overlap, f_measure, overlap

Measure = Callable[[str, str], Overlap]

COMPARED = {
    SAY: ("utterance",),
    LOAD: ("url",),
    CHANGE: ("value",),
    SCROLL: ("x", "y"),
    TEXT_INPUT: ("text",),
}
"""By intent: the arguments that have to be equal in an exact match."""
UNREAD_TEXTS = frozenset((COPY, PASTE))
"""Intents whose text no metric takes, although they are given a chrF."""

_SHOWN = 60


@lru_cache(maxsize=512)
def applicable(
    predicted: str | None,
    wanted: str | None,
    *,
    elements: frozenset[str] = ELEMENT_INTENTS,
    texts: frozenset[str] = TEXT_INTENTS,
) -> Mapping[str, bool]:
    """Which metrics exist for a pair of intents: chrF, IoU and URL-F only where the two are equal."""
    same = predicted == wanted
    return {
        "exact-match": True,
        "intent-match": True,
        "chrf": same and predicted in texts,
        "iou": same and predicted in elements,
        "urlf": same and predicted == LOAD,
    }


def element_iou(predicted: TurnAction, wanted: TurnAction) -> float:
    """IoU of the two elements' boxes (paper: metric of the element group).

    0 where an element or a box is missing, so also for two scrolls, which have no element. Raises as `iou`.
    """
    if not predicted.element or not wanted.element:
        return 0.0
    return iou(predicted.element.get("bbox"), wanted.element.get("bbox"))


def iou(predicted: JsonObject | None, wanted: JsonObject | None) -> float:
    """Intersection over union of two boxes: shared area / (area + area - shared area); 0 without a box.

    Area is (right - left) (bottom - top), so a turned-over box has one that means nothing; for proper boxes
    the value is in [0, 1] and symmetric. Raises `BadData` for a missing edge, and where the union is 0.
    """
    if not predicted or not wanted:
        return 0.0
    try:
        width = min(predicted["right"], wanted["right"]) - max(predicted["left"], wanted["left"])
        height = min(predicted["bottom"], wanted["bottom"]) - max(predicted["top"], wanted["top"])
        shared = max(0, width) * max(0, height)
        value: float = shared / (_area(predicted) + _area(wanted) - shared)
    except KeyError as error:
        lacking = f"a box has no {error.args[0]!r}, so IoU isn't defined"
        raise BadData(f"{lacking}: {_edges(predicted, wanted)}") from error
    except ZeroDivisionError as error:
        raise BadData(f"both boxes are empty, so IoU isn't defined: {_edges(predicted, wanted)}") from error
    except (TypeError, OverflowError) as error:
        raise BadData(f"the edges of a box are no numbers: {_edges(predicted, wanted)}") from error
    return min(value, 1.0)


def compared_texts(predicted: TurnAction, wanted: TurnAction) -> tuple[Json, Json]:
    """The argument that chrF and URL-F compare, of either action; None where there is none.

    `say`: utterance, `load`: url, `change`: value, `textinput`: text, or value where text is not given.
    Copy and paste have a text that is not taken.
    """
    intent = predicted.intent
    if intent == TEXT_INPUT:
        return _typed(predicted.args), _typed(wanted.args)
    if intent not in (SAY, LOAD, CHANGE):
        return None, None
    (name,) = COMPARED[intent]
    return predicted.args.get(name), wanted.args.get(name)


def text_chrf(texts: tuple[Json, Json], beta: float = 2, measure: Measure = overlap) -> float:
    """chrF of prediction and reference (paper: metric of the text group, as F1; published: F2).

    (1 + beta²) P R / (beta² P + R), P and R being the mean shares of common character n-grams, n = 1 to 6.
    0 where one of the two is no text (a number in quotes, as published), is empty, or shares no character.

    Args:
        beta: 2 weighs recall, as published; 1 is the F1 of the paper.
        measure: gives the n-gram overlap of two texts.
    """
    prediction, reference = texts
    if not isinstance(prediction, str) or not isinstance(reference, str):
        return 0.0
    return f_measure(measure(prediction, reference), beta)


def url_f(predicted: Json, wanted: Json, *, whole_prefix: bool = False) -> float:
    """F1 over the sets of host and path segments of two addresses, 0 where one is missing or malformed.

    F = 2PR / (P + R), with P and R the share of common parts. Scheme, query, fragment, order and repeats
    don't count. Symmetric, in [0, 1]; two hosts alone that are equal give 1. Paper: metric of `load`.

    Args:
        whole_prefix: of a host only "www." is dropped; the published code drops every "w" and "." that it
            begins with, so that "what.com" equals "hat.com".

    Raises `BadData` for an address that is no text.
    """
    if not predicted or not wanted:
        return 0.0
    try:
        left, right = url_parts(predicted, whole_prefix), url_parts(wanted, whole_prefix)
    except ValueError:
        return 0.0
    common = len(left & right)
    if common == 0:
        return 0.0
    precision, recall = common / len(left), common / len(right)
    return 2 * (recall * precision) / (precision + recall)


def url_parts(url: Json, whole_prefix: bool = False) -> frozenset[str]:
    """Host and path segments. Raises `ValueError` for a malformed address, `BadData` for no text."""
    if not isinstance(url, str):
        raise BadData(f"an address has to be text, this is {str(url)[:_SHOWN]!r}")
    return _url_parts(url, whole_prefix)


@lru_cache(maxsize=256)
def _url_parts(url: str, whole_prefix: bool) -> frozenset[str]:
    """Kept, for metrics, checks and known weaknesses look at the same addresses one after the other."""
    split = urlparse(url)
    host = split.netloc.removeprefix("www.") if whole_prefix else split.netloc.lstrip("w.")
    path = split.path.strip("/")
    return frozenset((host, *path.split("/")) if path else (host,))


def exact_match(predicted: TurnAction, wanted: TurnAction) -> int:
    """1 where intent, element id and the intent's argument are equal, else 0.

    Intents with an element need an id on both sides, so two scrolls without one give 0. A missing argument
    equals a missing one; the texts of copy and paste are not looked at. No mean but its own counts it.
    Raises `BadData` for an element without attributes.
    """
    intent = predicted.intent
    if intent != wanted.intent:
        return 0
    if intent in ELEMENT_INTENTS:
        if not predicted.element or not wanted.element:
            return 0
        mine, other = predicted.id, wanted.id
        if mine is None or mine != other:
            return 0
    names = COMPARED.get(intent or "", ())
    return int(all(predicted.args.get(name) == wanted.args.get(name) for name in names))


def _typed(args: JsonObject) -> Json:
    return args["text"] if "text" in args else args.get("value")


def _area(box: JsonObject) -> float:
    area: float = (box["right"] - box["left"]) * (box["bottom"] - box["top"])
    return area


def _edges(*boxes: JsonObject) -> str:
    return " and ".join(str(box)[:_SHOWN] for box in boxes)
