"""What people's attempts come to: WebArena's own figures again, agreement by hand, models beside."""

from __future__ import annotations

from pathlib import Path

import krippendorff
import msgspec
import pytest

from webbench.core.analysis.compare.compared_step import Moment
from webbench.core.benchmark.benchmark import Traits
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.errors import UsageError
from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.people.baselines.human_baseline import results
from webbench.core.people.baselines.literature_tables import sections
from webbench.core.people.baselines.people_and_models import actor_rows
from webbench.core.people.baselines.same_task_agreement import agreement, way_agreement
from webbench.core.people.baselines.success_and_time import rate, rates_by
from webbench.core.people.baselines.trials import Trial, Trials, trials_of_runs
from webbench.core.people.studies.sampling import Drawn
from webbench.core.score.score import Score, Status, not_scored
from webbench.core.statistics.figures import Table
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step

TRAJECTORIES = "data/trajectories"


def scored(value: float) -> Score:
    return Score(status=Status.SCORED, value=value)


def trial(
    who: str,
    task: str,
    value: float | None = 1.0,
    *,
    seeks: bool | None = None,
    walk: str = "",
    **more: object,
) -> Trial:
    """`walk`: a letter for each element that was clicked."""
    drawn = Drawn(task=task, template=f"t{task[:1]}", site="shop", traits=Traits(seeks_information=seeks))
    moments = tuple(
        Moment(step=at, verb="click", element=("link", name), value="") for at, name in enumerate(walk, 1)
    )
    made = Trial(
        who=who,
        drawn=drawn,
        run="r",
        episode=f"{who}-{task}",
        score=not_scored("the browser died") if value is None else scored(value),
        steps=len(walk),
        walk=moments,
    )
    return msgspec.structs.replace(made, **more)


def test_webarenas_table_of_human_performance() -> None:
    """170 tasks, 79 that seek information and 91 others, of which 59 and 74 were solved: 78.24 %."""
    seeking = [trial("p", f"i{at}", float(at < 59), seeks=True, seconds=110.0) for at in range(79)]
    others = [trial("p", f"o{at}", float(at < 74), seeks=False, seconds=110.0) for at in range(91)]
    table = sections(results(Trials(trials=(*seeking, *others))))[0].figures[0]
    assert isinstance(table, Table)
    assert [row.cells for row in table.rows] == [
        ("Avg. time", "110.0 s", 170),
        ("Success rate, info-seek", "74.68 %", 79),
        ("Success rate, others", "81.32 %", 91),
        ("Success rate, all", "78.24 %", 170),
    ]


def test_what_has_no_score_is_in_no_rate_and_told() -> None:
    found = rate("all", [trial("a", "1"), trial("b", "1", 0.5), trial("a", "2", None)])
    assert (found.success.value, found.success.n) == (0.5, 2)
    assert found.states == {"scored": 2, "not_scored": 1}
    assert (found.trials, found.tasks, found.people) == (3, 2, 2)
    assert (found.mean_seconds, found.timed) == (None, 0)


def test_intervals_are_clustered_by_template() -> None:
    by_site = rates_by("site", [trial("a", "1x"), trial("a", "1y"), trial("a", "2x", 0.0)])
    assert [(one.group, one.success.n, one.success.clusters) for one in by_site] == [("shop", 3, 2)]


def test_ways_agree_by_what_stands_in_a_row() -> None:
    found = agreement([trial("a", "1", walk="xyz"), trial("b", "1", walk="xz"), trial("c", "2", walk="x")])
    assert found is not None
    assert (found.tasks, found.pairs) == (1, 1)
    way = found.by_task[0]
    assert (way.agreement, way.same, way.core, way.rows) == (pytest.approx(2 / 3), pytest.approx(2 / 3), 2, 3)
    assert found.outcome.value == 1.0


def test_ratings_of_the_same_tasks_get_ordinal_alpha() -> None:
    """Neighbouring grades are near misses: nominal alpha of these is below 0."""
    grades = {"a": (1, 2, 4, 5, 3), "b": (2, 1, 5, 4, None)}
    trials = [
        msgspec.structs.replace(trial(who, f"{at}x{at}"), difficulty=grade)
        for who, given in grades.items()
        for at, grade in enumerate(given)
    ]
    found = agreement(trials)
    assert found is not None
    expected = krippendorff.alpha([(1, 2, 4, 5), (2, 1, 5, 4)], level_of_measurement="ordinal")
    assert found.difficulty.value == pytest.approx(expected, abs=1e-15)
    assert (found.difficulty.n, found.tasks, found.confidence.value) == (4, 5, None)


def test_nobody_agrees_with_herself() -> None:
    again = [trial("a", "1", walk="x"), trial("a", "1", walk="x")]
    assert agreement(again) is None
    found = agreement([*again, trial("b", "1", 0.0, walk="y")])
    assert found is not None
    assert (found.pairs, found.by_task[0].people, found.outcome.value) == (1, ("a", "b"), 0.0)


