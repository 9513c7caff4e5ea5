"""What tasks on map, encyclopaedia and homepage give as right is what these sites hold."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from fractions import Fraction

import pytest

from webbench.benchmarks.sample_sites.articles import shelf
from webbench.benchmarks.sample_sites.encyclopaedia.pages import ARTICLES
from webbench.benchmarks.sample_sites.homepage.manuals import FOLDER
from webbench.benchmarks.sample_sites.map.directions import Way, way
from webbench.benchmarks.sample_sites.map.town import found, meant
from webbench.benchmarks.webarena.bundle.bundle import HERE
from webbench.core.json_types import Json, JsonObject

TASKS = {
    task["task_id"]: task
    for task in json.loads((HERE / "tasks" / "tools-and-knowledge.json").read_text("utf-8"))
}


def answers(task: int) -> Json:
    return TASKS[task]["eval"]["reference_answers"]["must_include"]


def slots(task: int) -> JsonObject:
    found_slots: JsonObject = TASKS[task]["instantiation_dict"]
    return found_slots


def sent_to(shop: sqlite3.Connection, order: str) -> sqlite3.Row:
    row: sqlite3.Row = shop.execute(
        "SELECT * FROM purchase WHERE id = ?", (order.removeprefix("HP-"),)
    ).fetchone()
    return row


def led(start: str, end: str, engine: str) -> Way:
    first, last = meant(start), meant(end)
    assert first is not None
    assert last is not None
    there = way(first, last, engine)
    assert there is not None
    return there


def text(title: str) -> str:
    article = shelf(ARTICLES).called(title)
    assert article is not None
    return article.text


def test_there_are_25_each_on_two_sites() -> None:
    assert len(TASKS) == 25
    assert {len(set(task["sites"])) for task in TASKS.values()} == {2}
    kinds = Counter(kind for task in TASKS.values() for kind in task["eval"]["eval_types"])
    assert min(kinds[kind] for kind in ("string_match", "url_match", "program_html")) >= 6
    impossible = [
        one for one in TASKS.values() if (one["eval"]["reference_answers"] or {}).get("fuzzy_match") == "N/A"
    ]
    assert len(impossible) == 3
    sites = Counter(site for task in TASKS.values() for site in task["sites"])
    assert min(sites[site] for site in ("map", "wikipedia", "homepage")) >= 6


@pytest.mark.parametrize(("task", "engine"), [(10167, "foot"), (10168, "car")])
def test_distances_to_orders(shop: sqlite3.Connection, task: int, engine: str) -> None:
    order = sent_to(shop, slots(task)["order"])
    assert order["customer"] == 1
    assert [led(slots(task)["start"], order["street"], engine).distance] == answers(task)


def test_times_to_an_order(shop: sqlite3.Connection) -> None:
    street = sent_to(shop, slots(10169)["order"])["street"]
    times = [led(slots(10169)["start"], street, engine).time for engine in ("bike", "car")]
    assert times == answers(10169)


def test_what_the_encyclopaedia_tells() -> None:
    assert all(told in text("Elin Rask") for told in answers(10170))
    assert "Elin Rask" in text("Sandholm Lighthouse")
    assert answers(10171)[0] in text("Vegetable tanning")
    (page,) = TASKS[10185]["eval"]["program_html"]
    assert all(told in text("Sandholm") for told in page["required_contents"]["must_include"])
    (page,) = TASKS[10181]["eval"]["program_html"]
    assert all(told in text("Storm lantern") for told in page["required_contents"]["must_include"])
    assert "1.852 kilometres an hour" in text("Knot (unit)")
    assert float(Fraction("1.852") * 12) == 22.224


def test_a_role_is_what_the_forge_gives_and_the_guide_says_what_it_may(forge: sqlite3.Connection) -> None:
    query = (
        "SELECT role FROM member JOIN project ON project.id = project WHERE person = 'mara'"
        " AND owner || '/' || path = ?"
    )
    assert forge.execute(query, (slots(10172)["project"],)).fetchone()["role"] == 20
    guide = shelf(FOLDER / "forge").articles["Roles"].text
    assert guide.index("Reporter") < guide.index("Developer") < guide.index("changes files")


def test_a_total_is_shared(shop: sqlite3.Connection) -> None:
    total = sent_to(shop, slots(10173)["order"])["total"]
    assert [f"{total / 700:.2f}"] == answers(10173)


def test_what_cannot_be_done_lacks_a_hint_on_the_map(shop: sqlite3.Connection) -> None:
    station = meant("Yttre Skäret Pilot Station")
    start = meant("Sandholm Station")
    assert station is not None
    assert start is not None
    assert not station.hours
    assert all(way(start, station, engine) is None for engine in ("car", "bike", "foot"))
    assert sent_to(shop, slots(10175)["order"])["city"] == "Stockholm"
    assert not found(sent_to(shop, slots(10175)["order"])["street"])
    assert [place.name for place in found("repair café")] == ["Second Screw"]


def test_the_walk_that_an_issue_tells() -> None:
    assert led("Sandholm Station", "Norrkajen", "foot").minutes == 29


def test_issues_are_those_that_tasks_name(forge: sqlite3.Connection) -> None:
    query = (
        "SELECT iid FROM issue JOIN project ON project.id = project WHERE owner || '/' || path = ?"
        " AND title = ?"
    )
    named = [forge.execute(query, (slots(10186)["project"], slots(10186)[one])) for one in ("issue", "older")]
    assert [row["iid"] for rows in named for row in rows] == [29, 27]
    *_, straight = TASKS[10184]["eval"]["reference_url"].split(" |OR| ")
    newest = "SELECT max(iid) FROM issue JOIN project ON project.id = project WHERE owner || '/' || path = ?"
    ((iid,),) = forge.execute(newest, (slots(10184)["project"],))
    assert straight.endswith(f"/-/issues/{iid + 1}"), "by the paper the address is that of the next issue"
    reported = forge.execute(query, ("tidal/harbour-map", "Footpaths north of the sound are three years old"))
    assert [row["iid"] for row in reported] == [30]


def test_a_tracking_number_is_that_of_the_order(shop: sqlite3.Connection) -> None:
    (page,) = TASKS[10188]["eval"]["program_html"]
    assert page["required_contents"]["must_include"] == [sent_to(shop, slots(10188)["order"])["tracking"]]


def test_the_guest_house_has_the_address_of_the_order() -> None:
    place = meant(slots(10189)["place"])
    assert place is not None
    wanted = TASKS[10189]["eval"]["program_html"][1]["required_contents"]["must_include"]
    assert wanted[1:] == place.address.split(", ")
