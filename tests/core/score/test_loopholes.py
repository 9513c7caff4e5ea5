"""Loophole entries: read from a package, shown only where their condition holds."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from webbench.core.errors import BadData
from webbench.core.score.loopholes import Entry, load_loopholes, loopholes_of
from webbench.core.score.score import Loophole, Score, Status
from webbench.core.task import Task

LONG = Entry(id="long", benchmark="b", condition="length", text="The answer is long.", source="s, p. 1")
HIGH = Entry(id="high", benchmark="b", condition="value 1", text="The value is high.", source="s, p. 2")
CONDITIONS = {
    "long": lambda task, evidence, score: len(evidence["answer"]) > len(task.gold["answer"]),
    "high": lambda task, evidence, score: score.value == 1,
}
TASK = Task(benchmark="b", name="t", gold={"answer": "abc"})
SCORE = Score(status=Status.SCORED, value=0.0)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    name = f"loophole_{abs(hash(request.node.name))}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def write(package: str, text: str) -> None:
    folder = next(Path(at) / package for at in sys.path if (Path(at) / package).is_dir())
    (folder / "loopholes.json").write_text(text)


def test_only_what_holds_is_named() -> None:
    entries = (HIGH, LONG)
    assert loopholes_of(entries, CONDITIONS, TASK, {"answer": "ab"}, SCORE) == ()
    assert loopholes_of(entries, CONDITIONS, TASK, {"answer": "abcd"}, SCORE) == (
        Loophole(id="long", text="The answer is long.", source="s, p. 1"),
    )


def test_entries_are_read_from_the_package(package: str) -> None:
    write(package, msgspec.json.encode([LONG, HIGH]).decode())
    assert load_loopholes(package) == (LONG, HIGH)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "truncated"),
        ('[{"id": "a"}]', "missing required field"),
        (msgspec.json.encode([LONG, LONG]).decode(), '"long" twice'),
    ],
)
def test_a_damaged_file_is_told(package: str, text: str, said: str) -> None:
    write(package, text)
    with pytest.raises(BadData, match=said):
        load_loopholes(package)


def test_a_missing_file_and_a_missing_condition_are_told(package: str) -> None:
    with pytest.raises(BadData, match="can't be used"):
        load_loopholes(package)
    with pytest.raises(BadData, match='"long" of b'):
        loopholes_of((LONG,), {}, TASK, {}, SCORE)
