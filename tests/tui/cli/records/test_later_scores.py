"""A pending score is given later, from its record: lists show it with who gave it, the record stays."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from tests.core.models.endpoint import running_endpoint, said
from tests.tui.cli.program import Here
from webbench.benchmarks.page.evaluate import PageEvaluator
from webbench.benchmarks.page.tasks import read_task
from webbench.core.action.action import Stop
from webbench.core.runner.sharing import pull, push
from webbench.core.score.score import Score, Status
from webbench.core.store.records import codec
from webbench.core.store.records.later_scores import FILE, LaterScore, keep_score, later_scores
from webbench.core.store.records.line_files import LARGEST_BESIDE
from webbench.core.store.shared import SharedStore
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step, now


async def _pending(store: Store) -> Path:
    task = read_task("http://shop.test/ Find what the blue mug costs")
    page = {"url": "http://shop.test/blue", "title": "Blue mug", "text": "It costs 12 euros"}
    evidence = {"answer": "12", "steps": ["1. click link"], "page": page}
    score = PageEvaluator().score(task, evidence)
    run = store.start_run("page", "human", 1)
    recorder = store.recorder(
        run, EpisodeHeader(run=run, episode="", task=task, actor="human", dialect="webarena")
    )
    await recorder.append(Step(index=0, at=now()))
    await recorder.append(Step(index=1, at=now(), action=Stop(answer="12"), evidence=evidence, score=score))
    recorder.finish(score, "the actor stopped")
    return store.root / run / recorder.header.episode


def test_what_was_pending_shows_the_score_it_is_given(here: Here, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    folder = asyncio.run(_pending(store))
    recorded = {name: (folder / name).read_bytes() for name in ("episode.json", "steps.jsonl")}
    assert store.runs()[0].scored == 0
    place = ("--store", str(store.root))
    with running_endpoint() as endpoint:
        endpoint.answers = lambda _request: said("It is there.\nVERDICT: done")
        done = here(
            tmp_path, "score", folder.parent.name, "--judge", f"m url={endpoint.url}", "--yes", *place
        )
    assert done.code == 0, done.err
    assert {name: (folder / name).read_bytes() for name in recorded} == recorded

    (run,), (episode,) = store.runs(), store.episodes()
    assert (run.scored, run.mean_score, run.later) == (1, 1.0, 1)
    assert (episode.status, episode.value) == (Status.SCORED, 1.0)
    assert "given later" in episode.reason_words
    assert ", by m" in episode.reason_words
    assert "1 scored later" in here(tmp_path, "runs", *place).out
    assert ", by m" in here(tmp_path, "show", folder.name, *place).out
    final = store.load(folder).header.score
    assert final is not None
    assert final.later is not None
    assert final.later.recorded is not None
    assert final.later.recorded.status is Status.PENDING

    again = here(tmp_path, "score", folder.name, "--json", *place)
    assert (again.json["recorded"]["status"], again.json["score"]["value"]) == ("pending", 1.0)
    assert len(later_scores(folder)[0]) == 1, "the same score is not kept twice"


def _line(at: str, score: Score, judge: str) -> bytes:
    return codec.encode(LaterScore(score=score, at=at, by="ada", judge=judge)) + b"\n"


def test_the_newest_counts_what_cant_be_read_is_told_and_all_travels(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    folder = asyncio.run(_pending(here))
    wrong = Score(status=Status.SCORED, value=0.0, combination="task")
    right = msgspec.structs.replace(wrong, value=1.0)
    keep_score(here.root, folder, wrong, by="ada", judge="first")
    at = later_scores(folder)[0][0].at
    newest = "2999-01-01T00:00:00.000+00:00"
    pending = msgspec.structs.replace(wrong, status=Status.PENDING)
    newer = b'{"schema_version": 99, "at": "2999-12-31T00:00:00.000+00:00"}\n'
    with (folder / FILE).open("ab") as file:
        file.write(_line(newest, right, "second") + _line(at, wrong, "third") + b"{}\nno JSON\n")
        file.write(newer + _line("2999-01-02T00:00:00.000+00:00", pending, "fourth"))
    shared = SharedStore(f"file://{tmp_path}/shared")
    push(here, shared)
    pull(there, shared)
    for store in (here, there):
        (episode,) = store.episodes()
        assert episode.value == 1.0
        assert "by second for ada" in episode.later
        told = store.load(store.root / episode.run / episode.episode).problems
        assert [one.partition(", line ")[2][:1] for one in told] == ["4", "5", "7", "6"]
        assert "newer release" in told[3]


def test_later_scores_that_cant_be_read_at_all_are_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = asyncio.run(_pending(store))
    (folder / FILE).mkdir()
    (told,) = store.load(folder).problems
    assert "can't be read: Is a directory" in told
    (folder / FILE).rmdir()
    with (folder / FILE).open("wb") as file:
        file.truncate(LARGEST_BESIDE + 1)
    (told,) = store.load(folder).problems
    assert "larger than 64 MiB" in told
