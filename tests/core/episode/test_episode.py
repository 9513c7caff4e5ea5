"""An episode on the bundled demo in a real browser: order of events, limits, records, failing disks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.opening import link_id, opened
from webbench.core.action.action import Remember
from webbench.core.action.references import without_id
from webbench.core.benchmark.installed import find_benchmark
from webbench.core.browser.browser_environment import BrowserEnvironment
from webbench.core.browser.elements.elements import Elements
from webbench.core.dialects.dialect import ParseError
from webbench.core.engine.session.replaying import Replay
from webbench.core.engine.wire import messages
from webbench.core.environment import OUTER_HTML, EnvironmentSetup
from webbench.core.episode.options import EpisodeOptions
from webbench.core.episode.perception import Sight
from webbench.core.episode.recording import StepRecorder
from webbench.core.errors import EnvironmentDown, UsageError, WebbenchError
from webbench.core.observation import Observation, Screenshot
from webbench.core.score.score import Score, Status
from webbench.core.store.records.recorder import Recorder
from webbench.core.store.store import Store
from webbench.core.trajectory import EpisodeHeader, Step, memory


async def test_a_step_is_told_only_after_it_is_on_disk(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, events):
        await episode.act(f"click [{link_id(episode, 'Orders')}]")
        kinds = [type(event) for event in events if not isinstance(event, messages.Progress)]
        assert kinds == [
            messages.EpisodeStarted,
            messages.Observed,
            messages.Scored,
            messages.StepRecorded,
            messages.Observed,
            messages.Scored,
            messages.StepRecorded,
        ]
        on_disk = store.load(episode.header.episode).steps
        assert [step.index for step in on_disk] == [0, 1]
        assert "orders" in store.html(store.load(episode.header.episode), on_disk[1]).lower()


async def test_every_step_has_the_html_that_it_led_to(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        await episode.act("scroll [down]")
        await environment.probe("() => { document.body.append('one more') }")
        await episode.act("scroll [down]")
        await episode.act("goto [about:blank]")
        kept = store.load(episode.header.episode)
        first, same, changed, gone = (store.html(kept, step) for step in kept.steps)
    assert "one more" not in first
    assert same == first
    assert "one more" in changed
    assert gone == "<html><head></head><body></body></html>"


async def test_the_html_of_a_step_is_that_of_its_own_tab(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        for text in ("scroll [down]", "new_tab", "tab_focus [0]", "tab_focus [1]"):
            await episode.act(text)
        kept = store.load(episode.header.episode)
        start, new, old, again = (store.html(kept, step) for step in kept.steps[-4:])
    assert old == start != new
    assert again == new


async def test_html_whose_answer_was_lost_is_fetched_again(environment: BrowserEnvironment) -> None:
    await environment.reset(EnvironmentSetup(start_urls=("data:text/html,<p>one",)))
    sight = Sight(environment, EpisodeOptions(), lambda _: None)
    await sight.observe(0)
    assert "one" in await sight.html()
    await environment.probe("() => { document.body.append('more') }")
    await environment.probe(OUTER_HTML, ["", "lost"])
    assert "more" in await sight.html()


async def test_a_refused_text_leaves_page_and_record_alone(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    async with opened(environment, Store(tmp_path)) as (episode, _):
        assert isinstance(await episode.act("please click the button"), ParseError)
        assert len(episode.steps) == 1


async def test_a_fault_of_ours_in_an_action_is_a_step_with_its_error(
    environment: BrowserEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        raise KeyError("editable")

    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        text = f"click [{link_id(episode, 'Orders')}]"
        with monkeypatch.context() as broken:
            broken.setattr(Elements, "prepare", breaks)
            for actor in ("human", "agent"):
                failed = await episode.act(text, actor=actor)
                assert isinstance(failed, Step)
                assert not failed.ok
                assert "internal fault" in failed.error
        assert not episode.ended
        assert isinstance(done := await episode.act(text), Step)
        assert done.ok
        kept = store.load(episode.header.episode).steps
    assert [step.ok for step in kept] == [True, False, False, True]
    assert "KeyError" in kept[1].error


async def test_three_invalid_agent_actions_end_the_episode(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    async with opened(environment, Store(tmp_path)) as (episode, _):
        for _ in range(3):
            await episode.act("please click the button", actor="agent")
        assert episode.ended == "3 invalid actions in a row"
        assert [step.ok for step in episode.steps] == [True, False, False, False]
        with pytest.raises(WebbenchError, match="has ended"):
            await episode.act("go_back")


async def test_the_step_limit_ends_the_episode_with_its_score(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    options = EpisodeOptions(pictures=False, step_limit=2, live_score=False)
    async with opened(environment, Store(tmp_path), options) as (episode, _):
        await episode.act("scroll [down]")
        await episode.act("scroll [up]")
        assert episode.ended == "step limit of 2 reached"
        assert episode.score.status is Status.SCORED


async def test_every_final_score_can_be_computed_again(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    options = EpisodeOptions(pictures=False, live_score=False)
    async with opened(environment, store, options) as (episode, _):
        await episode.act("scroll [down]")
        score = await episode.finish("abandoned")
    recorded = store.load(episode.header.episode)
    evidence = next(step.evidence for step in reversed(recorded.steps) if step.evidence)
    again = find_benchmark("demo").evaluator.score(recorded.header.task, evidence)
    assert again == score == recorded.header.score


async def test_what_is_remembered_is_handed_on_and_kept_in_the_record(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    async with opened(environment, Store(tmp_path)) as (episode, _):
        url = episode.observation.url
        assert "</html>" in episode.view().html, "agents may read the page as HTML"
        await episode.act_on(Remember(text="the lantern costs 42.00"))
        await episode.act("scroll [down]")
        assert episode.view().memory == ("the lantern costs 42.00",)
        assert episode.observation.url == url
        assert memory(Store(tmp_path).load(episode.header.episode).steps) == episode.view().memory


async def test_an_answer_is_previewed_without_a_trace_and_never_in_a_blind_episode(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    async with opened(environment, Store(tmp_path)) as (episode, events):
        right = episode.task.gold["checks"][0]["expected"]
        before = len(events), len(episode.steps), episode.score
        previewed = [episode.preview(answer) for answer in (str(right), "no idea")]
        assert [score.value for score in previewed if score is not None] == [1.0, 0.0]
        assert (len(events), len(episode.steps), episode.score) == before
    blind = EpisodeOptions(pictures=False, live_score=False)
    async with opened(environment, Store(tmp_path), blind) as (episode, _):
        assert episode.preview(str(right)) is None
        with pytest.raises(UsageError, match="hidden"):
            await episode.score_fully()


async def test_notes_are_steps_of_their_own(environment: BrowserEnvironment, tmp_path: Path) -> None:
    async with opened(environment, Store(tmp_path)) as (episode, _):
        await episode.note("the lamp is sold out?")
        assert [step.note for step in Store(tmp_path).load(episode.header.episode).steps] == [
            "",
            "the lamp is sold out?",
        ]


class FullDisk:
    """A recorder whose disk is full for a while."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.full = False

    async def append(
        self,
        step: Step,
        *,
        observation: Observation | None = None,
        screenshot: Screenshot | None = None,
        html: str = "",
    ) -> Step:
        if self.full:
            raise EnvironmentDown("the disk is full", "make room")
        return await self.recorder.append(step, observation=observation, screenshot=screenshot, html=html)

    async def keep_picture(self, screenshot: Screenshot) -> str:
        return await self.recorder.keep_picture(screenshot)

    def keep_file(self, path: Path) -> str:
        return self.recorder.keep_file(path)

    def revise(self, **changes: Any) -> EpisodeHeader:
        return self.recorder.revise(**changes)

    def finish(self, score: Score | None, reason: str) -> EpisodeHeader:
        return self.recorder.finish(score, reason)


