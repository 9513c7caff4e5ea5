"""A model behind a real endpoint: what it says is kept, what it does wrong is told, and never raised."""

from __future__ import annotations

import email.utils
import json
import logging
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.core.models.endpoint import Answer, Endpoint, drip, refused, running_endpoint, said
from webbench.core.errors import BadData
from webbench.core.judge import Question, Reply
from webbench.core.models import model_client as client
from webbench.core.models.attempt import TOO_LONG
from webbench.core.models.model_client import Endpoint as ModelEndpoint
from webbench.core.models.prices import Price
from webbench.core.scoring.judges.cache import ReplyCache
from webbench.core.scoring.judges.model import ModelJudge
from webbench.core.scoring.judges.verdict import read_verdict

KEY = "sk-very-secret"
QUESTION = Question(kind="demo/same", fields={"answer": "four"}, verdicts=("same", "different"))


@pytest.fixture(autouse=True)
def prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.01)
    path = tmp_path / "config" / "webbench" / "prompts" / "demo" / "same.txt"
    path.parent.mkdir(parents=True)
    path.write_text("Is $answer 4?")
    return path


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running_endpoint() as running:
        yield running


@pytest.fixture
async def judge(endpoint: Endpoint, tmp_path: Path) -> AsyncIterator[ModelJudge]:
    made = a_judge(endpoint.url, tmp_path)
    yield made
    await made.close()


def a_judge(url: str, folder: Path, *, timeout: float = 5.0, retries: int = 2) -> ModelJudge:
    price = Price(input=2.0, output=10.0)
    endpoint = ModelEndpoint(model="m", url=url, timeout=timeout, retries=retries, price=price)
    return ModelJudge(endpoint, key=KEY, cache=ReplyCache(folder / "cache"))


class TestReply:
    async def test_text_tokens_and_cost_are_recorded(self, endpoint: Endpoint, judge: ModelJudge) -> None:
        endpoint.script = [said("Four is 4.\nVERDICT: same")]
        reply = await judge.ask(QUESTION)
        assert read_verdict(QUESTION, reply) == "same"
        assert reply == Reply(
            text="Four is 4.\nVERDICT: same",
            judge="m at 127.0.0.1",
            prompt_tokens=100,
            completion_tokens=7,
            cost=(100 * 2 + 7 * 10) / 1e6,
            seconds=reply.seconds,
        )
        assert 0 < reply.seconds == judge.usage.seconds
        request = endpoint.requests[0]
        assert (request.path, request.key, request.prompt) == ("/v1/chat/completions", KEY, "Is four 4?")
        assert (request.body["model"], request.body["temperature"]) == ("m", 0.0)

    async def test_an_endpoint_that_tells_no_tokens(self, endpoint: Endpoint, judge: ModelJudge) -> None:
        body = json.dumps({"choices": [{"message": {"content": "VERDICT: same"}}]}).encode()
        endpoint.script = [Answer(body=body)]
        reply = await judge.ask(QUESTION)
        assert (reply.prompt_tokens, reply.completion_tokens, reply.cost) == (None, None, None)

    async def test_an_unusable_prompt_is_told_before_anything_is_sent(
        self, endpoint: Endpoint, judge: ModelJudge, prompt: Path
    ) -> None:
        prompt.write_text("Is it 4?")
        with pytest.raises(BadData, match=r"\$answer"):
            await judge.ask(QUESTION)
        assert endpoint.requests == []


class TestCache:
    async def test_the_same_question_is_asked_once(
        self, endpoint: Endpoint, judge: ModelJudge, tmp_path: Path
    ) -> None:
        endpoint.script = [said("VERDICT: same"), said("VERDICT: different")]
        first = await judge.ask(QUESTION)
        again = await a_judge(endpoint.url, tmp_path).ask(QUESTION)
        assert (again.text, again.cached, first.cached) == (first.text, True, False)
        assert len(endpoint.requests) == 1

    async def test_another_prompt_or_model_is_another_question(
        self, endpoint: Endpoint, judge: ModelJudge, prompt: Path
    ) -> None:
        endpoint.script = [said("VERDICT: same")]
        await judge.ask(QUESTION)
        prompt.write_text("Does $answer equal 4?")
        assert not (await judge.ask(QUESTION)).cached
        assert len(endpoint.requests) == 2
        assert judge.usage.asked == 2

    async def test_failures_and_damaged_files_are_not_kept(
        self, endpoint: Endpoint, judge: ModelJudge, tmp_path: Path
    ) -> None:
        endpoint.script = [refused(401), said("VERDICT: same")]
        assert (await judge.ask(QUESTION)).error
        assert not (await judge.ask(QUESTION)).error
        (kept,) = (tmp_path / "cache").rglob("*.json")
        kept.write_bytes(b'{"text": "VERD')
        assert not (await judge.ask(QUESTION)).cached
        assert (judge.usage.asked, judge.usage.failed, judge.usage.cached) == (3, 1, 0)
        assert judge.usage.prompt_tokens == 200

    async def test_a_cache_that_can_not_be_written_costs_nothing_but_itself(
        self, endpoint: Endpoint, tmp_path: Path
    ) -> None:
        (tmp_path / "cache").write_text("a file")
        endpoint.script = [said("VERDICT: same")]
        assert (await a_judge(endpoint.url, tmp_path).ask(QUESTION)).text == "VERDICT: same"