def test_the_agreement_of_ways_is_symmetric_and_1_for_the_same_way() -> None:
    one, other = trial("a", "1", walk="abcde"), trial("b", "1", walk="bxcde")
    there, back = way_agreement("1", [one, other]), way_agreement("1", [other, one])
    same = way_agreement("1", [one, msgspec.structs.replace(one, who="b")])
    assert there is not None
    assert back is not None
    assert same is not None
    assert (there.agreement, there.same) == (back.agreement, back.same)
    assert (same.agreement, same.same) == (1.0, 1.0)


def test_models_stand_beside_people_on_the_same_tasks_only() -> None:
    people = [trial("a", "1"), trial("b", "1", 0.0), trial("a", "2")]
    model = [trial("gpt", "1"), trial("gpt", "2", 0.0), trial("gpt", "9")]
    human, row = actor_rows(people, [("run", model)])
    assert (human.actor, human.all.success.value) == ("human", pytest.approx(2 / 3))
    assert (row.actor, row.all.trials, row.left_out) == ("gpt", 2, 1)
    assert row.difference is not None
    assert row.difference.estimate.value == pytest.approx(((0.5 - 1) + (1 - 0)) / 2)


def test_disputed_scores_are_told_both_ways() -> None:
    wrong = trial("a", "1", 0.0, corrected=1.0)
    told = results(Trials(trials=(wrong, trial("a", "2"))))
    assert told.all.success.value == 0.5
    assert told.corrected is not None
    assert told.corrected.all.success.value == 1.0
    names = [section.name for section in sections(told)]
    assert names == ["human", "groups", "human-corrected", "groups-corrected"]
    assert results(Trials(trials=(trial("a", "2"),))).corrected is None


def test_an_attempt_that_was_gone_on_with_is_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = store.start_run(benchmark="demo", agent="human", planned=1)
    task = find_benchmark("demo").tasks(names=("price-of-lantern",))[0]
    first = ""
    for score, reason in ((not_scored("left"), "left"), (scored(1.0), "the actor stopped")):
        header = EpisodeHeader(
            run="",
            episode="",
            task=task,
            actor="human",
            dialect="",
            resumed_from=first,
            settings={"annotator": "ada"},
        )
        recorder = store.recorder(run, header)
        recorder.write(Step(index=0, at=""))
        recorder.finish(score, reason)
        first = recorder.header.episode
    found = trials_of_runs(store, [run]).trials
    assert [(one.who, one.success, one.episode) for one in found] == [("ada", 1.0, first)]
    assert found[0].drawn.traits.seeks_information is True
    with pytest.raises(UsageError, match="different benchmarks: demo and webarena"):
        trials_of_runs(store, [run], of="webarena")


def imported(store: Store, path: Path) -> str:
    list(bring_in(path, known_formats(), store))
    return store.runs()[0].run


def test_up_to_five_people_wrote_how_they_did_a_task(shared: Path, tmp_path: Path) -> None:
    table = (shared / TRAJECTORIES / "wonderbread-human-sops" / "human_sops.csv").read_bytes()
    (tmp_path / "few.csv").write_bytes(table[: table.index(b"\n106,")] + b"\n")
    store = Store(tmp_path / "store")
    found = trials_of_runs(store, [imported(store, tmp_path / "few.csv")], shared / "data" / "webarena")
    told = results(found)
    assert (told.all.people, told.all.success.value) == (told.all.trials, None)
    assert {one.drawn.template for one in found.trials} >= {"279"}
    assert told.agreement is not None
    first = told.agreement.by_task[0]
    assert (first.task, len(first.people), first.steps) == ("0", 5, (10, 16, 9, 10, 8))
    assert 0.2 < first.agreement < 0.8


def test_recordings_of_crowd_workers_are_a_baseline(shared: Path, tmp_path: Path) -> None:
    store = Store(tmp_path)
    found = trials_of_runs(
        store, [imported(store, shared / TRAJECTORIES / "miniwob-human-demos" / "clean-demos")]
    )
    told = results(found)
    assert (told.all.trials, told.all.success.value) == (5, 1.0)
    assert told.all.mean_seconds == pytest.approx(7.5386)
    assert told.unscored == 0


@pytest.mark.thorough
def test_all_procedures_of_wonderbread(shared: Path, tmp_path: Path) -> None:
    """122 tasks, 547 procedures; how far they agree is what the README says."""
    store = Store(tmp_path)
    run = imported(store, shared / TRAJECTORIES / "wonderbread-human-sops")
    found = trials_of_runs(store, [run], shared / "data" / "webarena")
    told = results(found).agreement
    assert told is not None
    assert (told.tasks, told.pairs) == (122, 973)
    assert told.ways.value == pytest.approx(0.544, abs=0.002)
