"""JSON of strangers is decoded or refused, never fatal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.text.bounded_json import DEEPEST, decode

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=examples(100), deadline=None)
@given(values)
def test_ordinary_json_is_read_as_ever(value: object) -> None:
    assert decode(json.dumps(value)) == value
    assert decode(json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")) == value


def test_brackets_inside_strings_are_no_depth() -> None:
    assert decode(json.dumps({"text": '["\\' * 10_000})) == {"text": '["\\' * 10_000}
    assert decode("[" * DEEPEST + "]" * DEEPEST)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        '{"a":' * 200_000,
        '"' + '\\"' * 500_000,
        '["' * 300_000,
        "NaN",
        "-Infinity",
        '{"x": -1e999}',
        "1" * 100_000,
        b"\xff\xfe{",
        "",
        "\ud800",
    ],
    ids=lambda text: repr(text[:8]),
)
@pytest.mark.timeout(10)
def test_hostile_json_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(text)
