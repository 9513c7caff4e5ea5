"""Runs in which things go wrong: what hangs or breaks harms no other, and nothing is lost or played twice."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.runner.rooms import Rooms
from webbench.core.agent import Agent
from webbench.core.analysis.recorded.run_records import read_runs
from webbench.core.benchmark.benchmark import SiteUse
from webbench.core.engine.engine import Engine
from webbench.core.errors import BadData
from webbench.core.runner import lease
from webbench.core.runner.batch import Notices, Runner, Work
from webbench.core.runner.lease import Beat, RunTaken
from webbench.core.runner.local import local_player, site_claims
from webbench.core.runner.local.local_player import LocalPlayer
from webbench.core.runner.plan.new_run import BatchRequest, new_run
from webbench.core.runner.player import BROWSER_LOST
from webbench.core.runner.run_log import FILE as LOG
from webbench.core.runner.status.results import BatchReport
from webbench.core.runner.status.run_status import run_status
from webbench.core.runner.status.status_words import standing_words
from webbench.core.store import store as store_module
from webbench.core.store.records import durable_files as store_files
from webbench.core.store.secrets.redaction import Redaction
from webbench.core.store.store import Store
from webbench.core.trajectory import ACTOR_STOPPED

SHOP = {"SHOP": "http://shop"}
HANGS = 3.0
"""Seconds in which an episode of nothing but files takes each of its steps on a busy machine, too."""


def request(rooms: Rooms, **changes: object) -> BatchRequest:
    made = BatchRequest(benchmark=rooms, tasks=rooms.tasks(), agent="oracle", workers=4)
    return msgspec.structs.replace(made, **changes)


def runner(store: Store, run: str, rooms: Rooms, work: Work = Work(workers=4)) -> Runner:
    return Runner(store, run, rooms, rooms.tasks(), LocalPlayer(Engine(store), rooms), work, Notices())


async def ran(store: Store, rooms: Rooms, work: Work = Work(workers=4), **changes: object) -> BatchReport:
    """A new run, worked at to its end."""
    return await runner(store, new_run(store, request(rooms, **changes)), rooms, work).run()


async def interrupted(
    store: Store,
    rooms: Rooms,
    until: Callable[[Runner], bool],
    work: Work = Work(workers=4),
    **changes: object,
) -> Runner:
    """A new run that is interrupted as soon as something is true of it."""
    begun = runner(store, new_run(store, request(rooms, **changes)), rooms, work)
    working = asyncio.create_task(begun.run())
    while not until(begun):
        await asyncio.sleep(0.01)
    begun.interrupt()
    report = await working
    assert (report.state, report.reason) == ("interrupted", "the run was interrupted")
    return begun


def reasons(report: BatchReport) -> dict[str, str]:
    return {result.task: result.reason for result in report.episodes}


async def test_what_hangs_or_breaks_is_not_scored_and_harms_no_other(store: Store) -> None:
    rooms = Rooms("hangs", "breaks", "throws", "quick-1", "quick-2", "quick-3")
    report = await ran(store, rooms, hang_seconds=HANGS)
    told = reasons(report)
    assert (report.scored, report.mean_score, report.left) == (3, 1.0, 0)
    assert "hung: nothing happened for" in told["hangs"]
    assert "oracle is thinking" in told["hangs"]
    assert told["breaks"] == "ZeroDivisionError: a fault in the agent"
    assert told["throws"] == "ZeroDivisionError: a fault in the evaluator"
    statuses = {result.task: result.status for result in report.episodes}
    assert (statuses["hangs"], statuses["breaks"], statuses["throws"]) == ("not_scored", "error", "error")
    headers = [store.header(report.run, result.episode) for result in report.episodes]
    assert all(header.ended and header.score is not None for header in headers)
    status = run_status(store.root, report.run)
    assert (status.state, status.scored, status.errors, status.not_scored) == ("finished", 3, 2, 1)
    assert [cause.count for cause in status.causes] == [1, 1, 1]


async def test_what_hangs_with_its_browser_is_played_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ended(_engine: Engine, _within: float) -> bool:
        return True

    monkeypatch.setattr(Engine, "end_silent_browser", ended)
    report = await ran(store, Rooms("twice", "hangs"), hang_seconds=HANGS)
    assert (report.scored, report.replaced, report.left) == (1, 2, 0)
    assert reasons(report)["hangs"] == BROWSER_LOST, "no more where it was alone"


async def test_an_interrupted_run_goes_on_where_it_stopped(store: Store) -> None:
    def thinking(rooms: Rooms) -> list[str]:
        return [name for name in rooms.inside if rooms.tries[name]]

    rooms = Rooms("quick-1", "slow-1", "slow-2", "quick-2", "quick-3", "slow-3", "slow-4", "quick-4")
    before = await interrupted(
        store, rooms, lambda run: len(run.progress.ended) == 3 and len(thinking(rooms)) == 4
    )
    played = [order for order, state in before.progress.states.items() if not state.waits]
    assert len(played) == 3
    rooms.go_on.set()
    report = await runner(store, before.run_name, rooms).run()
    assert (report.state, report.scored, report.left) == ("finished", 8, 0)
    assert [result.task for result in report.episodes] == [task.name for task in rooms.tasks()]
    assert all(report.episodes[order].attempts == 1 for order in played)
    assert report.replaced == sum(result.attempts - 1 for result in report.episodes) == 4
    replaced = [one for one in store.episodes(before.run_name) if one.reason == "the run was interrupted"]
    assert len(replaced) == 4, "what was broken off stays recorded"
    assert (await runner(store, before.run_name, rooms).run()).scored == 8
    assert sum(rooms.tries.values()) == 8 + 4, "nothing was played again"


async def test_what_a_killed_runner_did_not_write_is_read_from_the_records(store: Store) -> None:
    rooms = Rooms("quick-1", "quick-2")
    first = await ran(store, rooms, Work(workers=1))
    log = store.root / first.run / LOG
    lines = log.read_text().splitlines()
    ends = [at for at, line in enumerate(lines) if json.loads(line)["entry"]["type"] == "ended"]
    log.write_text("\n".join(lines[: ends[-1]]) + '\n{"entry":{"type":"ended","ord')
    report = await runner(store, first.run, rooms).run()
    assert (report.scored, report.replaced, sum(rooms.tries.values())) == (2, 0, 2)
    assert report.episodes[1].episode == first.episodes[1].episode
    record = store.root / first.run / first.episodes[1].episode / "episode.json"
    header = json.loads(record.read_text())
    del header["ended"], header["score"]
    record.write_text(json.dumps(header))
    log.write_text("\n".join(lines[: ends[-1]]) + "\n")
    again = await runner(store, first.run, rooms).run()
    assert (again.scored, again.replaced, again.episodes[1].attempts) == (2, 1, 2)


async def test_what_has_no_score_is_played_once_more(store: Store) -> None:
    rooms = Rooms("twice", "breaks", "quick")
    first = await ran(store, rooms, hang_seconds=HANGS)
    assert (first.scored, rooms.tries["quick"]) == (1, 1)
    report = await runner(store, first.run, rooms, Work(retry=True)).run()
    assert (report.scored, rooms.tries["quick"], rooms.tries["breaks"]) == (2, 1, 2)
    assert [result.attempts for result in report.episodes] == [2, 2, 1]
    attempts = sorted((one.order, store.header(one.run, one.episode).attempt) for one in store.episodes())
    assert attempts == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    (listed,) = store.runs()
    assert (listed.planned, listed.episodes, listed.scored) == (3, 3, 2)
    rooms.tries.clear()
    at_once = await ran(store, rooms, Work(retry=True), hang_seconds=HANGS)
    assert (at_once.scored, at_once.replaced, rooms.tries["twice"]) == (2, 2, 2)


async def test_repetitions_have_seeds_of_their_own_and_give_pass_at_k(store: Store) -> None:
    rooms = Rooms("quick-1", "quick-2", "breaks", "quick-3")
    report = await ran(store, rooms, repeats=3, seed=5, order="random")
    assert (report.planned, report.scored, len(report.episodes)) == (12, 9, 12)
    headers = [store.header(report.run, result.episode) for result in report.episodes]
    assert [(header.repeat, header.seed) for header in headers] == [
        (r, 5 + r) for r in range(3) for _ in "1234"
    ]
    orders = [tuple(header.task.name for header in headers[at : at + 4]) for at in (0, 4, 8)]
    assert len(set(orders)) > 1
    assert {tuple(sorted(order)) for order in orders} == {("breaks", "quick-1", "quick-2", "quick-3")}
    assert {k: rate.value for k, rate in report.pass_at.items()} == {"1": 1.0, "2": 1.0, "3": 1.0}
    again = await ran(store, rooms, repeats=3, seed=5, order="random")
    assert [result.task for result in again.episodes] == [result.task for result in report.episodes]


async def test_no_episode_is_begun_when_the_run_has_cost_enough(store: Store) -> None:
    rooms = Rooms(*(f"dear-{number}" for number in range(5)))
    report = await ran(store, rooms, Work(workers=1, cost_limit=2.0))
    assert (report.state, report.scored, report.left, report.spent.cost) == ("limited", 2, 3, 2.0)
    assert "cost limit of $2" in report.reason
    more = await runner(store, report.run, rooms, Work(workers=1, cost_limit=4.0)).run()
    assert (more.scored, more.left, more.spent.cost, more.spent.input_tokens) == (4, 1, 4.0, 40)


async def test_a_disk_that_fills_up_costs_no_episode(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = Rooms(*(f"quick-{number}" for number in range(6)))
    made = store_files.create_folder

    def full(root: Path, folder: Path, files: dict[str, bytes]) -> None:
        if len(rooms.tries) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        made(root, folder, files)

    monkeypatch.setattr(store_module, "create_folder", full)
    report = await ran(store, rooms, Work(workers=1))
    assert (report.state, report.scored, report.left) == ("halted", 2, 4)
    assert "no space left" in report.reason
    monkeypatch.undo()
    more = await runner(store, report.run, rooms).run()
    assert (more.state, more.scored, more.left, sum(rooms.tries.values())) == ("finished", 6, 0, 6)


async def test_the_report_says_why_what_has_a_score_ended(store: Store) -> None:
    (quick,) = (await ran(store, Rooms("quick"))).episodes
    assert (quick.status, quick.reason, quick.end_reason) == ("scored", "", ACTOR_STOPPED)
    (breaks,) = (await ran(store, Rooms("breaks"))).episodes
    assert (breaks.status, breaks.end_reason) == ("error", "")


async def test_a_task_that_changes_a_site_has_it_to_itself(store: Store) -> None:
    uses = {
        "quick-read-1": SiteUse(sites=SHOP),
        "quick-write": SiteUse(sites=SHOP, changes=True),
        "quick-read-2": SiteUse(sites=SHOP, after=("quick-later",)),
    }
    rooms = Rooms("quick-read-1", "quick-write", "quick-read-2", "quick-later", "quick-free", uses=uses)
    report = await ran(store, rooms)
    assert report.scored == 5
    assert not [inside for inside in rooms.together if len(inside & uses.keys()) > 1]
    names = [store.header(report.run, one.episode) for one in report.episodes]
    ended = {header.task.name: (header.started, header.ended) for header in names}
    assert ended["quick-later"][1] <= ended["quick-read-2"][0]


async def test_two_runs_never_change_one_site_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_claims, "AGAIN_SECONDS", 0.02)
    writing, reading = SiteUse(sites=SHOP, changes=True), SiteUse(sites=SHOP)
    first = Rooms("slow-write", uses={"slow-write": writing})
    second = Rooms("quick-read", "quick-free", uses={"quick-read": reading})
    working = asyncio.create_task(ran(store, first))
    while not first.inside:
        await asyncio.sleep(0.01)
    told = list[str]()
    run = new_run(store, request(second))
    notices = Notices(trouble=told.append)
    player = LocalPlayer(Engine(store), second)
    other = Runner(store, run, second, second.tasks(), player, Work(workers=2), notices)
    waiting = asyncio.create_task(other.run())
    while not told or other.progress.states[1].ended is None:
        await asyncio.sleep(0.01)
    assert told == ["waiting for http://shop, on which another run works"]
    assert other.progress.states[0].waits
    other.interrupt()
    assert ((await waiting).left, second.tries["quick-read"]) == (1, 0), "waiting ends with the run"
    first.go_on.set()
    assert (await working).scored == 1
    assert (await runner(store, run, second).run()).scored == 2


async def test_nothing_is_begun_once_a_run_is_interrupted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither when the browser was being started by then, nor when another run let go of the site."""

    class Slow(LocalPlayer):
        async def ready(self) -> None:
            begun.interrupt()

    rooms = Rooms("quick")
    run = new_run(store, request(rooms))
    begun = Runner(store, run, rooms, rooms.tasks(), Slow(Engine(store), rooms))
    assert ((await begun.run()).state, rooms.tries["quick"]) == ("interrupted", 0)

    @asynccontextmanager
    async def held(*_sites: object) -> AsyncIterator[None]:
        freed.interrupt()
        yield

    freed = runner(store, run, rooms)
    monkeypatch.setattr(freed._claims, "held", held)
    assert ((await freed.run()).left, rooms.tries["quick"]) == (1, 0)
    assert (await runner(store, run, rooms).run()).scored == 1


