"""Lines of list elements in JSON as people and programs write it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.core.text.json_places import element_lines

JSON = st.recursive(
    st.none() | st.integers(-9, 9) | st.text('a"\\\n[]{},: é', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"\\,', max_size=2), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "key", "lines"),
    [
        ("[]", "", []),
        ("[1, 2,\n3]", "", [1, 1, 2]),
        ('\n[\n{"a": [1,\n2]},\n"]"\n]', "", [3, 5]),
        ('{"x": {"data": [1]},\n"data": [\n1, 2]}', "data", [3, 3]),
        ('{"x": 1}', "data", []),
        ('{"data": 7}', "data", []),
        ("7", "data", []),
        ("{}", "data", []),
    ],
)
def test_lines(text: str, key: str, lines: list[int]) -> None:
    assert element_lines(text, key) == lines


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(JSON, max_size=5), st.dictionaries(st.sampled_from("ab"), JSON))
def test_every_element_is_found_where_it_begins(values: list[object], others: dict[str, object]) -> None:
    texts = [json.dumps(value, indent=1) for value in values]
    whole = "[\n" + ",\n".join(texts) + "\n]"
    starts = [2 + sum(text.count("\n") + 1 for text in texts[:at]) for at in range(len(texts))]
    assert element_lines(whole) == starts
    inside = json.dumps(others)[:-1] + (", " if others else "") + f'"data": {whole}}}'
    assert element_lines(inside, "data") == starts
