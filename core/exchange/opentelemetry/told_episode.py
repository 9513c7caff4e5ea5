"""Told episode: the one attribute of a span in which an export of ours tells of the episode.

Of our own episodes it stands in the root span with the whole record's fields. Of one that goes out in the
spans that it came from, it tells where it came from, and is the only thing that is added:

| container | place, in the outermost span that has one |
|---|---|
| OTLP | the attribute `webbench.episode`, a JSON text |
| Jaeger | the tag of this name |
| Phoenix, one span | the attribute of this name |
| Langfuse | `webbench` of an observation's `metadata` |
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from webbench.core.exchange.account.told_losses import Losses
from webbench.core.exchange.opentelemetry.attribute_trees import at, decoded
from webbench.core.exchange.opentelemetry.exported_spans import Span
from webbench.core.exchange.own.carried_fields import (
    OWN,
    origin_of,
    tells_record,
    with_origin,
    without_origin,
)
from webbench.core.json_types import Json, JsonObject
from webbench.core.trajectory import EpisodeHeader

EPISODE = "webbench.episode"
_PAIRS = ("attributes", "tags")
_METADATA = "metadata"


def told_in(span: Span) -> JsonObject:
    """What an export of ours told of the episode in this span, {} for nothing."""
    own = decoded(at(span.attributes, EPISODE))
    return own if isinstance(own, dict) else {}


def add_origin(spans: list[Span], header: EpisodeHeader, lost: Losses) -> None:
    """Tell in the spans of a document, which are changed, where their episode came from."""
    told = origin_of(header)
    if not told:
        return
    known = {span.id for span in spans}
    for span in sorted(spans, key=lambda one: one.parent in known):
        if _add(span.raw, told, header):
            return
    lost.lose("where it came from: none of its spans has attributes")


def _add(raw: JsonObject, told: JsonObject, header: EpisodeHeader) -> bool:
    text = json.dumps(told)
    for name in _PAIRS:
        held = raw.get(name)
        if isinstance(held, list):
            typed = {"type": "string", "value": text} if name == "tags" else {"value": {"stringValue": text}}
            raw[name] = [*held, {"key": EPISODE, **typed}]
            return True
        if isinstance(held, dict):
            raw[name] = {**held, EPISODE: text}
            return True
    of_langfuse = "observation_id" in raw or ("traceId" in raw and "spanId" not in raw)
    if not of_langfuse:
        return False
    refused = _Refused()
    raw.update(with_origin(raw, _METADATA, header, refused))
    return not refused.lost


class _Refused(Losses):
    """Whether a place was refused."""

    most_lost = 1

    def __init__(self) -> None:
        self.lost, self.again = [], {}


def taken_origin(spans: Iterable[Span]) -> JsonObject:
    """What `add_origin` told, taken out of the spans again, which are as they came then; {} for nothing."""
    for span in spans:
        own = _taken(span)
        if own:
            return own
    return {}


def _taken(span: Span) -> JsonObject:
    own = told_in(span)
    if own:
        if tells_record(own):
            return {}
        _drop(span.attributes, EPISODE.split("."))
        for name in _PAIRS:
            held = span.raw.get(name)
            if isinstance(held, list):
                span.raw[name] = [one for one in held if not _is_ours(one)]
            elif isinstance(held, dict):
                span.raw[name] = {key: one for key, one in held.items() if key != EPISODE}
        return own
    if at(span.attributes, f"langfuse.metadata.{OWN}") is None:
        return {}
    bare, own = without_origin(span.raw, _METADATA)
    if own:
        span.raw.clear()
        span.raw.update(bare)
        _drop(span.attributes, ["langfuse", _METADATA, OWN])
    return own


def _is_ours(pair: Json) -> bool:
    return isinstance(pair, dict) and pair.get("key") == EPISODE


def _drop(held: Json, path: Sequence[str]) -> None:
    """Take a name out of a tree of attributes, with the branches that hold nothing but it."""
    if not isinstance(held, dict):
        return
    if len(path) > 1:
        _drop(held.get(path[0]), path[1:])
    if len(path) == 1 or held.get(path[0]) == {}:
        held.pop(path[0], None)
