"""OpenTelemetry: every shared trace has what was counted and goes out as it came; ours come back."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from tests.core.exchange.round_trip import brought_in, written
from webbench.core.exchange.opentelemetry.agent_traces import SPANS_FILE, OpenTelemetry
from webbench.core.exchange.opentelemetry.exported_spans import spans_in
from webbench.core.exchange.opentelemetry.told_episode import taken_origin
from webbench.core.exchange.place import Place
from webbench.core.score.score import Status
from webbench.core.store.store import Store
from webbench.core.trajectory import Trajectory

COUNTED = {
    "helm": (1, 2, 1, 3776, 130),
    "k8s": (1, 1, 0, 2203, 139),
    "tempo_export_with_batches": (1, 2, 1, 4648, 129),
    "agno-2025-06-11.trace": (1, 2, 1, 2110, 658),
    "claude-agent-2025-12-22.trace": (1, 4, 2, 34, 232),
    "crewai-2025-07-11.trace": (1, 1, 0, 190, 164),
    "google-adk-2025-08-28.trace": (1, 2, 1, 67, 9),
    "langgraph-python-2025-08-22.trace": (1, 2, 1, 168, 66),
    "openai-agents-2025-09-30.trace": (1, 2, 1, 140, 44),
    "pydantic-ai-tools-2025-12-04.trace": (1, 4, 4, 1315, 209),
    "vercel-aisdk-2025-11-17.trace": (1, 1, 1, 62, 85),
    "claude_code": (1, 1, 0, 187, 53),
    "opencode-B.doStream": (1, 1, 0, 12632, 13),
}
"""Of each file of the shared data: episodes, calls of models, of tools, tokens in and out, each call once
(counted by hand from the spans: of two instrumentations of one call, one)."""
NO_RUN = {"evalset_k8s_2026-02-20", "test-traces", "raw_otlp_advanced"}


def counts(records: list[Trajectory]) -> tuple[int, int, int, int, int]:
    steps = [step for record in records for step in record.steps[1:] if step.actor == "agent"]
    models = {(step.source["turn"]) for step in steps}
    calls = sum("call" in step.source for step in steps)
    tokens = [sum(step.usage.get(f"{way}_tokens", 0) for step in steps) for way in ("prompt", "completion")]
    return len(records), len(models), calls, tokens[0], tokens[1]


def test_every_shared_trace_has_what_was_counted_and_goes_out_as_it_came(
    shared: Path, tmp_path: Path
) -> None:
    files = sorted((shared / "data/formats-2026/otel-genai").rglob("*.json"))
    assert {file.stem for file in files} == COUNTED.keys() | NO_RUN
    for file in files:
        store = Store(tmp_path / file.stem)

        [told], records = brought_in("opentelemetry", file, store)

        if file.stem in NO_RUN:
            assert (told.state, records) == ("refused", [])
            continue
        assert counts(records) == COUNTED[file.stem], file
        assert [line for line in told.lost if "unexplained" in line] == []
        written("opentelemetry", store, records, tmp_path / f"{file.stem}.json")
        back = json.loads((tmp_path / f"{file.stem}.json").read_text())
        changed = [one for one in spans_in(back) if "webbench" in json.dumps(one.raw)]
        assert len(changed) == 1
        assert taken_origin(changed)["origin"]["from"] == file.name
        assert back == json.loads(file.read_text()), file


def test_a_score_that_judges_the_task_counts_and_others_do_not(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data/formats-2026/otel-genai/langfuse__langfuse/framework-traces"
    for name, status, value in (
        ("claude-agent-2025-12-22", Status.SCORED, 0.0),
        ("openai-agents-2025-09-30", Status.NOT_SCORED, None),
    ):
        _, [record] = brought_in("opentelemetry", folder / f"{name}.trace.json", Store(tmp_path / name))
        score = record.header.score
        assert score is not None
        assert (score.status, score.value) == (status, value)
        assert {check.name for check in score.checks if not check.counted} >= {"toxicity", "hallucination"}


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def test_ours_are_spans_of_the_conventions_and_come_back(
    store: Store, attempts: list[str], tmp_path: Path
) -> None:
    record = store.load(store.find(attempts[0]))

    account = written("opentelemetry", store, [record], tmp_path / "out.json")

    assert account.lost == []
    document = json.loads((tmp_path / "out.json").read_text())
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert len({span["spanId"] for span in spans}) == len(spans)
    for one in spans:  # protobuf's reader of OTLP refuses half a character anywhere
        texts = [one["name"], *one["status"].values(), *attributes(one).values()]
        assert all(str(text).encode() for text in texts)
    ids = {span["spanId"] for span in spans}
    assert [span["name"].split()[0] for span in spans if span["parentSpanId"] not in ids] == ["invoke_agent"]
    tools = [attributes(span) for span in spans if span["name"].startswith("execute_tool")]
    assert {one["gen_ai.tool.name"] for one in tools} >= {"click"}
    kept = Store(tmp_path / "s")
    [told], [again] = brought_in("opentelemetry", tmp_path / "out.json", kept)
    assert [line for line in told.lost if "unexplained" in line] == []
    assert again.header.score == record.header.score
    assert again.header.task.id == record.header.task.id
    assert [step.action for step in again.steps] == [step.action for step in record.steps]
    assert [step.actor for step in again.steps] == [step.actor for step in record.steps]
    assert [bool(step.observation) for step in again.steps] == [
        bool(step.observation) for step in record.steps
    ]
    for one, other in zip(again.steps, record.steps, strict=True):
        shown, was = kept.screenshot(again, one), store.screenshot(record, other)
        assert shown is not None
        assert was is not None
        assert pixels(shown.data) == pixels(was.data)  # a store may pack a picture anew, without a loss


def pixels(data: bytes) -> tuple[tuple[int, int], bytes]:
    with Image.open(io.BytesIO(data)) as picture:
        return picture.size, picture.convert("RGBA").tobytes()


def traced(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def span(name: str, number: int, parent: str = "", trace: str = "ab" * 16, **values: Any) -> dict[str, Any]:
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "parentSpanId": parent,
        "name": name,
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + number * 1_000_000),
        "endTimeUnixNano": str(1_700_000_000_500_000_000 + number * 1_000_000),
        "attributes": [
            {"key": key.replace("__", "."), "value": {"stringValue": value}} for key, value in values.items()
        ],
    }


def test_traces_of_one_file_are_episodes_and_each_goes_out_alone(tmp_path: Path) -> None:
    asked = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}])
    said = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Hello"}]}])
    given = {
        "gen_ai__operation__name": "chat",
        "gen_ai__input__messages": asked,
        "gen_ai__output__messages": said,
    }
    one, two = span("chat", 1, **given), span("chat", 2, trace="cd" * 16, **given)
    secret = {"key": "http.request.header.authorization", "value": {"stringValue": "Bearer abcdef"}}
    two["attributes"].append(secret)
    (tmp_path / "spans.jsonl").write_text("\n".join(json.dumps(traced(one)) for one in (one, two)))
    store = Store(tmp_path / "s")

    [told], records = brought_in("opentelemetry", tmp_path / "spans.jsonl", store)

    assert [record.header.task.intent for record in records] == ["Hi", "Hi"]
    assert told.lost == ["1 values of spans that sign somebody in are not kept"]
    for number, record in enumerate(records):
        out = tmp_path / f"{number}.json"
        written("opentelemetry", store, [record], out)
        spans = json.loads(out.read_text())["resourceSpans"][0]["scopeSpans"][0]["spans"]
        assert [one["traceId"] for one in spans] == [("ab", "cd")[number] * 16]
        assert "abcdef" not in out.read_text()


@pytest.mark.parametrize("nested", [False, True])
def test_spans_as_phoenix_lists_them(nested: bool, tmp_path: Path) -> None:
    asked = {"role": "user", "content": "Which mug is cheapest?"}
    flat = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m-1",
        "llm.token_count.prompt": 12,
        "llm.token_count.completion": 3,
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": asked["content"],
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "goto",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"url": "http://shop.test/"}',
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
    }
    call = {
        "tool_call": {"id": "c1", "function": {"name": "goto", "arguments": '{"url": "http://shop.test/"}'}}
    }
    inner = {
        "openinference": {"span": {"kind": "LLM"}},
        "llm": {
            "model_name": "m-1",
            "token_count": {"prompt": 12, "completion": 3},
            "input_messages": [{"message": asked}],
            "output_messages": [{"message": {"role": "assistant", "tool_calls": [call]}}],
        },
    }
    times = {"start_time": "2026-01-01T10:00:00+00:00", "end_time": "2026-01-01T10:00:02+00:00"}
    model = {
        "name": "ChatCompletion",
        "context": {"trace_id": "t1", "span_id": "s1"},
        "parent_id": None,
        "span_kind": "LLM",
        "attributes": inner if nested else flat,
        **times,
    }
    tool = {
        "name": "goto",
        "context": {"trace_id": "t1", "span_id": "s2"},
        "parent_id": None,
        "span_kind": "TOOL",
        "status_code": "ERROR",
        "status_message": "no such host",
        "attributes": {"tool.name": "goto", "output.value": "it failed"},
        **times,
    }
    (tmp_path / "spans.json").write_text(json.dumps([model, tool]))

    [told], [record] = brought_in("opentelemetry", tmp_path / "spans.json", Store(tmp_path / "s"))

    assert told.lost == []
    assert record.header.task.intent == "Which mug is cheapest?"
    [step] = record.steps[1:]
    assert step.action is not None
    assert msgspec.to_builtins(step.action)["url"] == "http://shop.test/"
    assert (step.error, step.output) == ("no such host", "it failed")
    assert step.usage == {"prompt_tokens": 12, "completion_tokens": 3}
    assert step.seconds.agent == 2.0


def test_words_that_a_user_says_twice_are_two_turns(tmp_path: Path) -> None:
    spans = []
    for number, asked in enumerate((["Buy tea"], ["Buy tea", "go on"], ["Buy tea", "go on", "go on"])):
        messages = [{"role": "user", "content": text} for text in asked]
        given = {
            "gen_ai__operation__name": "chat",
            "gen_ai__input__messages": json.dumps(messages),
            "gen_ai__completion__0__content": f"so {number}",
        }
        spans.append(span("chat", number + 1, "", **given))
    (tmp_path / "spans.json").write_text(json.dumps(traced(*spans)))

    _, [record] = brought_in("opentelemetry", tmp_path / "spans.json", Store(tmp_path / "s"))

    said = [message for step in record.steps for message in (step.note, step.text) if message]
    assert sum("go on" in one for one in said) == 2


def test_spans_that_are_their_own_parents_end(tmp_path: Path) -> None:
    given = {"gen_ai__operation__name": "chat", "gen_ai__completion__0__content": "x"}
    one, two = span("chat", 1, f"{2:016x}", **given), span("chat", 2, f"{1:016x}", **given)
    (tmp_path / "spans.json").write_text(json.dumps(traced(one, two)))

    [told], _ = brought_in("opentelemetry", tmp_path / "spans.json", Store(tmp_path / "s"))

    assert "does not foresee" not in " ".join((told.why, *told.lost))


@pytest.mark.parametrize("odd", [None, 1, "x", "[", [], {}, [None], {"a": None}, 2**70, "\x00\x1b[31m"])
def test_odd_fields_cost_no_more_than_themselves(odd: Any, tmp_path: Path) -> None:
    given = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": odd,
        "gen_ai.output.messages": odd,
        "gen_ai.usage.input_tokens": odd,
        "gen_ai.completion": odd,
        "gen_ai": odd,
    }
    typed = [{"key": key, "value": {"stringValue": value}} for key, value in given.items()]
    plain = [{"key": key, "value": value} for key, value in given.items()]
    spans = [
        {**span("chat", 1), "attributes": typed},
        {**span("chat", 2), "attributes": plain, "events": odd, "status": odd, "startTimeUnixNano": odd},
        {
            **span("execute_tool x", 3, gen_ai__operation__name="execute_tool"),
            "parentSpanId": odd,
            "name": odd,
        },
    ]
    (tmp_path / "a.json").write_text(json.dumps(traced(*spans)))
    phoenix = {"context": {"trace_id": odd, "span_id": "x"}, "attributes": given, "start_time": odd}
    (tmp_path / "b.json").write_text(json.dumps([phoenix, odd]))
    observed = {"id": "o", "traceId": odd, "type": "GENERATION", "metadata": odd, "input": odd, "output": odd}
    about = {"id": odd, "projectId": "p", "scores": [odd, {"name": odd, "value": odd}]}
    (tmp_path / "c.json").write_text(json.dumps({"trace": about, "observations": [observed, odd]}))
    jaeger = {"traceID": odd, "spans": [{"traceID": "a", "spanID": odd, "tags": plain, "references": odd}]}
    (tmp_path / "d.json").write_text(json.dumps({"data": [jaeger]}))

    told, _ = brought_in("opentelemetry", tmp_path, Store(tmp_path / "s"))

    assert not [line for one in told for line in (one.why, *one.lost) if "does not foresee" in line]


def test_what_is_no_trace_is_not_claimed(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"observations": [{"id": 1}], "task": "x"}')

    assert OpenTelemetry().claim(Place(tmp_path / "a.json", tmp_path)) is None
    assert SPANS_FILE.endswith(".json")


def test_an_origin_is_told_in_the_outermost_span_that_has_attributes(tmp_path: Path) -> None:
    said = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Hello"}]}])
    outer = span("agent", 1)
    del outer["attributes"]
    inner = span("chat", 2, outer["spanId"], gen_ai__operation__name="chat", gen_ai__output__messages=said)
    (tmp_path / "spans.json").write_text(json.dumps(traced(outer, inner)))
    store = Store(tmp_path / "s")
    _, records = brought_in("opentelemetry", tmp_path / "spans.json", store)

    written("opentelemetry", store, records, tmp_path / "out.json")

    [first, second] = json.loads((tmp_path / "out.json").read_text())["resourceSpans"][0]["scopeSpans"][0][
        "spans"
    ]
    assert first == outer
    assert second["attributes"][-1]["key"] == "webbench.episode"
