"""The spans of a trace as turns: what the agent was asked, each call of a model, each tool with what it gave.

Two instrumentations may record one call of a model, one within the other: it is one turn, and what it took
is counted once. A span of a model around several is a frame, such as a loop of calls. What a later prompt
repeats of the conversation is no turn again; what is new in it (a user's words, what a tool gave) is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from webbench.core.exchange.conversation.spoken_turn import AGENT, Call, Result, Turn
from webbench.core.exchange.episode_building import text_of
from webbench.core.exchange.opentelemetry.attribute_trees import at, decoded
from webbench.core.exchange.opentelemetry.exported_spans import Span
from webbench.core.exchange.opentelemetry.roles_of_spans import (
    ARGUMENTS,
    MODEL_NAMES,
    OUTPUTS,
    OWN_PAGE,
    OWN_STEP,
    RESULTS,
    TOOL_CALLS,
    TOOL_NAMES,
    USAGE,
    Role,
    inputs_of,
    outputs_of,
    rest_of,
    result_of,
    role_of,
    tool_of,
    usage_of,
)
from webbench.core.json_types import JsonObject

MOST_ANCESTORS = 1_000


class SpanTurns:
    """The conversation that a trace tells.

    Args:
        spans: of one trace.

    Attributes:
        turns: in their order.
        agents: spans of agents, with their attributes.
        others: spans that are no part of the run.
        unread: kinds of parts of messages that could not be read.
        disputed: calls of a model of which two spans tell different figures.
    """

    def __init__(self, spans: list[Span]) -> None:
        self.turns: list[Turn] = []
        self.unread: list[str] = []
        self._by_id = {span.id: span for span in reversed(spans)}
        self.roles: dict[int, Role] = {id(span): role_of(span) for span in spans}
        ordered = sorted(spans, key=lambda span: span.order)
        self._name_tools(ordered)
        self.others = [span for span in spans if not self.roles[id(span)]]
        self.agents = [span for span in ordered if self.roles[id(span)] == "agent"]
        self._within: dict[int, list[Span]] = defaultdict(list)
        self._inner: set[int] = set()
        self._nest([span for span in ordered if self.roles[id(span)] in ("model", "tool")])
        self._said: Counter[tuple[str, str]] = Counter()
        self.disputed = 0
        self._prompted = False
        self._read(ordered)

    def _name_tools(self, ordered: list[Span]) -> None:
        """A span that has the name of a tool which a model called is that tool's."""
        called = {
            call.name
            for span in ordered
            if self.roles[id(span)] == "model" and (said := outputs_of(span)) is not None
            for call in said.calls
        }
        for span in ordered:
            if not self.roles[id(span)] and span.name in called:
                self.roles[id(span)] = "tool"

    def _above(self, span: Span) -> Iterator[Span]:
        seen = {span.id}
        for _ in range(MOST_ANCESTORS):
            parent = self._by_id.get(span.parent)
            if parent is None or parent.id in seen:
                return
            seen.add(parent.id)
            yield parent
            span = parent

    def _nest(self, calls: list[Span]) -> None:
        """Which spans tell of the call that one around them tells of."""
        for span in calls:
            role = self.roles[id(span)]
            around = next((one for one in self._above(span) if self.roles[id(one)]), None)
            if around is None or self.roles[id(around)] != role:
                continue
            if role == "model" or tool_of(around)[0] == tool_of(span)[0]:
                self._within[id(around)].append(span)
        for span in calls:
            inner = self._within.get(id(span), [])
            if self.roles[id(span)] == "model" and len(inner) > 1:
                del self._within[id(span)]
                self.roles[id(span)] = "agent"
                self.agents.append(span)
            else:
                self._inner |= {id(one) for one in inner}

    def _read(self, ordered: list[Span]) -> None:
        for span in ordered:
            role = self.roles[id(span)]
            if id(span) in self._inner or role not in ("model", "tool"):
                continue
            if role == "model":
                self._add_model(span, list(self._all_within(span)))
            else:
                self._add_tool(span, list(self._all_within(span)))
        if not any(turn.speaker == "user" for turn in self.turns):
            self._ask(ordered)
        if not any(turn.of_agent for turn in self.turns):
            self._answer(ordered)

    def _all_within(self, span: Span) -> Iterator[Span]:
        for inner in self._within.get(id(span), ()):
            yield inner
            yield from self._all_within(inner)

    def _ask(self, ordered: list[Span]) -> None:
        """Where no prompt is recorded: what an agent, or the trace's first span, was given."""
        for span in (*self.agents, *ordered[:1]):
            asked = [one for one in inputs_of(span) if one.speaker in ("user", "system") and one.text]
            if asked:
                self.turns[:0] = asked
                return

    def _answer(self, ordered: list[Span]) -> None:
        """Where no call of a model is recorded: what an agent, or the trace's first span, said at the end."""
        for span in (*self.agents, *ordered[:1]):
            said = outputs_of(span)
            if said is not None and said.text:
                self.turns.append(msgspec.structs.replace(said, at=span.at, rest=_named(span, {})))
                return

    def _add_model(self, span: Span, again: list[Span]) -> None:
        told = [span, *again]
        self._add_given(next(filter(None, (inputs_of(one) for one in told)), []))
        said = next((one for one in map(outputs_of, told) if one is not None), None)
        turn = said if said is not None else Turn(speaker=AGENT)
        turn.usage, self.disputed = _usage(told, self.disputed)
        taken = (*(OUTPUTS if said is not None else ()), *USAGE_NAMES, "ai.response.text", OWN_STEP)
        rest = _named(span, rest_of(span, taken))
        if again:
            rest["again"] = [_named(one, rest_of(one, OUTPUTS if said is not None else ())) for one in again]
        agent = next((one for one in self._above(span) if self.roles[id(one)] == "agent"), None)
        if agent is not None:
            rest["agent"] = agent.name
        self._take_unread(turn)
        turn.rest = rest
        turn.model = text_of(
            next((at(one.attributes, *MODEL_NAMES) for one in told if at(one.attributes, *MODEL_NAMES)), "")
        )
        turn.at, turn.seconds = span.at, span.seconds
        turn.own = _own(span)
        if span.error:
            turn.results.append(Result(text=span.error, error=span.error))
        self._said[turn.speaker, turn.text] += 1
        self.turns.append(turn)

    def _add_given(self, given: list[Turn]) -> None:
        """What of a prompt is new: all of the first one, then a user's words and what tools gave.

        Words are new where the prompt has them more often than they were said: "go on" may come twice.
        """
        first, self._prompted = not self._prompted, True
        told: Counter[tuple[str, str]] = Counter()
        for one in given:
            self._take_unread(one)
            if one.of_agent:
                if first:
                    one.counts = False
                    one.rest = {"from": "an earlier conversation"}
                    self.turns.append(one)
                continue
            answers = [result for result in one.results if one.speaker == "tool" or result.call]
            for result in answers:
                self._give(result, first=first)
            one.results = [result for result in one.results if result not in answers]
            key = (one.speaker, one.text)
            told[key] += 1
            if (one.text or one.results) and (first or told[key] > self._said[key]):
                self._said[key] += 1
                self.turns.append(one)

    def _give(self, result: Result, *, first: bool) -> None:
        """A result to the call that it answers, where none is known yet."""
        at_call = self._open(result.call, "")
        if at_call is not None:
            turn, call = at_call
            result.call = result.call or call.id
            turn.results.append(result)
        elif first and self.turns and self.turns[-1].of_agent:
            self.turns[-1].results.append(result)

    def _open(self, id: str, name: str) -> tuple[Turn, Call] | None:
        """The call of this id, or of this name where it has none, that nothing answers yet."""
        for turn in self.turns if not id else reversed(self.turns):
            answered = {result.call for result in turn.results}
            for call in turn.calls:
                fits = call.id == id if id and call.id else not name or call.name == name
                if fits and call.id not in answered:
                    return turn, call
        return None

    def _add_tool(self, span: Span, again: list[Span]) -> None:
        name, named, arguments = tool_of(span)
        rest = _named(span, rest_of(span, (*TOOL_NAMES, *TOOL_CALLS, *ARGUMENTS, *RESULTS, OWN_PAGE)))
        if again:
            rest["again"] = [_named(one, rest_of(one, (*ARGUMENTS, *RESULTS))) for one in again]
        rest |= {"at": span.at, "seconds": span.seconds} if span.at else {}
        result = msgspec.structs.replace(result_of(span), call=named, rest=rest)
        page = at(span.attributes, OWN_PAGE)
        if isinstance(page, str):
            result.rest["page"] = page
        if at(span.attributes, *TOOL_NAMES) is None and isinstance(page, str):
            if not self.turns:
                self.turns.append(Turn(speaker="system", at=span.at))
            self.turns[-1].results.append(result)
            return
        found = self._open(named, name) or (self._open("", name) if named else None)
        if found is not None:
            turn, call = found
            call.id = call.id or named or f"span-{span.id}"
            result.call = call.id
            turn.results.append(result)
            return
        call = Call(name=name, arguments=arguments, id=named or f"span-{span.id}")
        result.call = call.id
        self.turns.append(Turn(speaker=AGENT, calls=[call], results=[result], at=span.at))

    def _take_unread(self, turn: Turn) -> None:
        self.unread += map(str, turn.rest.pop("unread", ()))


USAGE_NAMES = tuple(name for names in USAGE.values() for name in names)


def _named(span: Span, attributes: JsonObject) -> JsonObject:
    return {"span": span.id, "name": span.name, "attributes": attributes}


def _usage(told: list[Span], disputed: int) -> tuple[JsonObject, int]:
    """What a call took, by the spans that tell of it, the outermost first; one more where they disagree.

    A span with figures of its instrumentation comes before one that only a store of spans has figures for.
    """
    figures = [usage_of(one) for one in sorted(told, key=lambda one: not _is_measured(one))]
    usage: JsonObject = {}
    for one in reversed(figures):
        usage |= one
    return usage, disputed + any(usage[name] != one[name] for one in figures for name in one)


def _is_measured(span: Span) -> bool:
    return at(span.attributes, "gen_ai.usage", "llm.token_count") is not None


def _own(span: Span) -> JsonObject:
    """Fields of our own step that an export of ours has beside the call."""
    own = decoded(at(span.attributes, OWN_STEP))
    return own if isinstance(own, dict) else {}