class TestTrouble:
    async def test_429_waits_as_long_as_it_is_told(self, endpoint: Endpoint, judge: ModelJudge) -> None:
        endpoint.script = [refused(429, Retry_After="1"), said("VERDICT: same")]
        assert (await judge.ask(QUESTION)).text == "VERDICT: same"
        first, second = endpoint.requests
        assert second.at - first.at >= 1

    async def test_429_with_a_date(self, endpoint: Endpoint, judge: ModelJudge) -> None:
        until = int(time.time()) + 2
        date = email.utils.formatdate(until, usegmt=True)
        endpoint.script = [refused(429, Retry_After=date), said("VERDICT: same")]
        assert (await judge.ask(QUESTION)).text == "VERDICT: same"
        assert len(endpoint.requests) == 2
        assert time.time() >= until

    async def test_a_prompt_that_is_too_long_is_told(self, endpoint: Endpoint, judge: ModelJudge) -> None:
        told = {"code": 400, "message": "9031 tokens, 8192 fit", "type": "exceed_context_size_error"}
        endpoint.script = [Answer(400, json.dumps({"error": told}).encode())]
        assert f"{TOO_LONG}: the endpoint answered 400: 9031 tokens" in (await judge.ask(QUESTION)).error
        assert len(endpoint.requests) == 1

    async def test_a_wait_that_is_too_long_is_not_waited(self, endpoint: Endpoint, judge: ModelJudge) -> None:
        endpoint.script = [refused(429, Retry_After="3600")]
        reply = await judge.ask(QUESTION)
        assert "answered 429" in reply.error
        assert len(endpoint.requests) == 1

    async def test_500_is_tried_again_and_then_told(self, endpoint: Endpoint, judge: ModelJudge) -> None:
        endpoint.script = [refused(500), refused(503), said("VERDICT: same")]
        assert (await judge.ask(QUESTION)).text == "VERDICT: same"
        endpoint.script = [refused(500)]
        other = Question(kind="demo/same", fields={"answer": "five"}, verdicts=("same",))
        reply = await judge.ask(other)
        assert "answered 500" in reply.error
        assert "after 3 attempts" in reply.error
        assert len(endpoint.requests) == 6

    @pytest.mark.parametrize("status", [400, 401, 404])
    async def test_what_will_not_pass_is_not_tried_again(
        self, status: int, endpoint: Endpoint, judge: ModelJudge
    ) -> None:
        endpoint.script = [refused(status)]
        assert f"answered {status}" in (await judge.ask(QUESTION)).error
        assert len(endpoint.requests) == 1

    @pytest.mark.parametrize("beginning", [b"", b'{"choices": ['])
    async def test_a_stalled_reply_ends_in_time(
        self, beginning: bytes, endpoint: Endpoint, tmp_path: Path
    ) -> None:
        endpoint.script = [Answer(body=beginning, send=drip)]
        reply = await a_judge(endpoint.url, tmp_path, timeout=2.0, retries=4).ask(QUESTION)
        assert "no reply within 2 s" in reply.error
        assert len(endpoint.requests) == 2

    @pytest.mark.parametrize("whole", [True, False])
    async def test_truncated_json_is_tried_again(
        self, whole: bool, endpoint: Endpoint, judge: ModelJudge
    ) -> None:
        """Cut by the server, with its length told truly, and by the connection."""
        body = said("VERDICT: same").body
        cut = Answer(body=body[:50], length=None if whole else len(body))
        endpoint.script = [cut, said("VERDICT: same")]
        assert (await judge.ask(QUESTION)).text == "VERDICT: same"
        endpoint.script = [cut]
        reply = await judge.ask(Question(kind="demo/same", fields={"answer": "x"}, verdicts=("a",)))
        assert ("broken JSON" if whole else "broke off") in reply.error

    @pytest.mark.parametrize(
        ("answer", "told"),
        [
            (Answer(body=b"<h1>Log in</h1>", kind="text/html"), "text/html in place of JSON"),
            (Answer(body=b'{"choices": 3}'), "no chat completion"),
            (Answer(body=b'{"choices": []}'), "says nothing"),
            (Answer(body=b'{"choices": [{"message": {"content": null}}]}'), "says nothing"),
            (Answer(body=b'{"x": ' + b"[" * 100_000), "broken JSON"),
            (Answer(body=b" " * (5 * 1024 * 1024)), "larger than 4 MiB"),
        ],
    )
    async def test_what_is_no_completion(
        self, answer: Answer, told: str, endpoint: Endpoint, judge: ModelJudge
    ) -> None:
        endpoint.script = [answer]
        reply = await judge.ask(QUESTION)
        assert told in reply.error
        assert reply.text == ""

    async def test_nobody_there(self, tmp_path: Path) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
            reply = await a_judge(url, tmp_path, retries=1).ask(QUESTION)
        assert "can't be reached" in reply.error
        assert "after 2 attempts" in reply.error


async def test_the_key_is_nowhere(
    endpoint: Endpoint, judge: ModelJudge, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint.script = [
        Answer(401, json.dumps({"error": {"message": f"no such key {KEY}"}}).encode()),
        said("VERDICT: same"),
    ]
    refusal = await judge.ask(QUESTION)
    assert "no such key …" in refusal.error
    await judge.ask(QUESTION)
    kept = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) == 2, "the prompt and the reply"
    for text in (*kept, caplog.text, repr(judge), repr(judge.endpoint)):
        assert KEY not in text
