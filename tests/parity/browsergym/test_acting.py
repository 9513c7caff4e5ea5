"""What the functions of BrowserGym's action set do to a page."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from tests.parity.browsergym.gym import Gym
from tests.parity.browsergym.pages import ADDRESS, CHECKBOX, COVERED, DOUBLE, HOVER, LONG, NAMES, SHIELDED

pytestmark = pytest.mark.thorough
"""Our own conformance tests tell the same in `make test`; these count the published cases."""


async def did(gym: Gym, answer: str) -> None:
    await gym.step(answer)
    assert gym.error == "", answer


async def test_click(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(CHECKBOX))
    bid = gym.find("input", id="mint").bid
    assert not gym.find("input", id="mint").checked
    for answer, ticked in ((f"click({bid!r})", True), (f"\nclick({bid!r})\n", False)):
        await did(gym, answer)
        assert gym.find("input", id="mint").checked is ticked
    await did(gym, f"click({bid!r})\nclick({bid!r})")
    assert not gym.find("input", id="mint").checked


async def test_hover(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(HOVER))
    bell = gym.find("input", id="bell")
    assert bell.value == "Quiet"
    await did(gym, f"hover({bell.bid!r})")
    assert gym.find("input", id="bell").value == "Ringing"
    await did(gym, "mouse_move(0, 0)")
    assert gym.find("input", id="bell").value == "Quiet"


async def test_fill_type_press(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(NAMES))
    given, family = (gym.find("input", id=name).bid for name in ("given", "family"))
    clear = "keyboard_press('End') keyboard_down('Shift') keyboard_press('Home') keyboard_up('Shift')"
    steps = [
        (f"fill({given!r}, 'Ada')", "Ada", ""),
        (f"fill({family!r}, 'Love')", "Ada", "Love"),
        (f"focus({given!r}) keyboard_type('Éva')", "AdaÉva", "Love"),
        (f"click({family!r}) keyboard_insert_text('lace')", "AdaÉva", "Lovelace"),
        (f"clear({family!r}) keyboard_insert_text('King')", "AdaÉva", "King"),
        (
            f"click({given!r})\n# empty\n{clear}\nkeyboard_press('Backspace')\nkeyboard_insert_text('Éva')",
            "Éva",
            "King",
        ),
        (f"fill({given!r}, '')", "", "King"),
        ("keyboard_type('Ida')", "Ida", "King"),
        ("mouse_click(0, 0)", "Ida", "King"),
        ("keyboard_type('Rae')", "Ida", "King"),
    ]
    for answer, first, second in steps:
        await did(gym, answer)
        values = [gym.find("input", id=name).value for name in ("given", "family")]
        assert values == [first, second], answer


async def test_key_press(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(NAMES))
    given, family = (gym.find("input", id=name).bid for name in ("given", "family"))
    await did(
        gym,
        f"fill({given!r}, 'Ada')\nkeyboard_press('Control+a')\nkeyboard_press('Control+c')\n"
        f"click({family!r})\nkeyboard_press('Control+v')",
    )
    assert gym.find("input", id="family").value == "Ada"


async def test_goto(gym: Gym, serve: Site) -> None:
    one, two = serve(ADDRESS, "/one"), serve(NAMES, "/two")
    await gym.reset(one)
    assert gym.obs["url"] == one
    for answer, url in ((f"goto({two!r})", two), ("go_back()", one), ("go_forward()", two)):
        await did(gym, answer)
        assert gym.obs["url"] == url, answer


async def test_scroll(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(LONG))

    def places() -> list[tuple[float, float]]:
        return [gym.centre(gym.find("input", id=name).bid) for name in ("roof", "cellar")]

    def ticked() -> list[bool]:
        return [gym.find("input", id=name).checked for name in ("roof", "cellar")]

    assert ticked() == [False, False]
    await did(gym, "mouse_click({}, {})".format(*places()[0]))
    assert ticked() == [True, False]
    before = places()
    await gym.step("mouse_click({}, {})".format(*before[1]))
    assert ticked() == [True, False]
    assert "outside" in gym.error, "which BrowserGym doesn't tell"
    await gym.step("scroll(0, -500)")
    assert places() == before
    assert "nothing scrolled" in gym.error, "which BrowserGym doesn't tell"
    await did(gym, "scroll(0, 500)")
    assert [x for x, _ in places()] == [x for x, _ in before]
    assert all(now < then for (_, now), (_, then) in zip(places(), before, strict=True))


async def test_scroll_at_the_mouse(gym: Gym, serve: Site) -> None:
    """BrowserGym turns the wheel where the mouse is: over a pane, the pane moves."""
    pane = "<div style='overflow: auto; height: 90px'><input id=low style='margin-top: 600px'></div>"
    await gym.reset(serve(f"{pane}<p style='height: 3000px'><button id=page>b</button>"))
    low, page = (
        gym.centre(gym.find(tag, id=name).bid) for tag, name in (("input", "low"), ("button", "page"))
    )
    await did(gym, "mouse_move(50, 50)\nscroll(0, 200)")
    assert gym.centre(gym.find("button", id="page").bid) == page
    assert gym.centre(gym.find("input", id="low").bid)[1] == low[1] - 200


async def test_mouse_down_up(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(CHECKBOX))
    x, y = gym.centre(gym.find("input", id="mint").bid)
    press = f"mouse_down({x}, {y})\nmouse_up({x}, {y})"
    for answer, ticked in (
        (f"mouse_click({x}, {y})", True),
        (f"mouse_move(0, 0)\nmouse_move({x}, {y})\n{press}", False),
        (
            f"mouse_move(0, 0)\nmouse_down({x}, {y}, button='left')\nmouse_up({x}, {y}, 'left')\n{press}",
            False,
        ),
    ):
        await did(gym, answer)
        assert gym.find("input", id="mint").checked is ticked, answer


async def test_forced_actions(gym: Gym, serve: Site) -> None:
    """With `retry_with_force`, its own label over a box is no obstacle, and here it never is."""
    await gym.reset(serve(COVERED))
    await did(gym, f"click({gym.find('input', id='reading').bid!r})")
    assert not gym.find("input", id="reading").checked


async def test_unforced_actions(gym: Gym, serve: Site) -> None:
    """Without it, what covers an element is told and nothing is clicked."""
    await gym.reset(serve(SHIELDED))
    await gym.step(f"click({gym.find('button', id='under').bid!r})")
    assert "covers" in gym.error or "covered" in gym.error
    assert gym.obs["open_pages_titles"] == ("Shielded",)


async def test_dblclick(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(DOUBLE))
    bid = gym.find("button", id="twice").bid
    await did(gym, f"click({bid!r})")
    assert gym.find("button", id="twice").text == "Closed"
    await did(gym, f"dblclick({bid!r})")
    assert gym.find("button", id="twice").text == "Opened"


async def test_new_tab_tab_focus_and_tab_close(gym: Gym, serve: Site) -> None:
    one, two = serve(ADDRESS, "/one"), serve(NAMES, "/two")
    await gym.reset(one)
    await did(gym, "new_tab()")
    assert (len(gym.obs["open_pages_urls"]), gym.obs["active_page_index"].tolist()) == (2, [1])
    await did(gym, f"goto({two!r})")
    assert gym.obs["open_pages_urls"] == (one, two)
    await did(gym, "tab_focus(0)")
    assert (gym.obs["url"], gym.obs["active_page_index"].tolist()) == (one, [0])
    await gym.step("tab_focus(7)")
    assert gym.error
    await did(gym, "tab_focus(1)\ntab_close()")
    assert (gym.obs["open_pages_urls"], gym.obs["url"]) == ((one,), one)
