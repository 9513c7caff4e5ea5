"""`show RUN`: its episodes as they stand on the board."""

from __future__ import annotations

from pathlib import Path

from tests.core.runner.played_run import PlayedRun
from tests.tui.cli.program import Here
from webbench.core.store.store import Store


def test_running_episodes_and_attempts_that_do_not_count_are_told_apart(tmp_path: Path, here: Here) -> None:
    played = PlayedRun(Store(tmp_path / "store"), planned=2)
    first = played.begin(0)
    played.end(0, None, "the browser ended")
    second = played.begin(0)
    played.end(0, 1.0)
    third = played.begin(1)
    words = ("show", played.run, "--store", str(tmp_path / "store"))
    rows = here(tmp_path, *words).out.splitlines()
    states = {row.split()[0]: row.split()[1] for row in rows if row.startswith("000")}
    assert states == {third: "running", first: "replaced", second: "scored"}
    assert list(states) == [third, first, second]
    told = here(tmp_path, *words, "--json").json["episodes"]
    assert [one["state"] for one in told] == ["running", "replaced", "ended"]
    played.leave()
