"""Scoring 30,000 WebLINX turns beside the `weblinx` package, interleaved, on one core."""

from __future__ import annotations

import contextlib
import io
import logging
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from tests.parity.compare import difference
from tests.parity.weblinx import many_turn_metrics
from tests.performance.weblinx_files import ELEMENTS, reported, reported_by, written
from webbench.benchmarks.weblinx.scoring.aggregate import records, row_of
from webbench.benchmarks.weblinx.scoring.rules import TurnMetrics
from webbench.benchmarks.weblinx.turns.action import ID, TurnAction, action_of

TURNS = 30_000
ROUNDS = 5
LEAST_RATIO = 5.0
"""Of metrics and averages of the same actions."""
PARTS = 5
"""Of the turns as files, so that what else the machine does meets both sides alike."""
LEAST_FROM_FILES = 5.0
"""With files read on both sides, and on ours every score explained, which the package doesn't do."""
NOT_INSTALLED = "the group `bench` is not installed (pip install -e '.[bench]' -c constraints.txt)"
INTENTS = {"click": 40, "say": 28, "load": 10, "textinput": 8, "scroll": 8, "submit": 4, "change": 2}
"""Roughly as often as in the benchmark's turns."""

WORDS = (
    "the of to a open website please find article page with news and weather café hotel in Montréal for two "
    "people next Friday “Dublin” price under 200 then send summary first paragraph result – thank you Yes."
)

Json = Any


def main() -> list[str]:
    """The figures that were missed."""
    try:
        import pandas  # noqa: F401 - whether it is installed
        import weblinx.eval  # pyright: ignore[reportMissingImports]  # of the extra `bench`
    except ImportError as missing:
        print(f"not compared: {missing}; {NOT_INSTALLED}")
        return []
    logging.disable(logging.INFO)
    turns = made_turns(TURNS)
    return _compared(turns, weblinx.eval) + _from_files(turns, weblinx.eval)


def _compared(turns: list[Json], upstream: Any) -> list[str]:
    times: list[tuple[float, float]] = []
    mine = theirs = None
    for _ in range(ROUNDS):
        ours, mine = _timed(lambda: scored(turns))
        other, theirs = _timed(lambda: scored_by(upstream, turns))
        times.append((ours, other))
    ours, other = (median(pair[side] for pair in times) for side in (0, 1))
    ratio = median(pair[1] / pair[0] for pair in times)
    print(f"{TURNS:,} turns to averages: {ours:.2f} s CPU, weblinx {other:.2f} s: {ratio:.1f} x as fast")
    told = difference(mine, theirs)
    missed = [f"the averages differ from weblinx': {told}"] if told else []
    if ratio < LEAST_RATIO:
        missed.append(f"WebLINX scoring is {ratio:.1f} x as fast as weblinx, wanted {LEAST_RATIO:g}")
    return missed


