"""Training data from labels that were given by the commands."""

import json
from pathlib import Path

from tests.core.report.conftest import FIND, STOP, record
from tests.tui.cli.program import Here
from webbench.core.store.store import Store


def test_labels_given_by_commands_are_rewards_and_what_is_left_out_is_told(
    tmp_path: Path, here: Here
) -> None:
    episode = record(Store(tmp_path / "store"), "agent", (FIND, STOP), 1.0)
    place = ("--store", str(tmp_path / "store"))
    out = tmp_path / "rewards"
    call = ("export", episode, "--to", "steps", *place, "--out", str(out))

    unjudged = here(tmp_path, *call)
    for step, code in (("1", "cause.none"), ("2", "cause.stopping")):
        words = (
            "label",
            "give",
            episode,
            "--step",
            step,
            "--code",
            code,
            "--taxonomy",
            "merged",
            "--as",
            "ann",
        )
        assert here(tmp_path, *words, *place).code == 0
    waiting = here(tmp_path, *call)
    assert (
        here(tmp_path, "label", "give", episode, "--done", "--taxonomy", "merged", "--as", "ann", *place).code
        == 0
    )
    done = here(tmp_path, *call, "--json")
    told = here(tmp_path, "export", episode, "--to", "sft", *place, "--out", str(tmp_path / "rows"))

    assert (unjudged.code, waiting.code, done.code, told.code) == (4, 4, 0, 0)
    assert "2 times: nobody has labelled the step" in unjudged.err
    assert "not done with the episode" in waiting.err
    assert (done.json["exported"]["rows"], done.json["exported"]["left_out"]) == (2, {})
    rows = [json.loads(line) for line in (out / "steps.jsonl").read_text("utf-8").splitlines()]
    assert [(row["step"], row["reward"], row["rules"]) for row in rows] == [
        (1, 1.0, "merged@1"),
        (2, -1.0, "merged@1"),
    ]
    assert "1 row as sft" in told.out
    assert "left out once: the action had no effect" in told.err


def test_what_an_oracle_did_is_rows_that_name_it_with_nothing_unexplained(tmp_path: Path, here: Here) -> None:
    episode = record(Store(tmp_path / "store"), "oracle", (FIND, FIND, STOP), 1.0, reply="")
    out = tmp_path / "rows"
    done = here(
        tmp_path, "export", episode, "--to", "sft", "--store", str(tmp_path / "store"), "--out", str(out)
    )
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in (out / "messages.jsonl").read_text("utf-8").splitlines()]
    assert {(row["actor"], row["answer"]) for row in rows} == {("oracle", "action")}
