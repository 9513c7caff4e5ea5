"""OTLP/JSON with the GenAI conventions, for a collector and whatever reads its files: a trace an episode.

| in the record | in the trace |
|---|---|
| the episode | the root span `invoke_agent`, with `webbench.episode` |
| what an agent said, why, what it took | a `chat` span with `gen_ai.output.messages` and `gen_ai.usage.*` |
| what it was told since it spoke last | that span's `gen_ai.input.messages` |
| an action | an `execute_tool` span named by its verb, with arguments and result |
| the page after it | the result: the tree in WebArena's text form, the screenshot as a `blob` |
| what a person did | the same, in a span `step` that is no model's |
| what the conventions have no place for | `webbench.step` |

An episode that came from spans is those spans, in the container that they came in; where it came from is told
in one of them (`told_episode.py`).
"""

from __future__ import annotations

import base64
import itertools
import json
import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from webbench.core.exchange.account.given import (
    NAMED_BY_FILE,
    NOT_CARRIED,
    PAGE_AS_TEXT,
    TREE_AS_TEXT,
    Places,
    kept_besides,
)
from webbench.core.exchange.conversation.spoken_turn import Call, Result, Turn
from webbench.core.exchange.conversation.turns_of_record import turns_of
from webbench.core.exchange.episode_building import as_it_came
from webbench.core.exchange.export_format import Source
from webbench.core.exchange.import_format import Picture
from webbench.core.exchange.opentelemetry.agent_traces import OPENTELEMETRY, SPANS_FILE
from webbench.core.exchange.opentelemetry.exported_spans import spans_in
from webbench.core.exchange.opentelemetry.roles_of_spans import OWN_PAGE, OWN_STEP
from webbench.core.exchange.opentelemetry.told_episode import EPISODE, add_origin
from webbench.core.exchange.own.carried_fields import header_told
from webbench.core.json_types import Json, JsonObject
from webbench.core.renderings.webarena import webarena_tree
from webbench.core.store.records import codec
from webbench.core.text import bounded_json
from webbench.core.trajectory import Trajectory

INTERNAL, CLIENT = 1, 3
FAILED = 2
_USAGE = {
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
    "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
    "reasoning_tokens": "gen_ai.usage.reasoning.output_tokens",
    "cost": "gen_ai.usage.cost",
}
_HALF = re.compile("[\ud800-\udfff]")
_SECOND = 1_000_000_000


class SpanExporter:
    name = OPENTELEMETRY
    title = "OpenTelemetry GenAI spans, OTLP/JSON: a trace for each episode"
    ending = ".json"
    several = False
    lacks = (
        "pages' HTML, boxes and states of nodes, who provides a model, and whole prompts: "
        "each call has what was said since the one before; half characters become U+FFFD"
    )

    places = Places(
        rewritten={**TREE_AS_TEXT, **PAGE_AS_TEXT, "values.task.name": NAMED_BY_FILE},
        no_place={
            **NOT_CARRIED,
            **PAGE_AS_TEXT,
            "html": "pages are trees in WebArena's text form",
            "labels": "no field for what annotators wrote",
            "files": "no field for files kept with an episode",
        },
        adds={
            **kept_besides(OPENTELEMETRY),
            "files": "its spans are a file of the episode when they are read",
        },
    )

    def write(self, source: Source, path: Path) -> None:
        for trajectory in source.trajectories():
            document = _as_they_were(source, trajectory)
            if document is None:
                document = _TraceOfEpisode(source, trajectory).document()
            path.write_bytes(codec.encode(document))


def create() -> SpanExporter:
    """The entry point."""
    return SpanExporter()


def _as_they_were(source: Source, trajectory: Trajectory) -> Json:
    """The spans that the episode came from, None where there are none."""
    if as_it_came(trajectory.header, OPENTELEMETRY) is None:
        return None
    folder = source.store.root / trajectory.header.run / trajectory.header.episode
    kept = next((file for file in source.store.files(folder) if file.name == SPANS_FILE), None)
    if kept is None:
        return None
    try:
        document = bounded_json.decode(source.store.file(kept))
    except (ValueError, RecursionError) as error:
        source.told.lose(f"{trajectory.header.episode}: {SPANS_FILE} can't be read: {error}")
        return None
    add_origin(spans_in(document), trajectory.header, source.told)
    return document


