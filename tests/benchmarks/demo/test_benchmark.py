"""The task list: complete, consistent with the sites, selectable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.demo.sites import episode
from webbench.benchmarks.demo.agents.plans import gold, plan
from webbench.benchmarks.demo.benchmark import create
from webbench.benchmarks.demo.comparisons import MATCHES
from webbench.benchmarks.sample_sites.annotation.jobs import jobs
from webbench.benchmarks.sample_sites.shop.browse import SIZE_GUIDE
from webbench.benchmarks.sample_sites.shop.data import stock
from webbench.core.errors import BadData, UsageError
from webbench.core.task import Task

BENCHMARK = create()
TASKS = {task.id: task for task in BENCHMARK.tasks()}


def test_there_are_tasks_on_every_site() -> None:
    assert len(TASKS) == 22
    assert BENCHMARK.splits() == ("shop", "annotation", "bazaar")
    assert BENCHMARK.status().state == "ready"
    assert BENCHMARK.problems() == ()


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_task_is_complete(task: Task) -> None:
    assert task.intent
    assert plan(task)
    assert all(rule["match"] in MATCHES for rule in task.gold["checks"])
    assert any(not rule.get("guard") for rule in task.gold["checks"])
    with episode(task.data["start"]) as visitor:
        for path in task.data["open"]:
            assert visitor.get(path).status_code == 200


def test_annotation_checks_cover_every_field() -> None:
    for task in BENCHMARK.tasks("annotation"):
        checked = [rule["name"] for rule in task.gold["checks"]]
        assert checked == [*(field["name"] for field in jobs()[task.name]["fields"]), "submitted"]


def test_wanted_values_follow_from_the_catalogue() -> None:
    with episode() as visitor:
        shop = visitor.world.databases["shop"]
        lantern = stock.product(shop, "fyr-storm-lantern")
        assert lantern is not None
        assert lantern.cents == 100 * float(gold(TASKS["price-of-lantern"], "answer"))
        bags = stock.find(shop, stock.Filters(category="Bags", sort="price-up"))
        assert bags[0].name == gold(TASKS["cheapest-bag"], "answer")
        assert bags[0].cents < bags[1].cents
        dear = stock.find(shop, stock.Filters(category="Home", lowest=8000))
        wanted = TASKS["home-wishes"].gold["checks"][0]["expected"]
        assert {item.slug for item in dear} == set(wanted)
        maps = shop.execute(
            "SELECT total FROM purchase JOIN purchase_line ON purchase = purchase.id"
            " WHERE customer = 1 AND slug = 'map-of-small-harbours'"
        ).fetchall()
        assert [row["total"] / 100 for row in maps] == [float(gold(TASKS["order-total"], "answer"))]
        blankets = stock.find(shop, stock.Filters(text="wool blanket", highest=10_000))
        heather = [item.slug for item in blankets if "heather" in item.colours]
        assert heather == [TASKS["birthday-present"].gold["checks"][0]["expected"][0]["product"]]
        old = visitor.world.databases["shop"].execute("SELECT * FROM purchase WHERE id = 2389").fetchone()
        assert old["goods"] // 10 == int(gold(TASKS["buy-again"], "discount in cents"))


def test_size_guide_gives_one_size_for_the_chest() -> None:
    chests = {row[0]: [int(edge) for edge in row[1].split("–")] for row in SIZE_GUIDE}
    fitting = [size for size, (low, high) in chests.items() if low <= 105 <= high]
    assert fitting == [TASKS["right-size"].gold["checks"][0]["expected"][0]["size"]]


def test_product_sheets_agree_with_the_shop() -> None:
    slugs = {"product-sheet#0": "fyr-storm-lantern", "product-sheet#1": "islet-table-lamp"}
    options = jobs()["product-sheet"]["fields"][3]["options"]
    with episode() as visitor:
        for task_id, slug in slugs.items():
            product = stock.product(visitor.world.databases["shop"], slug)
            assert product is not None
            rules = {rule["name"]: rule["expected"] for rule in TASKS[task_id].gold["checks"]}
            assert rules["price"] == [product.cents / 100]
            assert rules["material"] == [product.material]
            assert rules["weight"] == [product.weight]
            assert rules["department"] == [product.category]
            assert rules["colours"] == [o for o in options if o.lower() in product.colours]


def test_selecting() -> None:
    assert {task.site for task in BENCHMARK.tasks("annotation")} == {"annotation"}
    assert [task.id for task in BENCHMARK.tasks(names=["receipt", "open-product"])] == [
        "open-product",
        "receipt#0",
    ]
    assert [task.id for task in BENCHMARK.tasks(names=["picture-labels"], instances=1)] == [
        "picture-labels#0"
    ]
    assert [task.id for task in BENCHMARK.tasks(names=["picture-labels#1"])] == ["picture-labels#1"]


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="open-product"):
        BENCHMARK.tasks(names=["open-produce"])
    with pytest.raises(UsageError, match="annotation"):
        BENCHMARK.tasks("test")


def test_broken_task_file(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    for text in ("[{", '[{"name": 1, "site": "shop"}]', '{"a": 1}', "[1]"):
        file.write_text(text)
        with pytest.raises(BadData, match=r"tasks\.json"):
            create(file).tasks()
