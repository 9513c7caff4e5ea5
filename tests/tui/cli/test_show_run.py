"""`show RUN`: its episodes as they stand on the board."""

from __future__ import annotations

from pathlib import Path

from tests.core.runner.played_run import PlayedRun
from tests.tui.cli.program import Here
from webbench.core.action.action import Click, ElementRef
from webbench.core.score.score import Score, Status
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Step


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


def test_steps_of_other_tools_are_told_in_words(tmp_path: Path, here: Here) -> None:
    """What was sent is the call of another tool; of our own languages it stands as it was written."""
    store = Store(tmp_path / "store")
    link = Click(target=ElementRef(id=29, role="link", name="pdf"))
    for name, settings in (("theirs", {"imported": {"at": ""}}), ("ours", {})):
        header = EpisodeHeader(
            run="",
            episode="",
            task=Task(benchmark="b", name=name, intent="Read it"),
            actor="agent",
            dialect="",
            settings=settings,
        )
        recorder = store.recorder(store.start_run("b", "agent", 1), header)
        recorder.write(Step(index=0, at="", actor="operator", ok=True))
        recorder.write(Step(index=1, at="", actor="agent", action=link, text='click({"mark": 29})', ok=True))
        recorder.finish(Score(status=Status.SCORED, value=0.0), "done")
    shown = {
        name: here(tmp_path, "show", f"0000_{name}", "--store", str(store.root)).out
        for name in ("theirs", "ours")
    }
    assert 'click link "pdf"' in shown["theirs"]
    assert 'click({"mark": 29})' not in shown["theirs"]
    assert 'click({"mark": 29})' in shown["ours"]
