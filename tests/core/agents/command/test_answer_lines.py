"""What a program's line means."""

from __future__ import annotations

import json

import pytest

from webbench.core.action.action import Click, ElementRef
from webbench.core.agents.command.answer_lines import read_answer, ready_protocol


def test_answers_come_as_text_as_object_or_as_notation() -> None:
    assert read_answer("click [4]").text == "click [4]"
    assert read_answer('"click [4]"').text == "click [4]"
    assert read_answer('{"verb": "noop"}').text == '{"verb": "noop"}'
    assert read_answer('{"action": {"verb": "click", "target": {"id": 4}}}').action == Click(
        target=ElementRef(id=4)
    )
    whole = read_answer('{"action": "noop", "reasoning": ["a"], "usage": {"tokens": 3}}')
    assert (whole.text, whole.reasoning, whole.usage) == ("noop", '["a"]', {"tokens": 3})
    assert read_answer('{"action": {"verb": "fly"}, "usage": 3}').text == '{"verb": "fly"}'
    choice = '{"action": "noop", "alternatives": ["click [4]", {"action": "go_back", "score": 0.5}, 3, ""]}'
    assert [(one.text, one.score) for one in read_answer(choice).alternatives] == [
        ("click [4]", None),
        ("go_back", 0.5),
        ("3", None),
    ]
    assert read_answer("[" * 100_000).text.startswith("[[[")


def test_a_reply_without_an_action_is_told_as_such() -> None:
    said = read_answer('{"malformed": "no code block", "action": "I think", "reply": "Well, I think"}')
    assert (said.text, said.malformed, said.reply) == ("I think", "no code block", "Well, I think")
    assert read_answer('{"malformed": "nothing"}').malformed == "nothing"


def test_calls_of_models_are_kept_as_records_keep_them() -> None:
    call = {
        "model": "some-model",
        "messages": [{"role": "user", "text": "go"}],
        "reply": "noop",
        "prompt_tokens": 7,
        "cost": 0.01,
    }
    proposal = read_answer(
        json.dumps({"action": "noop", "calls": [call, {"no": "model"}, 3], "prompt": "go"})
    )
    assert [(one.model, one.messages[0].text) for one in proposal.calls] == [("some-model", "go")]
    assert (proposal.prompt, proposal.reply) == ("", ""), "the calls hold them"
    assert (proposal.spent["prompt_tokens"], proposal.spent["cost"]) == (7, 0.01)
    alone = read_answer('{"action": "noop", "prompt": "go"}')
    assert (alone.prompt, alone.reply) == ("go", '{"action": "noop", "prompt": "go"}')


def test_a_program_may_say_why_it_failed() -> None:
    with pytest.raises(ValueError, match="no model"):
        read_answer('{"error": "no model"}')
    assert read_answer('{"action": "noop", "error": "the first try"}').text == "noop"
    assert read_answer('{"error": 3}').text == '{"error": 3}'


def test_a_ready_line_is_no_answer() -> None:
    assert ready_protocol('{"type": "ready", "protocol": 1}') == 1
    assert ready_protocol('{"type": "ready"}') == 0
    assert ready_protocol('say ["ready"]') is None
    assert ready_protocol('{"type": "ready", "action": "noop"}') is None
