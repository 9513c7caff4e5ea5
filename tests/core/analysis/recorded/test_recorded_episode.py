"""An episode looked at step by step: words, aims, the search, and where the time went."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.analysis.pages import node, page
from webbench.core.action.action import Click, ClickAt, ElementRef, Stop, Type
from webbench.core.action.aim import aim, named
from webbench.core.analysis.recorded.recorded_episode import RecordedEpisode
from webbench.core.analysis.recorded.time_profile import time_profile
from webbench.core.models.spending import spent
from webbench.core.observation import Box, Observation
from webbench.core.store.store import Store
from webbench.core.task import Task
from webbench.core.trajectory import EpisodeHeader, Seconds, Step, Trajectory

SHOP = page(node(1, "RootWebArea", "Shop", 0), node(2, "searchbox", "Search", box=Box(10, 10, 100, 20)))
TEA = page(
    node(1, "RootWebArea", "Shop", 0),
    node(2, "searchbox", "Search", value="tea"),
    node(3, "link", "Green Tea"),
)
SEARCHED = Type(target=ElementRef(id=2), text="tea", enter=True)
AT = "2026-01-01T00:00:00.000+00:00"


@pytest.fixture
def episode(tmp_path: Path) -> RecordedEpisode:
    """The shop; tea is searched for; a note; the end."""
    store = Store(tmp_path / "store")
    run = store.start_run("shop", "robot", 1)
    task = Task(benchmark="shop", name="tea", intent="Find tea")
    recorder = store.recorder(
        run, EpisodeHeader(run="", episode="", task=task, actor="robot", dialect="json")
    )
    recorder.write(Step(index=0, at=AT, url=SHOP.url, title="Shop"), observation=SHOP)
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "cost": 0.5}
    recorder.write(
        Step(
            index=1,
            at=AT,
            action=SEARCHED,
            text="type",
            reasoning="I want tea",
            url=TEA.url,
            usage=usage,
            seconds=Seconds(agent=3, environment=1),
        ),
        observation=TEA,
    )
    recorder.write(Step(index=2, at=AT, note="it hesitated"))
    recorder.write(
        Step(index=3, at=AT, action=Stop(answer="Green Tea"), text="stop", url=TEA.url), observation=TEA
    )
    recorder.finish(None, "the actor stopped")
    return RecordedEpisode(store, store.load(store.root / run / recorder.header.episode))


def test_each_step_is_seen_from_the_page_before_it(episode: RecordedEpisode) -> None:
    assert [episode.before(place) for place in range(4)] == [None, 0, 1, 1]
    assert episode.words(1) == 'type "tea" into searchbox "Search" and press Enter'
    assert episode.aim(1).node == 2
    assert episode.aim(1).box == Box(10, 10, 100, 20)
    assert [one.name for one in episode.difference(1).added] == ["Green Tea"]
    assert not episode.difference(2).known
    assert [episode.after(place) for place in range(4)] == [0, 1, 1, 3], "a note is about no page"


def test_an_action_without_a_recorded_page_leaves_the_page_unknown() -> None:
    steps = (
        Step(index=0, at=AT, url=SHOP.url),
        Step(index=1, at=AT, text="Type [2]; tea", action=SEARCHED),
        Step(index=2, at=AT, text="nonsense", ok=False),
        Step(index=3, at=AT, text="Click [3]", action=SEARCHED),
    )
    task = Task(benchmark="shop", name="tea")
    header = EpisodeHeader(run="", episode="", task=task, actor="robot", dialect="json")
    episode = RecordedEpisode(Store(Path("/nowhere")), Trajectory(header=header, steps=steps))
    assert [episode.before(place) for place in range(4)] == [None, 0, 1, 1]
    assert episode.after(2) == 1
    assert not episode.difference(3).known


def test_a_text_is_found_in_actions_reasoning_and_where_pages_are_new(episode: RecordedEpisode) -> None:
    found = [(match.step, match.where) for match in episode.search("TEA")]
    assert found == [(1, "action"), (1, "reasoning"), (1, "page"), (1, "page"), (3, "action")]
    assert [match.node for match in episode.search("green  tea") if match.where == "page"] == [3]
    assert [match.where for match in episode.search("hesitated")] == ["note"]
    assert list(episode.search(" ")) == []


def test_time_tokens_and_cost_are_added_up(episode: RecordedEpisode) -> None:
    profile = time_profile(episode.steps)
    assert profile.total == Seconds(agent=3, environment=1)
    assert [profile.place(fraction) for fraction in (0.0, 0.5, 0.99)] == [1, 1, 1]
    assert (profile.spent.input_tokens, profile.spent.output_tokens, profile.spent.cost) == (100, 7, 0.5)
    assert spent({"input_tokens": True, "cost": "much"}).cost is None
    unknown = time_profile((Step(index=0, at=AT), Step(index=1, at=AT)))
    assert not unknown.known
    assert unknown.place(0.9) == 1


def test_an_aim_is_a_point_a_box_or_unknown() -> None:
    fingerprint = ElementRef(id=9, role="button", name="Buy", box=Box(1, 2, 3, 4))
    assert aim(Click(target=fingerprint), Observation()).box == Box(1, 2, 3, 4)
    assert aim(Click(target=fingerprint), Observation()).node is None
    search = ElementRef(role="searchbox", name="Search", box=Box(9, 9, 9, 9))
    assert aim(Click(target=search), SHOP).node == 2, "a repeated action has no id"
    assert aim(ClickAt(x=1, y=2), Observation()).point == (1, 2)
    assert not aim(Stop(), SHOP).known


def test_an_id_is_named_only_by_a_page_that_has_it() -> None:
    named_one = named(SEARCHED, SHOP)
    assert isinstance(named_one, Type)
    assert named_one.target == ElementRef(id=2, role="searchbox", name="Search")
    assert named(SEARCHED, Observation()) == SEARCHED
