"""A rule of a contract, what was found of it, and the ledger that the findings of one plug-in go into."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable
from pathlib import PurePath
from typing import Literal

import msgspec

from webbench.core.errors import EnvironmentDown
from webbench.core.text.plain_text import plain_clip

LONGEST_FOUND = 600

State = Literal["kept", "broken", "left out", "down"]
"""Of a rule: "left out" where it couldn't be asked, "down" where what it is asked with isn't there."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence of a contract.

    Attributes:
        name: short, unique over all kinds: "benchmark-ids".
        expected: what has to be so.
        why: what goes wrong where it isn't.
        contract: where it is written: "core/task.py::Task.id".
    """

    name: str
    expected: str
    why: str
    contract: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one rule for one plug-in.

    Attributes:
        group: of the plug-in, without our prefix: "benchmarks".
        found: what was seen: of a kept rule what was tried, of one that was left out the reason.
    """

    group: str
    plugin: str
    rule: str
    state: State
    found: str
    expected: str = ""
    why: str = ""
    contract: str = ""


class Broken(Exception):
    """A rule isn't kept; the message is what was found."""


class LeftOut(Exception):
    """A rule can't be asked here; the message is the reason."""


class Ledger:
    """Asks rules of one plug-in and tells what became of each, as soon as it is known.

    Attributes:
        broken: names of the rules that aren't kept.
    """

    def __init__(self, group: str, plugin: str, tell: Callable[[Finding], None]) -> None:
        self.group = group
        self.plugin = plugin
        self.broken: set[str] = set()
        self._tell = tell

    def ask(self, rule: Rule, check: Callable[[], str]) -> bool:
        """Whether the rule is kept. `check` gives what was tried, or raises `Broken` or `LeftOut`."""
        try:
            return self.note(rule, "kept", check())
        except (Exception, SystemExit) as error:
            return self._failed(rule, error)

    async def ask_live(self, rule: Rule, check: Callable[[], Awaitable[str]]) -> bool:
        """The same for what has to be awaited."""
        try:
            return self.note(rule, "kept", await check())
        except (Exception, SystemExit) as error:
            return self._failed(rule, error)

    def note(self, rule: Rule, state: State, found: str) -> bool:
        """Tell what became of a rule; whether it is kept."""
        if state == "broken":
            self.broken.add(rule.name)
        said = (rule.expected, rule.why, rule.contract) if state == "broken" else ("", "", rule.contract)
        expected, why, contract = said
        self._tell(
            Finding(
                group=self.group,
                plugin=self.plugin,
                rule=rule.name,
                state=state,
                found=plain_clip(found, LONGEST_FOUND),
                expected=expected,
                why=why,
                contract=contract,
            )
        )
        return state == "kept"

    def _failed(self, rule: Rule, error: BaseException) -> bool:
        if isinstance(error, LeftOut):
            return self.note(rule, "left out", str(error))
        if isinstance(error, EnvironmentDown):
            return self.note(rule, "down", str(error))
        return self.note(rule, "broken", str(error) if isinstance(error, Broken) else raised(error))


def raised(error: BaseException) -> str:
    """What was raised, and the place in the code that raised it."""
    places = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(places[-1].filename).name}:{places[-1].lineno}" if places else ""
    return f"it raised {type(error).__name__}{place}: {error}"


def require_each(**asked: Callable[[], str]) -> None:
    """Raises `Broken` with all that is wrong, so that it can be mended at once.

    Args:
        asked: by field; each gives what is wrong, "" for nothing. An error that it raises is wrong, too.
    """
    found = [wrong for field, ask in asked.items() if (wrong := _wrong(field, ask))]
    require(not found, "; ".join(found))


def _wrong(field: str, ask: Callable[[], str]) -> str:
    try:
        return ask()
    except (LeftOut, EnvironmentDown):
        raise
    except Broken as error:
        return str(error)
    except Exception as error:
        return f"{field}: {type(error).__name__}: {error}"


def require(holds: bool, found: str) -> None:
    """Raises `Broken` with what was found where it doesn't hold."""
    if not holds:
        raise Broken(found)
