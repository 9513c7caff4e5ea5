"""`score BENCHMARK --predictions`: figures on stdout, what was unusable on stderr, and the exit code."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.program import PROGRAM, Done, Here, call, environment
from webbench.core.benchmark.benchmark import Problem
from webbench.core.judge import Question
from webbench.core.plugins.entry_points import PluginBroken
from webbench.core.score.score import Loophole, Score, Status, not_scored
from webbench.core.scoring.judges.human import HumanVerdict
from webbench.core.scoring.offline.offline_scorer import ItemScore, OfflineReport
from webbench.tui.cli.asking_person import ask_at_terminal, person_at
from webbench.tui.cli.records.prediction_report import print_report
from webbench.tui.cli.records.predictions import exit_code, report_json

GOOD = {"task": "Pets", "instance": 0, "fields": {"q": "yes", "c": ["a", "c"], "r": 40}}
SCRIPTED = {"task": "Pets", "instance": 1, "fields": {"q": "no", "s": "k"}}
FUZZY_TASK = {
    "task_id": 7,
    "sites": ["shopping"],
    "start_url": "__SHOPPING__",
    "intent": "How do buyers like the kettle?",
    "intent_template_id": 3,
    "eval": {"eval_types": ["string_match"], "reference_answers": {"fuzzy_match": ["silent"]}},
}
WEAKNESS = Loophole(id="short", text="The reference is short.", source="paper, 4")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "turking" / "tasks" / "Pets"
    directory.mkdir(parents=True)
    (directory / "template.html").write_text(
        '<input type="radio" name="q"><input type="checkbox" name="c"><input type="range" name="r">'
    )
    (directory / "batch.csv").write_text(
        "x,Answer.q,Answer.c,Answer.r,Answer.s\n1,yes,a|b,10,k\n2,no,b,20,k\n"
    )
    return tmp_path / "turking"


def score(here: Here, data: Path, *rows: Any, more: tuple[str, ...] = ()) -> Done:
    path = data.parent / "p.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return here(data.parent, "score", "turkingbench", "--predictions", "p.jsonl", "--data", str(data), *more)


class TestCommand:
    def test_json_has_the_headline_at_the_top_and_every_check_below(self, data: Path, here: Here) -> None:
        done = score(here, data, GOOD, more=("--json",))
        assert done.code == 0
        found = done.json
        assert list(found)[:8] == [
            "schema_version",
            "benchmark",
            "rules",
            "instances",
            "scored",
            "fields",
            "mean_of_instances",
            "pooled_fields",
        ]
        assert found["mean_of_instances"] == pytest.approx(2 / 3)
        assert [row["type"] for row in found["type"]] == ["checkbox", "radio", "range"]
        assert set(found["beside"]) == {"paper"}
        assert found["loopholes"][0]["id"] == "range-counts-one"
        (item,) = found["items"]
        assert (item["id"], item["status"], item["value"]) == ("Pets#0", "scored", pytest.approx(2 / 3))
        assert [check.get("counted", True) for check in item["checks"]] == [True, True, True, False]
        assert any("intersection over union" in clause for clause in item["clauses"])
        assert item["evaluator"]
        assert found["problems"] == []
        assert found["judge"] is None

    def test_the_same_file_gives_the_same_bytes(self, data: Path, here: Here) -> None:
        assert len({score(here, data, GOOD, SCRIPTED, more=("--json",)).out for _ in range(2)}) == 1

    def test_something_without_a_score_is_exit_1_and_listed(self, data: Path, here: Here) -> None:
        done = score(here, data, GOOD, SCRIPTED)
        assert done.code == 1
        assert "1 scored, 1 not scored" in done.out
        assert "Pets#1" in done.out
        assert "by type" in done.out
        assert "beware" in done.out

    def test_an_unusable_line_is_exit_4_and_told_on_stderr(self, data: Path, here: Here) -> None:
        done = score(here, data, GOOD, "{", {"task": "Pest", "instance": 0, "fields": {}})
        assert done.code == 4
        assert "p.jsonl:2: error: broken JSON" in done.err
        assert "p.jsonl:3: error: no task" in done.err
        assert "mean of instances" in done.out

    def test_both_rule_sets_side_by_side_with_the_clause(self, data: Path, here: Here) -> None:
        done = score(here, data, GOOD, more=("--rules", "both"))
        row = next(line for line in done.out.splitlines() if line.startswith("Pets#0"))
        assert row.split()[1:3] == ["0.667", "-0.222"]
        assert "checkbox:" in row
        paper = score(here, data, GOOD, more=("--rules", "paper", "--json"))
        assert paper.json["rules"] == "paper"
        assert paper.json["mean_of_instances"] == pytest.approx(-2 / 9)

    def test_a_table_lists_every_item(self, data: Path, here: Here) -> None:
        assert "Pets#0" not in score(here, data, GOOD).out
        assert "Pets#0" in score(here, data, GOOD, more=("--table",)).out

    def test_a_table_shows_what_every_check_compared_and_cuts_nothing_off(
        self, data: Path, here: Here
    ) -> None:
        out = score(here, data, GOOD, SCRIPTED, more=("--table", "--rules", "both")).out
        clauses = score(here, data, GOOD, more=("--json",)).json["items"][0]["clauses"]
        assert clauses
        assert all(clause in out for clause in clauses)
        assert 'give it as "type"' in out, "the note is whole"
        assert "…" not in out
        header = next(line for line in out.splitlines() if line.startswith("check  ") and "actual" in line)
        assert header.split() == ["check", "by", "actual", "normalised", "expected", "value", "why"]
        assert re.search(r'^c  .*\["a", "c"\]', out, re.MULTILINE)

    def test_one_item_alone_with_its_checks_as_a_tree(self, data: Path, here: Here) -> None:
        other = {"task": "Pets", "instance": 1, "fields": {"q": "no"}}
        done = score(here, data, GOOD, other, more=("--item", "Pets#1"))
        assert done.code == 0
        assert "Pets#0" not in done.out
        assert "Pets#1" in done.out
        assert 'expected "no"' in done.out
        found = score(here, data, GOOD, other, more=("--item", "Pets#1", "--json")).json
        assert [item["id"] for item in found["items"]] == ["Pets#1"]
        assert found["instances"] == 2, "figures stay those of the file"
        wrong = score(here, data, GOOD, more=("--item", "Pets#7"))
        assert (wrong.code, wrong.out) == (2, "")
        assert '"Pets#0"' in wrong.err

    def test_problems_come_in_the_order_of_the_lines(self, data: Path, here: Here) -> None:
        unknown = {"task": "Pest", "instance": 0, "fields": {}}
        done = score(here, data, unknown, "{", GOOD, unknown, "{")
        told = re.findall(r"p\.jsonl:(\d+): error", done.err)
        assert told == ["1", "2", "4", "5"]

    def test_standard_input(self, data: Path) -> None:
        done = call(
            data.parent,
            "score",
            "turkingbench",
            "--predictions",
            "-",
            "--data",
            str(data),
            "--json",
            stdin=b"\xef\xbb\xbf" + json.dumps(GOOD).encode(),
        )
        assert done.code == 0
        assert done.json["problems"] == [
            {"where": "-:1", "message": "a byte-order mark is ignored", "severity": "note"}
        ]

    @pytest.mark.parametrize("content", ["", "[]", "\0\0"])
    def test_a_file_without_predictions(self, content: str, data: Path, here: Here) -> None:
        done = score(here, data, content, more=("--json",))
        assert done.code == 4
        assert done.json["items"] == []
        assert done.json["mean_of_instances"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["turkingbnech", "--predictions", "p"], 2, "did you mean turkingbench"),
        (["demo", "--predictions", "p"], 2, 'no scorer of predictions named "demo"'),
        (["turkingbench"], 2, "add --predictions FILE"),
        (["turkingbench", "--predictions", "nothing"], 4, "nothing can't be read"),
        (["turkingbench", "--predictions", "p", "--rules", "mine"], 2, "published, paper"),
        (["turkingbench", "--predictions", "p", "--judge", "human"], 2, "needs a terminal"),
        (["turkingbench", "--predictions", "p", "--judge", "model"], 2, "No model is set"),
        (["turkingbench", "--predictions", "p"], 4, "tasks can't be loaded"),
        (["0001", "--tasks", "x"], 2, "--predictions"),
        (["0001", "--item", "x"], 2, "--item belongs to --predictions"),
    ],
)
def test_wrong_calls(arguments: list[str], code: int, told: str, tmp_path: Path, here: Here) -> None:
    (tmp_path / "p").write_text(json.dumps(GOOD))
    done = here(tmp_path, "score", *arguments)
    assert (done.code, done.out) == (code, "")
    assert told in done.err
    assert "Traceback" not in done.err


def report(*items: ItemScore, **more: Any) -> OfflineReport:
    return OfflineReport(
        benchmark="b", rules="published", items=items, **{"summary": {"accuracy": 0.5}, **more}
    )


def test_a_line_that_is_unusable_outweighs_an_item_without_a_score() -> None:
    pending = ItemScore(id="a", score=Score(status=Status.PENDING, reason="needs a judge"))
    error = (Problem("p:1", "broken", "error"),)
    assert exit_code(report(pending, problems=error)) == 4
    assert exit_code(report(pending, problems=(Problem("p:1", "odd", "warning"),))) == 1
    assert exit_code(report()) == 0


def test_what_a_rule_leaves_out_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    left_out = ItemScore(id="dropped one", score=not_scored("no part of the evaluation"), left_out=True)
    missing = ItemScore(id="missing", score=not_scored("the task can't be read"))
    assert exit_code(report(left_out)) == 0
    assert exit_code(report(left_out, missing)) == 1
    print_report(report(left_out, missing), None, both=False, items=False)
    out = capsys.readouterr().out
    assert "1 not scored, 1 left out by rule" in out
    assert "the task can't be read" in out
    assert "dropped one" not in out
    print_report(report(left_out), None, both=False, items=True)
    assert "dropped one" in capsys.readouterr().out


def test_a_figure_that_waits_for_a_judge_is_told_with_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    waiting = {
        "rate": None,
        "rate_scored": 1.0,
        "rate_interval": [1 / 7, 6 / 7],
        "scored": 2,
        "pending": 12,
    }
    settled = {"rate": 0.5, "rate_scored": 0.5, "rate_interval": [0.5, 0.5], "scored": 14, "pending": 0}
    print_report(report(summary=waiting, beside={"paper": settled}), None, both=False, items=False)
    out = capsys.readouterr().out
    assert "rate, published: 1.000 of 2 scored, 12 pending: between 0.143 and 0.857" in out
    assert "rate, paper" not in out
    row = next(line for line in out.splitlines() if line.startswith("rate  "))
    assert row.split() == ["rate", "–", "0.500"]
    assert "rate interval" in out
    rows = [{"site": "x"} | settled]
    print_report(report(summary=settled, groups={"site": rows}), None, both=False, items=False)
    assert not re.search("rate (interval|scored)", capsys.readouterr().out)


def test_figures_that_would_hide_each_other_are_refused() -> None:
    with pytest.raises(PluginBroken, match='"accuracy"'):
        report_json(report(groups={"accuracy": []}), None, ())


def test_no_figure_of_the_json_is_outside_json() -> None:
    found = report_json(report(summary={"ratio": float("inf")}), None, ())
    assert json.loads(json.dumps(found, allow_nan=False))["ratio"] == {"$float": "inf"}


def test_states_and_hostile_texts_in_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    open_one = Score(
        status=Status.PENDING, reason="needs a judge", interval=(0.0, 0.5), loopholes=(WEAKNESS,)
    )
    hostile = not_scored("\x1b[2J\u202e")
    found = report(
        ItemScore(id="a", score=open_one),
        ItemScore(id="\x1b[31mb", score=hostile),
        groups={"site": [{"site": "x\x07y", "n": 1, "rate": None, "ok": True}]},
        beside={"paper": {"accuracy": 0.25, "only here": "\x9b2J"}},
    )
    print_report(found, None, both=False, items=False)
    out = capsys.readouterr().out
    assert not set("\x1b\x07\x9b\u202e") & set(out)
    assert "1 pending, 1 not scored" in out
    assert "pending 0.000-0.500" in out
    assert "The reference is short. (paper, 4)" in out
    assert "0.250" in out
    assert "only here" in out


def read_until(terminal: int, words: bytes) -> bytes:
    shown = b""
    while words not in shown:
        shown += os.read(terminal, 4096)
    return shown


class TestPerson:
    QUESTION = Question(kind="b/k", fields={"answer": "\x1b[2Jfour"}, verdicts=("same", "different"))

    @pytest.mark.parametrize(
        ("typed", "given"),
        [
            ("2\nit says five\n", HumanVerdict("different", "it says five")),
            ("same\n\n", HumanVerdict("same")),
            ("9\nmaybe\n1\n", HumanVerdict("same")),
            ("\n", None),
            ("", None),
        ],
    )
    async def test_a_person_chooses_by_number_or_word(
        self,
        typed: str,
        given: HumanVerdict | None,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        reading, writing = os.pipe()
        os.write(writing, typed.encode())
        os.close(writing)
        with os.fdopen(reading) as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            assert await ask_at_terminal(self.QUESTION) == given
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "␛[2Jfour" in printed.err
        assert "1  same" in printed.err

    def test_ctrl_c_ends_the_question(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        home.mkdir()
        (home / "tasks.json").write_text(json.dumps([FUZZY_TASK]))
        (home / "p.jsonl").write_text('{"task_id": 7, "answer": "quiet"}')
        command = "score webarena --predictions p.jsonl --tasks tasks.json --judge human"
        pid, terminal = pty.fork()
        if pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what a shell starts in the background
            os.chdir(home)
            os.execve(PROGRAM[0], [*PROGRAM, *command.split()], environment(home))
        shown = read_until(terminal, b"leave it open: ")
        assert b"1  correct" in shown
        os.write(terminal, b"\x03")
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        assert os.waitstatus_to_exitcode(status) == 130

    def test_nobody_is_asked_without_a_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        assert person_at() is None
