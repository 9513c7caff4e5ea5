"""Spans in the containers that they are exported in, as traces.

| container | how it is known | times |
|---|---|---|
| OTLP/JSON, also a line each | `resourceSpans` > `scopeSpans` > `spans` | nanoseconds, as texts |
| Grafana Tempo | the same under `batches` | nanoseconds |
| Jaeger's query API | `data` > `traceID`, `spans`, `processes`; attributes are `tags` | microseconds |
| Langfuse's export | `trace` and `observations` | ISO 8601 |
| Phoenix, the SDK's console exporter | spans with `context` {trace_id, span_id}, in a list, `data` or a line each | ISO 8601 |
| one span | `attributes` with `spanName` or `name` | none |

Defined by opentelemetry-proto (`trace.proto` and its JSON mapping), Jaeger's and Langfuse's public APIs, and
Arize-ai/openinference.
"""  # noqa: E501 - a table

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.episode_building import text_of
from webbench.core.exchange.opentelemetry.attribute_trees import decoded, plain_pairs, plain_value, tree
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.points_in_time import utc
from webbench.core.json_types import Json, JsonObject, objects_in

OTLP, JAEGER, LANGFUSE, PHOENIX, ONE = "otlp", "jaeger", "langfuse", "spans", "span"
MOST_SPANS = 500_000
_RESOURCES = ("resourceSpans", "resource_spans", "batches")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")


class Span(msgspec.Struct, kw_only=True):
    """One span.

    Attributes:
        attributes: as a tree; Langfuse's own fields are under `langfuse`.
        at: when it began, UTC, "" where unknown; `order` sorts by it.
        raw: as it stands in the file.
        frame: what stands around it there.
    """

    trace: str
    id: str
    parent: str = ""
    name: str = ""
    attributes: JsonObject = {}
    at: str = ""
    order: float = 0.0
    seconds: float | None = None
    error: str = ""
    raw: JsonObject = {}
    frame: tuple[Json, ...] = ()


class Trace(msgspec.Struct, kw_only=True):
    """The spans of one trace in their order in the file, and the document that holds them alone.

    Attributes:
        about: what the container says of the trace as a whole.
    """

    id: str
    container: str
    spans: list[Span]
    document: Json
    about: JsonObject = {}


def traces_in(place: Place) -> list[Trace]:
    """The traces of a file, in the order of their first spans. Raises `BadData` where it holds no spans."""
    documents = list(_documents(place))
    found: dict[tuple[str, str], list[Span]] = {}
    abouts: dict[tuple[str, str], JsonObject] = {}
    count = 0
    for document in documents:
        container, spans, about = _spans_of(document)
        count += len(spans)
        if count > MOST_SPANS:
            raise BadData(f"{place} holds more than {MOST_SPANS:,} spans", "import its parts alone")
        for span in spans:
            found.setdefault((container, span.trace), []).append(span)
            abouts.setdefault((container, span.trace), about)
    if not found:
        raise BadData(f"{place} holds no spans")
    alone = len(documents) == len(found) == 1
    return [
        Trace(
            id=trace,
            container=container,
            spans=spans,
            document=documents[0] if alone else _document(container, spans),
            about=abouts[container, trace],
        )
        for (container, trace), spans in found.items()
    ]


def scope_of(span: Span) -> JsonObject:
    """The scope of the instrumentation that made a span, {} where its container tells none."""
    if len(span.frame) == 5:  # OTLP
        return _object(_object(span.frame[4]).get("scope"))
    metadata = decoded(span.raw.get("metadata"))
    named = {"name": span.raw.get("scopeName"), "version": span.raw.get("scopeVersion")}
    return _object(_object(metadata).get("scope")) or named


def spans_in(document: Json) -> list[Span]:
    """The spans that a document holds, whose `raw` are the document's own objects."""
    return _spans_of(document)[1]


def _documents(place: Place) -> Iterator[Json]:
    first = place.head.lstrip().partition(b"\n")[0]
    by_lines = first.startswith(b"{") and len(first.strip()) > 1
    if not by_lines:
        yield from _unpacked(place.json())
        return
    lines = [(number, line) for number, line in place.lines() if line.strip()]
    if len(lines) == 1 or not lines[1][1].lstrip().startswith(b"{"):
        yield from _unpacked(place.json())
        return
    for number, line in lines:
        yield place.line_json(number, line)


def _unpacked(value: Json) -> Iterator[Json]:
    """A list of whole documents, one by one; anything else as it is."""
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(first, dict) and (_kind(first) in (OTLP, JAEGER, LANGFUSE)):
        yield from value if isinstance(value, list) else ()
    else:
        yield value


