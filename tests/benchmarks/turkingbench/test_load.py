"""Loading TurkingBench: its 96 shared tasks, and every kind of dirt on small folders of our own."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from webbench.benchmarks.common import own_and_bundled
from webbench.benchmarks.turkingbench.batch import parse_batch, read_batch
from webbench.benchmarks.turkingbench.benchmark import TurkingBench, create
from webbench.benchmarks.turkingbench.scoring.gold import gold_of, labels_of
from webbench.benchmarks.turkingbench.splits import open_folder
from webbench.benchmarks.turkingbench.tasks import DATA_VARIABLE
from webbench.core.benchmark.benchmark import Problem
from webbench.core.errors import BadData, UsageError

TABLE = "Title,x,Answer.q\nA task,1,yes\nA task,1,no\nA task,2,yes\n"


@pytest.fixture(scope="module", autouse=True)
def no_bundle() -> Iterator[None]:
    """What is loaded here is a folder alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_and_bundled, "bundles_of", lambda _: [])
        yield


@pytest.fixture(scope="module")
def turkingbench(shared: Path) -> TurkingBench:
    return create(shared / "data" / "turkingbench")


@pytest.fixture(scope="module")
def report(turkingbench: TurkingBench) -> dict[str, dict[str, str]]:
    assert turkingbench.data
    with (turkingbench.data / "task_report.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["task"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def problems(turkingbench: TurkingBench) -> Sequence[Problem]:
    return turkingbench.problems()


def folder(root: Path, **tasks: str) -> Path:
    for name, table in tasks.items():
        directory = root / "tasks" / name
        directory.mkdir(parents=True)
        (directory / "template.html").write_text("<input name='q'>")
        (directory / "batch.csv").write_text(table, newline="")
    (root / "splits").mkdir(exist_ok=True)
    for split in ("evaluation_tasks_easy", "evaluation_tasks_hard", "subjective_evaluation_tasks"):
        (root / "splits" / f"{split}.txt").write_text("")
    return root


class TestSharedTasks:
    def test_rows_instances_splits_and_fields_are_those_of_the_report(
        self, turkingbench: TurkingBench, report: dict[str, dict[str, str]]
    ) -> None:
        assert len(turkingbench.catalogue()) == 96
        for entry in turkingbench.catalogue():
            facts = report[entry.name]
            batch = read_batch(turkingbench.own.folder.directory(entry.name) / "batch.csv")
            assert (entry.split, entry.instances) == (facts["split"], int(facts["instances"])), entry.name
            assert len(batch.rows) == int(facts["rows"]), entry.name
            assert len(batch.input_columns) == int(facts["input_columns"]), entry.name
            assert not entry.problem

    def test_each_split_has_its_tasks(self, turkingbench: TurkingBench) -> None:
        counts = {split: len(names) for split, names in turkingbench.own.folder.splits.items()}
        assert counts == {"test_easy": 19, "test_hard": 16, "subjective": 2, "train": 59}

    @pytest.mark.parametrize(
        ("flag", "clean", "told"),
        [
            ("bom", "0", "byte-order mark"),
            ("crlf", "0", "CRLF"),
            ("html_entities", "0", "HTML entities"),
            ("blank_lines", "0", "blank lines"),
            ("ragged", "0", "shorter than the header"),
            ("dup_columns", "", "renamed"),
            ("placeholders_without_column", "", "columns that don't exist"),
        ],
    )
    def test_each_flag_of_the_report_is_reported(
        self, problems: Sequence[Problem], report: dict[str, dict[str, str]], flag: str, clean: str, told: str
    ) -> None:
        reported = {Path(p.where).parent.name for p in problems if told in p.message}
        flagged = {name for name, facts in report.items() if facts[flag] not in (clean, "0")}
        trimmed = {name for name, facts in report.items() if facts["trimmed"] == "1"}
        assert reported - trimmed == flagged - trimmed
        assert reported <= flagged

    @pytest.mark.parametrize(
        ("where", "told"),
        [
            ("evaluation_tasks_easy.txt", "no newline at the end"),
            ("evaluation_tasks_easy.txt:10", 'no usable directory "Sentence Compression"'),
            ("evaluation_tasks_hard.txt:14", "What breaks the flow"),
            ("subjective_evaluation_tasks.txt:1", "ANES 2008"),
            ("subjective_evaluation_tasks.txt:3", '"Congressional Bills" is taken for it'),
            ("Reddit In-group Analysis/batch.csv", "rows are shifted"),
            ("Scalar Adjective Ordering/batch.csv", 'begin with "Answer."'),
            ("Dialog Human Evaluation/batch.csv", "bare carriage returns"),
            ("Word Formality Annotation/batch.csv", "metadata that differ"),
            ("Story Relations/batch.csv", "options of a field"),
            ("Simplicity rating/batch.csv", "no field in the template"),
            ("Social Chem Eval/batch.csv", "not adjacent"),
            ("tasks", '"Goal feasibility", "Script KD eval", a leak between test_easy and train'),
        ],
    )
    def test_known_dirt_is_reported(self, problems: Sequence[Problem], where: str, told: str) -> None:
        assert any(p.where.endswith(where) and told in p.message for p in problems)

    def test_instances_carry_inputs_and_all_workers_labels(self, turkingbench: TurkingBench) -> None:
        task = turkingbench.tasks(names=["ANLI Generation"], instances=1)[0]
        assert task.id == "ANLI Generation#0"
        assert task.data["template"] == "tasks/ANLI Generation/template.html"
        assert "h_o2_coherence" in task.data["answers"]
        assert task.gold["workers"] == 3
        assert len(task.gold["labels"]["h_o2_coherence"]) == 3
        assert task.intent.startswith(task.data["inputs"]["Title"])
        assert not any(name.startswith("Answer.") for name in task.data["inputs"])

    def test_no_shared_instance_is_lost_to_a_blank_input(self, turkingbench: TurkingBench) -> None:
        tasks = turkingbench.tasks(instances=40)
        assert {task.name for task in tasks} == set(turkingbench.own.folder.names)
        assert not [task.id for task in tasks if "problem" in task.gold]


class TestSelection:
    def test_tasks_by_split_name_and_number(self, tmp_path: Path) -> None:
        benchmark = create(folder(tmp_path, one=TABLE, two=TABLE))
        assert [task.id for task in benchmark.tasks()] == ["one#0", "one#1", "two#0", "two#1"]
        assert [task.id for task in benchmark.tasks(names=["two"], instances=1)] == ["two#0"]
        assert benchmark.tasks("test_easy") == []

    def test_unknown_split_and_name_name_the_nearest(self, tmp_path: Path) -> None:
        benchmark = create(folder(tmp_path, one=TABLE))
        with pytest.raises(UsageError, match='"train"'):
            benchmark.tasks("trian")
        with pytest.raises(UsageError, match='there is "one"'):
            benchmark.tasks(names=["ones"])
        with pytest.raises(UsageError, match='there are "test_easy", "test_hard", "subjective", "train"'):
            benchmark.tasks("nosuch")

    def test_needs_data_until_a_folder_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv(DATA_VARIABLE, raising=False)
        assert create().status().state == "needs data"
        assert create(tmp_path).status().state == "needs data"
        with pytest.raises(BadData, match="tasks/"):
            create(tmp_path).tasks()
        monkeypatch.setenv(DATA_VARIABLE, str(folder(tmp_path, one=TABLE)))
        assert create().status().state == "ready"


class TestDirtyFolders:
    def test_missing_table_is_reported_and_left_out(self, tmp_path: Path) -> None:
        root = folder(tmp_path, one=TABLE, two=TABLE)
        (root / "tasks" / "two" / "batch.csv").unlink()
        found = open_folder(root)
        assert found.names == ("one",)
        assert "no batch.csv" in found.problems[0].message

    def test_unreadable_table_is_listed_with_its_problem(self, tmp_path: Path) -> None:
        benchmark = create(folder(tmp_path, good=TABLE, bad='x,Answer.q\n"never closed,1\n'))
        assert {entry.name: bool(entry.problem) for entry in benchmark.catalogue()} == {
            "bad": True,
            "good": False,
        }

    @pytest.mark.parametrize(
        ("table", "told"),
        [('x,Answer.q\n"never closed,1\n', "never closed"), ("x,Answer.q\n", "no row"), ("", "empty")],
    )
    async def test_a_table_without_an_instance_is_planned_and_says_why_it_is_not_scored(
        self, tmp_path: Path, table: str, told: str
    ) -> None:
        benchmark = create(folder(tmp_path, bad=table, good=TABLE))
        assert [task.id for task in benchmark.tasks("train", instances=1)] == ["bad", "good#0"]
        (bad,) = benchmark.tasks(names=["bad"])
        benchmark.oracle(bad)
        with pytest.raises(BadData, match=told):
            async with benchmark.stage(bad):
                pass
        assert told in benchmark.catalogue()[0].problem

    def test_a_benchmark_made_anew_sees_changed_files(self, tmp_path: Path) -> None:
        benchmark = create(folder(tmp_path, one=TABLE))
        before = benchmark.tasks()
        folder(tmp_path, two=TABLE)
        (tmp_path / "tasks" / "one" / "batch.csv").write_text("x,Answer.q\nnew,1\n")
        assert benchmark.tasks() == before
        fresh = create(tmp_path)
        assert [entry.name for entry in fresh.catalogue()] == ["one", "two"]
        assert fresh.tasks()[0].data["inputs"] == {"x": "new"}

    def test_glued_and_repeated_names(self, tmp_path: Path) -> None:
        root = folder(tmp_path, one=TABLE, two=TABLE)
        (root / "splits" / "evaluation_tasks_easy.txt").write_text("onetwo\none\n")
        found = open_folder(root)
        assert found.splits["test_easy"] == ("one", "two")
        assert [p.message.split(":")[0] for p in found.problems] == [
            "two names without a line break",
            '"one" is listed twice; the second is ignored',
        ]

    def test_a_task_in_two_splits(self, tmp_path: Path) -> None:
        root = folder(tmp_path, one=TABLE)
        for split in ("easy", "hard"):
            (root / "splits" / f"evaluation_tasks_{split}.txt").write_text("one\n")
        found = open_folder(root)
        assert found.split_of("one") == "test_easy"
        assert any("also in test_easy" in problem.message for problem in found.problems)

    def test_no_split_files_make_everything_train(self, tmp_path: Path) -> None:
        root = folder(tmp_path, one=TABLE)
        for path in (root / "splits").iterdir():
            path.unlink()
        found = open_folder(root)
        assert found.splits["train"] == ("one",)
        assert len(found.problems) == 3

    def test_copies_and_shared_templates(self, tmp_path: Path) -> None:
        problems = create(folder(tmp_path, one=TABLE, two=TABLE)).problems()
        assert any('identical tasks: "one", "two"' in problem.message for problem in problems)
        assert any("one template in several tasks" in problem.message for problem in problems)


class TestTables:
    def test_byte_order_mark_bare_returns_and_quoted_lines(self) -> None:
        batch = parse_batch('\ufeffx,Answer.q\r\n"a\rb\nc","1,""2"""\r\n')
        assert batch.header == ("x", "Answer.q")
        assert batch.rows[0] == ["a\rb\nc", '1,"2"']

    def test_short_rows_and_blank_lines(self) -> None:
        batch = parse_batch("x,y,Answer.q\n\n1\n   \n2,b,c\n")
        assert (batch.unused.short_rows, batch.unused.blank_lines) == (1, 2)
        assert batch.column("Answer.q").cells == (None, "c")

    def test_a_long_row_is_an_error_with_its_line(self) -> None:
        with pytest.raises(BadData, match="line 3 has 4 cells instead of 2"):
            parse_batch("x,y\n1,2\n1,2,3,4\n")

    def test_a_long_first_row_makes_row_labels(self) -> None:
        batch = parse_batch("x,Answer.q\nlabel,1,2\n")
        assert batch.rows == [["1", "2"]]
        assert batch.unused.leading_columns == 1

    @pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
    def test_an_empty_file_is_an_error(self, text: str) -> None:
        with pytest.raises(BadData, match="empty"):
            parse_batch(text)

    def test_double_and_nameless_columns(self) -> None:
        batch = parse_batch("x,x,,Answer.q,Answer.q\n1,2,3,4,5\n")
        assert batch.header == ("x", "x.1", "Unnamed: 2", "Answer.q", "Answer.q.1")
        assert batch.unused.renamed == ("x.1", "Answer.q.1")

    def test_negative_numbers_count_instances_from_the_end(self) -> None:
        batch = parse_batch(TABLE)
        assert batch.answer_rows(-1) == (2,)
        for instance in (2, -3):
            with pytest.raises(BadData, match=f"2 instances, so none has the number {instance}"):
                batch.answer_rows(instance)

    def test_not_utf_8(self, tmp_path: Path) -> None:
        (tmp_path / "batch.csv").write_bytes(b"x\n\xff\n")
        with pytest.raises(BadData, match="not UTF-8 at byte 2"):
            read_batch(tmp_path / "batch.csv")

    def test_no_input_column_makes_every_row_an_instance_with_all_labels(self) -> None:
        batch = parse_batch("Answer.q\n1\n2\n")
        assert len(batch.instances) == 2
        assert batch.answer_rows(0) == (0, 1)


class TestGold:
    def test_blanks_of_text_are_one_label_and_of_numbers_are_not(self) -> None:
        batch = parse_batch("x,Answer.t,Answer.n\n1,a,1\n1,,\n1,,\n")
        labels = labels_of(gold_of(batch, 0))
        assert labels["t"][1] is labels["t"][2]
        assert labels["n"][1] is not labels["n"][2]

    def test_a_blank_input_is_named_and_keeps_its_labels(self) -> None:
        gold = gold_of(parse_batch("x,y,Answer.q\na,,1\n"), 0)
        assert gold["labels"] == {"q": [1]}
        assert '"y" is blank' in gold["problem"]

    def test_gold_of_another_benchmark_is_refused(self) -> None:
        with pytest.raises(BadData, match="no labels"):
            labels_of({"answer": 3})

    def test_infinite_labels_survive_json(self) -> None:
        gold = gold_of(parse_batch("x,Answer.q\n1,-inf\n"), 0)
        assert gold["labels"] == {"q": [{"$float": "-inf"}]}
        assert labels_of(gold) == {"q": [float("-inf")]}
