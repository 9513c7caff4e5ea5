"""What a benchmark has to keep before anything is opened: its catalogue, its tasks, its errors."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import msgspec

from webbench.core.benchmark.benchmark import Benchmark, Evaluator, needs_browser
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.conformance.rule import Broken, Ledger, LeftOut, Rule, require, require_each
from webbench.core.dialects.dialect import find_dialect
from webbench.core.errors import UsageError
from webbench.core.settings.load_settings import load_settings
from webbench.core.task import Task, TaskEntry

CONTRACT = "core/benchmark/benchmark.py::Benchmark"
MOST_TASKS = 400
"""Of those that are written and read again."""
STATES = ("ready", "needs data", "needs sites")

FIELDS = Rule(
    name="benchmark-fields",
    expected="`name` is that of its entry point, `dialect` an installed language, `rule_sets` not empty, "
    "`step_limit` above 0, `title` and the evaluator's `name` and `version` not blank",
    why="records name all of them, and are read by them again",
    contract=CONTRACT,
)
STATUS = Rule(
    name="benchmark-status",
    expected=f"`status().state` is one of {', '.join(STATES)}, and `detail` says what is there or how "
    "to get it",
    why="it is what a person sees first, and all that tells what is missing",
    contract="core/benchmark/benchmark.py::BenchmarkStatus",
)
CATALOGUE = Rule(
    name="benchmark-catalogue",
    expected="`catalogue()` has one entry for each name that `tasks()` gives, in the same order, with "
    "the same "
    "intent and split, and `splits()` names every split",
    why="the library shows the one and plays the other",
    contract=f"{CONTRACT}.catalogue",
)
IDS = Rule(
    name="benchmark-ids",
    expected="no two tasks have one id",
    why="runs, labels and comparisons count by it",
    contract="core/task.py::Task.id",
)
STABLE = Rule(
    name="benchmark-stable",
    expected="made a second time, it gives the same tasks with the same ids",
    why="a run that goes on tomorrow, and a score that is computed again, look for the same task",
    contract=f"{CONTRACT}.tasks",
)
CHOOSING = Rule(
    name="benchmark-choosing",
    expected="`tasks(names=[name])` gives the tasks of that name alone, and `instances=1` at most one "
    "of each name",
    why="that is how a single task is stepped, and a run is made smaller",
    contract=f"{CONTRACT}.tasks",
)
UNKNOWN = Rule(
    name="benchmark-unknown-names",
    expected="an unknown split or name raises `UsageError`, and the error names the nearest valid one",
    why="a misspelt name otherwise plays nothing, or ends in a traceback",
    contract=f"{CONTRACT}.tasks",
)
PLAIN = Rule(
    name="benchmark-plain-data",
    expected="a task written as JSON and read again is equal to itself",
    why="records, plans and other processes hold it as JSON",
    contract="core/task.py::Task",
)


def check(name: str, ledger: Ledger, seed: int) -> Sequence[Task]:
    """All rules that need no page; gives the tasks that can be played."""
    benchmark = configured(name)
    ledger.ask(FIELDS, lambda: fields(benchmark, name))
    ledger.ask(STATUS, lambda: status(benchmark))
    tasks: list[Task] = []
    try:
        tasks += benchmark.tasks(instances=1)
    except Exception as error:
        raise Broken(f"tasks(instances=1) raised {type(error).__name__}: {error}") from error
    ledger.ask(CATALOGUE, lambda: catalogue(benchmark, tasks))
    ledger.ask(IDS, lambda: unique(tasks))
    ledger.ask(STABLE, lambda: stable(configured(name), tasks))
    ledger.ask(CHOOSING, lambda: choosing(benchmark, tasks, seed))
    ledger.ask(UNKNOWN, lambda: unknown_names(benchmark, tasks, seed))
    ledger.ask(PLAIN, lambda: plain_data(tasks))
    return tasks


def configured(name: str) -> Benchmark:
    """The benchmark over the folder of data that is configured for it."""
    return find_benchmark(name, load_settings().data_folder(name))


def fields(benchmark: Benchmark, name: str) -> str:
    """Raises `Broken`."""
    require_each(
        name=lambda: (
            "" if benchmark.name == name else f"its name is {benchmark.name!r}, its entry point {name!r}"
        ),
        rule_sets=lambda: "" if benchmark.rule_sets else "rule_sets is empty",
        step_limit=lambda: "" if benchmark.step_limit > 0 else f"step_limit is {benchmark.step_limit}",
        title=lambda: "" if benchmark.title.strip() else "title is blank",
        evaluator=lambda: _unnamed(benchmark.evaluator),
        dialect=lambda: _unknown_language(benchmark.dialect),
    )
    return f"{benchmark.title}, in the language {benchmark.dialect}"


def _unnamed(evaluator: Evaluator) -> str:
    """What is told of an evaluator that records can't name, "" for one that they can."""
    named = evaluator.name.strip() and evaluator.version.strip()
    return "" if named else "the evaluator has no name or version"


def _unknown_language(dialect: str) -> str:
    """What is told of a language that is not installed, "" for one that is."""
    try:
        find_dialect(dialect)
    except UsageError as error:
        return str(error)
    return ""


def status(benchmark: Benchmark) -> str:
    """Raises `Broken`."""
    said = benchmark.status()
    require(said.state in STATES, f"its state is {said.state!r}")
    require(bool(said.detail.strip()), f"it is {said.state!r} without a word of detail")
    return f"{said.state}: {said.detail}"


