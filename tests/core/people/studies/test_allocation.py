"""A study says what is wrong with it, and its seed alone decides who does what."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from webbench.core.benchmark.installed import find_benchmark
from webbench.core.errors import BadData
from webbench.core.people.studies.allocation import deal, make_plan, obstacles
from webbench.core.people.studies.study import Sample, Study, parse_study, read_study
from webbench.core.statistics.drawing import proportional

EXAMPLE = Path(__file__).parents[4] / "examples" / "laptop-arena-study.toml"
STUDY = Study(
    name="pilot",
    benchmark="webarena",
    annotators=("ada", "ben", "cyn"),
    sample=Sample(split="laptop-arena", size=12, one_per="template", stratify=("site",)),
    overlap=3,
    people_per_overlap=2,
    tasks_per_annotator=5,
    seed=3,
)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("seed = 'x'", "seed: expected `int`, got `str`"),
        ("sed = 1", 'there is no key "sed"; did you mean seed?'),
        ("[sample]\nsizes = 3", 'there is no key "sizes" in [sample]; did you mean size?'),
        ("annotators = ['a b']", '"a b" is no name for an annotator'),
        ("annotators = ['ada', 'Ada']", '"ada" is there twice'),
        ("overlap = 1", "two annotators"),
        ("minutes_per_task = -1", "minutes_per_task: -1.0 must be more than 0"),
        ("tasks = ['1', '1']", '"1" is there twice'),
        ("tasks = ['1']\n[sample]\nsize = 2", "say one or the other"),
        ("schema_version = 99", "reads up to 1"),
        ("seed = ", "is no TOML"),
        (f"seed = {'9' * 5000}", "is no TOML"),
    ],
)
def test_what_is_wrong_is_named(line: str, says: str) -> None:
    given = ["name = 'p'", "benchmark = 'demo'", "annotators = ['ada']", "tasks = ['a']"]
    keys = [one.partition(" =")[0] for one in line.splitlines() if " =" in one]
    kept = [
        one
        for one in given
        if one.partition(" =")[0] not in keys and not ("[sample]" in line and "tasks" in one)
    ]
    with pytest.raises(BadData) as error:
        parse_study("\n".join([*kept, line]).encode(), "pilot.toml")
    assert error.value.message.startswith("pilot.toml")
    assert says in error.value.message


def test_all_complaints_are_told_at_once() -> None:
    with pytest.raises(BadData, match=r"(?s)name: .*annotators: .*steps_per_task: "):
        parse_study(b"name = '../x'\nbenchmark = 'demo'\nannotators = []\nsteps_per_task = 0", "p.toml")


def test_one_task_of_each_template_with_the_sites_shares() -> None:
    plan = make_plan(STUDY, find_benchmark("webarena"))
    assert len({one.template for one in plan.tasks}) == len(plan.tasks) == 12
    pool = {(task.template, task.site) for task in find_benchmark("webarena").tasks("laptop-arena")}
    for site in {site for _, site in pool}:
        share = 12 * len({t for t, s in pool if s == site}) / len({t for t, _ in pool})
        assert abs(sum(one.site == site for one in plan.tasks) - share) <= 2
    assert {one.traits.achievable for one in plan.tasks} <= {True, False}


def test_the_seed_decides_and_nothing_else() -> None:
    benchmark = find_benchmark("webarena")
    again = make_plan(msgspec.structs.replace(STUDY), find_benchmark("webarena"))
    assert again == make_plan(STUDY, benchmark)
    other = make_plan(msgspec.structs.replace(STUDY, seed=4), benchmark)
    assert {one.task for one in other.tasks} != {one.task for one in again.tasks}
    dealt = deal(STUDY, [f"t{at}" for at in range(12)])
    assert dealt["ada"] == ("t10", "t2", "t7", "t0", "t4"), (
        "another deal for the same seed would change planned studies"
    )


def test_groups_at_overlapping_tasks_change() -> None:
    """In fixed pairs nobody could tell how far one pair agrees with another."""
    study = msgspec.structs.replace(
        STUDY, annotators=("a", "b", "c", "d"), overlap=12, people_per_overlap=2, tasks_per_annotator=None
    )
    dealt = deal(study, [str(at) for at in range(12)])
    pairs = Counter(frozenset(who for who, own in dealt.items() if str(at) in own) for at in range(12))
    assert set(pairs.values()) == {2}
    assert len(pairs) == 6
    assert {len(own) for own in dealt.values()} == {6}


def test_overlapping_tasks_have_their_people_and_the_others_one() -> None:
    plan = make_plan(STUDY, find_benchmark("webarena"))
    people = [len(plan.people(one.task)) for one in plan.tasks]
    assert people == [2] * 3 + [1] * 9
    assert [len(tasks) for tasks in plan.assigned.values()] == [5, 5, 5]


def test_more_than_the_annotators_can_take_is_refused_with_the_sum() -> None:
    study = msgspec.structs.replace(STUDY, tasks_per_annotator=4)
    with pytest.raises(BadData, match="15 to be dealt; 3 annotators with at most 4 each take 12"):
        deal(study, [str(at) for at in range(12)])


def test_a_facet_that_no_task_has_is_refused() -> None:
    study = msgspec.structs.replace(STUDY, sample=Sample(split="laptop-arena", stratify=("difficulty",)))
    with pytest.raises(BadData, match="doesn't tell the difficulty"):
        make_plan(study, find_benchmark("webarena"))


def test_what_cannot_be_worked_on_yet_is_told(tmp_path: Path) -> None:
    task = {
        "task_id": 5,
        "sites": ["map"],
        "intent": "Where?",
        "intent_template_id": 1,
        "start_url": "__MAP__",
        "eval": {"eval_types": ["string_match"], "reference_answers": {"exact_match": "here"}},
    }
    (tmp_path / "test.raw.json").write_text(json.dumps([task]))
    benchmark = find_benchmark("webarena", tmp_path)
    plan = make_plan(msgspec.structs.replace(STUDY, tasks=("5", "10013"), sample=None, overlap=0), benchmark)
    told = obstacles(plan, benchmark)
    assert len(told) == 1
    assert told[0].startswith("1 task (5): ")
    assert "has no address" in told[0]


def test_shares_add_up() -> None:
    assert proportional([5, 3, 2], 4) == [2, 1, 1]
    assert proportional([1, 1, 1], 2) == [1, 1, 0]
    assert proportional([], 0) == []


def test_the_hash_is_of_what_it_says_and_not_of_how() -> None:
    text = EXAMPLE.read_text("utf-8")
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    study = read_study(EXAMPLE)
    assert parse_study(bare.encode(), "bare").hash == study.hash
    assert parse_study(bare.replace("seed = 7", "seed = 8").encode(), "other").hash != study.hash
    assert len(make_plan(study, find_benchmark("webarena")).tasks) == 12
