"""A fork on the bundled demo in a real browser: it reaches the state, or says where and why not."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.core.episode.test_episode import link_id, opened
from webbench.core.agent import Proposal
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.engine.engine import EpisodeRequest, header_of
from webbench.core.engine.session import agent_turns
from webbench.core.engine.session.replaying import Replay, require_step
from webbench.core.episode.candidates import WordedCandidate
from webbench.core.episode.episode import Episode
from webbench.core.errors import UsageError, WebbenchError
from webbench.core.store.index.summaries import summarise
from webbench.core.store.store import Store
from webbench.core.trajectory import MIXED, Origin, Step, Trajectory


async def test_a_fork_reaches_the_step_and_stops_where_the_site_is_another(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        for name in ("Orders", "HP-2389"):
            await episode.act(f"click [{link_id(episode, name)}]", actor="agent")
        await episode.act("scroll [down]")
        recorded = store.load(episode.header.episode)
        said = [msgspec.structs.replace(step, reasoning=f"because {step.index}") for step in recorded.steps]
        recorded = msgspec.structs.replace(
            recorded,
            steps=tuple(said),
            header=msgspec.structs.replace(recorded.header, actor="robot", actors=()),
        )
    look = RecordedEpisode(store, recorded).look
    async with opened(environment, store) as (again, _):
        fork = Replay(again, recorded, 1, look)
        await fork.run()
        assert [(one.step, one.matched_by, one.page.state) for one in fork.told.walk] == [
            (0, "", "same"),
            (1, "selector", "same"),
        ]
        assert again.agent == MIXED, "a person goes on where an agent had been"
        assert again.observation.title == recorded.steps[1].title
        assert again.steps[1].reasoning == "because 1"
        assert again.steps[2].note.endswith("at step 1: 1 action repeated"), "where the live part begins"
        await taken_over_by_another(again)
    async with opened(environment, store) as (again, _):
        changed = Replay(again, with_another_page(recorded, 2), 3, lambda _step: None)
        with pytest.raises(WebbenchError, match=r"stopped at step 2 \(click link .*HP-2389.*its title is"):
            await changed.run()
        assert (changed.told.walk[-1].page.state, changed.told.unreached) == ("other", 1)


async def taken_over_by_another(episode: Episode) -> None:
    """An agent goes on where another one (here: the recorded name) had begun: both acted."""
    episode.agent = "first"
    turn = agent_turns.Turn(
        agent="second", proposal=Proposal(), candidates=(WordedCandidate(text="scroll [up]"),), seconds=0.0
    )
    await agent_turns.take(episode, turn)
    assert episode.agent == MIXED


def with_another_page(recorded: Trajectory, at: int) -> Trajectory:
    """The record as it were, had the step led to a page for logging in."""
    steps = [
        msgspec.structs.replace(step, url="http://shop.test/log-in", title="Log in")
        if step.index == at
        else step
        for step in recorded.steps
    ]
    return msgspec.structs.replace(recorded, steps=tuple(steps))


def test_a_fork_is_linked_to_its_origin_and_an_unknown_step_is_refused() -> None:
    benchmark = find_benchmark("demo")
    task = benchmark.tasks(names=("price-of-lantern",))[0]
    plain = header_of(EpisodeRequest(benchmark=benchmark, task=task, run="now"), "webarena")
    recorded = Trajectory(
        header=msgspec.structs.replace(plain, run="then", episode="0000_a"), steps=(Step(index=0, at=""),)
    )
    request = EpisodeRequest(benchmark=benchmark, task=task, run="now", resumes=recorded, fork_step=0)
    forked = header_of(request, "webarena")
    assert (forked.resumed_from, forked.elapsed_before) == ("", 0.0)
    assert summarise(forked, "now", "0000_b").origin == Origin(run="then", episode="0000_a", step=0)
    carried_on = msgspec.structs.replace(request, resumes=Trajectory(header=forked), fork_step=None)
    assert header_of(carried_on, "webarena").origin == forked.origin
    with pytest.raises(UsageError, match="There is no step 7"):
        require_step(recorded, 7)