async def test_a_retry_that_was_broken_off_goes_on_with_the_run(store: Store) -> None:
    rooms = Rooms("quick", "breaks-1", "breaks-2")
    run = (await ran(store, rooms)).run
    retrying = runner(store, run, rooms, Work(workers=1, retry=True))
    retrying.interrupt()
    assert (await retrying.run()).left == 2
    status = run_status(store.root, run)
    assert (status.scored, status.errors, status.waiting) == (1, 0, 2)
    report = await runner(store, run, rooms).run()
    assert [result.attempts for result in report.episodes] == [1, 2, 2]


async def test_a_retry_that_was_planned_is_made_once_whoever_goes_on_with_the_run(store: Store) -> None:
    rooms = Rooms("breaks-1", "breaks-2", "slow")
    first = await interrupted(store, rooms, lambda it: "slow" in rooms.tries, Work(workers=1), retry=True)
    assert first.progress.waiting == [0, 1, 2]
    rooms.go_on.set()
    report = await runner(store, first.run_name, rooms).run()
    assert (rooms.tries["breaks-1"], rooms.tries["breaks-2"]) == (2, 2)
    assert (report.left, report.scored) == (0, 1)
    again = await runner(store, first.run_name, rooms).run()
    assert (again.left, rooms.tries["breaks-1"]) == (0, 2), "once is enough"
    await runner(store, first.run_name, rooms, Work(retry=True)).run()
    assert rooms.tries["breaks-1"] == 3, "unless it is asked for again"


