"""What an environment tells about an episode: goal and chat, tabs, sizes, and an end at a limit."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from tests.parity.browsergym.gym import GOAL, Gym
from tests.parity.browsergym.pages import FORM, INNERMOST
from webbench.core.agents.browsergym.obs import Observer

pytestmark = pytest.mark.thorough
"""Our own conformance tests tell the same in `make test`; these count the published cases."""


async def test_gym_env(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))
    assert gym.error == ""
    assert (gym.obs["goal"], gym.obs["goal_object"]) == (GOAL, ({"type": "text", "text": GOAL},))
    bids = {name: gym.find("input", id=name).bid for name in ("name", "email", "letter")}
    message, send = gym.find("textarea", id="message").bid, gym.find("input", type="submit").bid
    await gym.step(
        f"click({bids['name']!r})\nfill({bids['name']!r}, 'Ines')\npress({bids['name']!r}, 'Tab')\n"
        f"fill({bids['email']!r}, 'ines@e.org')\npress({bids['email']!r}, 'Tab')"
    )
    assert gym.error == ""
    assert gym.obs["focused_element_bid"] == gym.find("input", id="age").bid
    await gym.step(
        f"fill({message!r}, 'Hello')\npress({message!r}, 'Tab')\ncheck({bids['letter']!r})\n"
        f"press({send!r}, 'Enter')"
    )
    assert gym.error == ""
    assert "sent" in gym.obs["dom_txt"]
    await gym.step(f"fill('98765', 'Hello')\npress({send!r}, 'Enter')")
    assert gym.error != ""


def test_mock_image_goal_task() -> None:
    page = {"observation": {}, "problem": ""}
    words, shown = Observer(GOAL, [{"format": "png", "base64": "AAAA"}]).obs(page, "")["goal_object"]
    assert words == {"type": "text", "text": GOAL}
    assert shown == {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


async def test_active_page(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(FORM))

    def tabs() -> tuple[int, list[int]]:
        return len(gym.obs["open_pages_urls"]), gym.obs["active_page_index"].tolist()

    assert tabs() == (1, [0])
    for answer, expected in (
        ("new_tab()", (2, [1])),
        ("tab_focus(0)", (2, [0])),
        ("tab_focus(1)", (2, [1])),
        ("tab_close()", (1, [0])),
    ):
        await gym.step(answer)
        assert (gym.error, tabs()) == ("", expected), answer
    await gym.step("tab_close()")
    assert (gym.error, tabs()) == ("the last tab was closed", (1, [0])), "BrowserGym tells it by no word"
    for answer, expected in (("new_tab()", (2, [1])), ("tab_close()", (1, [0]))):
        await gym.step(answer)
        assert tabs() == expected, answer


@pytest.mark.parametrize("size", [(1600, 1200), (800, 800)])
async def test_resizeable_window(gym: Gym, serve: Site, size: tuple[int, int]) -> None:
    await gym.reset(serve(INNERMOST), *size)
    assert gym.obs["screenshot"].shape == (size[1], size[0], 3)
