"""Subsets of tasks are drawn by a seed, kept under a name, and meant by it wherever tasks are named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import webbench as wb
from tests.tui.cli.program import Here
from webbench.core.errors import UsageError


def names(told: dict[str, list[dict[str, str]]]) -> list[str]:
    return [task["name"] for task in told["tasks"]]


def test_a_sample_is_drawn_kept_and_played_by_its_name(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = here(tmp_path, "tasks", "webarena", "--json").json["tasks"]
    draw = ("tasks", "webarena", "--sample", "15", "--by", "site", "--seed", "3", "--json")
    drawn = here(tmp_path, *draw, "--save-subset", "pilot").json
    assert names(here(tmp_path, *draw).json) == names(drawn), "the same seed draws the same"
    assert names(here(tmp_path, *draw[:-3], "--seed", "4", "--json").json) != names(drawn)
    shares, of = Counter(one["site"] for one in drawn["tasks"]), Counter(one["site"] for one in everything)
    assert all(abs(shares[site] - 15 * count / len(everything)) < 1 for site, count in of.items())

    (kept,) = here(tmp_path, "tasks", "webarena", "--subsets", "--json").json["subsets"]
    assert (kept["name"], kept["tasks"], kept["seed"]) == ("pilot", names(drawn), 3)
    inside = here(tmp_path, "tasks", "webarena", "--task", "@pilot", "--filter", "site:gitlab", "--json").json
    assert names(inside) == [one["name"] for one in drawn["tasks"] if "gitlab" in one["site"]]
    outline = here(
        tmp_path, "run", "webarena", "--agent", "oracle", "--task", "@pilot", "--dry-run", "--json"
    ).json
    assert outline["tasks"] == 15
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert [task.name for task in wb.tasks("webarena", names="@pilot")] == names(drawn)
    with pytest.raises(UsageError, match="no subset pilt"):
        wb.tasks("webarena", names="@pilt")


def test_a_subset_is_only_replaced_when_that_is_asked_for(tmp_path: Path, here: Here) -> None:
    save = ("tasks", "demo", "--save-subset", "shop", "--filter", "site:shop")
    assert here(tmp_path, *save).code == 0
    assert here(tmp_path, *save).code == 0, "the same again is no other one"
    assert here(tmp_path, *save, "--sample", "2").code == 2
    assert here(tmp_path, *save, "--sample", "2", "--force").code == 0
    for wrong in (("--save-subset", "../up"), ("--sample", "999"), ("--by", "colour"), ("--task", "@other")):
        assert here(tmp_path, "tasks", "demo", *wrong).code == 2, wrong
    assert here(tmp_path, "tasks", "--sample", "2").code == 2, "of no benchmark"


def test_a_subset_is_renamed_and_deleted_by_its_name(tmp_path: Path, here: Here) -> None:
    assert here(tmp_path, "tasks", "demo", "--save-subset", "shop", "--filter", "site:shop").code == 0
    assert here(tmp_path, "tasks", "demo", "--save-subset", "all").code == 0
    assert here(tmp_path, "tasks", "demo", "--rename-subset", "shop=all").code == 2, "there is another one"
    told = here(tmp_path, "tasks", "demo", "--rename-subset", "@shop=pilot", "--json").json["subsets"]
    assert [one["name"] for one in told] == ["all", "pilot"]
    gone = here(tmp_path, "tasks", "demo", "--delete-subset", "@all")
    assert (gone.code, "@all is forgotten; it was" in gone.err) == (0, True)
    assert here(tmp_path, "tasks", "demo", "--task", "@all").code == 2
    assert here(tmp_path, "tasks", "demo", "--task", "@pilot").code == 0
    assert here(tmp_path, "tasks", "demo", "--delete-subset", "all").code == 2
    both = here(tmp_path, "tasks", "demo", "--delete-subset", "pilot", "--save-subset", "other")
    assert (both.code, "by itself" in both.err) == (2, True), "neither is done in silence"
    assert here(tmp_path, "tasks", "demo", "--save-subset", "all").code == 0
    assert here(tmp_path, "tasks", "demo", "--rename-subset", "pilot=all", "--force").code == 0
    (kept,) = (tmp_path / "data").rglob("all.json")
    kept.write_text("nothing of ours")
    damaged = here(tmp_path, "tasks", "demo", "--subsets", "--json")
    assert (damaged.code, damaged.json["subsets"]) == (4, [])
    assert "all.json is no subset" in damaged.json["problems"][0]
