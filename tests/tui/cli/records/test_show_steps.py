"""`show` of one step, its difference and a search: what the Trajectory screen shows, with exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.tui.recorded_page import HEADER
from tests.tui.screens.trajectory.test_trajectory import record
from webbench.core.errors import BadData, UsageError
from webbench.core.report.pages.opened_step import StepFileKind, write_step_file
from webbench.core.store.store import Store
from webbench.core.trajectory import Step, now
from webbench.tui.cli.records.show import StepsRequest, open_step, show_steps
from webbench.tui.terminal import browser_at_hand


def test_a_step_its_difference_and_a_search_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = record(tmp_path / "store")
    asked = StepsRequest(episode=folder.name, step=1, difference=True, store=tmp_path / "store")
    assert show_steps(asked, as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["words"] == 'click button "Add to cart"'
    assert (told["seen_before"], told["aim"]["node"], told["spent"]["cost"]) == (0, 11, 0.25)
    assert told["difference"]["changed"][0]["fields"] == [
        {"name": "name", "before": "Cart 0", "after": "Cart 1"}
    ]
    assert show_steps(asked, as_json=False) == 0
    assert '~ [5] link name "Cart 0" → "Cart 1"' in capsys.readouterr().out
    missing = StepsRequest(episode=folder.name, step=2, store=tmp_path / "store")
    assert show_steps(missing, as_json=False) == 0
    assert "No page was recorded at this step" in capsys.readouterr().out
    for query, code in (("mug goes", 0), ("nowhere", 1)):
        found = StepsRequest(episode=folder.name, search=query, store=tmp_path / "store")
        assert show_steps(found, as_json=False) == code
    kept = StepsRequest(
        episode=folder.name, step=1, screenshot=tmp_path / "shot.png", store=tmp_path / "store"
    )
    assert show_steps(kept, as_json=False) == 0
    with Image.open(tmp_path / "shot.png") as saved:  # by now it may have been archived as WebP
        assert saved.size == (1280, 720)
    with pytest.raises(UsageError, match="There is no step 9"):
        show_steps(StepsRequest(episode=folder.name, step=9, store=tmp_path / "store"), as_json=False)


@pytest.mark.parametrize(("kind", "name"), [("report", "report.html"), ("picture", "step-1.")])
def test_a_step_is_written_for_a_browser_and_its_path_told_where_there_is_none(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: StepFileKind,
    name: str,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = record(tmp_path / "store")
    assert open_step(folder.name, 1, kind, store=tmp_path / "store", as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["opened"], told["kind"]) == (False, kind)
    assert told["address"].endswith("#step-1" if kind == "report" else told["file"])
    assert Path(told["file"]).name.startswith(name)
    assert Path(told["file"]).stat().st_size > 100
    with pytest.raises(BadData, match="No HTML was recorded at step 1"):
        open_step(folder.name, 1, "html", store=tmp_path / "store", as_json=False)


def test_recorded_html_is_shut_in_a_frame_in_which_nothing_runs(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    record_of = store.recorder(store.start_run("demo", "oracle", 1), HEADER)
    hostile = '<p>hi</p>"></iframe><script>alert(1)</script>'
    record_of.write(Step(index=0, at=now()), html=hostile)
    record_of.finish(None, "done")
    store.close()
    written = write_step_file(store, store.load(record_of.folder), 0, "html", tmp_path)
    page = written.file.read_text()
    assert "<script" not in page
    assert page.count("</iframe>") == 1
    assert "default-src 'none'" in page
    assert "&lt;p&gt;hi&lt;/p&gt;" in page


def test_a_browser_is_at_hand_neither_over_ssh_nor_without_a_display() -> None:
    assert browser_at_hand({"DISPLAY": ":0"}, "linux")
    assert browser_at_hand({}, "darwin")
    assert not browser_at_hand({}, "linux")
    assert not browser_at_hand({"DISPLAY": ":0", "SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}, "linux")
