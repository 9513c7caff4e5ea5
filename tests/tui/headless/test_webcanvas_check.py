"""`webcanvas check` on the bundled sites, as they were and rebuilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.headless.program import Here

pytestmark = pytest.mark.browser

CHECKED = ("sunday-hours", "branch-phone", "large-print")
TASKS = tuple(word for name in CHECKED for word in ("--task", name))


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


def test_the_sites_as_they_were_hold(here: Here, tmp_path: Path) -> None:
    done = here(tmp_path, "webcanvas", "check", "--task", "renew-drift-ice")
    assert done.code == 0, done.out + done.err
    assert "2/2" in done.out
    assert "0 changes in 1 workflow" in done.out


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
