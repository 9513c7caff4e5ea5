"""OpenTelemetry's traces of agents: a trace is an episode, a call of a model or of a tool a step.

Read are OTLP/JSON, Grafana Tempo's batches, Jaeger's and Langfuse's exports, and lists of spans as Phoenix
exports them. All spans are kept with the episode in `opentelemetry-spans.json`, in the container that they
came in, without credentials; `export --to opentelemetry` gives that back. Scores of Langfuse are checks; one
that judges the task as a whole is the episode's.

Defined by open-telemetry/semantic-conventions (GenAI) and Arize-ai/openinference `spec/`.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from webbench.core.errors import BadData
from webbench.core.exchange.account.source_shape import Again, Shape
from webbench.core.exchange.conversation.spoken_turn import Turn
from webbench.core.exchange.conversation.steps_of_turns import (
    ends_answered,
    intent_of,
    steps_of,
    told_by_turns,
)
from webbench.core.exchange.episode_building import RECORD_ENDS, STOPPED, foreign_header, origin_told, text_of
from webbench.core.exchange.foreign_terms import RULES, recorded_score
from webbench.core.exchange.import_format import Claim, ImportedEpisode, ImportedFile, MadeBy
from webbench.core.exchange.opentelemetry.attribute_trees import at, decoded, flat, without_credentials
from webbench.core.exchange.opentelemetry.exported_spans import Span, Trace, scope_of, traces_in
from webbench.core.exchange.opentelemetry.told_episode import EPISODE, taken_origin, told_in
from webbench.core.exchange.opentelemetry.turns_of_spans import SpanTurns
from webbench.core.exchange.own.carried_fields import (
    header_with,
    made_by_ours,
    score_beside,
    tells_record,
)
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading.tree_text import nodes_of
from webbench.core.json_types import Json, JsonObject
from webbench.core.observation import Observation
from webbench.core.score.score import Check, Score, Status, not_scored
from webbench.core.store.records import codec
from webbench.core.task import Task, name_and_instance

OPENTELEMETRY = "opentelemetry"
SPANS_FILE = "opentelemetry-spans.json"
"""Kept with an episode: all spans of its trace, in the container that they came in."""
WHOLE_TASK = frozenset(
    {"success", "task_success", "task_completion", "goal_completion", "correct", "correctness", "reward"}
)
"""Names of scores that judge whether the task was done."""
IN_FILE = f"a span of the network or of a framework, kept as it is in {SPANS_FILE}"
PROMPTS = f"what a model was given: new words are turns, all of it is in {SPANS_FILE}"
_OTHER = Shape({"span": Again("values", IN_FILE)})
_GIVEN = Shape({"prompt": Again("values", PROMPTS)})
_VALUES = Shape({})
_LIKE = (
    *('"resourceSpans"', '"resource_spans"', '"instrumentationLibrarySpans"', '"scopeSpans"'),
    *('"traceID"', '"context.span_id"', '"openinference.span.kind"'),
)


class OpenTelemetry:
    name = OPENTELEMETRY
    title = "OpenTelemetry GenAI spans: OTLP JSON, Tempo, Jaeger, Phoenix and Langfuse exports"
    looks_like = (
        "JSON of resourceSpans, scopeSpans, spans with traceId, attributes gen_ai or openinference; "
        "trace with observations; spans with context, trace_id, span_id"
    )

    def claim(self, place: Place) -> Claim | None:
        if place.has_text('"eval_set_id"', '"eval_cases"'):
            return Claim("refused", "an eval set of Google ADK: what is expected of an agent, no run of one")
        if any(place.has_text(one) for one in _LIKE):
            return Claim(sure=0.9)
        listed = place.has_text('"trace_id"', '"span_id"') or place.has_text('"spanName"', '"attributes"')
        exported = place.has_text('"observations"', '"projectId"') or place.has_text('"trace"', '"projectId"')
        return Claim(sure=0.8) if listed or exported else None

    def episodes(self, place: Place) -> Iterator[ImportedEpisode]:
        traces = traces_in(place)
        found = 0
        for trace in traces:
            told = taken_origin(trace.spans)
            spoken = SpanTurns(trace.spans)
            if not any(turn.of_agent for turn in spoken.turns):
                place.tell(
                    f"{place}: none of the {len(trace.spans)} spans of trace {trace.id or 'without an id'} "
                    "is a call of a model, of a tool or of an agent"
                )
                continue
            found += 1
            yield _episode(trace, spoken, told, place)
        if not found:
            raise BadData(f"{place}: no span in it is a call of a model, of a tool or of an agent")


def create() -> OpenTelemetry:
    """The entry point."""
    return OpenTelemetry()


def _episode(trace: Trace, spoken: SpanTurns, told: JsonObject, place: Place) -> ImportedEpisode:
    lost = place.tally.losses()
    own = _own(spoken.agents) or told
    ours = tells_record(own)
    document, concealed = without_credentials(trace.document)
    if concealed:
        lost.append(f"{concealed} values of spans that sign somebody in are not kept")
    turns = spoken.turns
    for kind in spoken.unread:
        lost.append(f"a part of a message of the kind {kind[:40]!r} is kept in {SPANS_FILE}, unread")
    _with_pages(turns)
    _tell(trace, spoken, place)
    if isinstance(own.get("start"), dict) and turns and not turns[0].of_agent:
        turns[0].own = own["start"]
    answered = ends_answered(turns) and bool(turns[-1].text)
    header = foreign_header(
        _task(trace, spoken, own, place),
        text_of(own.get("actor")) or _actor(spoken),
        score=score_beside(_score(trace.about), own, lost),
        end_reason=text_of(own.get("end_reason")) or (STOPPED if answered else RECORD_ENDS),
        settings={
            OPENTELEMETRY: {
                "container": trace.container,
                "trace": trace.id,
                "spans": len(trace.spans),
                "about": trace.about,
                "agents": [_agent(span) for span in spoken.agents],
            },
            **origin_told(own, OPENTELEMETRY if ours else ""),
        },
    )
    header = told_by_turns(header_with(header, own, lost) if own else header, turns, place.tally)
    steps = steps_of(turns, OPENTELEMETRY, place.tally, lost, answered=answered)
    made = made_by_ours(own) if ours else _made_by(trace, spoken)
    files = (ImportedFile(SPANS_FILE, codec.encode(document)),)
    return ImportedEpisode(header, steps, lost, files=files, made_by=made)


def _made_by(trace: Trace, spoken: SpanTurns) -> MadeBy:
    """The instrumentation, which names the scope of the first span of the run that has one."""
    for span in trace.spans:
        named = scope_of(span) if spoken.roles[id(span)] else {}
        if named.get("name"):
            return MadeBy(tool=text_of(named["name"]), version=text_of(named.get("version")))
    return MadeBy()


def _tell(trace: Trace, spoken: SpanTurns, place: Place) -> None:
    """The account: every word, call and figure of the run has to be in the record."""
    for span in spoken.others:
        place.tally.read({"span": span.raw or {"id": span.id}}, _OTHER)
    place.tally.read({"trace": trace.about}, _VALUES)
    models = [span for span in trace.spans if spoken.roles[id(span)] == "model"]
    for span in models:
        place.tally.read({"prompt": {"span": span.id}}, _GIVEN)
    for _ in range(spoken.disputed):
        place.tally.notice("two spans of one call of a model tell different figures; one span's are taken")
    for turn in spoken.turns:
        told: JsonObject = {
            "text": turn.text,
            "reasoning": turn.reasoning,
            "rest": turn.rest,
            "calls": [{"name": call.name, "id": call.id, "arguments": call.arguments} for call in turn.calls],
            "results": [{"text": one.text, "error": one.error, "rest": one.rest} for one in turn.results],
        }
        place.tally.read({"turn": told}, _VALUES)
        if turn.model and not (turn.text or turn.calls or turn.reasoning):
            place.tally.notice("what a model said is not recorded in its span")
        if turn.counts:
            for name, figure in turn.usage.items():
                place.tally.value(f"usage.{name}", figure)


def _with_pages(turns: list[Turn]) -> None:
    """Pages, and errors to the letter, that an export of ours has beside a call's result."""
    for result, own in ((one, turn.own) for turn in turns for one in turn.results):
        if result.error and isinstance(own.get("error"), str):
            result.error = own["error"] or result.error
        page = decoded(result.rest.pop("page", None))
        if not isinstance(page, dict):
            continue
        nodes = nodes_of(text_of(page.get("tree")))
        result.text = text_of(page.get("output"))
        if nodes:
            result.page = Observation(
                url=text_of(page.get("url")), title=text_of(page.get("title")), nodes=nodes
            )


