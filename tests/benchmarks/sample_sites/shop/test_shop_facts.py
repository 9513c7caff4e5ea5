"""What tasks on the shop and its back office give as right is what the seed holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import pytest

from webbench.benchmarks.sample_sites.admin.reports import bestsellers_between
from webbench.benchmarks.sample_sites.shop.layout import money
from webbench.benchmarks.sample_sites.shop.site import ShopSite
from webbench.benchmarks.sample_sites.world import fresh_database
from webbench.benchmarks.webarena.bundle.bundle import HERE
from webbench.core.json_types import Json, JsonObject

TASKS: dict[int, JsonObject] = {
    task["task_id"]: task for task in json.loads((HERE / "tasks" / "shop.json").read_text("utf-8"))
}
SPENT = "SELECT SUM(total) FROM purchase WHERE customer = 1 AND status <> 'Cancelled' AND placed LIKE ?"


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    database = fresh_database(ShopSite(), {})
    yield database
    database.close()


def answers(task: int) -> Json:
    """What the answer has to be, or to include."""
    (wanted,) = TASKS[task]["eval"]["reference_answers"].values()
    return wanted


def one(database: sqlite3.Connection, query: str, *values: str | int) -> Json:
    return database.execute(query, values).fetchone()[0]


def reviewers(database: sqlite3.Connection, slug: str, trouble: str) -> list[str]:
    rows = database.execute(
        "SELECT author FROM review WHERE slug = ? AND status = 'Approved' AND body LIKE ? ORDER BY id",
        (slug, f"%{trouble}%"),
    )
    return [row["author"] for row in rows]


def test_prices(shop: sqlite3.Connection) -> None:
    for task, slug in ((10001, "fyr-storm-lantern"), (10002, "two-night-tent")):
        price = money(one(shop, "SELECT cents FROM product WHERE slug = ?", slug))
        assert price.endswith("".join(answers(task)).lstrip("$"))
    saucepan = one(shop, "SELECT cents FROM product WHERE slug = 'driftwood-saucepan'")
    required = TASKS[10025]["eval"]["program_html"][0]["required_contents"]
    assert required == {"exact_match": f"{saucepan * 0.9 / 100:.2f}"}
    cheap = shop.execute(
        "SELECT slug FROM product WHERE name LIKE '%garden lantern' AND cents < 4500 ORDER BY slug"
    )
    wanted = [f"__SHOPPING__/product/{row['slug']}" for row in cheap]
    assert TASKS[10011]["eval"]["reference_url"] == " |OR| ".join(wanted)


def test_who_complains_of_what(shop: sqlite3.Connection) -> None:
    assert reviewers(shop, "fyr-storm-lantern", "glass cracked") == sorted(answers(10003))
    assert sorted(reviewers(shop, "rove-canvas-backpack", "came loose")) == sorted(["Bruno", "Hilde"])
    assert sorted(answers(10004)) == ["Bruno", "Hilde"]
    assert one(
        shop, "SELECT COUNT(*) FROM review WHERE title || ' ' || body LIKE '%broke in the second week%'"
    ) == int(answers(10023))


def test_what_was_spent(shop: sqlite3.Connection) -> None:
    assert money(one(shop, SPENT, "2026-04-%")) == f"${answers(10005)[0]}"
    both = one(shop, SPENT, "2026-02-%") + one(shop, SPENT, "2026-03-%")
    assert money(both) == f"${answers(10006)[0]}"
    april = one(
        shop, "SELECT SUM(total) FROM purchase WHERE status <> 'Cancelled' AND placed LIKE '2026-04-%'"
    )
    assert money(april) == f"${answers(10021)[0]}"


def test_orders(shop: sqlite3.Connection) -> None:
    latest = shop.execute("SELECT * FROM purchase WHERE customer = 1 ORDER BY id DESC LIMIT 1").fetchone()
    assert [latest["status"], latest["placed"][:10]] == ["Pending", "2026-05-12"]
    assert answers(10007) == ["Pending", "12 May 2026"]
    assert answers(10022) == one(shop, "SELECT email FROM purchase WHERE id = 2420")
    palm = shop.execute("SELECT id FROM purchase WHERE name = 'Viggo Palm' AND status = 'Pending'").fetchall()
    assert [row["id"] for row in palm] == [2600]


@pytest.mark.parametrize(
    ("task", "month", "last"), [(10019, "2025-12", 31), (10020, "2026-01", 31), (10035, "2026-03", 31)]
)
def test_bestsellers_without_a_tie_at_the_end(
    shop: sqlite3.Connection, task: int, month: str, last: int
) -> None:
    rows = bestsellers_between(shop, f"{month}-01", f"{month}-{last}")
    gold = TASKS[task]["eval"]
    targets = gold["program_html"]
    wanted = targets[0]["required_contents"]["must_include"] if targets else answers(task)
    assert [row["name"] for row in rows[: len(wanted)]] == wanted
    assert rows[len(wanted) - 1]["pieces"] > rows[len(wanted)]["pieces"]


def test_only_one_pending_review_of_the_tent_is_kind(shop: sqlite3.Connection) -> None:
    rows = shop.execute(
        "SELECT id, stars FROM review WHERE slug = 'two-night-tent' AND status = 'Pending' ORDER BY id"
    )
    assert [tuple(row) for row in rows] == [(3404, 5), (3405, 1)]
    pills = "SELECT COUNT(*) FROM review WHERE status = 'Pending' AND title || ' ' || body LIKE '%pills%'"
    assert one(shop, pills) == 2
