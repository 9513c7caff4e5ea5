"""Scores that need a judge, from the command line: pending without one, repeatable and free with one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.models.endpoint import Endpoint, refused, running_endpoint, said
from tests.tui.cli.program import Done, Here

KEY = "sk-very-secret"
TASK = {
    "task_id": 7,
    "sites": ["shopping"],
    "start_url": "__SHOPPING__",
    "intent": "How do buyers like the kettle?",
    "intent_template": "How do buyers like {{thing}}?",
    "intent_template_id": 3,
    "eval": {
        "eval_types": ["string_match"],
        "reference_answers": {"fuzzy_match": ["they find it quiet"]},
        "reference_url": "",
        "program_html": [],
    },
}
PREDICTION = {"task_id": 7, "answer": "nobody hears it boil."}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running_endpoint() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "tasks.json").write_text(json.dumps([TASK]))
    (tmp_path / "p.jsonl").write_text(json.dumps(PREDICTION))
    return tmp_path


def score(here: Here, home: Path, *more: str, **variables: str) -> Done:
    return here(
        home, "score", "webarena", "--predictions", "p.jsonl", "--tasks", "tasks.json", *more, **variables
    )


def judged(here: Here, home: Path, endpoint: Endpoint, *more: str) -> Done:
    judge = ("--judge", f"m url={endpoint.url}")
    return score(here, home, *judge, *more, WEBBENCH_JUDGE_KEY=KEY, WEBBENCH_JUDGE_RETRIES="0")


def test_without_a_judge_it_is_pending_with_what_it_can_become(home: Path, here: Here) -> None:
    done = score(here, home, "--json")
    assert done.code == 1
    (item,) = done.json["items"]
    assert (item["status"], item["value"], item["interval"]) == ("pending", None, [0.0, 1.0])


def test_a_model_decides_once_and_for_all(home: Path, here: Here, endpoint: Endpoint) -> None:
    endpoint.script = [said("It says so.\nVERDICT: correct"), refused(500)]
    first = judged(here, home, endpoint, "--json")
    assert first.code == 0, first.err
    assert first.json["items"][0]["value"] == 1
    assert first.json["judge"]["asked"] == 1
    assert first.json["judge"]["prompt_tokens"] == 100
    prompt = endpoint.requests[0].prompt
    assert PREDICTION["answer"] in prompt
    assert "they find it quiet" in prompt
    (reply,) = first.json["items"][0]["replies"].values()
    assert reply["text"].endswith("VERDICT: correct")
    assert (reply["prompt_tokens"], "m" in reply["judge"]) == (100, True)
    again = judged(here, home, endpoint, "--json")
    assert len(endpoint.requests) == 1
    assert again.json["judge"]["cached"] == 1
    assert again.json["items"] == first.json["items"]


def test_the_replies_of_the_output_make_a_judge_needless(home: Path, here: Here, endpoint: Endpoint) -> None:
    endpoint.script = [said("It says so.\nVERDICT: correct")]
    first = judged(here, home, endpoint, "--json")
    replies = first.json["items"][0]["replies"]
    (home / "p.jsonl").write_text(json.dumps(PREDICTION | {"replies": replies}))
    again = score(here, home, "--json")
    assert again.code == 0
    assert again.json["items"] == first.json["items"]


@pytest.mark.parametrize("rules", ["published", "paper"])
def test_a_verdict_that_can_not_be_read_is_an_error_and_never_a_number(
    rules: str, home: Path, here: Here, endpoint: Endpoint
) -> None:
    endpoint.script = [said("Hard to say.\nVERDICT: perhaps")]
    done = judged(here, home, endpoint, "--json", "--rules", rules)
    (item,) = done.json["items"]
    assert done.code == 1
    assert (item["status"], item["value"]) == ("error", None)
    assert "unreadable verdict" in item["reason"]


def test_an_endpoint_that_is_down_is_told_and_the_key_is_not(
    home: Path, here: Here, endpoint: Endpoint
) -> None:
    endpoint.script = [refused(500)]
    done = judged(here, home, endpoint)
    assert done.code == 1
    assert "error" in done.out
    assert "1 asked (1 failed)" in done.out
    assert KEY not in done.out + done.err


def test_the_user_words_the_question(home: Path, here: Here, endpoint: Endpoint) -> None:
    own = home / "config" / "webbench" / "prompts" / "webarena" / "fuzzy_match.txt"
    own.parent.mkdir(parents=True)
    own.write_text("$intent $reference $answer: $verdicts?")
    endpoint.script = [said("VERDICT: incorrect")]
    assert judged(here, home, endpoint, "--json").json["items"][0]["value"] == 0
    assert endpoint.requests[0].prompt.startswith("How do buyers like the kettle? they find it quiet nobody")
    own.write_text("$intent $answer")
    done = judged(here, home, endpoint)
    assert done.code == 1, "that line could not be scored; others are"
    assert "lacks the placeholder $reference" in done.out
