"""What the flags of `run` make of a plan, before anything is played."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.cli.program import Here
from webbench.core.api.batch_run import planned_batch, resumed_work
from webbench.core.errors import BadData, EnvironmentDown
from webbench.core.runner.plan.dry_run import visitor_options
from webbench.core.runner.plan.new_run import new_run
from webbench.core.runner.plan.plan import read_plan
from webbench.core.runner.plan.planned_settings import MEASURED, in_effect
from webbench.core.runner.plan.run_request import ResumeRequest, RunRequest
from webbench.core.settings.load_settings import load_settings, overridden
from webbench.core.store.secrets.redaction import MARKER, Redaction
from webbench.core.store.store import Store
from webbench.tui.cli.runs.run import run_tasks

TASKS = ("price-of-lantern", "open-product")


@pytest.fixture(autouse=True)
def no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def test_the_plan_holds_what_the_flags_say(tmp_path: Path) -> None:
    store = Store(tmp_path)
    request = RunRequest(
        benchmark="demo",
        agent="random",
        tasks=TASKS,
        repeats=2,
        order="random",
        seed=3,
        limit_steps=7,
        limit_seconds=30.0,
        limit_tokens=900,
        limit_cost=0.25,
    )
    found = read_plan(store.root / new_run(store, planned_batch(request, store)))
    assert (found.agent, found.repeats, found.order, found.seed) == ("random", 2, "random", 3)
    options = found.options
    limits = (options.step_limit, options.seconds_limit, options.token_limit, options.cost_limit)
    assert limits == (7, 30.0, 900, 0.25)
    assert sorted(found.task_ids) == sorted(TASKS * 2)
    assert [(one.order, one.repeat, one.seed) for one in found.episodes] == [
        (0, 0, 3),
        (1, 0, 3),
        (2, 1, 4),
        (3, 1, 4),
    ]
    assert set(found.fingerprints) == set(TASKS)


def test_what_pages_are_told_of_their_visitor_is_planned_and_holds_when_it_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    request = RunRequest(benchmark="demo", agent="oracle", tasks=TASKS)
    with overridden({"browser.locale": "de_at", "browser.region": "vienna"}):
        found = read_plan(store.root / new_run(store, planned_batch(request, store)))
    assert visitor_options(found) == ["--locale", "de-AT", "--region", "Europe/Vienna"]
    monkeypatch.setenv("WEBBENCH_BROWSER_TIMEZONE", "Asia/Tokyo")
    with in_effect(found.settings):
        browser = load_settings().browser
    assert (browser.locale, browser.timezone, browser.region) == ("de-AT", "auto", "Europe/Vienna")


@pytest.mark.parametrize(("given", "holds"), [(None, 2.5), (9.0, 9.0), (0.0, 0.0)])
def test_what_a_run_may_cost_holds_when_it_is_resumed(
    tmp_path: Path, given: float | None, holds: float
) -> None:
    store = Store(tmp_path)
    request = RunRequest(benchmark="demo", agent="oracle", tasks=TASKS, run_cost=2.5)
    planned = read_plan(store.root / new_run(store, planned_batch(request, store)))
    assert resumed_work(ResumeRequest(run="", run_cost=given), planned).cost_limit == holds


def test_a_shared_store_that_cannot_be_reached_leaves_no_run(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    request = RunRequest(
        benchmark="demo",
        agent="oracle",
        tasks=TASKS,
        retry=True,
        share=f"file://{tmp_path / 'taken'}",
        store=tmp_path / "store",
    )
    with pytest.raises(EnvironmentDown, match="can't be reached"):
        run_tasks(request, as_json=False)
    store = Store(tmp_path / "store")
    assert store.run_names() == set()
    assert read_plan(store.root / new_run(store, planned_batch(request, store))).retry


def test_a_secret_of_an_agent_is_not_recorded_and_can_not_be_resumed(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store", Redaction(["sk-[a-z]+"]))
    request = RunRequest(benchmark="demo", agent="command cat --key sk-hush", tasks=TASKS)
    run = new_run(store, planned_batch(request, store))
    written = b"".join(path.read_bytes() for path in (store.root / run).iterdir())
    assert b"sk-hush" not in written
    assert MARKER in read_plan(store.root / run).agent
    done = here(tmp_path, "run", "--resume", run, "--store", str(store.root))
    assert (done.code, "secret" in done.err) == (2, True)


def test_what_is_wrong_with_a_call_is_said(tmp_path: Path, here: Here) -> None:
    assert "Which benchmark" in here(tmp_path, "run").err
    unknown = here(tmp_path, "run", "--resume", "2026-other", "--store", str(tmp_path))
    assert (unknown.code, "there is no run" in unknown.err) == (2, True)
    planned = here(tmp_path, "run", "--resume", "2026-other", "--limit-steps", "3", "--repeat", "2")
    assert (planned.code, "--repeat, --limit-steps can't be given" in planned.err) == (2, True)
    for option in ("--hang", "--limit-seconds", "--limit-cost", "--limit-run-cost"):
        endless = here(tmp_path, "run", "demo", option, "inf")
        assert (endless.code, "inf is no amount" in endless.err) == (2, True)


def test_flags_hold_for_one_call(tmp_path: Path, here: Here) -> None:
    flags = ("--guard", "off", "--allow-host", "shop.test", "--browser-endpoint", "http://grid.test")
    done = here(tmp_path, "run", "demo", "--task", TASKS[0], "--dry-run", *flags)
    assert done.code == 0, done.err
    assert not [name for name in os.environ if name.startswith(("WEBBENCH_GUARD", "WEBBENCH_BROWSER"))]


def test_a_guard_that_can_not_be_read_is_told_before_anything_is_planned(tmp_path: Path, here: Here) -> None:
    store = tmp_path / "store"
    wrong = here(tmp_path, *("run", "demo", "--allow-host", "https://shop.test/", "--store", str(store)))
    assert (wrong.code, '"https://shop.test/" names no host' in wrong.err) == (4, True)
    assert not store.exists()


def test_what_was_set_for_a_run_holds_when_it_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBBENCH_GUARD_ACTIONS", "off")
    monkeypatch.setenv("WEBBENCH_GUARD_HOSTS", "*.a.test\nb.test")
    monkeypatch.setenv("WEBBENCH_MODEL_NAME", "first")
    store = Store(tmp_path / "store")
    run = new_run(store, planned_batch(RunRequest(benchmark="demo", agent="oracle", tasks=TASKS), store))
    before = load_settings()
    for name in MEASURED:
        monkeypatch.setenv(f"WEBBENCH_{name.upper().replace('.', '_')}", "")
    monkeypatch.setenv("WEBBENCH_GUARD_ACTIONS", "on")
    with in_effect(read_plan(store.root / run).settings):
        after = load_settings()
    assert (after.guard, after.browser, after.ranking) == (before.guard, before.browser, before.ranking)
    assert after.guard.hosts == ("*.a.test", "b.test")
    assert after.model.name == "first"
    assert (load_settings().guard.actions, load_settings().model.name) == ("on", "")


def test_lists_that_were_emptied_for_a_run_are_empty_when_it_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    monkeypatch.setenv("WEBBENCH_CONFIG", str(file))
    file.write_text("[guard]\nwords = []\naddresses = []\n")
    store = Store(tmp_path / "store")
    run = new_run(store, planned_batch(RunRequest(benchmark="demo", agent="oracle", tasks=TASKS), store))
    file.write_text("[guard]\nhosts = ['a.test']\n")
    for name in MEASURED:
        monkeypatch.setenv(f"WEBBENCH_{name.upper().replace('.', '_')}", "")
    assert load_settings().guard.words
    with in_effect(read_plan(store.root / run).settings):
        after = load_settings()
    assert (after.guard.words, after.guard.addresses, after.guard.hosts) == ((), (), ())


def test_without_the_data_of_a_run_its_resumption_asks_for_it(tmp_path: Path, here: Here) -> None:
    store = Store(tmp_path / "store")
    run = new_run(store, planned_batch(RunRequest(benchmark="demo", agent="oracle", tasks=TASKS), store))
    kept = store.root / run / "plan.json"
    kept.write_text(kept.read_text().replace('"names":["price-of-lantern"', '"names":["price-of-ladder"'))
    resumed = here(tmp_path, "run", "--resume", run, "--store", str(store.root))
    assert resumed.code == BadData.exit_code
    assert 'no task "price-of-ladder" in demo, which the run planned' in resumed.err
    assert "give the data that the run began with (--data)" in resumed.err
