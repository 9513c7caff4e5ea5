"""WebLINX without a terminal: a run that starts no browser, and the export of an episode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webbench.core.engine import engine as engines
from webbench.core.errors import UsageError
from webbench.core.runner.plan.run_request import RunRequest
from webbench.tui.cli.benchmarks.weblinx import export_demonstration
from webbench.tui.cli.runs.run import run_tasks


def no_browser(*_: object) -> None:
    raise AssertionError("a browser was started")


@pytest.fixture(autouse=True)
def browserless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "launch", no_browser)
    monkeypatch.delenv("WEBBENCH_DATA_WEBLINX", raising=False)


def test_a_run_needs_no_browser_and_its_episode_is_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    request = RunRequest(benchmark="weblinx", agent="oracle", split="shop-talk", store=store)
    assert run_tasks(request, as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["mean_score"] == 1.0
    assert report["figures"]["published"]["turns"] == 10

    episode = report["episodes"][0]["episode"]
    out = tmp_path / "again"
    code = export_demonstration(
        episode, out, rename=["pine.example=oak.example"], small_pictures=False, store=store, as_json=True
    )
    told = json.loads(capsys.readouterr().out)
    assert (code, told["left_out"], told["folder"]) == (0, [], str(out))
    assert "oak.example" in (out / "replay.json").read_text()
    with pytest.raises(UsageError, match="renames nothing"):
        export_demonstration(episode, out, rename=["x"], small_pictures=False, store=store, as_json=False)
