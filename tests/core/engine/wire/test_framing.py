"""Messages survive the pipe; anything else is refused in words."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from webbench.core.engine.wire import framing, messages
from webbench.core.errors import WebbenchError
from webbench.core.trajectory import Step

EVENTS = msgspec.msgpack.Decoder(messages.Event)


def stream(data: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return reader


async def test_messages_come_out_as_they_went_in() -> None:
    sent = [
        messages.Progress(text="reading – 読む", stage="page"),
        messages.Pictured(step=3, data=bytes(range(256)) * 100, width=4, height=4),
    ]
    reader = stream(b"".join(framing.encode(event) for event in sent))
    assert [await framing.read(reader, EVENTS) for _ in sent] == sent
    assert await framing.read(reader, EVENTS) is None


async def test_what_has_no_form_in_the_pipe_comes_as_near_as_can_be() -> None:
    said = {"half": "a\ud800b \ud83d\ude00", "huge": [2**70, -(2**70), True, 1.5, None]}
    step = Step(index=1, at="", reasoning="\udfff", agent_state=said, usage={"\ud800": 2**64})
    read = await framing.read(stream(framing.encode(messages.StepRecorded(step=step))), EVENTS)
    assert isinstance(read, messages.StepRecorded)
    assert read.step.reasoning == "\ufffd"
    assert read.step.agent_state == {
        "half": "a\ufffdb \U0001f600",
        "huge": [2**64 - 1, -(2**63), True, 1.5, None],
    }
    assert read.step.usage == {"\ufffd": 2**64 - 1}


async def test_a_cut_message_is_the_end() -> None:
    whole = framing.encode(messages.Progress(text="x"))
    assert await framing.read(stream(whole[:-1]), EVENTS) is None


async def test_something_printed_into_the_pipe_is_refused() -> None:
    with pytest.raises(WebbenchError, match="bytes came over the engine's pipe"):
        await framing.read(stream(b"Warning: something printed this"), EVENTS)


async def test_an_unknown_message_is_refused() -> None:
    body = msgspec.msgpack.encode({"event": "Nonsense"})
    with pytest.raises(WebbenchError, match="no message"):
        await framing.read(stream(len(body).to_bytes(4, "big") + body), EVENTS)
