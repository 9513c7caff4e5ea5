"""`show` of one step, its difference and a search: what the Trajectory screen shows, with exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.tui.screens.trajectory.test_trajectory import record
from webbench.core.errors import UsageError
from webbench.tui.cli.records.show import StepsRequest, show_steps


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