class _TraceOfEpisode:
    """The spans of one episode, as they are made."""

    def __init__(self, source: Source, trajectory: Trajectory) -> None:
        self._source, self._header = source, trajectory.header
        self._turns = list(turns_of(source, trajectory, OPENTELEMETRY))
        named = f"{trajectory.header.run}/{trajectory.header.episode}"
        self._session = named
        self._trace = sha256(named.encode()).hexdigest()[:32]
        self._spans: list[JsonObject] = []
        self._ids = 0
        self._clock = _nanoseconds(trajectory.header.started)

    def document(self) -> JsonObject:
        root = self._id()
        waiting: list[Turn] = []
        self._add_start(root)
        for turn in self._turns:
            if turn.of_agent:
                self._add(turn, waiting, root)
                waiting = []
            else:
                waiting.append(turn)
        if not self._clock:
            self._source.told.lose("an episode without times: its spans begin at 0")
        self._spans.insert(0, self._root(root, waiting))
        scope = {"name": "webbench-tui", "version": version("webbench-tui")}
        resource = {"attributes": _pairs({"service.name": self._header.actor})}
        return {
            "resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": self._spans}]}]
        }

    def _add_start(self, root: str) -> None:
        """The page that was there before anything was done, in a span of its own."""
        begun = list(itertools.takewhile(lambda turn: not turn.of_agent, self._turns))
        seen = [
            one for turn in begun for one in turn.results if one.page is not None or one.picture is not None
        ]
        if seen:
            self._clock = next((at for turn in begun if (at := _nanoseconds(turn.at))), self._clock)
            self._add_seen(seen, root)

    def _root(self, id: str, left: Sequence[Turn]) -> JsonObject:
        """The agent; what nobody answered, as in an episode without steps, is what it was given."""
        header = self._header
        own = {
            **header_told(header),
            "start": next((turn.own for turn in self._turns[:1] if not turn.of_agent), {}),
        }
        attributes: JsonObject = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": header.actor,
            "gen_ai.conversation.id": self._session,
            EPISODE: codec.encode(own).decode(),
        }
        if left:
            attributes["gen_ai.input.messages"] = _text([one for turn in left for one in _given(turn)])
        span = self._span(id, "", f"invoke_agent {header.actor}", INTERNAL, attributes)
        began = min((int(one["startTimeUnixNano"]) for one in self._spans), default=self._clock)
        return span | {"startTimeUnixNano": str(began), "endTimeUnixNano": str(self._clock)}

    def _id(self) -> str:
        self._ids += 1
        return sha256(f"{self._trace} {self._ids}".encode()).hexdigest()[:16]

    def _add(self, turn: Turn, before: Sequence[Turn], root: str) -> None:
        began = _nanoseconds(turn.at) or self._clock
        closed = began + round((turn.seconds or 0) * _SECOND)
        self._clock = max(self._clock, closed) if self._spans else closed
        by_person = turn.own.get("actor") == "human"
        named = "step" if by_person else f"chat {turn.model}".strip()
        attributes: JsonObject = {} if by_person else {"gen_ai.operation.name": "chat"}
        if turn.model:
            attributes["gen_ai.request.model"] = turn.model
        attributes |= {theirs: turn.usage[ours] for ours, theirs in _USAGE.items() if ours in turn.usage}
        if before:
            attributes["gen_ai.input.messages"] = _text([one for given in before for one in _given(given)])
        attributes["gen_ai.output.messages"] = _text([_said(turn)])
        if turn.own:
            attributes[OWN_STEP] = codec.encode(turn.own).decode()
        attributes |= _attributes_kept(turn.rest, attributes)
        own = self._id()
        kind = INTERNAL if by_person else CLIENT
        span = self._span(own, root, named, kind, attributes)
        self._spans.append(span | {"startTimeUnixNano": str(began), "endTimeUnixNano": str(closed)})
        for number, call in enumerate(turn.calls):
            answers = [one for one in turn.results if one.call == call.id]
            last = number == len(turn.calls) - 1
            answers += [one for one in turn.results if last and not one.call]
            self._add_call(call, answers, root)
        if not turn.calls and any(one.page or one.picture or one.text or one.error for one in turn.results):
            self._add_seen(turn.results, own)

    def _add_call(self, call: Call, answers: Sequence[Result], parent: str) -> None:
        attributes: JsonObject = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.call.id": call.id,
            "gen_ai.tool.call.arguments": call.arguments
            if isinstance(call.arguments, str)
            else _text(call.arguments),
        }
        self._add_result(f"execute_tool {call.name}", attributes, answers, parent)

    def _add_seen(self, answers: Sequence[Result], parent: str) -> None:
        """What came back where nothing was called: the page after an answer."""
        self._add_result("seen", {}, answers, parent)

    def _add_result(self, named: str, attributes: JsonObject, answers: Sequence[Result], parent: str) -> None:
        pages = [one for one in answers if one.page is not None]
        if answers:
            attributes["gen_ai.tool.call.result"] = _result(answers)
        if not pages and "gen_ai.tool.name" not in attributes:
            attributes[OWN_PAGE] = _text({"output": "\n".join(one.text for one in answers if one.text)})
        for one in pages:
            if one.page is not None:
                page = {"url": one.page.url, "title": one.page.title, "output": one.text}
                attributes[OWN_PAGE] = _text(page | {"tree": webarena_tree(one.page)})
        failed = next((one.error for one in answers if one.error), "")
        span = self._span(self._id(), parent, named, INTERNAL, attributes, failed)
        self._spans.append(
            span | {"startTimeUnixNano": str(self._clock), "endTimeUnixNano": str(self._clock)}
        )

    def _span(
        self, id: str, parent: str, name: str, kind: int, attributes: JsonObject, failed: str = ""
    ) -> JsonObject:
        status: JsonObject = {"code": FAILED, "message": _HALF.sub("\ufffd", failed)} if failed else {}
        return {
            "traceId": self._trace,
            "spanId": id,
            "parentSpanId": parent,
            "name": _HALF.sub("\ufffd", name),
            "kind": kind,
            "attributes": _pairs(attributes),
            "status": status,
        }


