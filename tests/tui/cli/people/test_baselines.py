"""`baseline` without a screen: plans, progress, results, a page, and what is wrong with a call."""

from __future__ import annotations

from pathlib import Path

from tests.tui.cli.program import Here
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.people.studies.desk import Desk
from webbench.core.people.studies.study import Sample, read_study
from webbench.core.store.store import Store

STUDY = """
name = "pilot"
benchmark = "demo"
annotators = ["ada", "ben"]
overlap = 1
[sample]
split = "shop"
size = 3
"""


def test_a_study_before_anybody_began(tmp_path: Path, here: Here) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY)
    plan = here(tmp_path, "baseline", str(study), "--plan", "--json")
    assert (plan.code, plan.json["begun"], plan.json["obstacles"]) == (0, False, [])
    assigned = plan.json["plan"]["assigned"]
    assert sorted(len(tasks) for tasks in assigned.values()) == [2, 2]

    status = here(tmp_path, "baseline", str(study), "--as", "ada", "--json")
    assert (status.code, status.json["done"], status.json["next"]) == (1, 0, assigned["ada"][0])

    page = tmp_path / "results.html"
    results = here(tmp_path, "baseline", str(study), "--results", "--html", str(page), "--json")
    assert (results.code, results.json["results"]["open"], results.json["attempts"]) == (1, 4, [])
    assert results.json["results"]["all"]["success"]["value"] is None
    assert "one attempt each" in page.read_text("utf-8")
    assert not (tmp_path / "data" / "webbench" / "store" / "studies").exists()


def test_what_is_wrong_with_a_call(tmp_path: Path, here: Here) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY.replace("size = 3", "size = 99"))
    for arguments, code, says in (
        ((str(study), "--plan"), 4, "99 tasks are wanted, split shop has 13 tasks"),
        ((str(study),), 2, "--results what came of it"),
        (("--plan",), 2, "Which study?"),
        ((str(tmp_path / "none.toml"), "--plan"), 2, "can't be read"),
        ((str(study), "--plan", "--results"), 2, "Only one thing at a time"),
    ):
        done = here(tmp_path, "baseline", *arguments)
        assert (done.code, says in done.err) == (code, True), done.err


def test_a_study_is_made_of_options_listed_and_found_by_its_name(tmp_path: Path, here: Here) -> None:
    words = (
        "pilot",
        "demo",
        "--for",
        "ada",
        "--for",
        "ben",
        "--size",
        "3",
        "--overlap",
        "1",
        "--title",
        'A "b"',
    )
    made = here(tmp_path, "baseline", "new", *words, "--json")
    file = Path(made.json["file"])
    study = read_study(file)
    assert (made.code, study.title, study.sample) == (0, 'A "b"', Sample(size=3))
    assert made.json["plan"]["hash"] == study.hash
    assert all(
        line.startswith(("#", "[")) or not line or " = " in line for line in file.read_text().splitlines()
    )

    listed = here(tmp_path, "baseline", "list", "--json").json["studies"]
    assert [(one["name"], one["begun"], len(one["parts"])) for one in listed] == [("pilot", False, 2)]
    plan = here(tmp_path, "baseline", "pilot", "--plan", "--json")
    assert (plan.code, plan.json["plan"]["hash"]) == (0, study.hash)
    with Desk(Store(file.parent.parent), study, find_benchmark("demo"), "ada") as desk:
        desk.begin(desk.plan.assigned["ada"][0])
    parts = here(tmp_path, "baseline", "list", "--json").json["studies"][0]["parts"]
    assert [(one["annotator"], one["begun"], one["tasks"]) for one in parts] == [("ada", 1, 2), ("ben", 0, 2)]
    file.unlink()
    assert here(tmp_path, "baseline", "pilot", "--as", "ben", "--json").code == 1

    for code, *wrong in (
        (2, "other", "demo", "--for", "ada", "--overlap", "1"),
        (2, "other", "demo", "--for", "ada", "--by", "colour"),
        (2, "other", "demo"),
        (2, "../other", "demo", "--for", "ada"),
        (4, "pilot", "demo", "--for", "ada", "--size", "2"),
    ):
        done = here(tmp_path, "baseline", "new", *wrong)
        assert (done.code, done.out) == (code, ""), done.err
    assert not file.exists()
    unknown = here(tmp_path, "baseline", "pilto", "--plan")
    assert unknown.code == 2
    assert "pilot" in unknown.err
