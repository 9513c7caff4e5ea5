"""Reading bodies: whatever an endpoint sends is a completion or a `Trouble`, nothing else."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webbench.core.models.completion_body import read_completion
from webbench.core.models.trouble import Trouble

STREAM, JSON = "text/event-stream; charset=utf-8", "application/json"
FIELDS = [
    "choices",
    "message",
    "delta",
    "content",
    "text",
    "tool_calls",
    "function",
    "name",
    "usage",
    "error",
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.sampled_from(["", "x", "tool_calls"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(FIELDS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from([STREAM, JSON, "text/html", ""]), st.binary(max_size=60) | VALUES)
def test_anything_is_a_completion_or_trouble(kind: str, body: object) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    if kind == STREAM:
        data = b"data: " + data + b"\n\ndata: [DONE]\n\n"
    with contextlib.suppress(Trouble):
        assert isinstance(read_completion(kind, data).text, str)


def whole(message: object, **more: object) -> bytes:
    return json.dumps({"choices": [{"message": message}], **more}).encode()


def test_content_in_parts() -> None:
    parts = [{"type": "text", "text": "Hel"}, {"type": "thinking"}, {"type": "text", "text": "lo"}, 3]
    assert read_completion(JSON, whole({"content": parts})).text == "Hello"


@pytest.mark.parametrize("tokens", [-1, "many", True, 1e30, [3]])
def test_what_is_no_number_of_tokens_is_not_known(tokens: object) -> None:
    usage = {"prompt_tokens": tokens, "completion_tokens": 3.0}
    completion = read_completion(JSON, whole({"content": "x"}, usage=usage))
    assert (completion.prompt_tokens, completion.completion_tokens) == (None, 3)


def test_deep_nesting_is_told() -> None:
    deep = b'{"text": [' * 5000 + b"]}" * 5000
    with pytest.raises(Trouble):
        read_completion(JSON, b'{"choices": [{"message": {"content": [' + deep + b"]}}]}")


def test_events_of_other_servers() -> None:
    body = (
        b': ping\r\n\r\nevent: message\r\ndata: {"choices": null}\r\n\r\n'
        b'data: {"choices": [{"delta": null}]}\r\n\r\n'
        b'data: {"choices":\r\ndata: [{"delta": {"content": "Hi"}}]}\r\n\r\n'
        b"data: [DONE]\r\n\r\n"
    )
    assert read_completion(STREAM, body).text == "Hi"
