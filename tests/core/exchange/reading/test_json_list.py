"""A JSON list is read object by object; what stands before a cut is kept."""

import json
from pathlib import Path

import pytest

from webbench.core.errors import BadData
from webbench.core.exchange.place import Place
from webbench.core.exchange.reading import json_list
from webbench.core.exchange.reading.json_list import objects

ROWS = [{"n": number, "t": 'a "] } \\ é' * 9, "l": [[number], {"d": {}}]} for number in range(40)]


def read(path: Path) -> tuple[list[object], str]:
    """The objects, and the error that ended them."""
    found: list[object] = []
    try:
        found.extend(objects(Place(path, path.parent)))
    except BadData as error:
        return found, error.message
    return found, ""


@pytest.fixture(params=[0, 4 << 20], ids=["piece by piece", "at once"])
def path(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a list may be written, read in either way."""
    monkeypatch.setattr(json_list, "_READ_AT_ONCE", request.param)
    monkeypatch.setattr(json_list, "_SMALLEST_MOVE", 7)
    monkeypatch.setattr("webbench.core.exchange.place._CHUNK", 5)
    return tmp_path / "list.json"


def test_a_whole_list(path: Path) -> None:
    path.write_text("\ufeff " + json.dumps(ROWS, ensure_ascii=False), "utf-8")

    assert read(path) == (ROWS, "")


@pytest.mark.parametrize("cut", [200, 1000, 2999, -1])
def test_a_cut_list_gives_what_stands_before_the_cut(path: Path, cut: int) -> None:
    text = json.dumps(ROWS)
    path.write_text(text[:cut])

    found, error = read(path)

    whole = [one for one in found if one in ROWS]
    assert whole == ROWS[: len(whole)]
    assert len(json.dumps(ROWS[: len(whole) + 1])) > len(text[:cut])
    assert len(found) - len(whole) <= (not whole)
    assert not whole or f"after {len(found)} whole objects" in error


@pytest.mark.parametrize(
    ("text", "whole", "reason"),
    [
        ('{"a": 1}', 0, "holds no list of objects"),
        ("", 0, "holds no list of objects"),
        ("[1, 2]", 0, "list"),
        ('[{"a": 1}, {"b": NaN}, {"c": 2}]', 3, ""),
        ('[{"a": 1}, {"b": nonsense, "c": 1, "d": 2, "e": 3}]', 1, "what follows is no JSON"),
        ('[{"a": 1}, {"b": ' + "[" * 99 + "]" * 99 + "}]", 1, "nested deeper than 64 levels"),
    ],
)
def test_what_is_no_list_of_objects(path: Path, text: str, whole: int, reason: str) -> None:
    path.write_text(text)

    found, error = read(path)

    assert len(found) == whole
    assert reason in error


def test_an_object_that_is_too_large_is_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_list, "_READ_AT_ONCE", 0)
    monkeypatch.setattr(json_list, "LARGEST_OBJECT", 5000)
    path.write_text(json.dumps([{"a": "x" * 20_000}]))

    assert "an object is larger than" in read(path)[1]


def test_bytes_that_are_no_text_are_told(path: Path) -> None:
    path.write_bytes(b'[{"a": "\xff"}]')
    place = Place(path, path.parent)

    assert list(objects(place)) == [{"a": "\ufffd"}]
    assert "is not all UTF-8" in place.told[0]
