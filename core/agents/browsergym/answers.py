"""What BrowserGym's agents answer: one or several calls, perhaps among other words."""

from __future__ import annotations

import ast
import json
import math
import re
from typing import SupportsFloat

from webbench.core.json_types import JsonObject

LONGEST_TEXT = 100_000
LONGEST_PROMPT = 500_000
MOST_CALLS = 20
_OPENING = re.compile(r"\b([a-z_]+)\(")


def calls_in(text: str, known: frozenset[str]) -> list[str]:
    """The calls of known functions in a text, in order; all else is skipped, as BrowserGym's parser does."""
    found: list[str] = []
    at = 0
    text = text[:LONGEST_TEXT]
    while len(found) < MOST_CALLS and (opening := _OPENING.search(text, at)):
        end = _end(text, opening.start()) if opening[1] in known else None
        if end is not None:
            found.append(text[opening.start() : end])
        at = end or opening.end()
    return found


def _end(text: str, start: int) -> int | None:
    """Where the call that begins at `start` ends: at the first bracket that makes it Python, None if none."""
    for closing in list(re.finditer(r"\)", text[start:]))[:200]:
        end = start + closing.end()
        try:
            parsed = ast.parse(text[start:end], mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue
        return end if isinstance(parsed.body, ast.Call) else None
    return None


def said_in(call: str) -> str | None:
    """The text of a `send_msg_to_user`, None for every other call."""
    if not call.startswith("send_msg_to_user("):
        return None
    body = ast.parse(call, mode="eval").body
    arguments = [*body.args, *(named.value for named in body.keywords)] if isinstance(body, ast.Call) else []
    first = arguments[0] if arguments else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def told(info: object) -> JsonObject:
    """What an agent tells of its action, in the words of our protocol: `reasoning`, `usage`, `prompt`."""
    answer: JsonObject = {}
    if think := _part(info, "think"):
        answer["reasoning"] = str(think)[:LONGEST_TEXT]
    stats = _part(info, "stats")
    if isinstance(stats, dict):
        answer["usage"] = {str(name): float(value) for name, value in stats.items() if _is_number(value)}
    if messages := _part(info, "chat_messages"):
        answer["prompt"] = _prompt(messages)[:LONGEST_PROMPT]
    return answer


def _part(info: object, name: str) -> object:
    return info.get(name) if isinstance(info, dict) else getattr(info, name, None)


def _is_number(value: object) -> bool:
    """An array has `__float__`, too, and a whole number may be larger than any float."""
    try:
        return isinstance(value, SupportsFloat) and math.isfinite(float(value))
    except (TypeError, ValueError, OverflowError):
        return False


def _prompt(messages: object) -> str:
    if isinstance(messages, list | tuple):
        return json.dumps([_plain(one) for one in messages], indent=1, default=str)
    return str(messages)


def _plain(message: object) -> object:
    return dict(message) if isinstance(message, dict) else str(message)
