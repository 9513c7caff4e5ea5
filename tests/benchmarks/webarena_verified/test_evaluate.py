"""The verified edition: recorded results, each rule of both evaluators, evidence made from the tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from tests.benchmarks.webarena_verified.eval_result import eval_result
from webbench.benchmarks.webarena.verified.evaluate import VerifiedEvaluator
from webbench.benchmarks.webarena.verified.har import read_har
from webbench.benchmarks.webarena.verified.tasks import load_tasks, task_type
from webbench.core.errors import BadData
from webbench.core.score.score import Score, Status
from webbench.core.task import Task

EVALUATOR = VerifiedEvaluator()
GITLAB = "http://git.example:8023"
NOTES = f"{GITLAB}/api/notes"
SITES = {"__GITLAB__": GITLAB}
NUMBERS = {"type": "array", "items": {"type": "number"}}


def response_config(kind: str = "retrieve", data: Any = None, **more: Any) -> dict[str, Any]:
    expected = {"task_type": kind, "status": "SUCCESS", "retrieved_data": data}
    return {"evaluator": "AgentResponseEvaluator", "results_schema": NUMBERS, "expected": expected} | more


def event_config(**more: Any) -> dict[str, Any]:
    options = {
        name: more.pop(name)
        for name in list(more)
        if name.startswith(("ignored", "should", "last", "post_data_s"))
    }
    expected = {"url": "__GITLAB__/api/notes", "http_method": "POST", "response_status": 201} | more
    return {"evaluator": "NetworkEventEvaluator", "expected": expected} | options


def task(*configs: dict[str, Any]) -> Task:
    return Task(benchmark="webarena", name="7", gold={"eval": list(configs)})


def answer(kind: object = "RETRIEVE", data: Any = None, status: str = "SUCCESS") -> dict[str, Any]:
    return {"task_type": kind, "status": status, "retrieved_data": data, "error_details": None}


def event(
    url: str = f"{GITLAB}/api/notes", method: str = "POST", status: int = 201, **more: Any
) -> dict[str, Any]:
    return {"url": url, "method": method, "status": status} | more


def scored(tested: Task, response: Any, *events: dict[str, Any]) -> Score:
    return EVALUATOR.score(tested, {"response": response, "har_events": list(events), "sites": SITES})


def names(score: Score) -> list[str]:
    return [difference.name for check in score.checks for difference in check.checks]


@pytest.mark.parametrize("number", [107, 108])
def test_recorded_results_are_reproduced_field_by_field(number: int, shared: Path) -> None:
    logs = shared / "data" / "trajectories" / "webarena-verified-logs" / str(number)
    recorded = json.loads((logs / "eval_result.json").read_text())
    answered = (logs / "agent_response.json").read_text()
    tasks = load_tasks(shared / "data" / "webarena")
    evidence = {"response": answered, "har_events": read_har(logs / "network.har")}
    ours = eval_result(tasks[number], evidence)
    for name in ("task_id", "intent_template_id", "sites", "task_revision", "status", "score"):
        assert ours[name] == recorded[name], name
    pairs = zip(ours["evaluators_results"], recorded["evaluators_results"], strict=True)
    for result, wanted in pairs:
        for name, value in wanted.items():
            assert result.get(name) == value, name


def test_har_files_give_the_events_without_assets_and_credentials(shared: Path) -> None:
    events = read_har(shared / "data" / "trajectories" / "webarena-verified-logs" / "107" / "network.har")
    assert 0 < len(events) < 359
    assert not any(one["url"].split("?")[0].endswith((".js", ".css", ".png")) for one in events)
    assert not any({"cookie", "authorization"} & one["headers"].keys() for one in events)


def test_headers_that_sign_somebody_in_are_left_out(tmp_path: Path) -> None:
    names = (
        "Cookie",
        "Authorization",
        "PRIVATE-TOKEN",
        "X-Api-Key",
        "X-CSRF-Token",
        "X-XSRF-TOKEN",
        "Referer",
    )
    request = {
        "method": "GET",
        "url": "http://a/",
        "headers": [{"name": name, "value": "v"} for name in names],
    }
    har = tmp_path / "network.har"
    har.write_text(json.dumps({"log": {"entries": [{"request": request, "response": {"status": 200}}]}}))
    assert [one["headers"] for one in read_har(har)] == [{"referer": "v"}]


@pytest.mark.parametrize(
    ("response", "value", "found"),
    [
        (answer(data=[1, "2"]), 1, []),
        (answer(data=["2", 1]), 1, []),
        ("Here:\n```json\n" + json.dumps(answer(data=[1, 2])) + "\n```", 1, []),
        ({"performed_operation": "retrieve", "status": "success", "retrieved_data": [1, 2]}, 1, []),
        (answer(data=[1]), 0, ["retrieved_data_array_values_mismatch"]),
        (answer(data=[]), 0, ["retrieved_data_missing_or_null"]),
        (answer("NAVIGATE", [1, 2]), 0, ["agent_response.task_type_mismatch"]),
        (answer(data=[1, 2], status="NOT_FOUND_ERROR"), 0, ["agent_response.status_mismatch"]),
        ({"status": "SUCCESS", "retrieved_data": [1, 2]}, 0, ["agent_response_keys_mismatch"]),
        ("I could not do it", 0, ["agent_response_invalid_format"]),
        ("", 0, ["agent_response_none_mismatch"]),
        (answer(7, [1, 2]), 0, ["agent_response.task_type_mismatch"]),
    ],
)
def test_responses(response: Any, value: float, found: list[str]) -> None:
    score = scored(task(response_config(data=[1, 2])), response)
    assert (score.value, names(score)) == (value, found)


def test_order_counts_where_the_task_says_so() -> None:
    ordered = task(response_config(data=[1, 2], ordered=True))
    assert scored(ordered, answer(data=[1, 2])).value == 1
    assert scored(ordered, answer(data=[2, 1])).value == 0


def test_a_task_without_data_is_met_by_none_alone() -> None:
    nothing = task(response_config(data=None) | {"results_schema": {"type": "null"}})
    assert scored(nothing, answer()).value == 1
    assert scored(nothing, answer(data=[1])).value == 0
    assert scored(task(response_config("navigate")), answer("navigate", ["ignored"])).value == 1


POSTS = [response_config("mutate"), event_config(post_data={"$.note.text": "lgtm", "id": 5})]
NOTE = {"note": {"text": "LGTM"}, "id": "5", "token": "x"}


@pytest.mark.parametrize(
    ("events", "value"),
    [
        ([event(post_data=NOTE)], 1),
        ([event(url=GITLAB), event(post_data=NOTE), event(post_data={})], 1),
        ([event(f"{GITLAB}/api/notes/", post_data=NOTE)], 1),
        ([event(post_data=NOTE, status=500)], 0),
        ([event(post_data=NOTE, method="PUT")], 0),
        ([event("http://other.example/api/notes", post_data=NOTE)], 0),
        ([event(post_data=NOTE | {"id": "6"})], 0),
        ([event(f"{GITLAB}/api/notes?page=2", post_data=NOTE)], 0),
        ([], 0),
    ],
)
def test_events(events: list[dict[str, Any]], value: float) -> None:
    assert scored(task(*POSTS), answer("mutate"), *events).value == value


def test_what_differs_in_the_closest_event_is_told() -> None:
    score = scored(task(*POSTS), answer("mutate"), event(post_data=NOTE | {"id": "6"}), event(status=400))
    response, events = score.checks
    assert (response.value, events.value) == (1, 0)
    assert names(score) == ["missing_navigation_event", "network_event.post_data.id_mismatch"]
    assert events.checks[1].why == "Expected 5, got 6"
    assert score.combination == "product of 2"


def test_options_of_event_checks() -> None:
    unwanted = task(response_config("mutate"), event_config(should_not_exist=True))
    assert scored(unwanted, answer("mutate")).value == 1
    assert scored(unwanted, answer("mutate"), event()).value == 0
    last = task(response_config("mutate"), event_config(last_event_only=True, post_data={"a": "1"}))
    assert scored(last, answer("mutate"), event(post_data={"a": "1"}), event(post_data={"a": "2"})).value == 0
    paged = task(response_config("mutate"), event_config(ignored_query_params=["page"]))
    assert scored(paged, answer("mutate"), event(f"{GITLAB}/api/notes?page=2")).value == 1
    cookies = task(response_config("mutate"), event_config(response_cookies={"m": "^.*added.*$"}))
    assert scored(cookies, answer("mutate"), event(cookies={"m": "Soap added."})).value == 1
    referer = {"Referer": "__GITLAB__/issues?state=opened"}
    headers = task(response_config("mutate"), event_config(headers=referer))
    assert (
        scored(headers, answer("mutate"), event(headers={"referer": f"{GITLAB}/issues?state=opened"})).value
        == 1
    )
    assert (
        scored(headers, answer("mutate"), event(headers={"referer": f"{GITLAB}/issues?state=all"})).value == 0
    )


def test_only_the_last_page_opened_counts_for_tasks_that_navigate() -> None:
    expected = {"url": ["__GITLAB__/a", "__GITLAB__/b?x=1"]}
    tested = task(response_config("navigate"), {"evaluator": "NetworkEventEvaluator", "expected": expected})
    page = {"accept": "text/html,*/*"}
    opened = event(f"{GITLAB}/b?x=1", "GET", 200, headers=page)
    other = event(f"{GITLAB}/c", "GET", 200, headers=page)
    script = event(f"{GITLAB}/c", "GET", 200, headers={"accept": "*/*"})
    assert scored(tested, answer("navigate"), other, opened, script).value == 1
    assert scored(tested, answer("navigate"), opened, other).value == 0


@pytest.mark.parametrize(
    ("evidence", "told"),
    [
        (
            {
                "har_events": [
                    {"url": f"{GITLAB}/api/notes", "method": "POST", "status": 201, "post_data": NOTE}
                ],
                "sites": SITES,
            },
            "response wasn't recorded",
        ),
        ({"response": answer("mutate")}, "no network events"),
        ({"response": answer("mutate"), "har_events": []}, "__GITLAB__"),
    ],
)
def test_evidence_that_is_missing_leaves_the_task_unscored(evidence: dict[str, Any], told: str) -> None:
    score = EVALUATOR.score(task(*POSTS), evidence)
    assert (score.status, score.value) == (Status.NOT_SCORED, None)
    assert told in score.reason


def test_a_failed_response_decides_even_without_events() -> None:
    assert EVALUATOR.score(task(*POSTS), {"response": answer("retrieve")}).value == 0


@pytest.mark.parametrize(
    ("gold", "evidence", "told"),
    [
        ({}, {}, "no evaluators"),
        ({"eval": [{"evaluator": "Other"}]}, {}, '"Other" is unknown'),
        ({"eval": POSTS}, {"response": {}, "har_events": [{"url": 3}]}, "another shape"),
        ({"eval": POSTS}, {"sites": ["x"]}, "no object of placeholder"),
        ({"eval": [response_config(data=["x"])]}, {"response": {}}, "can't be read as Number"),
    ],
)
def test_trouble_is_an_error_that_names_it(gold: dict[str, Any], evidence: dict[str, Any], told: str) -> None:
    score = EVALUATOR.score(Task(benchmark="webarena", name="7", gold=gold), evidence)
    assert (score.status, score.value) == (Status.ERROR, None)
    assert told in score.reason


def test_scores_survive_json_and_are_the_same_twice() -> None:
    first = msgspec.json.encode(scored(task(*POSTS), answer("mutate"), event(post_data=NOTE)))
    assert first == msgspec.json.encode(scored(task(*POSTS), answer("mutate"), event(post_data=NOTE)))
    assert msgspec.json.decode(first, type=Score).evaluator == "webarena-verified 1"
    assert EVALUATOR.score(task(*POSTS), {}, "paper").status is Status.ERROR


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    for content, told in (("{", "no HAR"), ('{"log": {}}', "no HAR"), ("[]", "no HAR")):
        (tmp_path / "x.har").write_text(content)
        with pytest.raises(BadData, match=told):
            read_har(tmp_path / "x.har")
    with pytest.raises(BadData, match="can't be read"):
        read_har(tmp_path / "gone.har")
    (tmp_path / "webarena-verified.json").write_text('[{"task_id": 1}]')
    with pytest.raises(BadData, match=r"verified.json:1: left out"):
        load_tasks(tmp_path)


def test_bodies_of_har_files_are_read_by_their_type(tmp_path: Path) -> None:
    form = 'b\r\nContent-Disposition: form-data; name="q"\r\n\r\nred shoes\r\n--b--'
    bodies = [
        ("application/x-www-form-urlencoded", "a=1&b="),
        ("application/json", '{"a": [1]}'),
        ("application/json", "[1]"),
        ("multipart/form-data; boundary=b", f"--{form}"),
        ("text/plain", "a=1"),
    ]
    entries = [
        {
            "request": {
                "method": "POST",
                "url": f"{GITLAB}/{number}",
                "headers": [{"name": "Cookie", "value": "secret"}, {"name": "Accept", "value": "*/*"}],
                "postData": {"mimeType": kind, "text": text},
            },
            "response": {
                "status": 200,
                "content": {"mimeType": "application/json", "text": '{"ok": true}'},
                "cookies": [{"name": "m", "value": "a%20b"}],
            },
        }
        for number, (kind, text) in enumerate(bodies)
    ]
    (tmp_path / "x.har").write_text(json.dumps({"log": {"entries": entries}}))
    events = read_har(tmp_path / "x.har")
    assert [one["post_data"] for one in events] == [
        {"a": "1", "b": ""},
        {"a": [1]},
        None,
        {"q": "red shoes"},
        None,
    ]
    assert events[0]["headers"] == {"accept": "*/*"}
    assert events[0]["response_content"] == {"ok": True}
    assert events[0]["cookies"] == {"m": "a b"}


def first_alternatives(data: Any, schema: dict[str, Any]) -> Any:
    """What an agent that knows the expected data would answer."""
    items = schema.get("items") or {}
    if not isinstance(data, list) or items.get("format") == "coordinates":
        return data
    return [one[0] if isinstance(one, list) and items.get("type") != "array" else one for one in data]


def test_the_expected_response_of_every_shared_task_holds(shared: Path) -> None:
    tasks = load_tasks(shared / "data" / "webarena")
    assert len(tasks) == 812
    for tested in tasks.values():
        config = tested.gold["eval"][0]
        data = first_alternatives(config["expected"].get("retrieved_data"), config["results_schema"])
        alone = msgspec.structs.replace(tested, gold={"eval": [config]})
        response = config["expected"] | {"retrieved_data": data}
        assert EVALUATOR.score(alone, {"response": response}).value == 1, tested.name
        refused = response | {"status": "UNKNOWN_ERROR"}
        assert EVALUATOR.score(alone, {"response": refused}).value == 0, tested.name


def test_expected_events_made_from_shared_tasks_hold(shared: Path) -> None:
    """Of every event check that says literally what it expects."""
    held = 0
    for tested in load_tasks(shared / "data" / "webarena").values():
        sites = {f"__{name.upper()}__": f"http://{name}.example" for name in tested.data["sites"]}
        for config in tested.gold["eval"][1:]:
            recorded = literal_event(config["expected"], sites)
            if recorded is None:
                continue
            kind = task_type(tested.gold["eval"])
            configs = [response_config(kind, [1] if kind == "retrieve" else None), config]
            alone = msgspec.structs.replace(tested, gold={"eval": configs})
            evidence = {"response": answer(kind, [1]), "har_events": [recorded], "sites": sites}
            wanted = 0 if config.get("should_not_exist") else 1
            assert EVALUATOR.score(alone, evidence).value == wanted, (tested.name, recorded)
            held += 1
    assert held > 400


def literal_event(expected: dict[str, Any], sites: dict[str, str]) -> dict[str, Any] | None:
    """An event with just the expected values, None where they are patterns, paths or lists."""
    if "^" in json.dumps(expected) or "$" in json.dumps(expected):
        return None
    parts = {part: expected.get(part) or {} for part in ("post_data", "response_content", "response_cookies")}
    if any(isinstance(value, list) for part in parts.values() for value in part.values()):
        return None
    url = expected["url"] if isinstance(expected["url"], str) else expected["url"][0]
    headers = {
        name.lower(): value if isinstance(value, str) else value[0]
        for name, value in (expected.get("headers") or {}).items()
    }
    for placeholder, address in sites.items():
        url = url.replace(placeholder, address)
        headers = {name: value.replace(placeholder, address) for name, value in headers.items()}
    if "query_params" in expected:
        query = urlencode({key: values[0] for key, values in expected["query_params"].items()})
        url = f"{url}{'&' if '?' in url else '?'}{query}"
    return {
        "url": url,
        "method": expected.get("http_method", "GET"),
        "status": expected.get("response_status", 200),
        "headers": {"accept": "text/html"} | headers,
        "post_data": parts["post_data"] or None,
        "response_content": parts["response_content"] or None,
        "cookies": parts["response_cookies"],
    }
