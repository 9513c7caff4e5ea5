"""Asking a model over a real socket: streams, tools, pictures, trouble, and cancelling at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import msgspec
import pytest

from tests.core.models.endpoint import (
    Answer,
    Endpoint,
    called,
    drip,
    refused,
    running_endpoint,
    said,
    streamed,
)
from webbench.core.agents.model.replies import read_fenced
from webbench.core.model_call import SentMessage, SentPicture, ToolUse, usage_of
from webbench.core.models import model_client as client_module
from webbench.core.models.chat import Message, Picture, Sampling, Tool
from webbench.core.models.model_client import ChatClient
from webbench.core.models.model_client import Endpoint as ModelEndpoint
from webbench.core.models.prices import Price

HELLO = [Message(role="system", text="Be brief."), Message(role="user", text="Hello?")]
ACT = Tool(name="act", description="Do it", parameters={"type": "object", "properties": {}})


@pytest.fixture(scope="module")
def running() -> Iterator[Endpoint]:
    with running_endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(running: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    monkeypatch.setattr(client_module, "FIRST_PAUSE", 0.01)
    running.requests.clear()
    running.script = []
    return running


def a_client(endpoint: Endpoint, **changes: object) -> ChatClient:
    price = Price(input=2.0, output=10.0)
    made = ModelEndpoint(model="m", url=endpoint.url, timeout=60.0, retries=1, price=price)
    return ChatClient(msgspec.structs.replace(made, **changes), "sk-secret")


def _told_in_a_body(stream: bool, **error: object) -> Answer:
    """An error that comes with the status 200, as gateways and streams have it."""
    body = msgspec.json.encode({"error": {"message": "refused", **error}})
    return Answer(body=b"data: " + body + b"\n\n", kind="text/event-stream") if stream else Answer(body=body)


class TestAnswers:
    async def test_all_of_a_call_is_kept(self, endpoint: Endpoint) -> None:
        endpoint.script = [said("Hi.", reasoning_content="A greeting.", finish="length")]
        sampling = Sampling(temperature=1.0, top_p=0.9, max_tokens=5, seed=3, stop=("\n",))
        call = await a_client(endpoint).ask(HELLO, sampling, purpose="greet")
        body = endpoint.requests[0].body
        assert [body[name] for name in ("temperature", "top_p", "max_tokens", "seed", "stop")] == [
            1.0, 0.9, 5, 3, ["\n"],
        ]  # fmt: skip
        assert (call.reply, call.thinking, call.finish, call.purpose) == (
            "Hi.",
            "A greeting.",
            "length",
            "greet",
        )
        assert (call.model, call.host, call.parameters["top_p"]) == ("m", "127.0.0.1", 0.9)
        assert call.messages == (
            SentMessage(role="system", text="Be brief."),
            SentMessage(role="user", text="Hello?"),
        )
        assert usage_of([call, call]) == {
            "calls": 2,
            "model_seconds": round(2 * call.seconds, 3),
            "prompt_tokens": 200,
            "completion_tokens": 14,
            "cost": 2 * (100 * 2 + 7 * 10) / 1e6,
        }

    async def test_what_is_not_wished_is_not_sent(self, endpoint: Endpoint) -> None:
        endpoint.script = [said("Hi.")]
        await a_client(endpoint).ask(HELLO)
        assert endpoint.requests[0].body.keys() == {"model", "messages", "stream"}

    async def test_a_picture_is_sent_whole_and_kept_by_reference(self, endpoint: Endpoint) -> None:
        endpoint.script = [said("A page.")]
        picture = Picture(data=b"\x89PNG", format="png", width=4, height=2, step=7)
        call = await a_client(endpoint).ask([Message(role="user", text="What?", pictures=(picture,))])
        assert endpoint.requests[0].pictures == ["data:image/png;base64,iVBORw=="]
        assert call.messages[0].pictures == (
            SentPicture(
                sha256="0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543",
                step=7,
                width=4,
                height=2,
            ),
        )

    async def test_tools(self, endpoint: Endpoint) -> None:
        endpoint.script = [called("act", action="click [3]")]
        call = await a_client(endpoint).ask(HELLO, tools=[ACT])
        assert endpoint.requests[0].body["tools"][0]["function"]["name"] == "act"
        assert call.tools == (ToolUse(name="act", arguments='{"action": "click [3]"}'),)
        assert (call.reply, call.error) == ("", "")

    async def test_a_tool_that_nobody_offered_is_no_answer(self, endpoint: Endpoint) -> None:
        endpoint.script = [called("act")]
        assert "says nothing" in (await a_client(endpoint, retries=0).ask(HELLO)).error

    async def test_a_reply_that_its_limit_left_empty_is_kept_and_not_asked_for_again(
        self, endpoint: Endpoint
    ) -> None:
        endpoint.script = [said("", reasoning_content="Let me see", finish="length")]
        call = await a_client(endpoint, retries=3).ask(HELLO)
        assert (call.reply, call.thinking, call.error) == ("", "Let me see", "")
        assert (call.completion_tokens, call.attempts) == (7, 1), "it was paid for once"
        assert "limit of tokens" in read_fenced(call).malformed


class TestStreams:
    async def test_pieces_are_put_together(self, endpoint: Endpoint) -> None:
        endpoint.script = [streamed({"role": "assistant", "reasoning_content": "Hm"}, "He", "llo")]
        call = await a_client(endpoint, stream=True).ask(HELLO)
        assert endpoint.requests[0].body["stream_options"] == {"include_usage": True}
        assert (call.reply, call.thinking, call.finish, call.completion_tokens) == ("Hello", "Hm", "stop", 7)

    async def test_tools_come_in_pieces(self, endpoint: Endpoint) -> None:
        pieces = [{"name": "act", "arguments": '{"a"'}, {"arguments": ": 1}"}]
        endpoint.script = [streamed(*({"tool_calls": [{"index": 0, "function": piece}]} for piece in pieces))]
        call = await a_client(endpoint, stream=True).ask(HELLO, tools=[ACT])
        assert call.tools == (ToolUse(name="act", arguments='{"a": 1}'),)

    async def test_a_whole_reply_where_a_stream_was_asked(self, endpoint: Endpoint) -> None:
        endpoint.script = [said("Whole.")]
        assert (await a_client(endpoint, stream=True).ask(HELLO)).reply == "Whole."

    async def test_a_stream_without_an_end_is_asked_for_again(self, endpoint: Endpoint) -> None:
        endpoint.script = [streamed("He", ends=False), streamed("Hello")]
        call = await a_client(endpoint, stream=True).ask(HELLO)
        assert (call.reply, call.attempts) == ("Hello", 2)

    async def test_an_error_in_a_stream(self, endpoint: Endpoint) -> None:
        endpoint.script = [
            Answer(body=b'data: {"error": {"message": "overloaded"}}\n\n', kind="text/event-stream")
        ]
        assert "broke off: overloaded" in (await a_client(endpoint, stream=True).ask(HELLO)).error

    async def test_a_stream_that_stalls_ends_before_its_time(self, endpoint: Endpoint) -> None:
        def wait(_handler: object, ended: threading.Event) -> None:
            ended.wait(600)

        endpoint.script = [streamed("He", ends=False)._replace(send=wait)]
        call = await a_client(endpoint, stream=True, stall=0.2, timeout=600.0, retries=0).ask(HELLO)
        assert "the reply stopped for 0.2 s" in call.error


class TestTrouble:
    async def test_the_last_trouble_is_told_with_all_attempts(self, endpoint: Endpoint) -> None:
        endpoint.script = [refused(429, Retry_After="0"), refused(500)]
        call = await a_client(endpoint, retries=2).ask(HELLO)
        assert "answered 500" in call.error
        assert (call.attempts, len(endpoint.requests)) == (3, 3)
        assert usage_of([call]).keys() == {"calls", "model_seconds"}

    @pytest.mark.parametrize("stream", [False, True])
    async def test_what_is_refused_for_good_is_asked_once(self, stream: bool, endpoint: Endpoint) -> None:
        answers = [refused(status) for status in (400, 401, 402, 403, 404, 405, 410, 413, 422)]
        answers += [_told_in_a_body(stream, code=code) for code in (400, "401", "invalid_api_key")]
        answers += [
            _told_in_a_body(stream, type=kind) for kind in ("invalid_request_error", "BadRequestError")
        ]
        for answer in answers:
            endpoint.script, endpoint.requests[:] = [answer], []
            call = await a_client(endpoint, retries=4, stream=stream).ask(HELLO)
            assert "refused" in call.error
            assert "attempts" not in call.error
            assert (call.attempts, len(endpoint.requests)) == (1, 1), answer

    @pytest.mark.parametrize("stream", [False, True])
    async def test_what_may_pass_is_asked_again(self, stream: bool, endpoint: Endpoint) -> None:
        answers = [refused(status) for status in (408, 409, 425, 429, 500, 503)]
        answers += [_told_in_a_body(stream, code=code) for code in (429, "503")]
        for answer in answers:
            endpoint.script, endpoint.requests[:] = [answer], []
            call = await a_client(endpoint, retries=2, stream=stream).ask(HELLO)
            assert (call.attempts, len(endpoint.requests)) == (3, 3), answer
            assert "refused" in call.error

    async def test_the_key_is_in_no_call(self, endpoint: Endpoint) -> None:
        endpoint.script = [Answer(401, b'{"error": {"message": "bad key sk-secret"}}')]
        call = await a_client(endpoint).ask(HELLO)
        assert endpoint.requests[0].key == "sk-secret"
        assert "bad key …" in call.error
        assert "sk-secret" not in repr(call)

    @pytest.mark.parametrize("stream", [False, True])
    async def test_cancelling_ends_a_call_at_once(self, stream: bool, endpoint: Endpoint) -> None:
        endpoint.script = [Answer(body=b" ", send=drip)]
        asking = asyncio.create_task(a_client(endpoint, stream=stream, timeout=600.0).ask(HELLO))
        while not endpoint.requests:
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    @pytest.mark.parametrize("key", ["sk-\x07secret", "sk-\nsecret", "sk-sécret"])
    async def test_a_key_that_can_not_be_sent_is_not_told(self, key: str, endpoint: Endpoint) -> None:
        endpoint.script = [Answer(401)]
        made = ModelEndpoint(model="m", url=endpoint.url, timeout=60.0, retries=0)
        call = await ChatClient(made, key).ask(HELLO)
        assert call.error
        assert "cret" not in call.error

    @pytest.mark.parametrize("body", [b"", b"<h1>no</h1>", b"[1]", b'{"error": 1}', b"{" * 10_000])
    async def test_an_error_without_a_message_is_told_by_its_status(
        self, body: bytes, endpoint: Endpoint
    ) -> None:
        endpoint.script = [Answer(403, body)]
        assert (await a_client(endpoint).ask(HELLO)).error == "the endpoint answered 403"


class TestAddresses:
    @pytest.mark.parametrize(
        ("ending", "path"),
        [
            ("", "/v1/chat/completions"),
            ("/", "/v1/chat/completions"),
            ("?version=2", "/v1/chat/completions?version=2"),
        ],
    )
    async def test_the_path_is_put_behind_the_base(self, ending: str, path: str, endpoint: Endpoint) -> None:
        endpoint.script = [said("Hi.")]
        assert (await a_client(endpoint, url=endpoint.url + ending).ask(HELLO)).reply == "Hi."
        assert endpoint.requests[0].path == path

    async def test_a_redirect_is_followed(self, endpoint: Endpoint) -> None:
        endpoint.script = [Answer(307, headers=(("Location", "/elsewhere"),)), said("Hi.")]
        assert (await a_client(endpoint).ask(HELLO)).reply == "Hi."
        assert [request.path for request in endpoint.requests] == ["/v1/chat/completions", "/elsewhere"]
        assert endpoint.requests[1].body == endpoint.requests[0].body

    async def test_an_endpoint_without_a_key_is_sent_none(self, endpoint: Endpoint) -> None:
        endpoint.script = [said("Hi.")]
        await ChatClient(ModelEndpoint(model="m", url=endpoint.url)).ask(HELLO)
        assert endpoint.requests[0].key == ""
