"""What a span is of an agent's run: a call of a model, of a tool, an agent; and what it says as such.

By the GenAI conventions (`gen_ai.*`, of today and as they were), OpenInference (`openinference.span.kind`,
`llm.*`), Google's ADK (`gcp.vertex.agent.*`), the Vercel SDK (`ai.*`), Traceloop and Langfuse.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from webbench.core.exchange.conversation.spoken_turn import AGENT, Result, Turn
from webbench.core.exchange.episode_building import text_of
from webbench.core.exchange.opentelemetry.attribute_trees import at, decoded, flat
from webbench.core.exchange.opentelemetry.exported_spans import Span
from webbench.core.exchange.opentelemetry.message_values import messages_in, pictures_in, result_words
from webbench.core.json_types import Json, JsonObject

Role = Literal["model", "tool", "agent", ""]

INPUTS = (
    *("gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages", "gcp.vertex.agent.llm_request"),
    *("ai.prompt.messages", "ai.prompt", "langfuse.input", "traceloop.entity.input", "input.value"),
)
"""Where the messages to a model stand, the most telling first."""
OUTPUTS = (
    *("gen_ai.output.messages", "gen_ai.completion", "llm.output_messages", "gcp.vertex.agent.llm_response"),
    *("langfuse.output", "traceloop.entity.output", "output.value"),
)
OFFERED = (
    *("llm.request.functions", "gen_ai.tool.definitions", "llm.tools", "ai.prompt.tools", "llm.prompts"),
    *("gen_ai.system_instructions", "ai.prompt.toolChoice"),
)
"""What a model was given besides, of which the file tells."""
MODEL_NAMES = (
    "gen_ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "langfuse.model",
    "ai.model.id",
)
TOOL_NAMES = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
TOOL_CALLS = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id")
ARGUMENTS = (
    *("gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args", "ai.toolCall.args", "langfuse.input"),
    *("traceloop.entity.input", "input.value", "tool.parameters"),
)
RESULTS = (
    *("gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "ai.toolCall.result", "langfuse.output"),
    *("traceloop.entity.output", "output.value"),
)
USAGE: Mapping[str, tuple[str, ...]] = {
    "prompt_tokens": (
        *("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
        *("ai.usage.inputTokens", "ai.usage.promptTokens", "langfuse.usageDetails.input"),
    ),
    "completion_tokens": (
        *("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
        *("ai.usage.outputTokens", "ai.usage.completionTokens", "langfuse.usageDetails.output"),
    ),
    "cached_tokens": (
        *("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"),
        *("llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens"),
    ),
    "reasoning_tokens": (
        *("gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens"),
        "llm.token_count.completion_details.reasoning",
    ),
    "cost": ("langfuse.totalCost", "llm.cost.total", "gen_ai.usage.cost", "operation.cost"),
}
OWN_STEP, OWN_PAGE = "webbench.step", "webbench.page"
"""Attributes in which an export of ours tells of a step and of the page after a call."""
_MODELS = frozenset({"chat", "generate_content", "text_completion", "completion"})
_AGENTS = frozenset({"invoke_agent", "create_agent", "invoke_workflow"})
_KINDS: dict[str, Role] = {
    **dict.fromkeys(("LLM", "GENERATION"), "model"),
    **dict.fromkeys(("TOOL", "RETRIEVER", "RERANKER"), "tool"),
    "AGENT": "agent",
}
_ENTITIES: dict[str, Role] = {"tool": "tool", "agent": "agent", "workflow": "agent"}


def role_of(span: Span) -> Role:
    """By its attributes, "" for what is no part of the run: requests of a network, frameworks' own work."""
    held = span.attributes
    operation = text_of(at(held, "gen_ai.operation.name"))
    if at(held, OWN_STEP) is not None:
        return "model"
    if at(held, OWN_PAGE) is not None:
        return "tool"
    if operation in _MODELS:
        return "model"
    if operation in _AGENTS:
        return "agent"
    if operation == "execute_tool":
        return "tool"
    kind = text_of(at(held, "langfuse.type") or at(held, "openinference.span.kind")).upper()
    role = _KINDS.get(kind) or _KINDS.get(text_of(at(held, "openinference.span.kind")).upper())
    if role:
        return role
    own = text_of(at(held, "ai.operationId"))
    if own == "ai.toolCall" or at(held, "tool.name"):
        return "tool"
    if own.startswith(("ai.generate", "ai.stream")) or _is_asked(span):
        return "model"
    return _ENTITIES.get(text_of(at(held, "traceloop.span.kind")), "")


