"""`label` from the command line: labels, agreement, disputes, and what is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

import webbench as wb
from webbench.core.errors import UsageError
from webbench.core.labels.label import Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step
from webbench.tui.cli.program import app


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """One run with one episode of three steps, scored 0."""
    store = Store(tmp_path / "store")
    run = store.start_run("webarena", "agent", 1)
    task = Task(benchmark="webarena", name="7", intent="Find it")
    recorder = store.recorder(run, EpisodeHeader(run="", episode="", task=task, actor="agent", dialect=""))
    for index in range(4):
        recorder.write(Step(index=index, at="", actor="agent", text="click [1]" if index else ""))
    recorder.finish(Score(status=Status.SCORED, value=0.0), "stopped")
    return store


def call(store: Store, *words: str, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["label", *words, "--store", str(store.root), "--json"])
    if isinstance(result.exception, UsageError):
        raise result.exception
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["schema_version"] == (2 if words[0] == "agreement" else 1)
    return found


def test_labels_by_a_taxonomy_that_is_gone_are_told(store: Store) -> None:
    episode = store.episodes()[0]
    gone = Label(
        run=episode.run,
        episode=episode.episode,
        taxonomy="gone\x1b[2J",
        version=1,
        question="q",
        code="c",
        annotator="ann",
    )
    ledger_of(store).add([gone])
    result = CliRunner().invoke(app, ["label", "agreement", "--store", str(store.root)])
    assert result.exit_code == 1
    assert '1 label left out: there is no taxonomy "gone' in result.stderr
    assert "\x1b" not in result.output


def test_two_annotators_label_blindly_then_agree_or_not(store: Store) -> None:
    given = call(store, "0000", "--as", "ann", "--code", "repetition", "--step", "2", "--confidence", "4")
    assert given["label"]["taxonomy"] == "webarena"  # the benchmark's own
    call(store, "0000", "--as", "bert", "--code", "early-stop", "--step", "2", "--done")
    listed = call(store, "list", "--as", "ann")
    assert (len(listed["labels"]), listed["hidden"]) == (1, 1)
    call(store, "agreement", code=1)
    call(store, "0000", "--as", "ann", "--done")
    assert len(call(store, "list")["labels"]) == 2
    (found,) = call(store, "agreement")["agreement"]
    assert found["episodes"] == 1
    whole = found["codes"][0]
    assert (whole["items"], whole["unlabelled"], whole["percent"]["value"]) == (1, 3, 0.0)
    call(store, "agreement", "--tables", str(store.root / "tables"))
    written = (store.root / "tables" / "01-agreement-of-2-raters-on-webarena.csv").read_text()
    assert written.startswith("question,code,unit,n,percent,percent_low,percent_high,percent_n,kappa,")
    (case,) = call(store, "settle", "0000", "--as", "judge", code=1)["disagreements"]
    assert case["step"] == 2
    (same,) = call(store, "settle", "status:failed", "--as", "judge", code=1)["disagreements"]
    assert same == case
    (agreed,) = wb.agreement(store=store.root)
    assert json.loads(msgspec.json.encode(agreed)) == found
    call(store, "settle", "0000", "--as", "judge", "--code", "repetition", "--step", "2")
    rows = call(store, "export")["labels"]
    assert [row["settles"] for row in rows] == ["", "", "ann bert"]
    assert [row["counts"] for row in rows] == [False, False, True]
    assert rows[0]["merged"] == "cause.repetition phase.checking"
    for flag in ("--out", "--output"):
        file = store.root / f"labels{flag}.json"
        words = ["label", "export", flag, str(file), "--store", str(store.root), "--json"]
        assert CliRunner().invoke(app, words).exit_code == 0
        assert json.loads(file.read_text())["labels"] == rows


def test_own_codes_are_held_against_suggestions_by_what_they_mean(store: Store) -> None:
    episode = store.episodes()[0].episode
    code = ("code", "add", "Clicks again", "--episode", episode, "--step", "2", "--as", "ann")
    call(store, *code)
    with pytest.raises(UsageError, match="No episode matches"):
        call(store, "suggest", "status:solved", "--evaluate")
    silent = call(store, "suggest", "status:failed", "--evaluate")
    assert (silent["labels_without_meaning"], silent["unlabelled"]) == (1, 0)
    assert {one["confirmed"] + one["rejected"] for one in silent["questions"]} == {0}
    call(store, "code", "define", "clicks-again", "--means", "repetition", "--as", "ann")
    told = call(store, "suggest", "status:failed", "--evaluate")
    assert told["labels_without_meaning"] == 0
    assert {one["name"]: one["confirmed"] for one in told["questions"]}["went in a loop"] == 1


def test_a_dispute_goes_through_the_queue(store: Store) -> None:
    with pytest.raises(UsageError, match="needs a reason"):
        call(store, "dispute", "0000", "--as", "ann", "--score", "1")
    call(store, "dispute", "0000", "--as", "ann", "--score", "1", "--reason", "same in other words")
    (case,) = call(store, "disputes", code=1)["disputes"]
    assert (case["state"], case["dispute"]["scored"], case["dispute"]["corrected"]) == ("open", 0.0, 1.0)
    call(store, "rule", "0000", "rejected", "--as", "judge", "--note", "no")
    (row,) = call(store, "export", "--disputes")["disputes"]
    assert (row["state"], row["ruled_by"], row["ruling_note"]) == ("rejected", "judge", "no")
    call(store, "dispute", "0000", "--as", "ann", "--withdraw")
    assert call(store, "disputes")["disputes"] == []


def test_nothing_is_written_where_something_is_missing(store: Store) -> None:
    for words, told in (
        (("0000", "--code", "repetition"), "Nobody is named"),
        (("0000", "--as", "ann", "--code", "repitition"), 'no code "repitition"'),
        (("0000", "--as", "a/b", "--code", "repetition"), "no name for an annotator"),
        (("0000", "--as", "ann", "--code", "repetition", "--step", "9"), "no step 9"),
        (("list", "--taxonomy", "x", "nope"), "no episode nope"),
    ):
        with pytest.raises(UsageError, match=told):
            call(store, *words)
    assert not (store.root / "labels").exists()
