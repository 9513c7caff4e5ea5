"""Whole runs as figures: every number can be traced to its episodes, and what isn't scored is no failure."""

from typing import Any

import msgspec
import pytest

from tests.core.analysis.recorded_runs import Recording, scored
from webbench.core.analysis.methods_text import few_clusters
from webbench.core.analysis.runs.whole_run import Analysed, analyse
from webbench.core.labels.label import Dispute, Done, Entry, Label
from webbench.core.labels.ledger import ledger_of
from webbench.core.observation import Visitor
from webbench.core.score.score import Check, Score, Status
from webbench.core.statistics.figures import Analysis, Bars, Cell, Figure, Flow, HeatMap, Table, cell_text
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader

SHOP, CART, PAY = "http://shop.test/", "http://shop.test/cart?sid=4711", "http://shop.test/pay/9f8e7d6c5b4a"


def figures(analysis: Analysis, section: str) -> dict[str, Figure]:
    found = next(one for one in analysis.sections if one.name == section)
    return {figure.title.split(":")[0]: figure for figure in found.figures}


def table(found: Figure) -> dict[Cell, tuple[Cell, ...]]:
    assert isinstance(found, Table)
    return {row.cells[0]: row.cells[1:] for row in found.rows}


def test_tasks_that_only_one_solves_lead_to_their_episodes(store: Store) -> None:
    first, second = Recording(store, "one"), Recording(store, "two")
    ours = first.add("a1", 1.0)
    theirs = second.add("a1", 0.5)
    first.add("b1", 1.0)
    second.add("b1", None)

    found = figures(analyse(store, [first.run, second.run]).analysis, "tasks")

    only, none, grid = found["A solves, B doesn't"], found["B solves, A doesn't"], found["Every task"]
    assert isinstance(only, Table)
    assert [(row.cells[0], row.episodes) for row in only.rows] == [("a1", (ours, theirs))]
    assert not table(none)
    assert table(grid)["b1"] == (1.0, "not scored", "Do b1")


def test_counts_are_told_first_then_intervals_then_all_that_steps_tell(store: Store) -> None:
    run = Recording(store, "one")
    for task, value in {"a1": 1.0, "b1": 0.0, "c1": 0.5, "d1": None}.items():
        run.add(task, value)
    told: list[Analysed] = []

    whole = analyse(store, [run.run], told=told.append)

    counts, intervals = told
    assert [section.name for section in counts.analysis.sections] == ["overview"]
    assert (counts.rates.runs[0].mean.value, counts.rates.runs[0].mean.low) == (0.5, None)
    assert counts.rates.runs[0].success == intervals.rates.runs[0].success
    assert intervals.rates == whole.rates
    assert intervals.analysis.sections == whole.analysis.sections[:1]
    assert len(whole.analysis.sections) > 1


def test_success_by_steps_has_standard_errors(store: Store) -> None:
    run = Recording(store, "one")
    for at, value in enumerate((1.0, 0.0, 1.0, 1.0)):
        run.add(f"a{at}", value, urls=[SHOP] * 3)
    run.add("b", 0.0, urls=[SHOP] * 31)

    found = figures(analyse(store, [run.run]).analysis, "steps")["Success by number of steps"]

    assert isinstance(found, Bars)
    short, long = found.bars
    assert (short.group, short.value, short.n, len(short.episodes)) == ("1-5", 0.75, 4, 4)
    assert short.high == pytest.approx(0.75 + 0.25)
    assert (long.group, long.value, long.low) == ("26-30", 0.0, None)


def test_templates_are_counted_by_the_share_that_was_solved(store: Store) -> None:
    run = Recording(store, "one")
    for task, value in {"a1": 1, "a2": 1, "b1": 1, "b2": 0, "b3": 0, "c1": 0, "c2": 0, "d1": 1}.items():
        run.add(task, float(value))

    found = figures(analyse(store, [run.run]).analysis, "templates")["Templates by share of tasks solved"]

    assert isinstance(found, Bars)
    counted = {bar.group: bar.value for bar in found.bars if bar.value}
    assert counted == {"none": 1, "to 50 %": 1, "all": 1}
    assert "A 1" in found.note


def test_failures_are_told_by_what_speaks_for_their_decisive_step(store: Store) -> None:
    """An episode that was solved, or has no score, is none of them; a person's label tells what is right."""
    run = Recording(store, "one")
    failed = run.add("a1", 0.0, urls=[SHOP, CART, SHOP])
    run.add("b1", 1.0, urls=[SHOP, CART])
    run.add("c1", None, urls=[SHOP, CART])
    of, episode = failed.split("/")
    label = Label(
        run=of,
        episode=episode,
        step=1,
        taxonomy="merged",
        version=1,
        question="cause",
        code="navigation",
        annotator="ann",
    )
    done = Done(run=of, episode=episode, taxonomy="merged", annotator="ann")
    ledger_of(store).add([label, done])

    found = figures(analyse(store, [run.run]).analysis, "decisive")

    kinds, people = (
        found["What speaks for the step ranked first"],
        found["Decisive steps held against people"],
    )
    assert isinstance(kinds, Table)
    assert [(row.cells[1:], row.episodes) for row in kinds.rows] == [((1,), (failed,))]
    assert table(people)["decisive step among the first 5"][:3] == (1, 0, 0)


