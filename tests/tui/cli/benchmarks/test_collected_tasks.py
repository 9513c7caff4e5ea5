"""A task is written down, made anew from a template, and saved once two others have checked it."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import Here
from webbench.benchmarks.assistantbench.benchmark import create
from webbench.benchmarks.assistantbench.collection.checklist import ITEMS, checked
from webbench.benchmarks.assistantbench.collection.collected_candidates import (
    Candidate,
    change_candidate,
    read_candidates,
)

SEED = (
    *("--question", "Which Daniel Craig movie under 150 minutes has the highest IMDB rating?"),
    *("--answer", "Layer Cake", "--page", "https://www.imdb.com/name/nm0185819/"),
    *("--explanation", "List his films, leave out the long ones.", "--minutes", "8", "--often", "monthly"),
)
TEMPLATE = "Which {{actor}} movie under {{length}} minutes has the highest IMDB rating?"
WAS = ("--was", "actor=Daniel Craig", "--was", "length=150")
NEW = (
    *("--value", "actor=Emma Stone", "--value", "length=120", "--answer", "Superbad"),
    *("--page", "https://www.imdb.com/name/nm1297015/", "--explanation", "As before.", "--minutes", "6"),
)


@pytest.fixture
def called(here: Here, tmp_path: Path) -> Any:
    def call(who: str, command: str, *words: str) -> Any:
        file = str(tmp_path / "collected.json")
        return here(tmp_path, "assistantbench", command, file, *words, "--as", who, "--json")

    return call


def test_a_task_is_saved_once_two_others_have_checked_it(called: Any, here: Here, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "tasks.json"))
    assert called("ann", "seed", "craig", *SEED).json["task"]["kind"] == "seed"
    made = called("ben", "expand", "craig", "stone", "--template", TEMPLATE, *WAS, *NEW)
    assert made.json["task"]["question"] == (
        "Which Emma Stone movie under 120 minutes has the highest IMDB rating?"
    )
    assert made.json["task"]["origin"]["seed"] == "craig"

    printed = called("cia", "check", "stone", *out)
    assert (printed.code, [one["item"] for one in printed.json["checklist"]]) == (1, list(ITEMS))
    own = called("ben", "check", "stone", "--yes", "all", "--found", "Superbad")
    assert (own.code, "ben wrote this task" in own.err) == (2, True)
    first = called("cia", "check", "stone", "--yes", "all", "--found", "superbad", *out)
    assert (first.code, first.json["saved"]) == (1, "")
    assert "one person besides its author" in first.json["faults"][0]
    doubted = called("dora", "check", "stone", "--yes", "all", "--no", "stable=ratings move", *out)
    assert "stable does not hold, says dora: ratings move" in doubted.json["faults"]
    other = called("dora", "check", "stone", "--yes", "stable", "--found", "La La Land", *out)
    assert any('dora found "La La Land"' in fault for fault in other.json["faults"])
    assert not (tmp_path / "tasks.json").exists()
    passed = called("dora", "check", "stone", "--found", "Superbad", *out)
    assert (passed.code, passed.json["faults"], passed.json["saved"]) == (0, [], out[1])

    benchmark = create(tmp_path / "tasks.json")
    (task,) = benchmark.tasks(names=["stone"])
    assert (task.split, benchmark.problems()) == ("collected", ())
    assert [one["metadata"]["checked_by"] for one in json.loads(Path(out[1]).read_text())] == [
        ["cia", "dora"]
    ]
    assert benchmark.traits(task).others == {"time dependency": "Static", "collection": "expanded"}
    assert task.gold["solution"]["pages"] == ["https://www.imdb.com/name/nm1297015/"]
    assert benchmark.evaluator.score(task, {"answer": "Superbad"}).value == 1

    called("ben", "expand", "craig", "stone", "--template", TEMPLATE, *WAS, *NEW, "--answer", "Easy A")
    anew = called("cia", "check", "stone", *out)
    assert (anew.code, "2 checks of an earlier wording" in anew.json["faults"][-1]) == (1, True)


def test_a_check_goes_into_the_file_as_it_is_then_and_nobody_else_writes_meanwhile(
    called: Any, tmp_path: Path
) -> None:
    file = tmp_path / "collected.json"
    called("ann", "seed", "craig", *SEED)
    called("cia", "check", "craig", "--yes", "real")
    folder = os.open(tmp_path, os.O_RDONLY)

    def say(now: Candidate) -> Candidate:
        assert [check.by for check in now.checks] == ["cia"]
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return checked(now, "dora", ["real"], {}, "")

    change_candidate(file, "craig", say)
    os.close(folder)
    assert [check.by for check in read_candidates(file)[0].checks] == ["cia", "dora"]


def test_nobody_takes_over_anothers_task_nor_checks_an_own_one(called: Any, tmp_path: Path) -> None:
    called("ann", "seed", "craig", *SEED)
    called("cia", "check", "craig", "--yes", "all", "--found", "Layer Cake")
    taken = called("cia", "seed", "craig", *SEED)
    assert (taken.code, "ann wrote craig" in taken.err) == (2, True)
    file = tmp_path / "collected.json"
    (kept,) = json.loads(file.read_text())
    file.write_text(json.dumps([kept | {"by": "cia"}]))
    assert "nobody besides its author" in called("dora", "check", "craig").json["faults"][0]


@pytest.mark.parametrize(
    ("command", "words", "told"),
    [
        ("seed", ("x", *SEED[:4]), "how it is solved"),
        ("seed", ("x", *SEED, "--page", "imdb.com"), "no web address"),
        ("seed", ("x", *SEED, "--minutes", "0"), "--minutes"),
        ("seed", ("x", *SEED, "--minutes", "nan"), "--minutes"),
        ("seed", ("x", *SEED, "--minutes", "inf"), "--minutes"),
        ("seed", ("x/y", *SEED), "no name of a task"),
        ("expand", ("craig", "x", "--template", "Which {{a}}?", "--was", "a=b", *NEW), "not what craig asks"),
        ("expand", ("craig", "x", "--template", "No slot", *NEW), "has no slot"),
        ("expand", ("criag", "x", "--template", TEMPLATE, *WAS, *NEW), "craig"),
        ("check", ("craig", "--yes", "short"), "no short"),
        ("check", ("craig", "--no", "stable"), "gives no value"),
        ("check", ("craig", "--no", "stable= "), "Why does stable not hold"),
        ("check", ("craig", "--yes", "stable", "--no", "stable=x"), "can't hold and not hold"),
    ],
)
def test_what_is_missing_is_told(called: Any, command: str, words: tuple[str, ...], told: str) -> None:
    called("ann", "seed", "craig", *SEED)
    wrong = called("ben", command, *words)
    assert (wrong.code, told in wrong.err) == (2, True), wrong.err


def test_a_template_has_to_be_the_seeds_and_to_change_something(called: Any, tmp_path: Path) -> None:
    called("ann", "seed", "craig", *SEED)
    was = ("--was", "actor=James Bond", "--was", "length=150")
    other = called("ben", "expand", "craig", "x", "--template", TEMPLATE, *was, *NEW)
    assert (other.code, "which is not what craig asks" in other.err) == (2, True)
    same = ("--value", "actor=Daniel Craig", "--value", "length=150")
    again = called("ben", "expand", "craig", "x", "--template", TEMPLATE, *WAS, *NEW[4:], *same)
    assert (again.code, "asks what its seed asks" in again.err) == (2, True)
    (tmp_path / "collected.json").write_text(json.dumps([{"id": "no candidate"}]))
    assert called("ben", "check", "craig").code == 4


def test_short_tasks_and_many_answers_do_not_pass(called: Any) -> None:
    many = [word for place in range(6) for word in ("--answer", f"film {place}")]
    called("ann", "seed", "craig", *SEED, "--minutes", "1", *many)
    faults = called("cia", "check", "craig").json["faults"]
    assert faults[:2] == ["it has 7 answers, and 5 are the most", "it takes 1 minutes, and 2 are the least"]