def _kind(document: JsonObject) -> str:
    if any(isinstance(document.get(key), list) for key in _RESOURCES):
        return OTLP
    data = document.get("data")
    if isinstance(document.get("spans"), list) and "traceID" in document:
        return JAEGER
    if (
        isinstance(data, list)
        and data
        and isinstance(data[0], dict)
        and isinstance(data[0].get("spans"), list)
    ):
        return JAEGER
    if isinstance(document.get("observations"), list):
        return LANGFUSE
    if _listed(document):
        return PHOENIX
    return ONE if isinstance(document.get("attributes"), dict) else ""


def _listed(document: Json) -> list[JsonObject]:
    """Spans that a list, or an object's `data` or `spans`, holds; a span alone is a list of one."""
    held = document
    if isinstance(document, dict):
        held = next((document[key] for key in ("data", "spans") if isinstance(document.get(key), list)), None)
        held = [document] if held is None else held
    spans = [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
    return spans if any(_ids(one)[1] for one in spans) else []


def _spans_of(document: Json) -> tuple[str, list[Span], JsonObject]:
    if isinstance(document, list):
        return PHOENIX, [_listed_span(one, document) for one in _listed(document)], {}
    if not isinstance(document, dict):
        return "", [], {}
    match _kind(document):
        case "otlp":
            return OTLP, list(_otlp(document)), {}
        case "jaeger":
            return JAEGER, list(_jaeger(document)), {}
        case "langfuse":
            about = document["trace"] if isinstance(document.get("trace"), dict) else document
            about = {name: one for name, one in about.items() if name != "observations"}
            return LANGFUSE, [_observation(one, about) for one in objects_in(document["observations"])], about
        case "spans":
            return PHOENIX, [_listed_span(one, document) for one in _listed(document)], {}
        case "span":
            return ONE, [_single(document)], {}
    return "", [], {}


def _otlp(document: JsonObject) -> Iterator[Span]:
    for key in _RESOURCES:
        for resource in objects_in(document.get(key)):
            for inner in _SCOPES:
                for scope in objects_in(resource.get(inner)):
                    for span in objects_in(scope.get("spans")):
                        yield _otlp_span(span, (document, key, resource, inner, scope))


def _otlp_span(raw: JsonObject, frame: tuple[Json, ...]) -> Span:
    began = _first(raw, "startTimeUnixNano", "start_time_unix_nano")
    closed = _first(raw, "endTimeUnixNano", "end_time_unix_nano")
    trace, own = _ids(raw)
    return Span(
        trace=trace,
        id=own,
        parent=text_of(_first(raw, "parentSpanId", "parent_span_id")),
        name=text_of(raw.get("name")),
        attributes=tree({**_events(raw.get("events")), **plain_pairs(raw.get("attributes"))}),
        at=utc(began),
        order=_figure(began) / 1e9,
        seconds=_between(_figure(began) / 1e9, _figure(closed) / 1e9),
        error=_error(raw),
        raw=raw,
        frame=frame,
    )


def _jaeger(document: JsonObject) -> Iterator[Span]:
    for held in [document] if "traceID" in document else objects_in(document.get("data")):
        for raw in objects_in(held.get("spans")):
            tags = plain_pairs(raw.get("tags"))
            references = objects_in(raw.get("references"))
            parents = [text_of(one.get("spanID")) for one in references if one.get("refType") == "CHILD_OF"]
            began = _figure(raw.get("startTime")) / 1e6
            failed = tags.get("error") is True or tags.get("otel.status_code") == "ERROR"
            yield Span(
                trace=text_of(raw.get("traceID") or held.get("traceID")),
                id=text_of(raw.get("spanID")),
                parent=parents[0] if parents else text_of(raw.get("parentSpanID")),
                name=text_of(raw.get("operationName")),
                attributes=tree(tags),
                at=utc(raw.get("startTime")),
                order=began,
                seconds=max(0.0, _figure(raw.get("duration")) / 1e6) if "duration" in raw else None,
                error=(text_of(tags.get("otel.status_description")) or "it failed") if failed else "",
                raw=raw,
                frame=(document, held),
            )


def _observation(raw: JsonObject, about: JsonObject) -> Span:
    """An observation of Langfuse: what OpenTelemetry said stands in its metadata."""
    metadata = decoded(raw.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    said = decoded(metadata.get("attributes"))
    own = {name: one for name, one in raw.items() if name != "metadata" and one not in (None, "", [], {})}
    rest = {name: one for name, one in metadata.items() if name != "attributes"}
    began, closed = utc(raw.get("startTime")), utc(raw.get("endTime"))
    failed = raw.get("level") == "ERROR"
    return Span(
        trace=text_of(raw.get("traceId") or about.get("id")),
        id=text_of(raw.get("id")),
        parent=text_of(raw.get("parentObservationId")),
        name=text_of(raw.get("name")),
        attributes=tree(said if isinstance(said, dict) else {})
        | {"langfuse": own | ({"metadata": rest} if rest else {})},
        at=began,
        order=_instant(began),
        seconds=_between(_instant(began), _instant(closed)),
        error=(text_of(raw.get("statusMessage")) or "it failed") if failed else "",
        raw=raw,
    )


def _listed_span(raw: JsonObject, document: Json) -> Span:
    """A span as Phoenix and the SDK's console exporter write it, or OTLP's own without a container."""
    if "startTimeUnixNano" in raw or isinstance(raw.get("attributes"), list):
        return _otlp_span(raw, (document,))
    trace, own = _ids(raw)
    began, closed = utc(raw.get("start_time")), utc(raw.get("end_time"))
    given = raw["attributes"] if isinstance(raw.get("attributes"), dict) else {}
    given = given | {
        name.removeprefix("attributes."): one
        for name, one in raw.items()
        if name.startswith("attributes.") and one is not None
    }
    if raw.get("span_kind") and "openinference.span.kind" not in given:
        given = {**given, "openinference.span.kind": raw["span_kind"]}
    return Span(
        trace=trace,
        id=own,
        parent=text_of(raw.get("parent_id")).removeprefix("0x"),
        name=text_of(raw.get("name")),
        attributes=tree({**_events(raw.get("events")), **given}),
        at=began,
        order=_instant(began),
        seconds=_between(_instant(began), _instant(closed)),
        error=_error(raw),
        raw=raw,
        frame=(document,),
    )


def _single(raw: JsonObject) -> Span:
    return Span(
        trace="",
        id=text_of(raw.get("spanId")),
        name=text_of(_first(raw, "spanName", "name")),
        attributes=tree(plain_pairs(raw["attributes"])),
        raw=raw,
    )


def _ids(raw: JsonObject) -> tuple[str, str]:
    """Ids of the trace and of the span, however they are called."""
    context = raw["context"] if isinstance(raw.get("context"), dict) else {}
    trace = _first(raw, "traceId", "trace_id", "context.trace_id", "traceID") or context.get("trace_id")
    own = _first(raw, "spanId", "span_id", "context.span_id", "spanID") or context.get("span_id")
    return text_of(trace).removeprefix("0x"), text_of(own).removeprefix("0x")


def _events(events: Json) -> JsonObject:
    """What events say of messages; older instrumentation records them so."""
    found: JsonObject = {}
    for event in objects_in(events):
        for name, value in plain_pairs(event.get("attributes")).items():
            if name.startswith(("gen_ai.", "exception.message")):
                found.setdefault(name, value)
    return found


def _error(raw: JsonObject) -> str:
    status = raw["status"] if isinstance(raw.get("status"), dict) else {}
    code = status.get("code", status.get("status_code", raw.get("status_code")))
    if code not in (2, "2", "ERROR", "STATUS_CODE_ERROR"):
        return ""
    said = _first(status, "message", "description") or raw.get("status_message")
    return text_of(said) or text_of(_events(raw.get("events")).get("exception.message")) or "it failed"


def _first(holder: JsonObject, *names: str) -> Json:
    return next((holder[name] for name in names if holder.get(name) not in (None, "")), None)


def _figure(value: Json) -> float:
    value = plain_value(value)
    try:
        return float(value) if isinstance(value, str | int | float) else 0.0
    except (ValueError, OverflowError):
        return 0.0


def _instant(at: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(at).timestamp() if at else 0.0


def _between(began: float, closed: float) -> float | None:
    return closed - began if 0 < began <= closed else None


def _document(container: str, spans: list[Span]) -> Json:
    """A document that holds the spans of one trace, in the container that they came in."""
    if container == JAEGER:
        document, held = spans[0].frame[0], spans[0].frame[1]
        return held if document is held else {**_object(document), "data": [held]}
    if container != OTLP:
        return [span.raw for span in spans]
    made: JsonObject = {}
    before: tuple[Json, ...] = ()
    for span in spans:
        document, key, resource, inner, scope = span.frame
        made = made or {name: one for name, one in _object(document).items() if name not in _RESOURCES}
        resources = made.setdefault(text_of(key), [])
        if not before or before[2] is not resource:
            kept = {name: one for name, one in _object(resource).items() if name not in _SCOPES}
            resources.append(kept)
            before = ()
        scopes = resources[-1].setdefault(text_of(inner), [])
        if not before or before[4] is not scope:
            scopes.append({**_object(scope), "spans": []})
        scopes[-1]["spans"].append(span.raw)
        before = span.frame
    return made


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