def test_groups_are_of_splits_and_of_checks(store: Store) -> None:
    run = Recording(store, "one")
    run.add("a1", scored(0.5, ("text", 1.0), ("radio", 0.0)), split="easy")
    run.add("b1", scored(1.0, ("text", 0.5)), split="hard")

    found = figures(analyse(store, [run.run]).analysis, "groups")

    assert [row[1] for row in table(found["By split"]).values()] == [1, 1]
    checks = table(found["By check"])
    assert (getattr(checks["text"][0], "value", None), checks["text"][1]) == (0.75, 2)
    assert "By site" not in found


def test_groups_are_of_visitors_too_where_that_is_known(store: Store) -> None:
    run = Recording(store, "one")
    for name, browser, value in (("a1", "Firefox", 0.0), ("b1", "Chrome", 1.0), ("c1", "", 1.0)):
        seen = Visitor(locale="de-DE", region="DE", system="Linux", browser=browser) if browser else Visitor()
        run.add(name, scored(value), visitor=seen)

    found = figures(analyse(store, [run.run]).analysis, "groups")

    assert [row[1] for row in table(found["By browser"]).values()] == [1, 1]
    assert "By locale" not in found
    assert "By system" not in found


def test_checks_are_placed_at_the_step_that_reached_them(store: Store) -> None:
    run = Recording(store, "one")
    way = [scored(0, ("k", 0), ("k", 0)), scored(0, ("k", 1), ("k", 0)), scored(1, ("k", 1), ("k", 1))]
    run.add("a1", way[-1], on_the_way=way)
    run.add("a2", way[1], on_the_way=way[:2])
    run.add("a3", scored(1, ("k", 1)))

    (heat,) = figures(analyse(store, [run.run]).analysis, "reached").values()

    assert isinstance(heat, HeatMap)
    assert (heat.columns, heat.values, heat.counts) == (("1", "2"), ((1.0, 1.0), (0.0, 0.5)), (2, 2))


def test_steps_may_be_scored_by_their_own_check_alone(store: Store) -> None:
    """As where every step has a reference: the whole score lists them all, each step's score its own."""
    one, two = (Check(name="step", target=f"step {at}", value=1.0) for at in (1, 2))
    whole, first, second = (
        Score(status=Status.SCORED, value=1.0, checks=checks) for checks in ((one, two), (one,), (two,))
    )
    run = Recording(store, "one")
    run.add("a1", whole, on_the_way=[scored(0), first, second])

    (heat,) = figures(analyse(store, [run.run]).analysis, "reached").values()

    assert isinstance(heat, HeatMap)
    assert heat.values == ((1.0, 1.0), (0.0, 1.0))


def test_ways_are_counted_per_actor_and_end_in_their_outcome(store: Store) -> None:
    first, second = Recording(store, "one"), Recording(store, "two")
    first.add("a1", 1.0, urls=[SHOP, SHOP, CART, PAY])
    first.add("a2", 1.0, urls=[SHOP, CART, PAY.replace("9f", "0a")])
    second.add("a1", None, urls=[SHOP, CART, SHOP])

    flow, transitions = figures(analyse(store, [first.run, second.run]).analysis, "flow").values()

    assert isinstance(flow, Flow)
    links = {(link.place, link.source, link.target): link.counts for link in flow.links}
    assert links[0, "start", "shop.test"] == {"A": 2, "B": 1}
    assert links[2, "shop.test/cart?sid", "shop.test/pay/*"] == {"A": 2}
    assert links[3, "shop.test", "not scored"] == {"B": 1}
    assert isinstance(transitions, Table)
    assert ("shop.test", "shop.test/cart?sid", 2, 1) in [row.cells for row in transitions.rows]


def test_several_attempts_give_pass_at_k(store: Store) -> None:
    run = Recording(store, "one")
    for value in (1.0, 0.0, 0.0):
        run.add("a1", value)
    run.add("b1", 1.0)

    (found,) = figures(analyse(store, [run.run]).analysis, "repeats").values()

    rows = {k: (getattr(cells[0], "value", None), cells[1]) for k, cells in table(found).items()}
    assert rows == {1: (pytest.approx(2 / 3), 2), 2: (pytest.approx(2 / 3), 1), 3: (1.0, 1)}


def test_states_without_a_score_are_told_and_methods_name_the_evaluator(store: Store) -> None:
    run = Recording(store, "one")
    run.add("a1", 1.0)
    run.add("a2", Score(status=Status.PENDING, reason="judge", evaluator="rule book 7"))
    run.add("a3", None)

    found = analyse(store, [run.run]).analysis
    (cells,) = table(figures(found, "overview")["Runs"]).values()

    assert cells[1] == 1
    assert cells[-1] == "1 pending, 1 not scored"
    assert cells[-2] == "0.333 to 1.000", "of three tasks one is solved, and two have no verdict"
    assert any("evaluator rule book 7" in sentence for sentence in found.methods)
    assert not any("Beware" in sentence for sentence in found.methods)
    assert not any("narrower than 95 %" in sentence for sentence in found.methods), "there is one cluster"