def _own(agents: list[Span]) -> JsonObject:
    return next((own for span in agents if (own := told_in(span))), {})


def _agent(span: Span) -> JsonObject:
    attributes = {name: one for name, one in flat(span.attributes).items() if name != EPISODE}
    return {"span": span.id, "name": span.name, "attributes": attributes}


def _actor(spoken: SpanTurns) -> str:
    """The outermost agent's name, else the model's."""
    for span in spoken.agents:
        named = text_of(
            at(span.attributes, "gen_ai.agent.name", "agent.name", "graph.node.id", "langfuse.name")
        )
        if named:
            return named
    return next((turn.model for turn in spoken.turns if turn.model), "")


def _task(trace: Trace, spoken: SpanTurns, own: JsonObject, place: Place) -> Task:
    named, instance = name_and_instance(text_of(own["task"])) if own.get("task") else ("", None)
    zeros = not trace.id.strip("0")
    return Task(
        benchmark=text_of(own.get("benchmark")) or OPENTELEMETRY,
        name=named or (place.path.stem if zeros else trace.id),
        instance=instance,
        intent=intent_of(spoken.turns),
        site=text_of(own.get("site")),
        split=text_of(own.get("split")),
    )


def _score(about: JsonObject) -> Score:
    """Langfuse's scores: one that judges the whole task is the score, the others are told with it."""
    given = about.get("scores")
    scores = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    if not scores:
        return recorded_score(None, "", "nobody gave a verdict with the trace")
    figures = [
        one
        for one in scores
        if text_of(one.get("name")).lower().replace(" ", "_") in WHOLE_TASK
        and not one.get("observationId")
        and isinstance(one.get("value"), int | float)
    ]
    names = ", ".join(sorted({text_of(one.get("name"))[:60] for one in scores}))
    checks = tuple(_check(one) for one in scores)
    if len(figures) != 1:
        why = (
            "several scores judge the task"
            if figures
            else f"none of its scores judges the task: {names[:300]}"
        )
        return not_scored(why, rules=RULES, checks=checks)
    one = figures[0]
    by = f"Langfuse, {text_of(one.get('source')) or 'unknown source'}"
    score = recorded_score(
        float(one["value"]), by, f"its score {text_of(one.get('name'))}", actual=one["value"]
    )
    others = (check for check, other in zip(checks, scores, strict=True) if other is not one)
    return msgspec.structs.replace(score, checks=(*score.checks, *others))


def _check(one: JsonObject) -> Check:
    actual: Json = one.get("value") if one.get("value") is not None else one.get("stringValue")
    return Check(
        name=text_of(one.get("name")) or "score",
        target=f"Langfuse, {text_of(one.get('source')) or 'unknown source'}",
        actual=actual,
        status=Status.NOT_SCORED,
        counted=False,
        why=text_of(one.get("comment")) or "told beside the verdict",
    )