async def test_two_runners_never_work_at_one_run(store: Store) -> None:
    rooms = Rooms("slow")
    first = runner(store, new_run(store, request(rooms)), rooms)
    working = asyncio.create_task(first.run())
    while not rooms.inside:
        await asyncio.sleep(0.01)
    with pytest.raises(RunTaken, match="works at the run") as taken:
        await runner(store, first.run_name, rooms).run()
    assert f"status {first.run_name} --watch --store {store.root}" in taken.value.hint
    rooms.go_on.set()
    assert (await working).scored == 1


async def test_a_runner_of_another_machine_is_watched_before_it_counts_as_dead(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "BEAT_SECONDS", 0.4)
    rooms = Rooms("quick")
    run = new_run(store, request(rooms))
    folder = store.root / run / lease.FOLDER
    folder.mkdir()
    beat = Beat(runner="other", host="elsewhere", boot="another", pid=1, began="2026-11-21T12:00:00+00:00")
    (folder / lease.FILE).write_bytes(msgspec.json.encode(beat))
    told = list[str]()
    player, notices = LocalPlayer(Engine(store), rooms), Notices(trouble=told.append)
    working = asyncio.create_task(Runner(store, run, rooms, rooms.tasks(), player, Work(), notices).run())
    while not told:
        await asyncio.sleep(0.01)
    assert told == ["looking for 14 s whether elsewhere still works at the run"]
    (folder / lease.FILE).write_bytes(msgspec.json.encode(msgspec.structs.replace(beat, count=1)))
    with pytest.raises(RunTaken, match="elsewhere"):
        await working
    monkeypatch.setattr(lease, "WATCHED_SECONDS", 0.5)
    assert (await runner(store, run, rooms).run()).scored == 1


