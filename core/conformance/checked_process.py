"""The process in which one plug-in is asked: its findings go to a file as they are made.

Nothing slow is imported before the plug-in was made, so that it can be told what *it* imports.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from webbench.core.conformance.package_check import ENDS, PREFIX, Ordered
from webbench.core.conformance.rule import Broken, Finding, Ledger, Rule, raised
from webbench.core.errors import WebbenchError
from webbench.core.plugins import entry_points

SLOW = (
    "pandas",
    "playwright",
    "selenium",
    "openai",
    "pyautogui",
    "scipy",
    "pyarrow",
    "torch",
    "transformers",
)
"""Packages that take long to import."""

LOADS = Rule(
    name="plugin-loads",
    expected="its entry point can be imported",
    why="a plug-in that can't is told as broken, and nothing of it can be used",
    contract="core/plugins/entry_points.py::load",
)
IMPORTS = Rule(
    name="plugin-imports",
    expected=f"importing it, and making what its entry point names, imports none of {', '.join(SLOW)}",
    why="every command and the library make all that is plugged in: each would wait for it",
    contract="core/benchmark/benchmark.py::Benchmark",
)


def ask(ordered: Ordered, ledger: Ledger) -> None:
    """Ask the plug-in everything that is asked of its group."""
    before = set(sys.modules)
    if not ledger.ask(LOADS, lambda: _loaded(ordered)):
        return
    check = _rules(ordered.group)
    ledger.ask(IMPORTS, lambda: _quick(ordered, before))
    try:
        check(ordered, ledger)
    except Exception as error:
        ledger.note(LOADS, "broken", raised(error))


def _loaded(ordered: Ordered) -> str:
    try:
        named = entry_points.load(PREFIX + ordered.group)[ordered.name]()
    except WebbenchError as error:
        raise Broken(str(error)) from error
    return f"{type(named).__name__} {getattr(named, '__name__', '')}".strip()


def _quick(ordered: Ordered, before: set[str]) -> str:
    """Make it, where nothing is needed for that, and look what was imported by then."""
    from webbench.core.conformance.plugin_kinds import made

    made(ordered.group, ordered.name)
    slow = sorted({name.partition(".")[0] for name in set(sys.modules) - before} & set(SLOW))
    if slow:
        raise Broken(f"it imports {', '.join(slow)}")
    return f"{len(set(sys.modules) - before)} modules"


def _rules(group: str) -> Callable[[Ordered, Ledger], None]:
    from webbench.core.conformance.plugin_kinds import RULES

    return RULES[group]


def main(argument: str) -> None:
    """Entry point of the process."""
    ordered = msgspec.json.decode(argument, type=Ordered)
    with Path(ordered.report).open("ab", buffering=0) as file:

        def tell(finding: Finding) -> None:
            file.write(msgspec.json.encode(finding) + b"\n")

        ledger = Ledger(ordered.group, ordered.name, tell)
        ask(ordered, ledger)
        # Whoever ends the process in the middle, with exit code 0, has not been asked the rest.
        ledger.note(ENDS, "kept", "it was asked to the end")


if __name__ == "__main__":
    main(sys.argv[1])
