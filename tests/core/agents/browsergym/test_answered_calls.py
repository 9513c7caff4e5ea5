"""Calls are found in whatever an agent says, and what it tells of them is kept."""

from __future__ import annotations

from types import SimpleNamespace

import numpy
import pytest

from webbench.core.agents.browsergym.answered_calls import NotCarriedOut, Rules, read_answer, said_in, told

KNOWN = frozenset({"click", "fill", "focus", "send_msg_to_user", "noop"})


def calls_in(text: str, *, strict: bool = False, several: bool = True) -> list[str]:
    return [str(call) for call in read_answer(text, Rules(KNOWN, strict, several)).calls]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("click('12')", ["click('12')"]),
        ("fill('3', 'a) b')\nclick('12')", ["fill('3', 'a) b')", "click('12')"]),
        ("First I do\n```\nclick('a1')\n```\nand then noop().", ["click('a1')", "noop()"]),
        ("click ('12') focus\n(\n'3'\n)", ["click('12')", "focus('3')"]),
        ("# click('1')\nclick('2')  # click('3')\nnoop()", ["click('2')", "noop()"]),
        ("click('1', # button='right'\n button='left')", ["click('1', button='left')"]),
        ("fill('3', '# no comment')", ["fill('3', '# no comment')"]),
        ("fill(bid='3', value=\"it's\",)", ["fill(bid='3', value=\"it's\")"]),
        ("click('1', modifiers=['Shift', \"Alt\"])", ["click('1', modifiers=['Shift', 'Alt'])"]),
        (r"""fill('3', 'a\n\'b\' \d \x41 \u00e9')""", [r"""fill('3', "a\n'b' d A é")"""]),
        ('fill("3", """two\nlines \'\'\' "quoted" """)', ["fill('3', 'two\\nlines \\'\\'\\' \"quoted\" ')"]),
        ("fill('3', 'two\nlines')", ["fill('3', 'two\\nlines')"]),
        (
            "noop(-1.5e3) noop(.5) noop(True) noop(None)",
            ["noop(-1500.0)", "noop(0.5)", "noop(True)", "noop(None)"],
        ),
        ("noop((1, [2, {'a': ()}],))", ["noop((1, [2, {'a': ()}]))"]),
        ("page.click('12')", ["click('12')"]),
        ("see (above) and so on: click('1')", ["click('1')"]),
        ("fill('3', f(click('4')))", ["click('4')"]),
        ("fill('3', it) click('4')", ["click('4')"]),
        ("12click('4')", ["click('4')"]),
    ],
)
def test_calls_are_read_as_browsergym_reads_them(text: str, calls: list[str]) -> None:
    assert calls_in(text) == calls


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("open('/etc/passwd') click('1')", "NameError: Invalid action type 'open'."),
        ("click('1')\nmouse_wheel (3, 4)\nclick('2')", "NameError: Invalid action type 'mouse_wheel'."),
        ("xclick('1')", "NameError: Invalid action type 'xclick'."),
        ("# click('1')", "ValueError: Received an empty action."),
        ("nothing at all", "ValueError: Received an empty action."),
        ("", "ValueError: Received an empty action."),
        ("click('1' and nothing closes", "ValueError: Received an empty action."),
        ("click('1', f'{x}')", "ValueError: Received an empty action."),
        ("click(button='left', '1')", "ValueError: Received an empty action."),
    ],
)
def test_nothing_of_a_wrong_answer_is_carried_out(text: str, told: str) -> None:
    with pytest.raises(NotCarriedOut) as raised:
        calls_in(text)
    assert str(raised.value) == told


def test_endless_answers_end() -> None:
    for text, reason in (
        ("click(" * 1000, "Received an empty action"),
        ("click(" * 9000, "too long to be read"),
        ("noop(" + "[" * 50_000, "Received an empty action"),
        ("noop('" * 15_000, "too long to be read"),
        ("noop()" * 51, "More than 50 actions"),
    ):
        with pytest.raises(NotCarriedOut, match=reason):
            calls_in(text)


def test_what_an_action_set_may_ask_for() -> None:
    assert calls_in(" click('1') # first\n\n noop()\n", strict=True) == ["click('1')", "noop()"]
    with pytest.raises(
        NotCarriedOut, match=r"Expected end of text, found 'foo'  \(at char 18\), \(line:3, col:2\)"
    ):
        calls_in("click('1')\n  # c\n foo", strict=True)
    with pytest.raises(NotCarriedOut, match="Received a multi-action, only single-actions are allowed"):
        calls_in("click('1') noop()", several=False)


def test_known_calls_that_cannot_be_read_are_told() -> None:
    answer = read_answer("fill('3', it's)\nsee (above) click('4')", Rules(KNOWN))
    assert [str(call) for call in answer.calls] == ["click('4')"]
    assert answer.unread == ("fill('3', it's)\nsee (above) click('4')",)


def test_what_is_said_to_the_user() -> None:
    texts = (
        "send_msg_to_user('it\\'s 3')",
        "send_msg_to_user(text='three')",
        "send_msg_to_user(3)",
        "click('3')",
    )
    calls = [read_answer(text, Rules(KNOWN)).calls[0] for text in texts]
    assert [said_in(call) for call in calls] == ["it's 3", "three", "", None]


def test_an_agents_own_words_and_figures() -> None:
    stats = {"input_tokens": numpy.int64(7), "cost": 0.5, "model": "x", "lost": float("nan")}
    stats |= {"many": numpy.zeros(3), "endless": 10**400}
    info = SimpleNamespace(think="because", stats=stats, chat_messages=[{"role": "user", "content": "go"}])
    answer = told(info)
    assert answer["reasoning"] == "because"
    assert answer["usage"] == {"input_tokens": 7.0, "cost": 0.5}
    assert '"content": "go"' in answer["prompt"]
    assert told({"think": None}) == {} == told(None)
