"""Acting in frames by the ids of their elements."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from tests.parity.browsergym.gym import Gym
from tests.parity.browsergym.pages import many_frames
from tests.parity.browsergym.test_observation import framed


async def test_click_through_frames(gym: Gym, serve: Site) -> None:
    await gym.reset(framed(serve))
    inner = gym.find("input", id="inner")
    assert inner.checked
    await gym.step(f"click({inner.bid!r})")
    assert (gym.error, gym.find("input", id="inner").checked) == ("", False)


async def test_fill_through_iframe(gym: Gym, serve: Site) -> None:
    await gym.reset(framed(serve))
    field = gym.find("input", placeholder="A word in the frame")
    assert field.value == ""
    await gym.step(f"fill({field.bid!r}, 'A word of the test')")
    assert gym.error == ""
    assert gym.find("input", placeholder="A word in the frame").value == "A word of the test"


@pytest.mark.parametrize("count", [4, pytest.param(30, marks=pytest.mark.thorough)])
async def test_iframe_bid(gym: Gym, serve: Site, count: int) -> None:
    """The boxes of the first and the last of many frames."""
    await gym.reset(serve(many_frames(count)))
    boxes = [gym.find("input", id=f"box{number}") for number in range(count)]
    assert len({box.bid for box in boxes}) == count
    for number in (0, count - 1):
        await gym.step(f"click({boxes[number].bid!r})")
        assert (gym.error, gym.find("input", id=f"box{number}").checked) == ("", True)
    assert sum(one.checked for one in gym.elements()) == 2
