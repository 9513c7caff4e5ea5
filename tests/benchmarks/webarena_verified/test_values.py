"""Typed values: what they are read as, and when two are the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from webbench.benchmarks.webarena.verified.canonical_urls import (
    read_address,
    same_address,
    site_bases,
    with_placeholders,
)
from webbench.benchmarks.webarena.verified.compare import differences
from webbench.benchmarks.webarena.verified.json_paths import found_at
from webbench.benchmarks.webarena.verified.values.normalised_text import canonical_text
from webbench.benchmarks.webarena.verified.values.results_schema import read_list
from webbench.benchmarks.webarena.verified.values.typed_values import KINDS, read_value, same_value
from webbench.core.errors import BadData


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        ("string", " Cafe–Ångström™ ", "cafe angstrom"),
        ("string", "Buffalo-Niagara 12-34", "buffalo niagara 12-34"),
        ("number", "1,234.5", 1234.5),
        ("currency", "$1,234.56", 1234.56),
        ("currency", "1,234", 1.234),
        ("currency", "-€3.50", -3.5),
        ("boolean", "Yes", True),
        ("date", "March 2nd, 2022", "2022-03-02"),
        ("date", "03/11/2023", "2023-03-11"),
        ("month", "Jan", "January"),
        ("month", "01", "January"),
        ("month", 12, "December"),
        ("duration", "1hr 35min", "1:35:00"),
        ("duration", "4:13", "0:04:13"),
        ("duration", "1:35 hours", "1:35:00"),
        ("distance", "1.7km", 1700.0),
        ("distance", "1,000 ft", 304.8),
        ("coordinates", {"lat": "40.5", "lng": -79}, [40.5, -79.0]),
        ("coordinates", "40.5N, 79W", [40.5, -79.0]),
        ("string_list", "5, 278,", ["278", "5"]),
        ("markdown", "#  T \r\n\n\n\n* a", "# T\n\n- a"),
        ("json", '{"b": 1, "a": 2}', '{"a":2,"b":1}'),
    ],
)
def test_what_a_value_is_read_as(kind: str, text: Any, shown: Any) -> None:
    assert read_value(text, kind).shown == shown


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("number", ""),
        ("number", "many"),
        ("currency", None),
        ("date", "soon"),
        ("month", "13"),
        ("month", 1.5),
        ("duration", "12"),
        ("duration", "5 parsecs"),
        ("distance", "12"),
        ("coordinates", "91, 0"),
        ("coordinates", {"lat": 1}),
        ("boolean", "perhaps"),
        ("json", "{"),
        ("url", ""),
        ("string", ["only one"]),
        ("colour", "red"),
    ],
)
def test_what_cannot_be_read_names_the_value(kind: str, value: Any) -> None:
    with pytest.raises(BadData, match=r"can't be read|one alternative|is unknown"):
        read_value(value, kind)


@pytest.mark.parametrize(
    ("kind", "expected", "actual", "same"),
    [
        ("string", "^.*added to your cart.*$", "Soap was ADDED to your cart!", True),
        ("string", "done", '"Done."', True),
        ("string", ["yes", "sure"], "Sure", True),
        ("string", "10", "1010", False),
        ("currency", "10.00", 10.1, True),
        ("currency", "10.00", 10.2, False),
        ("distance", "748m", "0.76 km", True),
        ("distance", "748m", "0.8 km", False),
        ("duration", "7min", "10 min", True),
        ("duration", "2h", "2h 20min", False),
        ("location-name", "Apple Store Shadyside", "shadyside apple store", True),
        ("location-name", "Harvard University", "Yale University", False),
        ("coordinates", [40.5, -79.0], "40.500001, -79", True),
        ("url", "git@__SSH_HOST__:a/b.git", "ssh://git@host.example:2222/a/b.git", True),
        ("number", 8, "8", True),
        ("number", 8, "8.01", False),
    ],
)
def test_when_two_values_are_the_same(kind: str, expected: Any, actual: Any, same: bool) -> None:
    assert same_value(read_value(expected, kind), read_value(actual, kind)) is same


def test_a_value_that_could_not_be_read_equals_nothing() -> None:
    assert not same_value(read_value(8, "number"), "8")
    assert same_value(read_value("Eight", "string"), "eight")


SITES = site_bases({"__SHOPPING__": "http://x.example:1", "__SHOPPING_ADMIN__": "http://x.example:1/admin/"})


@pytest.mark.parametrize(
    ("url", "located"),
    [
        ("http://x.example:1/admin/sales?a=1", "__SHOPPING_ADMIN__/sales?a=1"),
        ("http://x.example:1/a", "__SHOPPING__/a"),
        ("http://x.example:1", "__SHOPPING__"),
        ("http://x.example:10/a", "http://x.example:10/a"),
    ],
)
def test_placeholders_take_the_place_of_the_longest_address(url: str, located: str) -> None:
    assert with_placeholders(url, SITES) == located


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("__X__/a/", "__X__/A", True),
        ("__X__/a?b=1&c=", "__X__/a?b=1", True),
        ("__X__/a?b=1", "__X__/a?b=2", False),
        ("__X__/a", "__X__/a?b=1", False),
        ("__X__/a%20b", "__X__/a b", True),
        ("^__X__/p/\\d+$", "__X__/p/12", True),
        ("^__X__/p/\\d+$", "__X__/p/12/edit", False),
        ("http://h.example:80/a", "http://H.example/a", True),
    ],
)
def test_when_two_addresses_are_the_same(expected: str, actual: str, same: bool) -> None:
    assert same_address(read_address(expected), read_address(actual)) is same


def test_a_query_in_base64_within_the_path_is_found() -> None:
    path = "__X__/filter/cmVwb3J0PTEmZnJvbT1h/"  # report=1&from=a
    assert same_address(read_address("__X__/filter?from=a&report=1"), read_address(path, base64_parts=True))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.a.b[1].c", 2),
        ("$['x y'][?(@.on == 1)].n", ["p", "r"]),
        ("$.^reply_\\d+\\[c\\]$", "hi"),
        ("$.text.inner", True),
        ("$.gone", None),
    ],
)
def test_fields_of_bodies(path: str, found: Any) -> None:
    body = {
        "a": {"b": [{}, {"c": 2}]},
        "x y": [{"on": 1, "n": "p"}, {"on": 0, "n": "q"}, {"on": 1, "n": "r"}],
        "reply_7[c]": "hi",
        "text": '{"inner": true}',
    }
    assert found_at(body, path) == found


def test_a_path_of_another_form_is_named() -> None:
    with pytest.raises(BadData, match="character 2"):
        found_at({}, "$[*]")


def listed(values: Any, **schema: Any) -> Any:
    return read_list(values, {"type": "array", "items": schema}, lambda text: text, strict=False)


def test_differences_are_named_as_the_package_names_them() -> None:
    expected, actual = listed([1, 2, 3], type="number"), listed([3, 1, 4], type="number")
    (found,) = differences(expected, actual, "retrieved_data")
    assert found.name == "retrieved_data_array_values_mismatch"
    assert found.messages[0] == "Array value mismatch (unordered). Matched (2/3), Missing: 1, Extra: 1"
    assert differences(expected, listed([3, 2, 1], type="number"), "x") == []
    assert differences(expected, listed([3, 2, 1], type="number"), "x", ordered=True)
    assert differences(listed(["a", "a"]), listed(["a"]), "x")[0].messages[0].startswith("Array is missing 1")
    wanted = listed([{"name": "a", "n": 1}], type="object", properties={"n": {"type": "number"}})
    given = listed([{"name": "A", "n": "1", "more": 2}], type="object", properties={"n": {"type": "number"}})
    assert differences(wanted, given, "x")
    assert differences(wanted, given, "x", more_keys=True) == []


@pytest.mark.timeout(60)  # a search without a bound takes years
def test_long_hostile_texts_are_compared_in_bounded_time() -> None:
    flood = "a" * 1_000_000
    assert not same_value(read_value("^(a+)+b$", "string"), read_value(flood, "string"))
    assert not same_value(read_value("x" * 5000, "location-name"), read_value(flood, "location-name"))
    with pytest.raises(BadData):
        read_value("http://x/" + flood, "url")
    with pytest.raises(BadData):
        read_value("9" * 100_000 + " km", "duration")


@settings(max_examples=examples(300), deadline=None)
@given(text=st.text(max_size=40), kind=st.sampled_from(sorted(KINDS)))
def test_reading_never_fails_otherwise_and_canonical_texts_are_ascii(text: str, kind: str) -> None:
    try:
        value = read_value(text, kind)
    except BadData:
        pass
    else:
        assert same_value(value, value) or kind == "location-name"
    assert canonical_text(text).isascii()