def _attributes_kept(rest: JsonObject, given: JsonObject) -> JsonObject:
    """What the spans that the turn came from said besides."""
    kept = rest.get("attributes")
    return {name: one for name, one in kept.items() if name not in given} if isinstance(kept, dict) else {}


def _nanoseconds(at: str) -> int:
    try:
        return round(datetime.fromisoformat(at).timestamp() * 1000) * 1_000_000 if at else 0
    except (ValueError, OverflowError):
        return 0


def _text(value: Json) -> str:
    """JSON; half a character of a page stays as its escape, as readers of OTLP refuse it otherwise."""
    return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def _pairs(attributes: JsonObject) -> list[Json]:
    return [{"key": name, "value": _typed(value)} for name, value in attributes.items() if value is not None]


def _typed(value: Json) -> JsonObject:
    """A value as OTLP has it; whole numbers are texts, what has no type there is JSON in a text."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int) and abs(value) < 2**63:
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    return {"stringValue": _HALF.sub("\ufffd", value) if isinstance(value, str) else _text(value)}


def _given(turn: Turn) -> list[JsonObject]:
    """What was said to the agent, with the page that came with it; its picture has a span of its own."""
    parts: list[JsonObject] = [{"type": "text", "content": turn.text}] if turn.text else []
    for one in turn.results:
        words = [one.text, f"{one.page.url}\n{webarena_tree(one.page)}" if one.page is not None else ""]
        said = "\n\n".join(filter(None, words))
        parts += [{"type": "text", "content": said}] if said else []
    role = turn.speaker if turn.speaker in ("system", "user", "tool") else "user"
    return [{"role": role, "parts": parts}] if parts else []


def _said(turn: Turn) -> JsonObject:
    parts: list[JsonObject] = []
    if turn.reasoning:
        parts.append({"type": "reasoning", "content": turn.reasoning})
    if turn.text:
        parts.append({"type": "text", "content": turn.text})
    parts += [
        {"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments}
        for call in turn.calls
    ]
    return {"role": "assistant", "parts": parts, "finish_reason": "tool_call" if turn.calls else "stop"}


def _result(answers: Sequence[Result]) -> str:
    """What came back: words alone, or parts where there is a picture."""
    parts: list[JsonObject] = []
    for one in answers:
        words = [one.text or one.error]
        if one.page is not None:
            words.append(f"{one.page.url}\n{webarena_tree(one.page)}")
        said = "\n\n".join(filter(None, words))
        parts += [{"type": "text", "content": said}] if said else []
        parts += [_blob(one.picture)] if one.picture is not None else []
    if any(part["type"] == "blob" for part in parts):
        return _text(parts)
    return "\n".join(part["content"] for part in parts)


def _blob(picture: Picture) -> JsonObject:
    return {
        "type": "blob",
        "modality": "image",
        "mime_type": f"image/{picture.format}",
        "content": base64.b64encode(picture.data).decode(),
    }
