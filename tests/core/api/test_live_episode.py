"""Live episodes, batches and their records by the public door, in a real browser.

What is left to `make thorough` is done by the blocks of docs/python.md as well, which every run tries.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import webbench as wb

pytestmark = pytest.mark.browser


async def test_an_episode_is_stepped_scored_and_recorded(tmp_path: Path) -> None:
    async with wb.open("demo/price-of-lantern", store=tmp_path) as episode:
        assert "Lantern" in episode.task.intent
        seen = await episode.observe()
        assert seen.title in episode.text()
        assert not (await episode.score()).value
        dead = await episode.act("click [99999]")
        assert not dead.ok
        assert "99999" in dead.error
        nonsense = await episode.act("dance")
        assert (nonsense.ok, nonsense.action) == (False, None)
        done = await episode.act("stop [68]")
        assert done.ok
        assert episode.ended == "the actor stopped"
        assert (await episode.score()).value == 1.0
    recorded = await episode.recorded()
    assert recorded.header.actor == "script"
    assert [step.actor for step in recorded.steps] == ["operator", "agent", "agent", "agent"]
    assert recorded.header.score == await episode.score()


async def test_a_person_is_told_of_a_text_that_is_no_action(tmp_path: Path) -> None:
    async with wb.open("demo/price-of-lantern", actor="human", store=tmp_path, pictures=False) as episode:
        with pytest.raises(wb.UsageError, match="dance"):
            await episode.act("dance")
        assert len(episode.steps) == 1
    assert [(one.actor, one.status) for one in wb.Store(tmp_path).episodes()] == [("human", "scored")]


async def test_an_error_in_the_block_ends_it_without_a_score(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with wb.open("demo/price-of-lantern", store=tmp_path, pictures=False):
            _ = 1 / 0
    (told,) = wb.Store(tmp_path).episodes()
    assert (told.status, told.value) == (wb.Status.ERROR, None)
    assert "ZeroDivisionError" in told.reason


@pytest.mark.thorough
async def test_what_is_kept_has_no_end(tmp_path: Path) -> None:
    async with wb.open("demo/price-of-lantern", store=tmp_path, pictures=False) as episode:
        await episode.act("scroll [down]")
        await episode.keep()
    frame = wb.Store(tmp_path).episodes("status:interrupted").to_pandas()
    assert frame["value"].isna().all()
    assert list(frame["status"]) == ["not_scored"]


class Lister:
    """An agent of one's own: it answers with what it finds on the page."""

    name = "lister"

    def __init__(self) -> None:
        self.seen: list[int] = []

    async def propose(self, view: wb.AgentView) -> wb.Proposal:
        self.seen.append(len(view.observation.nodes))
        return wb.Proposal(
            text="stop [68]" if len(self.seen) > 1 else "scroll [down]", reasoning="as planned"
        )

    async def close(self) -> None:
        self.seen.append(-1)


def test_an_agent_of_ones_own_plays(tmp_path: Path) -> None:
    agent = Lister()
    record = wb.play("demo/price-of-lantern", agent, store=tmp_path, pictures=False)
    assert record.header.actor == "lister"
    assert record.header.score is not None
    assert record.header.score.value == 1.0
    assert record.steps[1].reasoning == "as planned"
    assert "could have read" in record.header.agent_reach
    assert len(agent.seen) == 2
    assert -1 not in agent.seen  # it is the caller's to close


@pytest.mark.thorough
async def test_play_works_where_a_loop_runs_already(tmp_path: Path) -> None:
    record = wb.play("demo/price-of-lantern", "oracle", store=tmp_path, pictures=False)
    assert record.header.score is not None
    assert record.header.score.value == 1.0


@pytest.mark.thorough
def test_a_batch_is_played_read_scored_again_and_compared(tmp_path: Path) -> None:
    store = wb.Store(tmp_path)
    told: list[str] = []
    report = wb.run(
        "demo",
        names=["camp-mugs", "price-of-lantern"],
        workers=2,
        pictures=False,
        store=store,
        ended=lambda result: told.append(result.task),
    )
    assert (report.state, report.mean_score, sorted(told)) == (
        "finished",
        1.0,
        ["camp-mugs", "price-of-lantern"],
    )
    assert wb.resume(report.run, store=store).left == 0

    episodes = store.episodes(f"run:{report.run}")
    assert [one.task for one in episodes] == ["price-of-lantern", "camp-mugs"]
    assert [wb.score(one, store=store).value for one in episodes] == [1.0, 1.0]
    again = wb.play("demo/camp-mugs", store=store, pictures=False)
    found = wb.compare(again, episodes[1], store=store)
    assert found.divergence.first is None
    assert [one.agent for one in wb.analyse(report.run, store=store).analysis.actors] == ["oracle"]

    out = wb.export(episodes, "jsonl", tmp_path / "two.jsonl", store=store)
    assert (out.episodes, out.lost) == (2, [])
    places = wb.import_(out.path, tmp_path / "other")
    assert [(one.state, one.episodes) for one in places] == [("imported", 2)]
    assert len(wb.Store(tmp_path / "other").episodes("status:scored")) == 2