def catalogue(benchmark: Benchmark, tasks: Sequence[Task]) -> str:
    """Raises `Broken`, and `LeftOut` where it lists nothing, as one does that takes any name."""
    entries = [one for one in benchmark.catalogue() if not one.problem]
    if not entries and not tasks:
        raise LeftOut("it lists no task")
    listed, given = [one.name for one in entries], list(dict.fromkeys(task.name for task in tasks))
    missing = [name for name in listed if name not in set(given)][:5]
    require(not missing, f"tasks() doesn't give these of the catalogue: {missing}")
    unlisted = [name for name in given if name not in set(listed)][:5]
    require(not unlisted, f"the catalogue doesn't list these of tasks(): {unlisted}")
    require(listed == given, "catalogue() and tasks() have another order")
    by_name = {task.name: task for task in reversed(tasks)}
    recorded = not needs_browser(benchmark)
    other = [_differs(entry, by_name[entry.name], recorded=recorded) for entry in entries]
    require(not any(other), "; ".join(filter(None, other[:3])))
    splits = {entry.split for entry in entries if entry.split} - set(benchmark.splits())
    require(not splits, f"splits() doesn't name {sorted(splits)}")
    return f"{len(entries)} names in {len(benchmark.splits())} splits"


def _differs(entry: TaskEntry, task: Task, *, recorded: bool) -> str:
    """Where a list and the task say something else.

    An entry of several instances has the words of none, and one of a recording may say what it is about.
    """
    if entry.split != task.split:
        return (
            f"{entry.name} is in the split {entry.split!r} of the catalogue, and in {task.split!r} of tasks()"
        )
    said = entry.intent and task.instance is None and not recorded and entry.intent != task.intent
    return (
        f"{entry.name} is {entry.intent!r} in the catalogue, and {task.intent!r} of tasks()" if said else ""
    )


def unique(tasks: Sequence[Task]) -> str:
    """Raises `Broken`."""
    twice = [one for one, count in Counter(task.id for task in tasks).items() if count > 1]
    require(not twice, f"these ids stand for several tasks: {twice[:5]}")
    return f"{len(tasks)} ids"


def stable(again: Benchmark, tasks: Sequence[Task]) -> str:
    """Raises `Broken`."""
    second = list(again.tasks(instances=1))
    ids = [task.id for task in tasks]
    require([task.id for task in second] == ids, "made a second time, it gives other ids, or another order")
    other = [task.id for task, one in zip(second, tasks, strict=True) if task != one]
    require(not other, f"made a second time, these tasks are others: {other[:5]}")
    return f"{len(second)} tasks, made twice"


def choosing(benchmark: Benchmark, tasks: Sequence[Task], seed: int) -> str:
    """Raises `Broken`."""
    if not tasks:
        raise LeftOut("it lists no task")
    several = [name for name, count in Counter(task.name for task in tasks).items() if count > 1]
    require(not several, f"instances=1 gives several of {several[:5]}")
    chosen = random.Random(seed).sample(list(tasks), min(3, len(tasks)))
    for task in chosen:
        found = {one.name for one in benchmark.tasks(names=[task.name])}
        require(found == {task.name}, f"tasks(names=[{task.name!r}]) gives {sorted(found)[:5]}")
    return ", ".join(task.name for task in chosen)


def unknown_names(benchmark: Benchmark, tasks: Sequence[Task], seed: int) -> str:
    """Raises `Broken`."""
    chance, told = random.Random(seed), []
    if splits := list(benchmark.splits()):
        split = chance.choice(splits)
        told.append(_refused(benchmark, f"{split}x", split, split=f"{split}x"))
    if names := sorted({task.name for task in tasks}):
        wrong = f"{chance.choice(names)}x"
        told.append(_refused(benchmark, wrong, "", names=(wrong,)))
    if not told:
        raise LeftOut("it has neither splits nor listed names")
    return "; ".join(told)


def _refused(benchmark: Benchmark, wrong: str, near: str, split: str = "", names: Sequence[str] = ()) -> str:
    """What the error says. Raises `Broken` where there is none, or none that helps."""
    try:
        given = benchmark.tasks(split, names)
    except UsageError as error:
        said = str(error)
        known = {entry.name for entry in benchmark.catalogue()} if names else {near}
        rest = said.replace(wrong, "")
        require(any(one in rest for one in known), f"{wrong!r} is refused without the nearest name: {said}")
        return said
    except Exception as error:
        raise Broken(f"{wrong!r} raises {type(error).__name__}: {error}") from error
    raise Broken(f"{wrong!r} gives {len(given)} tasks")


def plain_data(tasks: Sequence[Task]) -> str:
    """Raises `Broken`."""
    if not tasks:
        raise LeftOut("it lists no task")
    for task in tasks[:MOST_TASKS]:
        try:
            read = msgspec.json.decode(msgspec.json.encode(task), type=Task)
        except (TypeError, ValueError, msgspec.MsgspecError) as error:
            raise Broken(f"{task.id} can't be written as JSON: {error}") from error
        require(read == task, f"{task.id} isn't the same when it is read again: {_other(read, task)}")
    return f"{min(len(tasks), MOST_TASKS)} tasks"


def _other(read: Task, task: Task) -> str:
    fields = [name for name in Task.__struct_fields__ if getattr(read, name) != getattr(task, name)]
    return ", ".join(fields)
