"""Calls are found in whatever an agent says, and what it tells of them is kept."""

from __future__ import annotations

from types import SimpleNamespace

import numpy
import pytest

from webbench.core.agents.browsergym.answers import calls_in, said_in, told

KNOWN = frozenset({"click", "fill", "send_msg_to_user", "noop"})


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("click('12')", ["click('12')"]),
        ("fill('3', 'a) b')\nclick('12')", ["fill('3', 'a) b')", "click('12')"]),
        ("First I do\n```\nclick('a1')\n```\nand then noop().", ["click('a1')", "noop()"]),
        ("open('/etc/passwd') click('1')", ["click('1')"]),
        ("click('1' and nothing closes", []),
        ("fill('3', f(click('4')))", ["fill('3', f(click('4')))"]),
        ("nothing at all", []),
        ("click(" * 5000, []),
    ],
)
def test_calls_among_other_words(text: str, calls: list[str]) -> None:
    assert calls_in(text, KNOWN) == calls


def test_what_is_said_to_the_user() -> None:
    assert said_in("send_msg_to_user('it\\'s 3')") == "it's 3"
    assert said_in("send_msg_to_user(text='three')") == "three"
    assert said_in("send_msg_to_user(3)") == ""
    assert said_in("click('3')") is None


def test_an_agents_own_words_and_figures() -> None:
    stats = {"input_tokens": numpy.int64(7), "cost": 0.5, "model": "x", "lost": float("nan")}
    stats |= {"many": numpy.zeros(3), "endless": 10**400}
    info = SimpleNamespace(think="because", stats=stats, chat_messages=[{"role": "user", "content": "go"}])
    answer = told(info)
    assert answer["reasoning"] == "because"
    assert answer["usage"] == {"input_tokens": 7.0, "cost": 0.5}
    assert '"content": "go"' in answer["prompt"]
    assert told({"think": None}) == {} == told(None)
