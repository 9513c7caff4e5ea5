"""How an answer is read: what is a call, what may stand around it, and what is said of what is none."""

from __future__ import annotations

import pytest

from tests.conftest import Site
from tests.parity.browsergym.gym import VERBS, Gym
from tests.parity.browsergym.pages import CHECKBOX
from webbench.core.agents.browsergym.answered_calls import Call, NotCarriedOut, Rules, read_answer

ONE_LETTER = Rules(frozenset("abc"), strict=True)


def only(text: str) -> Call:
    (call,) = read_answer(text, ONE_LETTER).calls
    return call


def test_action_parser() -> None:
    assert [call.name for call in read_answer(" a ( ) b()\n \tc()", ONE_LETTER).calls] == ["a", "b", "c"]
    assert only("  a ( ) \n\n\t").arguments == ()
    assert only('a(7, 7.5, "words", (1, 2), ["x", 3])').arguments == (7, 7.5, "words", (1, 2), ["x", 3])
    assert only('a(x=7, y = 7.5, z = "words")').named == (("x", 7), ("y", 7.5), ("z", "words"))
    mixed = only('a(7, y = {"k": 3})')
    assert (mixed.arguments, mixed.named) == ((7,), (("y", {"k": 3}),))
    assert only('a("""\ntwo\nlines\\"\\"""")').arguments == ('\ntwo\nlines""',)
    assert only("a('\"two\\nlines\"')").arguments == ('"two\nlines"',)
    assert only('#first\na("# no comment") #last\n ').arguments == ("# no comment",)
    for wrong in ("", "a(x = 7, 7.5)", 'a(7, 1 = "words")', "a(1-)", "a(1/2)"):
        with pytest.raises(NotCarriedOut):
            read_answer(wrong, ONE_LETTER)


AROUND = [
    ("once", "click({0!r})\n", 1),
    ("twice", "click({0!r})\nclick({0!r})\n", 2),
    ("on one line", "click({0!r}) click({0!r}) click({0!r})", 3),
    (
        "blanks, comments and a comma too many",
        "  click(  {0!r} ) click({0!r})\t\n     noop(0) noop (0)\n  # NOTHING\n"
        "  noop(0) # is a noop(1)\nclick({0!r},   )\n#click({0!r})\n",
        3,
    ),
    (
        "in a fence",
        "Here it is\n   ```python\n click( {0!r} )\n click({0!r},)\n```\nSo much for that\n",
        2,
    ),
    (
        "in two fences",
        "First\n```python\nnoop(0)\nclick({0!r})\n```\nand then\n```python\nclick({0!r}) click({0!r})\n```\n",
        3,
    ),
    (
        "amid words",
        "I do a noop(0), then click({0!r},  )\n#click({0!r})\nthen two\n click({0!r}) click({0!r})\n```\nok",
        3,
    ),
]


async def test_valid_action(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(CHECKBOX))
    ticked = False
    for what, form, clicks in AROUND:
        text = form.format(gym.find("input", id="mint").bid)
        names = [call.name for call in read_answer(text, Rules(VERBS)).calls]
        assert names.count("click") == clicks, what
        await gym.step(text)
        ticked ^= clicks % 2 == 1
        assert (gym.error, gym.find("input", id="mint").checked) == ("", ticked), what


INVALID = [
    ('click("nowhere")', 'ValueError: Could not find element with bid "nowhere"'),
    ("click(None)", "ValueError: expected a string, got None"),
    ("click(42.7)", "ValueError: expected a string, got 42.7"),
    ("click([])", "ValueError: expected a string, got []"),
    ('click([42, "a", True, None])', "ValueError: expected a string, got [42, 'a', True, None]"),
    ("click({})", "ValueError: expected a string, got {}"),
    ('click({"k": "aaa"})', "ValueError: expected a string, got {'k': 'aaa'}"),
    ('click("4", "aa", "bb")', "Error: modifiers: expected array, got string"),
    ('click("4", "aa")', "Error: button: expected one of (left|right|middle)"),
    (
        'click("4", "left", [], 3)',
        "TypeError: click() takes from 1 to 3 positional arguments but 4 were given",
    ),
    ('hover("4", 3)', "TypeError: hover() takes 1 positional argument but 2 were given"),
    ('click("4", bid="5")', "TypeError: click() got multiple values for argument 'bid'"),
    (
        "mouse_drag_and_drop(1)",
        "TypeError: mouse_drag_and_drop() missing 3 required positional arguments: "
        "'from_y', 'to_x', and 'to_y'",
    ),
    ("fill()", "TypeError: fill() missing 2 required positional arguments: 'bid' and 'value'"),
    ("scroll('far', 3)", "Error: delta_x: expected float, got string"),
    ("click()", "TypeError: click() missing 1 required positional argument: 'bid'"),
    ("not_an_action()", "NameError: Invalid action type 'not_an_action'."),
    ("import numpy as np", "ValueError: Received an empty action."),
    ("[", "ValueError: Received an empty action."),
    ("click", "ValueError: Received an empty action."),
]


async def test_invalid_action(gym: Gym, serve: Site) -> None:
    await gym.reset(serve(CHECKBOX))
    for answer, told in INVALID:
        await gym.step(answer)
        assert gym.error == told
    gym.choose("mouse_click")
    await gym.step('fill("4", "words")')
    assert gym.error == "NameError: Invalid action type 'fill'."
    assert not any(one.checked for one in gym.elements())