def _is_asked(span: Span) -> bool:
    held = span.attributes
    asked = decoded(at(held, "gcp.vertex.agent.llm_request"))
    if asked:
        return True
    named = at(held, *MODEL_NAMES[:3]) is not None
    said = at(held, *INPUTS[:3], *OUTPUTS[:3]) is not None
    return named and (said or any(at(held, *names) is not None for names in USAGE.values()))


def inputs_of(span: Span) -> list[Turn]:
    """The messages that a model, or an agent, was given; the instructions first."""
    told = at(span.attributes, "gen_ai.system_instructions")
    before = messages_in(told, "system") if told is not None else []
    for name in INPUTS:
        found = messages_in(at(span.attributes, name), "user")
        if found:
            return before + [one for one in found if one.text or one.calls or one.results]
    return before


def outputs_of(span: Span) -> Turn | None:
    """What a model, or an agent, said; None where the span doesn't tell."""
    held = span.attributes
    spoken = _vercel(held)
    for name in OUTPUTS:
        if spoken:
            break
        found = messages_in(at(held, name), AGENT)
        spoken = [one for one in found if one.speaker == AGENT and (one.text or one.calls or one.reasoning)]
    if not spoken:
        return _vercel_calls(held)
    whole = spoken[0]
    for one in spoken[1:]:
        whole.text = "\n".join(filter(None, (whole.text, one.text)))
        whole.reasoning = "\n".join(filter(None, (whole.reasoning, one.reasoning)))
        whole.calls += one.calls
        whole.results += one.results
    return whole


def _vercel(held: JsonObject) -> list[Turn]:
    said = at(held, "ai.response.text")
    if not isinstance(said, str):
        return []
    calls = _vercel_calls(held)
    reasoning = text_of(at(held, "ai.response.reasoning"))
    return [Turn(speaker=AGENT, text=said, reasoning=reasoning, calls=calls.calls if calls else [])]


def _vercel_calls(held: JsonObject) -> Turn | None:
    found = messages_in(at(held, "ai.response.toolCalls", "ai.response.object"), AGENT)
    return found[0] if found else None


def usage_of(span: Span) -> JsonObject:
    """Tokens and cost under the names of a turn, as far as they are told."""
    found: JsonObject = {}
    for ours, theirs in USAGE.items():
        for name in theirs:
            figure = at(span.attributes, name)
            if isinstance(figure, str) and figure.isdecimal() and len(figure) < 16:
                figure = int(figure)
            if isinstance(figure, int | float) and not isinstance(figure, bool) and math.isfinite(figure):
                found[ours] = figure
                break
    return found


def result_of(span: Span) -> Result:
    """What came back from a tool: words, an error, a picture."""
    given = at(span.attributes, *RESULTS)
    text, pictures = pictures_in(given)
    known = [one for one in pictures if one is not None]
    return Result(
        text=text if pictures else result_words(given),
        error=span.error,
        picture=known[0] if known else None,
        pictures=max(0, len(pictures) - bool(known)),
    )


def tool_of(span: Span) -> tuple[str, str, Json]:
    """A tool's name, the id of the call, and its arguments."""
    held = span.attributes
    name = text_of(at(held, *TOOL_NAMES)) or span.name.removeprefix("execute_tool ").removeprefix(
        "running tool: "
    )
    arguments = decoded(at(held, *ARGUMENTS))
    return name, text_of(at(held, *TOOL_CALLS)), {} if arguments is None else arguments


def rest_of(span: Span, taken: tuple[str, ...]) -> JsonObject:
    """The span's attributes by dotted names, without those that stand in the turn or before it."""
    left = (*taken, *INPUTS, *OFFERED)
    return {
        name: value
        for name, value in flat(span.attributes).items()
        if not any(name == one or name.startswith(f"{one}.") for one in left)
    }
