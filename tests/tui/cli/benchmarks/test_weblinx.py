"""WebLINX without a terminal: a run that starts no browser, and the export of an episode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from PIL import Image

from webbench.benchmarks.weblinx.pages.box_picture import COLOURS
from webbench.core.engine import engine as engines
from webbench.core.errors import UsageError
from webbench.core.runner.plan.run_request import RunRequest
from webbench.tui.cli.benchmarks.weblinx import export_demonstration, weblinx_boxes_command
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


def test_reference_and_predictions_of_a_turn_are_drawn_into_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    said = '{"verb": "say", "text": "Yes."}'
    other = '{"verb": "click", "target": {"role": "searchbox", "name": "Search the shop"}}'
    (tmp_path / "other.jsonl").write_text(f"{said}\n{other}\n")
    episodes = []
    for agent in ("oracle", f"replay {tmp_path / 'other.jsonl'}"):
        request = RunRequest(benchmark="weblinx", agent=agent, split="shop-talk", store=store)
        run_tasks(request, as_json=True)
        report = json.loads(capsys.readouterr().out)["episodes"][0]
        episodes.append(f"{report['run']}/{report['episode']}" if "run" in report else report["episode"])
    out = tmp_path / "turn.png"

    def drawn(turn: int, **more: object) -> int:
        with pytest.raises(typer.Exit) as end:
            weblinx_boxes_command(
                episodes, turn=turn, out=out, **{"force": False, "store": store, "as_json": True, **more}
            )
        return end.value.exit_code

    assert drawn(3) == 0
    told = json.loads(capsys.readouterr().out)
    reference, *predicted = told["boxes"].values()
    assert next(iter(told["boxes"])) == "reference"
    assert len(predicted) == 2
    assert sum(one == pytest.approx(reference, abs=1) for one in predicted) == 1
    with Image.open(out) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    assert {tuple(bytes.fromhex(one[1:])) for one in COLOURS[:3]} <= colours
    with pytest.raises(UsageError, match="is there already"):
        weblinx_boxes_command(episodes, turn=3, out=out, store=store)
    assert drawn(4, force=True) == 1  # the second predicted nothing there
    assert json.loads(capsys.readouterr().out)["without"]
    with pytest.raises(UsageError, match="nobody named an element"):
        weblinx_boxes_command(episodes, turn=1, out=tmp_path / "none.png", store=store)
