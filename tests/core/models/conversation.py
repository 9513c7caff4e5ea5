"""A scripted model: own-written conversations, replayed through an endpoint that speaks the protocol.

A conversation is a JSON file in `tests/conversations`: a list of turns, each with `asked`, texts that the
prompt has to hold, and `reply`. In a reply, `{link 'Orders'}` stands for the id that the prompt gives to the
line `[12] link 'Orders'`, and for the letter of a line `C. link 'Orders'`. `status` in place of a reply
refuses with that status.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.core.models.endpoint import Answer, Endpoint, Request, refused, running_endpoint, said

FOLDER = Path(__file__).parents[2] / "conversations"
_ELEMENT = re.compile(r"\{([a-zA-Z]+ '[^}]*)\}")


class Conversation:
    """What is left of a script; `faults` tells where a prompt was not as it had to be."""

    def __init__(self, turns: list[dict[str, Any]]) -> None:
        self.turns = turns
        self.faults: list[str] = []
        self.taken = 0

    @property
    def left(self) -> int:
        return len(self.turns) - self.taken

    def __call__(self, request: Request) -> Answer:
        if not self.left:
            self.faults.append("asked once too often")
            return refused(400)
        turn = self.turns[self.taken]
        self.taken += 1
        for text in turn.get("asked", ()):
            if text not in request.prompt:
                self.faults.append(f"turn {self.taken}: the prompt lacks {text!r}")
        if "status" in turn:
            return refused(turn["status"], Retry_After="0")
        return said(self._filled(turn["reply"], request.prompt), prompt_tokens=len(request.prompt) // 4)

    def _filled(self, reply: str, prompt: str) -> str:
        def id_of(found: re.Match[str]) -> str:
            name = re.escape(found[1])
            line = re.search(rf"\[(\d+)\] {name}|^([A-Z]+)\. {name}", prompt, re.MULTILINE)
            if line is None:
                self.faults.append(f"turn {self.taken}: no {found[1]} in the prompt")
            return line[1] or line[2] if line else "0"

        return _ELEMENT.sub(id_of, reply)


@contextmanager
def conversation(name: str) -> Iterator[tuple[Endpoint, Conversation]]:
    """An endpoint that holds the conversation of this name."""
    script = Conversation(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))
    with running_endpoint() as endpoint:
        endpoint.answers = script
        yield endpoint, script