async def test_a_runner_whose_run_was_taken_over_leaves_and_writes_no_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "BEAT_SECONDS", 0.1)
    rooms = Rooms("slow")
    first = runner(store, new_run(store, request(rooms)), rooms)
    working = asyncio.create_task(first.run())
    while not rooms.tries:
        await asyncio.sleep(0.01)
    beat = store.root / first.run_name / lease.FOLDER / lease.FILE
    log = store.root / first.run_name / LOG
    before = log.read_bytes()
    while not first.lease.lost:
        beat.write_bytes(msgspec.json.encode(msgspec.structs.replace(first.lease.beat, runner="other")))
        await asyncio.sleep(0.05)
    report = await working
    assert (report.state, report.reason) == ("interrupted", "another runner has taken the run over")
    assert log.read_bytes() == before
    assert beat.exists(), "it is the other's"


async def test_a_run_does_not_go_on_over_other_data(store: Store) -> None:
    run = new_run(store, request(Rooms("quick-1", "quick-2")))
    with pytest.raises(BadData, match="has no task quick-2"):
        runner(store, run, Rooms("quick-1"))


async def test_an_agent_gets_the_secret_that_the_plan_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = list[str]()
    made = local_player.make_agent

    def oracle(spec: str, *rest: Any, **how: Any) -> Agent:
        called.append(spec)
        return made("oracle", *rest, **how)

    monkeypatch.setattr(local_player, "make_agent", oracle)
    store, rooms = Store(tmp_path, Redaction(["sk-[a-z]+"])), Rooms("quick")
    secret = "command cat --key sk-hush"
    run = new_run(store, request(rooms, agent=secret))
    assert (await runner(store, run, rooms, Work(agent=secret)).run()).scored == 1
    assert called == [secret]
    assert not [path for path in tmp_path.rglob("*.json*") if b"sk-hush" in path.read_bytes()]


async def test_what_a_person_took_part_in_is_in_no_figure_of_the_agents(store: Store) -> None:
    """It is an episode of the run, and is listed with all who acted."""
    rooms = Rooms("quick-1", "quick-2")
    report = await ran(store, rooms)
    assert (report.mean_score, report.mixed) == (1.0, 0)
    first = store.root / report.run / report.episodes[0].episode / "episode.json"
    header = json.loads(first.read_bytes())
    header |= {"actor": "oracle + human", "actors": ["oracle", "human"]}
    header["score"]["value"] = 0.0
    first.write_text(json.dumps(header))
    again = await runner(store, report.run, rooms).run()
    assert (again.scored, again.mixed, again.mean_score, len(again.episodes)) == (2, 1, 1.0, 2)
    [stats] = read_runs(store, [report.run])
    assert (stats.agent, len(stats.episodes), len(stats.mixed)) == ("oracle", 1, 1)
    assert stats.states == {"scored": 1, "with somebody else": 1}
    [listed] = store.runs()
    assert (listed.agent, listed.scored, listed.mean_score, listed.mixed) == (
        "oracle, oracle + human",
        2,
        1.0,
        1,
    )
    assert standing_words(listed) == "1 with somebody else, not in the mean"
