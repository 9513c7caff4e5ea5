"""`weblinx train-ranker` and `weblinx rank`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from tests.benchmarks.weblinx.folders import write_demonstration
from tests.tui.cli.program import Here
from webbench.benchmarks.weblinx.ranker.trained_ranker import training_of
from webbench.core.errors import UsageError
from webbench.tui.cli.benchmarks import rank


def test_a_ranker_is_trained_and_measured_where_it_never_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "data", tmp_path / "ranker"
    for name in ("lamps", "chairs", "tables"):
        write_demonstration(data / "demonstrations" / name)
    (data / "splits.json").write_text(json.dumps({"train": ["lamps", "chairs"], "test_web": ["tables"]}))
    asked = {"task": None, "negatives": 9, "learning_rate": 0.0, "warm_up": 500, "longest": 512, "seed": 123}
    rank.weblinx_train_ranker_command(
        out, "hashed", "train", hold_back=0.5, epochs=2, batch=8, data=data, as_json=True, **asked
    )
    told = json.loads(capsys.readouterr().out)
    assert told["training"]["turns"] == 3
    assert len(told["training"]["demonstrations"]) == len(told["training"]["held_back"]) == 1
    assert [one["ranking"] for one in told["recall"]] == [
        "bm25",
        "published",
        "hashed, untrained",
        "hashed, trained",
    ]
    assert {one["split"] for one in told["recall"]} == {"held back"}

    with pytest.raises(typer.Exit) as ended:
        rank.weblinx_rank_command([str(out), "bm25"], data=data, as_json=True)
    assert ended.value.exit_code == 0
    told = json.loads(capsys.readouterr().out)
    learned = told["left_out"]["a ranker was trained on it"]
    assert learned == 3
    assert {one["split"]: one["turns"] for one in told["recall"] if one["ranking"] == "bm25"} == {
        "train": 3,
        "test_web": 3,
        "shop-talk": 7,
    }
    with pytest.raises(UsageError, match="holds a ranker"):
        rank.weblinx_train_ranker_command(
            out, "hashed", "train", hold_back=0.5, epochs=2, batch=8, data=data, as_json=True, **asked
        )
    with pytest.raises(UsageError, match="no demonstration at hand is of the split valid"):
        rank.weblinx_rank_command(["bm25"], split="valid", data=data)


def test_what_a_ranker_began_with_counts_as_learned_and_is_never_held_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    for name in ("lamps", "chairs", "tables"):
        write_demonstration(data / "demonstrations" / name)
    splits = {"train": ["lamps"], "valid": ["chairs"], "test_web": ["tables"]}
    (data / "splits.json").write_text(json.dumps(splits))
    asked = {"negatives": 9, "learning_rate": 0.0, "warm_up": 500, "longest": 512, "seed": 123}
    asked |= {"epochs": 1, "batch": 8, "data": data, "as_json": True}
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    rank.weblinx_train_ranker_command(first, "hashed", "train", None, 0.0, **asked)
    rank.weblinx_train_ranker_command(second, str(first), "all", ["lamps", "chairs"], 0.9, **asked)
    capsys.readouterr()
    training = training_of(second)
    assert training is not None
    assert (training.earlier, training.held_back) == (("lamps",), ())
    rank.weblinx_train_ranker_command(third, str(second), "test_web", None, 0.0, **asked)
    assert json.loads(capsys.readouterr().out)["training"]["earlier"] == ["lamps", "chairs"]
    with pytest.raises(typer.Exit) as ended:
        rank.weblinx_rank_command([str(third)], task=["lamps", "chairs", "tables"], data=data, as_json=True)
    assert ended.value.exit_code == 1
    assert json.loads(capsys.readouterr().out)["left_out"]["a ranker was trained on it"] == 9


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_learning_rate_is_a_finite_number(tmp_path: Path, here: Here, value: str) -> None:
    out = tmp_path / "ranker"
    done = here(tmp_path, "weblinx", "train-ranker", "--out", str(out), "--learning-rate", value)
    assert done.code == 2
    assert "--learning-rate" in done.err
    assert not out.exists()


def test_what_is_not_ranked_is_told_by_split_and_a_demonstration_is_no_turn(
    tmp_path: Path, here: Here
) -> None:
    folder = tmp_path / "demonstrations"
    for name in ("lamps", "chairs", "tables"):
        write_demonstration(folder / name)
    (folder / "tables" / "replay.json").write_text("{}")
    splits = {"dev": ["lamps", "chairs"], "test_web": ["lamps"], "valid": ["tables"]}
    (tmp_path / "splits.json").write_text(json.dumps(splits))
    asked = ("weblinx", "rank", "published", "--data", str(tmp_path))
    done = here(tmp_path, *asked)
    cells = [line.split() for line in done.out.splitlines()]
    assert {line[1]: line[2:4] for line in cells if line[:1] == ["published"]} == {
        "dev": ["0", "6"],
        "test_web": ["0", "3"],
        "shop-talk": ["0", "7"],
    }
    assert "left out: demonstration tables: " in done.err
    told = here(tmp_path, *asked, "--json").json
    assert list(told["unread"]) == ["tables"]
    assert not any("tables" in reason for reason in told["left_out"])
