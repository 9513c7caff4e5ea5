"""The calls that BrowserGym's agents answered: one or several, perhaps among other words.

Read as BrowserGym reads it: calls of functions with literals as arguments, by position and by name, on one
line or several; a `#` begins a comment up to the end of its line; what is no call is passed over, or is an
error where the action set is `strict`. The first function that is not in the action set fails the whole
answer, before anything of it is carried out, in BrowserGym's own words. Nothing is evaluated.
"""

from __future__ import annotations

import json
import math
import re
from typing import NamedTuple, SupportsFloat

from webbench.core.json_types import JsonObject

LONGEST_TEXT = 100_000
LONGEST_PROMPT = 500_000
MOST_CALLS = 50
MOST_TRIES = 2_000
"""Names before a bracket that are looked at in one answer."""

LONGEST_LEFT = 60
"""Characters that are told of a call that could not be read."""

DEEPEST = 40
"""Lists in lists of an argument."""

_SKIPPED = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_NAME = re.compile(r"[^\W\d]\w*")
_NEXT = re.compile(r"#[^\n]*|[^\W\d]\w*")
_STRING = re.compile(
    r"\"\"\"((?:[^\\\"]|\\.|\"(?!\"\"))*)\"\"\"|'''((?:[^\\']|\\.|'(?!''))*)'''"
    r"|\"((?:[^\\\"]|\\.)*)\"|'((?:[^\\']|\\.)*)'",
    re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_ESCAPE = re.compile(r"\\(?:([0-7]{3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_WHITE = {"t": "\t", "n": "\n", "f": "\f", "r": "\r"}
_CONSTANTS = {"True": True, "False": False, "None": None}
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


class NotCarriedOut(Exception):
    """An answer of which nothing is carried out; the message is what BrowserGym would tell the agent."""


class Call(NamedTuple):
    """A function with its arguments, the named ones behind the others, and where it stands in the text."""

    name: str
    arguments: tuple[object, ...]
    named: tuple[tuple[str, object], ...]
    start: int
    end: int

    def __str__(self) -> str:
        given = [*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.named)]
        return f"{self.name}({', '.join(given)})"


class Answer(NamedTuple):
    """The calls of an answer, and the beginnings of those of known functions that could not be read."""

    calls: tuple[Call, ...]
    unread: tuple[str, ...] = ()


class _NoCall(Exception):
    """What stands here is no literal, or no call."""


class Rules(NamedTuple):
    """What may stand in an answer.

    Attributes:
        known: names of the action set.
        strict: nothing but calls and comments.
        several: more than one call.
    """

    known: frozenset[str]
    strict: bool = False
    several: bool = True


def read_answer(text: str, rules: Rules) -> Answer:
    """The calls of an answer, all of known functions. Raises `NotCarriedOut`."""
    text = text[:LONGEST_TEXT]
    calls, unread = _calls_in(text)
    if rules.strict:
        _nothing_else(text, calls)
    if not calls:
        raise NotCarriedOut("ValueError: Received an empty action.")
    if len(calls) > 1 and not rules.several:
        raise NotCarriedOut("ValueError: Received a multi-action, only single-actions are allowed.")
    for call in calls:
        if call.name not in rules.known:
            raise NotCarriedOut(f"NameError: Invalid action type '{call.name[:80]}'.")
    if len(calls) > MOST_CALLS:
        raise NotCarriedOut(f"ValueError: More than {MOST_CALLS} actions in one answer.")
    left = (text[at : at + LONGEST_LEFT] for name, at in unread if name in rules.known)
    return Answer(tuple(calls), tuple(left))


def _calls_in(text: str) -> tuple[list[Call], list[tuple[str, int]]]:
    """The calls, and names before a bracket that begin none, with their places. Raises `NotCarriedOut`."""
    calls: list[Call] = []
    unread: list[tuple[str, int]] = []
    at = 0
    while (found := _NEXT.search(text, at)) is not None:
        at = found.end()
        opening = _SKIPPED.match(text, at)
        if found[0].startswith("#") or opening is None or not text.startswith("(", opening.end()):
            continue
        if len(calls) + len(unread) >= MOST_TRIES:
            raise NotCarriedOut("ValueError: The answer is too long to be read.")
        try:
            calls.append(_Reader(text).call(found.start()))
            at = calls[-1].end
        except _NoCall:
            unread.append((found[0], found.start()))
    return calls, unread


def _nothing_else(text: str, calls: list[Call]) -> None:
    at = 0
    for start, end in (*((call.start, call.end) for call in calls), (len(text), len(text))):
        skipped = _SKIPPED.match(text, at)
        after = skipped.end() if skipped else at
        if after < start:
            line = text.count("\n", 0, after) + 1
            column = after - text.rfind("\n", 0, after)
            place = f"(at char {after}), (line:{line}, col:{column})"
            raise NotCarriedOut(
                f"ParseException: Expected end of text, found {text[after : after + 20]!r}  {place}"
            )
        at = end


class _Reader:
    """Reads literals from a place in a text on; blanks and comments may stand between them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def call(self, start: int) -> Call:
        """The call that begins with a name here. Raises `_NoCall`."""
        self._at = start
        name = self._match(_NAME)[0]
        self._expect("(")
        arguments: list[object] = []
        named: list[tuple[str, object]] = []
        while not self._takes(")"):
            key = self._keyword()
            if key:
                named.append((key, self._literal()))
            elif named:
                raise _NoCall
            else:
                arguments.append(self._literal())
            if not self._takes(","):
                self._expect(")")
                break
        return Call(name, tuple(arguments), tuple(named), start, self._at)

    def _keyword(self) -> str:
        before = self._at
        found = self._looked(_NAME)
        if found is not None:
            self._at = found.end()
            if self._takes("="):
                return found[0]
            self._at = before
        return ""

    def _literal(self) -> object:
        if (found := self._looked(_STRING)) is not None:
            self._at = found.end()
            return _ESCAPE.sub(_unescaped, next(group for group in found.groups() if group is not None))
        if (found := self._looked(_NUMBER)) is not None:
            self._at = found.end()
            return _number(found[0])
        if (found := self._looked(_NAME)) is not None and found[0] in _CONSTANTS:
            self._at = found.end()
            return _CONSTANTS[found[0]]
        for opening in _CLOSERS:
            if self._takes(opening):
                return self._gathered(opening)
        raise _NoCall

    def _gathered(self, opening: str) -> object:
        """A list, tuple or dict up to its end."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise _NoCall
        closing = _CLOSERS[opening]
        items: list[object] = []
        pairs: dict[object, object] = {}
        while not self._takes(closing):
            item = self._literal()
            if opening != "{":
                items.append(item)
            elif isinstance(item, str):
                self._expect(":")
                pairs[item] = self._literal()
            else:
                raise _NoCall
            if not self._takes(","):
                self._expect(closing)
                break
        self._depth -= 1
        return pairs if opening == "{" else tuple(items) if opening == "(" else items

    def _looked(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        skipped = _SKIPPED.match(self._text, self._at)
        return pattern.match(self._text, skipped.end() if skipped else self._at)

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = self._looked(pattern)
        if found is None:
            raise _NoCall
        self._at = found.end()
        return found

    def _takes(self, sign: str) -> bool:
        skipped = _SKIPPED.match(self._text, self._at)
        at = skipped.end() if skipped else self._at
        if not self._text.startswith(sign, at):
            return False
        self._at = at + len(sign)
        return True

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise _NoCall


def _unescaped(found: re.Match[str]) -> str:
    octal, two, four, sign = found.groups()
    if octal:
        return chr(int(octal, 8))
    if two or four:
        return chr(int(two or four, 16))
    return _WHITE.get(sign, sign)


def _number(written: str) -> int | float:
    if len(written) > 300:
        raise _NoCall
    return float(written) if re.search(r"[.eE]", written) else int(written)


def said_in(call: Call) -> str | None:
    """The text of a `send_msg_to_user`, None for every other call."""
    if call.name != "send_msg_to_user":
        return None
    first = next(iter((*call.arguments, *(value for _, value in call.named))), "")
    return first if isinstance(first, str) else ""


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
