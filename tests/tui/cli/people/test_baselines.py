"""`baseline` without a screen: plans, progress, results, a page, and what is wrong with a call."""

from __future__ import annotations

from pathlib import Path

from tests.tui.cli.program import Here

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
