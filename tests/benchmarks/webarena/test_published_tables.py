"""Published grading and results as tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from webbench.benchmarks.webarena.published_tables import GRADERS, GRADING, RESULTS, tables
from webbench.benchmarks.webarena.tasks import DATA_VARIABLE
from webbench.core.errors import BadData


def test_the_published_tables(shared: Path) -> None:
    loaders = tables(shared / "data" / "webarena")
    grading = loaders["human_assessment"]()
    assert list(grading["task_id"]) == list(range(812))
    assert set(grading[list(GRADERS)].stack().unique()) <= {0, 0.5, 1}
    mean = grading[list(GRADERS)].mean(axis=1)
    assert (mean - grading["average"]).abs().max() < 1e-6
    results = loaders["leaderboard_results"]()
    assert len(results) == 8028
    assert set(results["success"]) == {0, 1}
    assert not results.duplicated(["task_id", "agent"]).any()
    assert set(results["agent"]) <= set(loaders["leaderboard_models"]()["id"])
    domains = loaders["leaderboard_domains"]()
    assert (domains["success"] <= domains["total"]).all()


def test_what_is_unknown_is_missing_and_not_a_number(tmp_path: Path) -> None:
    (tmp_path / RESULTS).mkdir()
    (tmp_path / RESULTS / "models.json").write_text('[{"id": "a", "date": "02/2024", "size_b": "-"}]')
    model = tables(tmp_path)["leaderboard_models"]().iloc[0]
    assert model["size_b"] != model["size_b"]
    assert (model["date"].year, model["date"].month) == (2024, 2)


@pytest.mark.parametrize(
    ("name", "file", "content", "told"),
    [
        ("human_assessment", GRADING, "a,b\n1,2\n", "2 columns in place of 8"),
        ("leaderboard_results", RESULTS / "results.json", "{}", "no list of objects"),
        ("leaderboard_results", RESULTS / "results.json", '[{"t": 1}]', "lacks agent, success"),
        ("leaderboard_models", RESULTS / "models.json", "[{", "no JSON"),
        ("leaderboard_domains", RESULTS / "leaderboard.json", '[{"id": "a"}]', "another shape"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, name: str, file: Path, content: str, told: str) -> None:
    with pytest.raises(BadData, match=file.name):
        tables(tmp_path)[name]()
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text(content)
    with pytest.raises(BadData, match=told):
        tables(tmp_path)[name]()


def test_nothing_is_read_before_a_table_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    loaders = tables()
    with pytest.raises(BadData, match="no folder"):
        loaders["human_assessment"]()