def test_tasks_that_runs_recorded_differently_are_told(store: Store) -> None:
    first, second = Recording(store, "one"), Recording(store, "two")
    for run, words in ((first, "easy"), (second, "hard")):
        run.add("a1", 1.0)
        run.add("a2", 1.0, intent=words)

    (told,) = (one for one in analyse(store, [first.run, second.run]).analysis.methods if "Beware" in one)

    assert "1 task differently (intent, inputs or gold data): a2." in told


def test_labels_are_counted_and_the_evaluator_is_held_against_them(store: Store) -> None:
    run = Recording(store, "one")
    names = [run.add(f"a{at}", value).split("/")[1] for at, value in enumerate((1.0, 1.0, 0.0, 0.0))]

    def label(at: int, code: str, who: str) -> list[Entry]:
        place: dict[str, Any] = {"run": run.run, "episode": names[at], "taxonomy": "merged", "annotator": who}
        return [Label(version=1, question="outcome", code=code, **place), Done(**place)]

    given = ((0, "solved", "ann"), (1, "wrong", "ann"), (2, "solved", "ann"), (2, "wrong", "bob"))
    ledger_of(store).add(entry for one in given for entry in label(*one))
    analysis = analyse(store, [run.run]).analysis
    labels, trust = figures(analysis, "labels").values()

    assert isinstance(labels, Table)
    assert [(row.cells[1:], len(row.episodes)) for row in labels.rows] == [
        (("Solved", 1, 2, 0, 1), 1),
        (("Wrong result", 1, 2, 0, 1), 1),
    ], "the episode on which two differ is open until somebody decides"
    assert "Agreement of 2 raters on Merged taxonomy" in figures(analysis, "agreement")
    ((episodes, precision, recall, *_),) = table(trust).values()
    assert (episodes, getattr(precision, "value", None), getattr(recall, "value", None)) == (2, 0.5, 1.0)
    assert isinstance(trust, Table)
    assert trust.rows[0].episodes == (f"{run.run}/{names[1]}",)

    decided = msgspec.structs.replace(label(2, "wrong", "judge")[0], settles=("ann", "bob"))
    ledger_of(store).add([decided])
    labels, trust = figures(analyse(store, [run.run]).analysis, "labels").values()
    assert isinstance(labels, Table)
    assert [row.cells[1:] for row in labels.rows] == [("Solved", 1, 2, 0, 0), ("Wrong result", 2, 2, 1, 0)]
    assert sum(len(row.episodes) for row in labels.rows) == 3, "each of three episodes once"
    ((episodes, *_),) = table(trust).values()
    assert episodes == 3


def test_both_numbers_stand_where_a_score_is_disputed(store: Store) -> None:
    run = Recording(store, "one")
    wrong = run.add("a1", 0.0).split("/")[1]
    run.add("a2", 0.0)
    why = {
        "status": Status.SCORED,
        "scored": 0.0,
        "corrected": 1.0,
        "reason": "it is there",
        "annotator": "ann",
    }
    ledger_of(store).add([Dispute(run=run.run, episode=wrong, **why)])

    analysis = analyse(store, [run.run]).analysis

    disputed = figures(analysis, "disputed")
    before, after = (table(disputed[f"Runs, as {how}"])["A"][2] for how in ("scored", "corrected"))
    assert (getattr(before, "value", None), getattr(after, "value", None)) == (0.0, 0.5)
    assert table(figures(analysis, "tasks")["Every task"])["a1"][0] == "0.000 (1.000)"
    histogram = figures(analysis, "templates")["Templates by share of tasks solved"]
    assert isinstance(histogram, Bars)
    assert {(bar.actor, bar.group) for bar in histogram.bars if bar.value} == {
        ("A", "none"),
        ("A*", "to 50 %"),
    }


def test_runs_without_a_score_or_an_episode_have_figures_that_say_so(store: Store) -> None:
    empty, open_one, scored_one = (Recording(store, name) for name in ("none", "open", "scored"))
    header = EpisodeHeader(run="", episode="", task=Task(benchmark="b", name="t"), actor="open", dialect="d")
    store.recorder(open_one.run, header).close()
    scored_one.add("t", 1.0)

    analysis = analyse(store, [empty.run, open_one.run, scored_one.run]).analysis

    rows = table(figures(analysis, "overview")["Runs"])
    assert [(rows[letter][1], rows[letter][-1]) for letter in "ABC"] == [(0, "–"), (0, "1 no end"), (1, "–")]
    assert table(figures(analysis, "tasks")["Every task"])["t"][:3] == (None, "no end", 1.0)
    assert analysis.benchmark == "b"
    assert all(cell_text(cell) for row in rows.values() for cell in row)


def test_few_clusters_are_told_to_make_intervals_too_narrow() -> None:
    assert "here 7 scored clusters" in few_clusters(7, 40)
    assert few_clusters(1, 30) == ""
