"""The turns of `weblinx_scoring` as files: a folder of demonstrations and the results of a model."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webbench.benchmarks.weblinx.scoring.aggregate import Record
from webbench.benchmarks.weblinx.scoring.offline import create
from webbench.benchmarks.weblinx.turns.action import ID
from webbench.core.scoring.offline.reading import read_predictions

Json = Any

ELEMENTS = 20
"""On each page besides those of the two actions; the benchmark's pages have hundreds to thousands."""


def written(folder: Path, turns: list[Json]) -> None:
    """`demonstrations/<name>/` with replay, pages and boxes, and `results.json`."""
    by_name: dict[str, list[Json]] = {}
    for turn in turns:
        by_name.setdefault(turn["demo_name"], []).append(turn)
    for name, own in by_name.items():
        place = folder / "demonstrations" / name
        for part in ("pages", "bboxes"):
            (place / part).mkdir(parents=True)
        data = [_recorded(turn, number, place) for number, turn in enumerate(own)]
        (place / "replay.json").write_text(json.dumps({"data": data}), "utf-8")
    results = [
        {name: turn[name] for name in ("demo_name", "turn_index")} | {"output_predicted": raw(turn["pred"])}
        for turn in turns
    ]
    (folder / "results.json").write_text(json.dumps(results), "utf-8")


def raw(action: Json) -> str:
    """What a model would have written."""
    args = dict(action["args"])
    if action["element"]:
        args["uid"] = action["element"]["attributes"][ID]
    told = (
        f'{name}="{value}"' if isinstance(value, str) else f"{name}={value}" for name, value in args.items()
    )
    return f"{action['intent']}({', '.join(told)})"


def _recorded(turn: Json, number: int, place: Path) -> Json:
    """One turn of a replay; a page with the elements of both actions is written beside it."""
    wanted = turn["ref"]
    if wanted["intent"] == "say":
        return {"type": "chat", "timestamp": 0, "speaker": "navigator", **wanted["args"]}
    elements = [action["element"] for action in (turn["pred"], wanted) if action["element"]]
    boxes = {f"{number}-{other}": _box(other) for other in range(ELEMENTS)}
    boxes |= {element["attributes"][ID]: element["bbox"] for element in elements}
    page = f"page-{number}-0.html"
    body = "".join(f'<button {ID}="{identity}">go</button>' for identity in boxes)
    (place / "pages" / page).write_text(f"<html><body>{body}</body></html>", "utf-8")
    (place / "bboxes" / f"bboxes-{number}.json").write_text(json.dumps(boxes), "utf-8")
    args = dict(wanted["args"])
    if wanted["intent"] == "scroll":
        args = {"scrollX": args["x"], "scrollY": args["y"]}
    arguments = args | {"properties": wanted["args"], "element": wanted["element"]}
    action = {"intent": wanted["intent"], "arguments": arguments}
    return {"type": "browser", "timestamp": 0, "state": {"page": page}, "action": action}


def _box(place: int) -> Json:
    edges = {"left": 10, "top": 40 * place, "right": 210, "bottom": 40 * place + 30}
    return edges | {"x": 10, "y": 40 * place, "width": 200, "height": 30}


def reported(folder: Path) -> Json:
    """Our averages, as `webbench-tui score weblinx` reports them beside every explained turn."""
    predictions = read_predictions(str(folder / "results.json"))
    scorer = create(folder / "demonstrations")
    found = asyncio.run(scorer.score(predictions, tasks=None, rules="published", judge=None))
    names = list(Record.__struct_fields__)
    return [[row[name] for name in names] for row in found.groups["record"]]


def reported_by(upstream: Any, folder: Path) -> Json:
    """The package's own way, from the same files to the same averages."""
    import pandas as pd
    import weblinx  # pyright: ignore[reportMissingImports]  # of the extra `bench`

    results = json.loads((folder / "results.json").read_text("utf-8"))
    with (
        _inside(folder),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        names = dict.fromkeys(one["demo_name"] for one in results)
        replays = {
            name: weblinx.Replay.from_demonstration(weblinx.Demonstration(name, "demonstrations"))
            for name in names
        }
        turns = upstream.process_model_results(replays, results, verbose=False)
        table = Path("found") / "model" / "valid" / "run" / "eval_scores.csv"
        table.parent.mkdir(parents=True, exist_ok=True)
        rows = upstream.run_evaluation(turns, list(upstream.get_metrics_map()))
        pd.DataFrame(rows).round(2).to_csv(table, index=False)
        found = upstream.compute_aggregated_scores("found", splits=("valid",), verbose=False)
    return [[one["intent"], one["metric"], one["score"], one["unconditional_score"]] for one in found]


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """In the folder, where the package puts its cache."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
