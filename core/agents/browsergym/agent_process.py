"""The agent process that a BrowserGym agent lives in: observation lines in, answer lines out.

Called with one argument of JSON: `agent` (MODULE:NAME), `options` of its maker, `verbs` that are actions. It
speaks the protocol of command agents (docs/command-agents.md); what the agent prints goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections import deque
from collections.abc import Iterable
from typing import TextIO

from webbench.core.agents.browsergym.answered_calls import Call, NotCarriedOut, read_answer, said_in, told
from webbench.core.agents.browsergym.installed_agent import Loaded, Unusable, load
from webbench.core.agents.browsergym.obs import Observer
from webbench.core.json_types import JsonObject

GAVE_UP = {"verb": "stop"}
LONGEST_REASON = 300


class Conversation:
    """Asks the agent once per observation, and carries out an answer of several calls one by one."""

    def __init__(self, loaded: Loaded, observer: Observer, verbs: frozenset[str]) -> None:
        self._loaded = loaded
        self._observer = observer
        self._rules = loaded.rules(verbs)
        self._pending: deque[Call] = deque()
        self._sent = ""
        self._text = ""

    def take_up(self, state: JsonObject | None) -> None:
        """Go on with what was kept before this process was started, as `state` gives it."""
        if state is not None:
            self._observer.go_on(state.get("said", []), state.get("elapsed", 0.0))
            self._loaded.take_up(state.get("agent"))

    @property
    def state(self) -> JsonObject:
        """What the agent said, how long the episode takes, and what the agent itself wants to keep."""
        return {**self._observer.kept, "agent": self._loaded.kept()}

    def answer(self, line: JsonObject) -> JsonObject:
        """The answer to one observation line."""
        as_sent = line.get("last_action", "") == self._sent
        if self._pending and as_sent and not line.get("last_error") and not line.get("rejected"):
            return self._next({"reasoning": "further action of the same answer"})
        self._pending.clear()
        obs = self._observer.obs(line, self._text if as_sent else line.get("last_action", ""))
        given = self._loaded.agent.get_action(self._loaded.seen(obs))
        action, info = given if isinstance(given, tuple) and len(given) == 2 else (given, {})
        answer = told(info)
        if action is None:
            return {"action": GAVE_UP, **answer, "reasoning": answer.get("reasoning") or "it gave no action"}
        self._text = self._sent = str(action)
        try:
            read = read_answer(self._text, self._rules)
        except NotCarriedOut as reason:
            return {**answer, "action": self._text, "malformed": str(reason)}
        if read.unread:
            left = "\n".join(("left out, as BrowserGym does with what it can't read:", *read.unread))
            answer["reasoning"] = "\n\n".join(filter(None, (answer.get("reasoning", ""), left)))
        self._pending.extend(read.calls)
        return self._next({**answer, "following": [str(call) for call in read.calls[1:]]})

    def _next(self, answer: JsonObject) -> JsonObject:
        call = self._pending.popleft()
        self._sent = str(call)
        said = said_in(call)
        if said is not None:
            self._observer.chat.say(said)
        return {**answer, "action": self._sent}


def converse(lines: Iterable[str], out: TextIO, setup: JsonObject) -> None:
    """Answer until `bye` or the end of the input, or until the agent fails, which is the last answer."""
    conversation: Conversation | None = None
    loaded: Loaded | None = None
    try:
        for text in lines:
            line = json.loads(text)
            if line["type"] == "hello":
                task = line["task"]
                loaded = load(setup["agent"], setup["options"], task=task["id"], seed=line["seed"])
                conversation = Conversation(
                    loaded, Observer(task["intent"], task.get("pictures", [])), frozenset(setup["verbs"])
                )
                conversation.take_up(line.get("state"))
            elif line["type"] == "observation" and conversation is not None:
                out.write(json.dumps(_answer(conversation, line), default=str) + "\n")
                out.flush()
            elif line["type"] == "bye":
                return
    except Exception as error:
        traceback.print_exc()
        out.write(json.dumps({"error": _why(error)}) + "\n")
        out.flush()
    finally:
        if loaded is not None:
            loaded.close()


def _answer(conversation: Conversation, line: JsonObject) -> JsonObject:
    try:
        return {**conversation.answer(line), "state": conversation.state}
    except KeyboardInterrupt:  # nobody waits for this answer any more
        return {"action": "noop()", "reasoning": "interrupted"}


def _why(error: Exception) -> str:
    """The error in one line, with the place in the agent's code; one of ours needs none."""
    if isinstance(error, Unusable):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{told[:LONGEST_REASON]} (at {place.filename}:{place.lineno})"


def main() -> None:
    """Entry point of the process."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    converse(sys.stdin, out, json.loads(sys.argv[1]))
