"""A grid of agents: which are begun, gone on with, and left as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cli.program import call
from webbench.core.api.batch_run import planned_batch
from webbench.core.errors import UsageError
from webbench.core.runner.plan.new_run import new_run
from webbench.core.runner.plan.run_request import RunRequest
from webbench.core.store.run_notes import change_notes
from webbench.core.store.store import Store
from webbench.tui.cli.runs.sweep import grid_of, tagged

REQUEST = RunRequest(benchmark="demo", agent="random steps={1,2}", tasks=("open-product",))


def test_a_sweep_goes_on_with_its_runs_and_not_with_others(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert [(one.agent, one.doing) for one in grid_of(REQUEST, "s", store)] == [
        ("random steps=1", "begin"),
        ("random steps=2", "begin"),
    ]
    request = RunRequest(benchmark="demo", agent="random steps=2", tasks=("open-product",))
    run = new_run(store, planned_batch(request, store))
    assert [one.doing for one in grid_of(REQUEST, "s", store)] == ["begin", "begin"], "it has no tag"
    change_notes(store.root, run, lambda notes: tagged(notes, "s"), store.redaction)
    first, second = grid_of(REQUEST, "s", store)
    assert (first.doing, second.doing, second.run, second.planned) == ("begin", "go on", run, 1)
    others = RunRequest(benchmark="demo", agent="random steps=2", tasks=("camp-mugs",))
    with pytest.raises(UsageError, match="other episodes"):
        grid_of(others, "s", store)
    store.close()


@pytest.mark.thorough
def test_every_agent_of_the_grid_is_played_and_compared(tmp_path: Path) -> None:
    words = (
        "sweep",
        "demo",
        "--agent",
        "random steps={1,2}",
        "--task",
        "open-product",
        "--name",
        "s",
        "--json",
    )
    done = call(tmp_path, *words)
    assert [one["scored"] for one in done.json["grid"]] == [1, 1]
    assert done.json["section"]["name"] == "options"
    again = call(tmp_path, *words)
    assert [one["doing"] for one in again.json["grid"]] == ["finished", "finished"]
    assert again.json["reports"] == []
