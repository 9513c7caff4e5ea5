"""FanOutQA's rows as questions: their form, what the paper leaves out, and how they score."""

from __future__ import annotations

import json
from pathlib import Path

from webbench.benchmarks.assistantbench.data_sets import FANOUTQA, family
from webbench.benchmarks.assistantbench.scoring.evaluate import AssistantBenchEvaluator
from webbench.benchmarks.assistantbench.statistics import tasks_in_all
from webbench.benchmarks.assistantbench.tasks import load_tasks
from webbench.core.analysis.printed.filled_table import Evidence, counted
from webbench.core.datasets.first_look import Look
from webbench.core.json_types import Json, JsonObject

HARBOUR, DEPTH = "https://en.wikipedia.org/wiki/Harbour", "https://en.wikipedia.org/wiki/Depth"


def part(question: str, answer: Json, url: str = "", *inner: Json) -> JsonObject:
    evidence: Json = {"pageid": 1, "revid": 2, "title": "T", "url": url} if url else None
    return {
        "id": "p",
        "question": question,
        "decomposition": list(inner),
        "answer": answer,
        "evidence": evidence,
    }


def row(identity: str, answer: Json, *parts: Json) -> JsonObject:
    more: JsonObject = {"categories": ["Geography"], "decomposition": list(parts)}
    return {"id": identity, "question": f"How deep are the harbours of {identity}?", "answer": answer, **more}


def written(tmp_path: Path, *rows: Json) -> Path:
    file = tmp_path / "fanout-final-dev.json"
    file.write_text(json.dumps(rows))
    return file


def test_a_row_becomes_a_question_with_its_pages(tmp_path: Path) -> None:
    deep = part("How deep is Ems?", {"m": 9}, DEPTH, part("Where is Ems?", "north", HARBOUR))
    answer: Json = {"Ems": 9, "Loch": 20.5, "Tidal": True}
    [task] = load_tasks(
        written(tmp_path, row("a1", answer, part("Which are there?", ["Ems"], HARBOUR), deep))
    ).tasks
    assert task.split == "fanoutqa"
    assert task.intent.startswith("How deep are the harbours of a1? Answer with a list of dictionaries")
    assert task.gold == {
        "answer": '{"name":"Ems","value":9}\n{"name":"Loch","value":20.5}\n{"name":"Tidal","value":"Yes"}',
        "solution": {
            "pages": [HARBOUR, DEPTH],
            "explanation": 'Which are there? ["Ems"]\nWhere is Ems? north\nHow deep is Ems? {"m":9}',
        },
    }
    said = [{"name": "Ems", "value": "9"}, {"name": "loch", "value": 20.5}, {"name": "Tidal", "value": "yes"}]
    assert AssistantBenchEvaluator().score(task, {"answer": json.dumps(said)}).value == 1
    half = json.dumps([{"name": "Ems", "value": 9}])
    value = AssistantBenchEvaluator().score(task, {"answer": half}).value
    assert value is not None
    assert 0 < value < 1


def test_what_the_paper_leaves_out_is_counted(tmp_path: Path) -> None:
    many = row("many", {str(number): number for number in range(6)})
    rows = (
        row("a", {"x": 1}),
        many,
        *(row(name, "deep") for name in "bc"),
        row("d", {"x": [1]}),
        row("e", {}),
    )
    file = written(tmp_path, *rows)
    loaded = load_tasks(file)
    assert [task.name for task in loaded.tasks] == ["a"]
    assert [(problem.where, problem.message, problem.severity) for problem in loaded.problems] == [
        (file.name, "1 question left out: the answer has more than 5 entries (paper, appendix A.7)", "note"),
        (file.name, "4 questions left out: the answer is no dictionary (paper, appendix A.7)", "note"),
    ]
    assert family.recognise(Look(file)) == FANOUTQA
    assert family.check(FANOUTQA, [file]).tasks == 1


def test_they_are_none_of_the_papers_own_tasks(tmp_path: Path) -> None:
    written(tmp_path, row("a", {"x": 1}))
    own = {"id": "q1", "task": "How deep?", "answer": "12", "set": "dev", "difficulty": "Hard"}
    (tmp_path / "dev.jsonl").write_text(json.dumps(own))
    filled = tasks_in_all(Evidence(data=tmp_path))
    counts = {line.labels[0]: line.values[0] for line in filled.rows}
    assert counts["tasks"] == counted(1)
    assert filled.left_out["questions of FanOutQA"] == 1


def test_hostile_rows_are_bounded_and_told(tmp_path: Path) -> None:
    deep: Json = part("q", 1)
    for _ in range(20):
        deep = part("q", 1, "", deep)
    wide = [part(f"q{number}", number) for number in range(1_000)]
    odd = {**row("odd", {"x": 1}), "question": 7, "decomposition": "none"}
    loaded = load_tasks(written(tmp_path, row("deep", {"x": 1}, deep), row("wide", {"x": 1}, *wide, 3), odd))
    explanations = [str(task.gold["solution"]["explanation"]).count("\n") + 1 for task in loaded.tasks[:2]]
    assert explanations == [21, 200]
    assert [problem.message for problem in loaded.problems] == [
        '"task" is a number and no text: left out',
        "no task text: its answer can be scored, but nobody can be asked it",
    ]
