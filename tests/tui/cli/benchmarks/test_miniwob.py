"""`miniwob table`: what people, agents and the oracle reached, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

from tests.tui.cli.program import Here
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader


def record(store: Store, actor: str, value: float | None, name: str) -> None:
    run = store.start_run("miniwob", actor, 1)
    task = Task(benchmark="miniwob", name=name, instance=0)
    header = EpisodeHeader(run="", episode="", task=task, actor=actor, dialect="json", rules="published")
    status = Status.NOT_SCORED if value is None else Status.SCORED
    store.recorder(run, header).finish(Score(status=status, value=value, rules="published"), "done")


def test_json_has_every_source_and_null_for_what_is_not_scored(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    record(store, "human", 0.5, "click-test")
    record(store, "gpt\x1b[2J", None, "click-test")
    record(store, "oracle", 1.0, "login-user")
    call = ("miniwob", "table", "--store", str(store.root))
    done = here(tmp_path, *call, "--json")
    assert (done.code, done.json["schema_version"]) == (0, 1)
    people, agent, oracle = done.json["sources"]
    assert (people, oracle) == ("people", "oracle")
    assert agent.startswith("gpt")
    cells = done.json["environments"]
    assert list(cells) == ["click-test", "login-user"]
    assert cells["click-test"]["people"] == {"episodes": 1, "scored": 1, "reward": 0.5, "steps": 0.0}
    assert cells["click-test"][agent] == {"episodes": 1, "scored": 0, "reward": None, "steps": None}
    assert list(cells["login-user"]) == ["oracle"]
    assert f"{agent}: 1 of 133 environments, 1 episode, 1 without a score" in done.json["missing"]
    text = here(tmp_path, *call, COLUMNS="200")
    assert text.code == 0
    assert "\x1b" not in text.out
    (row,) = [line.split() for line in text.out.splitlines() if line.startswith("click-test")]
    assert row[1:4] == ["1", "0.50", "0.0"]
    assert row[4:] == ["0", "of", "1", "–", "–", "–", "–", "–"]


def test_an_empty_store_has_a_table_without_rows(tmp_path: Path, here: Here) -> None:
    done = here(tmp_path, "miniwob", "table", "--store", str(tmp_path / "none"), "--json")
    assert done.code == 0
    assert done.json["environments"] == {}
    assert done.json["missing"][-1] == "no agent but the oracle: run one, or import a run of one"
