"""WebArena as a benchmark: what is listed, what is missing, and what opens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.webarena.test_tasks import entry
from tests.effort import examples
from webbench.benchmarks.webarena.benchmark import WebArena, create
from webbench.benchmarks.webarena.live.accounts import passwords_in_use
from webbench.benchmarks.webarena.sites import PLACEHOLDERS, addresses_set
from webbench.benchmarks.webarena.stage import lasting_stage, sites_of, start_urls
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.errors import BadData, EnvironmentDown, UsageError
from webbench.core.score.aggregates import Attempt
from webbench.core.score.score import Status
from webbench.core.settings.load_settings import load_settings
from webbench.core.store.secrets.redaction import configured_redaction
from webbench.core.task import Task

VERIFIED = {
    "sites": ["gitlab"],
    "task_id": 1,
    "intent_template_id": 4,
    "start_urls": ["__GITLAB__", "__REDDIT__/f/books"],
    "intent": "Count issues",
    "revision": 2,
    "eval": [{"evaluator": "AgentResponseEvaluator", "expected": {"task_type": "retrieve"}}],
}


@pytest.fixture
def no_sites(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    for site in (placeholder.strip("_") for placeholder in PLACEHOLDERS):
        for name in (site, f"WA_{site}", f"WEBBENCH_SITES_WEBARENA_{site}"):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WEBBENCH_CONFIG", str(tmp_path / "config.toml"))
    return monkeypatch


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """All editions: two tasks, the first of them verified as well, and one older example."""
    folder = tmp_path / "data"
    (folder / "examples").mkdir(parents=True)
    (folder / "verified" / "subsets").mkdir(parents=True)
    two = entry(2, start_url="__SHOPPING__/a.html |AND| __SHOPPING__/b.html")
    (folder / "test.raw.json").write_text(json.dumps([entry(1), two]))
    (folder / "verified" / "webarena-verified.json").write_text(json.dumps([VERIFIED]))
    (folder / "verified" / "subsets" / "easy.json").write_text('{"description": "-", "task_ids": [1]}')
    (folder / "examples" / "1.json").write_text(json.dumps(entry(1, start_url="http://old.example/")))
    return folder


def test_editions_and_bundles_stand_side_by_side(data: Path, no_sites: pytest.MonkeyPatch) -> None:
    benchmark = create(data)
    listed = {one.name: one for one in benchmark.catalogue()}
    assert [name for name in listed if not name.isdigit() or int(name) < 9000] == [
        *("1", "2", "verified.1", "example.1"),
    ]
    assert benchmark.status().state == "ready"
    assert set(benchmark.splits()) >= {"test", "verified", "examples", "verified/easy", "laptop-arena"}
    assert [task.name for task in benchmark.tasks("verified/easy")] == ["verified.1"]
    assert listed["verified.1"].splits == ("verified", "verified/easy")
    assert listed["1"].problem.startswith("SHOPPING has no address: set sites.webarena.SHOPPING")
    assert {one.problem for name, one in listed.items() if one.split == "laptop-arena"} == {""}
    with pytest.raises(UsageError, match="no split"):
        benchmark.tasks("tset")


def test_without_data_the_bundle_is_ready_and_the_rest_is_asked_for(no_sites: pytest.MonkeyPatch) -> None:
    status = WebArena(None).status()
    assert status.state == "ready"
    assert "of the bundle laptop-arena" in status.detail
    assert "web-arena-x/webarena" in status.detail


@pytest.mark.parametrize(
    ("variable", "value", "found"),
    [
        ("SHOPPING", "http://a.example:7770/", "http://a.example:7770"),
        ("WA_SHOPPING", "http://b.example", "http://b.example"),
        ("WEBBENCH_SITES_WEBARENA_SHOPPING", "https://c.example", "https://c.example"),
        ("SHOPPING", "a list of things", ""),
    ],
)
def test_addresses_come_from_variables_that_people_have(
    no_sites: pytest.MonkeyPatch, variable: str, value: str, found: str
) -> None:
    no_sites.setenv(variable, value)
    assert addresses_set().get("__SHOPPING__", "") == found


def test_settings_come_before_foreign_variables(no_sites: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        'sites.webarena.SHOPPING = "http://mine.example/"\naccounts.webarena.SHOPPING.password = "s3cret"\n'
        f'accounts.webarena.REDDIT = {{ user = "me", password_file = "{tmp_path / "kept"}" }}\n'
        'accounts.webarena.GITLAB = { user = "me", password_file = "/missing" }\n'
    )
    (tmp_path / "kept").write_text("of-a-file\n")
    no_sites.setenv("WA_SHOPPING", "http://theirs.example")
    assert addresses_set() == {"__SHOPPING__": "http://mine.example"}
    assert "s3cret" not in str(load_settings().effective())
    redaction = configured_redaction(load_settings())
    assert redaction.text("it is s3cret, or of-a-file") == "it is ‹redacted›, or ‹redacted›"
    assert passwords_in_use() == ["Password.123", "admin1234", "of-a-file"]


async def test_start_pages_become_tabs(data: Path, no_sites: pytest.MonkeyPatch) -> None:
    no_sites.setenv("SHOPPING", "http://s.example")
    (task,) = create(data).tasks(names=("2",))
    async with lasting_stage(task) as stage:
        assert stage.setup.start_urls == ("http://s.example/a.html", "http://s.example/b.html")
        assert stage.sites == {"SHOPPING": "http://s.example"}
    (verified,) = create(data).tasks(names=("verified.1",))
    assert sites_of(verified) == ["GITLAB", "REDDIT"]
    with pytest.raises(EnvironmentDown, match=r"GITLAB, which has no address.*sites\.webarena\.GITLAB"):
        async with lasting_stage(verified):
            pass


@pytest.mark.parametrize("start", ["", None, 5, "javascript:alert(1)", "__MAP__"])
def test_a_start_page_that_is_none_is_told(start: Any) -> None:
    with pytest.raises(BadData, match="task 7"):
        start_urls(Task(benchmark="webarena", name="7", data={"start_url": start}), {})


def test_rules_of_the_other_edition_score_nothing(data: Path, no_sites: pytest.MonkeyPatch) -> None:
    benchmark = create(data)
    original, verified = benchmark.tasks(names=("1", "verified.1"))
    assert benchmark.evaluator.score(original, {"answer": "mug"}, "libwebarena").value == 1
    assert benchmark.evaluator.score(original, {"answer": "mug"}, "verified").status is Status.NOT_SCORED
    scored = benchmark.evaluator.score(verified, {"response": "", "sites": {}}, "published")
    assert (scored.rules, scored.evaluator) == ("verified", "webarena-verified 1")


def test_a_run_is_summed_up_as_predictions_are(data: Path, no_sites: pytest.MonkeyPatch) -> None:
    benchmark = create(data)
    one, other = benchmark.tasks(names=("1", "2"))
    attempts = [
        Attempt(task, benchmark.evaluator.score(task, {"answer": answer}))
        for task, answer in ((one, "Mug"), (other, "cup"))
    ]
    assert benchmark.figures(attempts, "published")["success_rate"] == 0.5
    assert benchmark.figures(attempts, "paper")["success_rate"] == 0
    assert benchmark.figures(attempts, "verified") == {}


def test_the_oracle_needs_a_bundled_task(data: Path, no_sites: pytest.MonkeyPatch) -> None:
    benchmark = find_benchmark("webarena", data)
    with pytest.raises(UsageError, match="has no oracle"):
        benchmark.oracle(benchmark.tasks(names=("1",))[0])
    assert benchmark.oracle(benchmark.tasks("laptop-arena")[0]).name == "oracle"


WRONG = st.sampled_from(
    [None, True, -1, 10**30, 1.5, "", "x" * 100_000, "\x1b[2J", "__MAP__ |AND| ", [], [[]], {}, {"a": [None]}]
)
FIELDS = st.sampled_from([*entry(), "eval.eval_types", "eval.reference_answers", "eval.program_html"])


@settings(max_examples=examples(60), deadline=None)
@given(field=FIELDS, value=WRONG, missing=st.booleans())
def test_no_field_can_spoil_the_other_tasks(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: Any, missing: bool
) -> None:
    """Missing, of the wrong type, absurdly large: at most one clear line each, and the others load."""
    row = entry(1)
    row["eval"]["eval_types"] = ["string_match", "program_html"]
    parent, _, name = field.rpartition(".")
    place = row[parent] if parent else row
    place.pop(name, None)
    if not missing:
        place[name] = value
    file = tmp_path_factory.mktemp("rows") / "test.raw.json"
    file.write_text(json.dumps([row, entry(2)]))
    benchmark = create(file)
    names = [one.name for one in benchmark.catalogue() if one.split == "test"]
    assert names[-1] == "2"
    told = benchmark.problems()
    assert all("\n" not in one.message and len(one.message) < 1000 for one in told)
    if "1" not in names:
        assert len([one for one in told if one.severity == "error"]) == 1
        return
    (task,) = benchmark.tasks(names=("1",))
    score = benchmark.evaluator.score(task, {"answer": "mug", "url": "http://a.example/", "sites": {}})
    assert score.status in Status
    sites_of(task)


def test_tasks_that_change_a_site_are_told_from_those_that_read_it(
    data: Path, no_sites: pytest.MonkeyPatch
) -> None:
    no_sites.setenv("WEBBENCH_SITES_WEBARENA_GITLAB", "http://gitlab.example/")
    benchmark = create(data)
    (verified,) = benchmark.tasks(split="verified")
    reading = entry(3, sites=["gitlab"], depends_on=[7])
    reading["eval"]["eval_types"] = ["string_match"]
    writing = entry(4, sites=["gitlab", "wikipedia"])
    writing["eval"]["eval_types"] = ["url_match", "program_html"]
    resetting = {**reading, "task_id": 5, "require_reset": True}
    (data / "test.raw.json").write_text(json.dumps([reading, writing, resetting]))
    tasks = [*create(data).tasks(split="test"), verified]
    bundled = benchmark.tasks(split="laptop-arena")[:1]
    uses = benchmark.site_uses([*tasks, *bundled])
    assert list(uses) == [task.id for task in tasks], "bundled sites are an instance per episode"
    assert [uses[task.id].changes for task in tasks] == [False, True, True, False]
    assert uses["3"].after == ("7",)
    assert {tuple(use.sites.items()) for use in uses.values()} >= {(("GITLAB", "http://gitlab.example"),)}
    assert set(uses["4"].sites) == {"GITLAB"}, "a site without an address is shared with nobody"