def _from_files(turns: list[Json], upstream: Any) -> list[str]:
    """File to report, ours with both rule sets, every check and loophole: what `webbench-tui score` does.

    Each part once: the package keeps what it read of pages, and would not read them again.
    """
    ours = other = 0.0
    count, told = len(turns), ""
    for start in range(0, count, count // PARTS):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            written(folder, turns[start : start + count // PARTS])
            mine_took, mine = _timed(partial(reported, folder))
            other_took, theirs = _timed(partial(reported_by, upstream, folder))
        ours, other = ours + mine_took, other + other_took
        told = told or difference(mine, theirs)
    print(
        f"{count:,} turns from files (pages of {ELEMENTS} elements) to report: "
        f"{ours:.2f} s CPU with every check under both rule sets ({count / ours:,.0f} turns/s), "
        f"weblinx {other:.2f} s ({count / other:,.0f} turns/s): {other / ours:.1f} x as fast"
    )
    missed = [f"the reported averages differ from weblinx': {told}"] if told else []
    if other / ours < LEAST_RATIO:
        missed.append(
            f"WebLINX from files is {other / ours:.1f} x as fast as weblinx, wanted {LEAST_RATIO:g}"
        )
    return missed


def scored(turns: list[Json]) -> Json:
    """From the same plain actions to the averages."""
    actions = [(action_of(turn["pred"]), action_of(turn["ref"])) for turn in turns]
    found = many_turn_metrics(actions)
    return [
        [one.intent, one.metric, one.score, one.unconditional_score]
        for one in records(
            [
                row_of(str(wanted.intent), metrics)
                for (_, wanted), metrics in zip(actions, found, strict=True)
                if isinstance(metrics, TurnMetrics)
            ]
        )
    ]


def scored_by(upstream: Any, turns: list[Json]) -> Json:
    """The package's own way: metrics, a table of two decimals, and the averages read from it."""
    import pandas as pd

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        table = Path(folder) / "model" / "valid" / "run" / "eval_scores.csv"
        table.parent.mkdir(parents=True)
        rows = upstream.run_evaluation(turns, list(upstream.get_metrics_map()))
        pd.DataFrame(rows).round(2).to_csv(table, index=False)
        found = upstream.compute_aggregated_scores(folder, splits=("valid",), verbose=False)
    return [[one["intent"], one["metric"], one["score"], one["unconditional_score"]] for one in found]


def _timed(work: Callable[[], Json]) -> tuple[float, Json]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def made_turns(count: int) -> list[Json]:
    """Turns as result files have them; three in ten predictions are right, one in five has another intent."""
    dice = random.Random(7)
    return [_turn(number, dice) for number in range(count)]


def _turn(number: int, dice: random.Random) -> Json:
    intent, other = dice.choices(list(INTENTS), list(INTENTS.values()), k=2)
    wanted = _action(intent, dice)
    if dice.random() < 0.2:
        predicted = _action(other, dice)
    elif dice.random() < 0.3:
        predicted = wanted
    else:
        predicted = _similar(wanted, dice)
    place = {"demo_name": f"demo{number // 30}", "turn_index": number % 30}
    return place | {"pred": _plain(predicted), "ref": _plain(wanted)}


def _action(intent: str, dice: random.Random) -> TurnAction:
    names = {"say": "utterance", "textinput": "text", "change": "value"}
    if intent == "load":
        path = "/".join(dice.choices("abcdef", k=dice.randrange(4)))
        return TurnAction(intent, {"url": f"https://www.{dice.choice('abc')}.example/{path}"})
    if intent == "scroll":
        return TurnAction(intent, {"x": 0, "y": dice.randrange(2000)})
    text = " ".join(dice.choices(WORDS.split(), k=dice.randrange(1, 20)))
    element = None if intent == "say" else _element(dice)
    return TurnAction(intent, {names[intent]: text} if intent in names else {}, element)


def _similar(wanted: TurnAction, dice: random.Random) -> TurnAction:
    """The same intent; of a text a part is replaced, of an element it may be another."""
    fresh = _action(str(wanted.intent), dice)
    args = {
        name: f"{value[: len(value) // 2]} {fresh.args.get(name, '')}" if isinstance(value, str) else value
        for name, value in wanted.args.items()
    }
    element = wanted.element if dice.random() < 0.5 else fresh.element
    return TurnAction(wanted.intent, args, element)


def _element(dice: random.Random) -> Json:
    left, top, width, height = (dice.randrange(1, most) for most in (1400, 3000, 400, 90))
    edges = {"left": left, "top": top, "right": left + width, "bottom": top + height}
    box = edges | {"x": left, "y": top, "width": width, "height": height}
    return {"attributes": {ID: f"{dice.getrandbits(48):012x}"}, "bbox": box}


def _plain(action: TurnAction) -> Json:
    return {"intent": action.intent, "args": action.args, "element": action.element}


if __name__ == "__main__":
    main()
