"""`webcanvas check` on the bundled sites, as they were and rebuilt."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.tui.cli.program import Here
from webbench.benchmarks.webcanvas.upkeep.past_checks import CheckHistory, KeptCheck

pytestmark = pytest.mark.browser

CHECKED = ("sunday-hours", "branch-phone", "large-print")
TASKS = tuple(word for name in CHECKED for word in ("--task", name))


def test_what_was_checked_is_told_and_not_checked_again_before_it_is_due(here: Here, tmp_path: Path) -> None:
    store, now = tmp_path / "store", datetime.now().astimezone()
    one = KeptCheck(task="told-by-text", at=now.isoformat(), state="changed", changes=("x moved",))
    CheckHistory(store).add([one])
    told = here(tmp_path, "webcanvas", "check", "--history", "--store", str(store))
    assert (told.code, "told-by-text" in told.out, "x moved" in told.out) == (1, True, True)
    task = ("webcanvas", "check", "--task", "told-by-text", "--store", str(store))
    again = here(tmp_path, *task, "--due", "7", "--json")
    assert (again.code, again.json["workflows"]) == (0, [])
    assert "nothing is due" in again.err


@pytest.mark.thorough
def test_a_check_is_kept_and_what_broke_is_news(here: Here, tmp_path: Path) -> None:
    task = ("webcanvas", "check", "--task", "branch-phone", "--store", str(tmp_path / "store"))
    assert here(tmp_path, *task, "--json").json["news"] == []
    (broke,) = here(tmp_path, *task, "--site-version", "2", "--json").json["news"]
    assert (broke["kind"], broke["task"]) == ("broke", "branch-phone")
    assert any("/locations" in change for change in broke["changes"])
    assert "holds again: branch-phone" in here(tmp_path, *task).out


@pytest.mark.thorough
def test_the_rebuilt_site_is_found_out_change_by_change(here: Here, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    done = here(
        tmp_path, "webcanvas", "check", *TASKS, "--site-version", "2", "--report", str(report), "--json"
    )
    assert done.code == 1
    changes = {change["kind"]: change for change in done.json["changes"]}
    assert {kind: change["change"] for kind, change in changes.items()} == {
        "page gone": "www.tidewater.example/hours is gone (status 404)",
        "address changed": "on www.tidewater.example /branches became /locations",
        "element moved": "button “Place a hold” on www.tidewater.example/item/… moved",
    }
    assert len(done.json["changes"]) == 3
    met = {
        (place["task"], place["step"]): place["nodes"]
        for change in done.json["changes"]
        for place in change["places"]
    }
    assert met == {
        ("sunday-hours", 1): [1, 2, 3],
        ("branch-phone", 1): [],
        ("branch-phone", 2): [1],
        ("large-print", 4): [2],
    }
    page = report.read_text("utf-8")
    assert page.count("data:image/webp;base64,") == 6
    assert "http-equiv" in page
    assert 'src="http' not in page


@pytest.mark.thorough
def test_an_episode_becomes_a_task_and_its_way_still_holds(here: Here, tmp_path: Path) -> None:
    run = here(tmp_path, "run", "webcanvas", "--task", "told-by-text", "--json")
    figures, (played,) = run.json["figures"]["published"], run.json["episodes"]
    assert (figures["completion_rate"], figures["task_success_rate"], figures["not_executable"]) == (1, 1, 0)
    miss = here(tmp_path, "run", "webcanvas", "--task", "branch-phone", "--json").json["episodes"][0]
    out = tmp_path / "tasks.json"
    checks = ("--check", "1", "--check", "2", "--check", "3.3", "--near-miss", miss["episode"])
    named = ("--name", "mine", "--intent", "Be told by text", "--out", str(out), "--shape", "webcanvas")
    wide = here(tmp_path, "record", played["episode"], *checks, *named, "--json")
    assert (wide.code, wide.json["faults"], wide.json["written"]) == (0, [], str(out))
    assert any("step 3" in doubt and "already" in doubt for doubt in wide.json["doubts"])
    checked = here(tmp_path, "webcanvas", "check", "--episode", played["episode"])
    assert checked.code == 0, checked.out + checked.err
    assert "0 changes in 1 workflow" in checked.out
    again = here(tmp_path, "run", "webcanvas", "--task", "mine", "--data", str(out), "--json")
    assert again.json["mean_score"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--site-version", "3"), 2, "no version 3"),
        (("--task", "sunday-hour"), 2, "sunday-hours"),
        (("--tasks", "nowhere.json"), 4, "nowhere.json"),
        (("--episode", "nobody"), 2, "nobody"),
    ],
)
def test_wrong_calls_say_what_is_wrong(
    here: Here, tmp_path: Path, arguments: tuple[str, ...], code: int, told: str
) -> None:
    done = here(tmp_path, "webcanvas", "check", *arguments)
    assert (done.code, told in done.err) == (code, True), done.err
