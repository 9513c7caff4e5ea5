"""Importing 1,000 episodes without pictures: how many a second, with and without pages.

Run as `python -m tests.performance.importing`. Processor time, so that other work on the machine changes
little; the store lies in a temporary folder.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from webbench.core.exchange.import_format import known_formats
from webbench.core.exchange.importing import bring_in
from webbench.core.store.store import Store

EPISODES = 1_000
LEAST = 200
"""Episodes a second."""
STEPS = 10
NODES = 60
"""Of the page at every step, of which a few change."""


def main() -> list[str]:
    """The figures that were missed, in words."""
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, write in KINDS.items():
            source = Path(folder) / name.replace(" ", "-")
            source.mkdir()
            write(source)
            reading = rate(source, None)
            keeping = rate(source, Path(folder) / f"store-of-{source.name}")
            print(f"  {name:40} read {reading:8.0f}, imported {keeping:8.0f} episodes a second")
            if keeping < LEAST:
                missed.append(f"{name}: {keeping:.0f} episodes a second, not {LEAST}")
    return missed


def rate(source: Path, root: Path | None) -> float:
    """Episodes a second of processor time; `root` None for a dry run."""
    store = Store(root) if root else None
    formats = known_formats()
    started = time.process_time()
    told = list(bring_in(source, formats, store))
    taken = time.process_time() - started
    assert sum(one.episodes for one in told) == EPISODES
    if store is not None:
        store.close()
    return EPISODES / taken


def traces(folder: Path) -> None:
    """One file of WebArena traces, a page at every step."""
    (folder / "traces.json").write_text(json.dumps([_trace(number) for number in range(EPISODES)]))


def _trace(number: int) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    for step in range(STEPS):
        lines = [
            f"\t[{node}] link 'Product {node} of {number if node % 20 == 0 else 'all'}'"
            for node in range(NODES)
        ]
        tree = "\n".join([f"[{NODES}] RootWebArea 'Shop {step}'", *lines])
        items.append({"url": f"http://shop/{number}/{step}", "axtree": tree})
        items.append(
            {"metadata": {"cot": "go on"}, "action": {"action_name": "click", "element_id": str(step)}}
        )
    return {"task_id": number, "intent": "Find it", "source": f"model-{number % 4}", "trajectory": items}


def procedures(folder: Path) -> None:
    """A table of procedures in words."""
    steps = "\n".join(f'{step}. Click on the blue ""Order {step}"" link.' for step in range(1, STEPS + 1))
    rows = (f'{number},{number} @ 2023-12-25-15-10-58,1,"Do it\n{steps}"' for number in range(EPISODES))
    (folder / "sops.csv").write_text("\n".join(["task_id,demo_name,gt_ranking,sop", *rows]))


def results(folder: Path) -> None:
    """A folder a task, with sentences and thoughts."""
    for number in range(EPISODES):
        (folder / "agent" / str(number)).mkdir(parents=True)
        result = {
            "task_id": f"{number:032x}",
            "task": "Find it",
            "final_result_response": "There it is.",
            "result_status": "success",
            "action_history": [f"Click at ({step}, {number})" for step in range(STEPS)],
            "thoughts": ["Go on."] * STEPS,
        }
        (folder / "agent" / str(number) / "result.json").write_text(json.dumps(result))


def judgements(folder: Path) -> None:
    """A table of judgements, without steps."""
    columns = "annotator_name,benchmark,task_id,model_name,exp_name,trajectory_success,trajectory_looping"
    rows = (f"A,webarena,webarena.{number},model,exp,Successful,No" for number in range(EPISODES))
    (folder / "annotations.csv").write_text("\n".join([columns, *rows]))


KINDS: dict[str, Callable[[Path], None]] = {
    f"{STEPS} steps with a page of {NODES} nodes": traces,
    f"{STEPS} steps in words, one table": procedures,
    f"{STEPS} steps, a folder each": results,
    "no steps, a judgement each": judgements,
}


if __name__ == "__main__":
    main()