async def test_a_full_disk_loses_no_step(environment: BrowserEnvironment, tmp_path: Path) -> None:
    disks: list[FullDisk] = []

    def wrap(recorder: Recorder) -> StepRecorder:
        disks.append(FullDisk(recorder))
        return disks[0]

    store = Store(tmp_path)
    async with opened(environment, store, wrap=wrap) as (episode, events):
        disks[0].full = True
        await episode.act("scroll [down]")
        await episode.act("scroll [up]")
        trouble = [event for event in events if isinstance(event, messages.Trouble)]
        assert len(trouble) == 2
        assert "wait in memory" in trouble[1].hint
        assert len(store.load(episode.header.episode).steps) == 1
        disks[0].full = False
        await episode.act("scroll [down]")
        assert [step.text for step in store.load(episode.header.episode).steps] == [
            "",
            "scroll [down]",
            "scroll [up]",
            "scroll [down]",
        ]


async def test_an_end_that_breaks_is_an_error_and_closes_the_record(
    environment: BrowserEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the score that some step had before."""
    store = Store(tmp_path)
    options = EpisodeOptions(pictures=False, live_score=False)
    async with opened(environment, store, options) as (episode, events):
        monkeypatch.setattr(type(episode.scoring.evaluator), "collect", broken)
        with pytest.raises(KeyError):
            await episode.finish("the agent stopped")
        score = await episode.fail("KeyError: 'cart'", broken=True)
        assert (score.status, score.reason) == (Status.ERROR, "KeyError: 'cart'")
        header = store.load(episode.header.episode).header
        assert (header.end_reason, header.score) == ("KeyError: 'cart'", score)
        assert len([event for event in events if isinstance(event, messages.EpisodeEnded)]) == 1
        assert await episode.fail("again") == score


async def broken(*_: object) -> dict[str, object]:
    raise KeyError("cart")


async def test_an_end_that_is_cut_short_keeps_its_score_and_closes_the_record(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    class SlowDisk(FullDisk):
        async def append(self, step: Step, **seen: Any) -> Step:
            if self.full:
                await asyncio.sleep(0.5)
            return await self.recorder.append(step, **seen)

    disks: list[SlowDisk] = []

    def wrap(recorder: Recorder) -> StepRecorder:
        disks.append(SlowDisk(recorder))
        return disks[0]

    store = Store(tmp_path)
    options = EpisodeOptions(pictures=False, live_score=False)
    async with opened(environment, store, options, wrap) as (episode, events):
        disks[0].full = True
        finishing = asyncio.create_task(episode.finish("the agent stopped"))
        while not any(isinstance(event, messages.Scored) for event in events):
            await asyncio.sleep(0.01)
        finishing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await finishing
        score = await episode.fail("time limit of 1 s reached")
        assert score.status is Status.SCORED
        trajectory = store.load(episode.header.episode)
        assert (trajectory.header.end_reason, trajectory.header.score) == ("the agent stopped", score)
        assert trajectory.steps[-1].evidence


async def test_a_replay_finds_elements_by_their_fingerprint(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        await episode.act(f"click [{link_id(episode, 'Orders')}]")
        reached = episode.observation.title
        recorded = store.load(episode.header.episode)
    first = recorded.steps[1].action
    assert first is not None
    assert without_id(first) != first
    async with opened(environment, store) as (again, _):
        await Replay(again, recorded).run()
        assert again.observation.title == reached
        assert again.steps[1].matched_by


async def test_a_replay_leaves_out_what_failed_and_what_ended_the_episode_and_says_so(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        await episode.act("scroll [down]")
        await episode.act("click [99999]")
        await episode.act("no action", actor="agent")
        await episode.act("stop [$68]")
        recorded = store.load(episode.header.episode)
    async with opened(environment, store) as (again, _):
        replay = Replay(again, recorded)
        await replay.run()
        assert [step.text for step in again.steps] == ["", "scroll [down]"]
        assert not again.ended
    assert replay.told == messages.Replayed(
        episode=recorded.header.episode, steps=1, failed=2, ending="stop [$68]"
    )
    assert replay.told.headline() == (
        "1 action repeated; left out: 2 steps that had had no effect and the last one, stop [$68]"
    )


async def test_a_replay_keeps_who_acted(environment: BrowserEnvironment, tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        episode.agent = "oracle"
        await episode.act("scroll [down]", actor="agent")
        await episode.finish("killed")
        recorded = store.load(episode.header.episode)
    assert recorded.header.actor == "oracle"
    async with opened(environment, store) as (again, _):
        await Replay(again, recorded).run()
        await again.finish("the input ended")
        assert again.header.actor == "oracle"


async def test_a_replay_that_cannot_reach_the_state_says_where_and_why(
    environment: BrowserEnvironment, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with opened(environment, store) as (episode, _):
        await episode.act(f"click [{link_id(episode, 'Orders')}]")
        await episode.act(f"click [{link_id(episode, 'HP-2389')}]")
        recorded = store.load(episode.header.episode)
    start, _orders, order = recorded.steps
    torn = msgspec.structs.replace(recorded, steps=(start, order))
    async with opened(environment, store) as (again, _):
        replay = Replay(again, torn)
        with pytest.raises(WebbenchError, match="stopped at step 2"):
            await replay.run()
        assert (replay.told.steps, replay.told.unreached) == (0, 1)
