"""Reading replies: an action, or the reason why there is none; nothing is guessed."""

from __future__ import annotations

import pytest

from webbench.core.agents.model.replies import READERS
from webbench.core.model_call import ModelCall, ToolUse


def call(reply: str = "", *arguments: str, finish: str = "") -> ModelCall:
    tools = tuple(ToolUse(name="act", arguments=one) for one in arguments)
    return ModelCall(model="m", reply=reply, tools=tools, finish=finish)


@pytest.mark.parametrize(
    ("reader", "given", "text", "reasoning"),
    [
        ("fenced", call("So.\n```\nclick [3]\n```\n```\nstop []\n```"), "click [3]", "So."),
        ("fenced", call("```click [3]```"), "click [3]", ""),
        ("fenced", call("```bash\nclick [3]\n```"), "click [3]", ""),
        ("fenced", call("```go_back\n```"), "go_back", ""),
        ("last-fenced", call("Not ```stop```, but ```click [3]```"), "click [3]", "Not ```stop```, but"),
        ("whole", call(" click [3]\n"), "click [3]", ""),
        ("json", call('Well: {"thought": "Go", "action": "click [3]"}.'), "click [3]", "Go"),
        ("tool", call("", '{"action": "click [3]", "reasoning": "Go"}'), "click [3]", "Go"),
    ],
)
def test_an_action(reader: str, given: ModelCall, text: str, reasoning: str) -> None:
    reading = READERS[reader](given)
    assert (reading.text, reading.reasoning, reading.malformed) == (text, reasoning, "")


@pytest.mark.parametrize(
    ("reader", "given", "told"),
    [
        ("fenced", call("click [3]"), "no action between code fences"),
        ("fenced", call("``` ```"), "no action between code fences"),
        ("fenced", call("``", finish="length"), "cut off at its limit of tokens"),
        ("whole", call(" "), "empty"),
        ("json", call("click [3]"), "no JSON object"),
        ("json", call('{"action": '), "no JSON object"),
        ("json", call("{action}"), "broken JSON"),
        ("json", call('{"action": 3}'), 'no text "action"'),
        ("json", call('{"a": ' * 70 + "1" + "}" * 70), "broken JSON"),
        ("tool", call('{"action": "click [3]"}'), "calls no tool"),
        ("tool", call("", "[]"), 'no text "action"'),
        ("tool", call("", '{"acti'), "broken JSON"),
    ],
)
def test_no_action(reader: str, given: ModelCall, told: str) -> None:
    reading = READERS[reader](given)
    assert told in reading.malformed
    assert reading.text == given.reply.strip() or given.tools
