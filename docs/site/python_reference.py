"""The reference of the public door, `import webbench`, made from its docstrings."""

from __future__ import annotations

import inspect

import webbench


def page() -> str:
    """What can be called, then the types, by name."""
    names = sorted(webbench.__all__, key=str.casefold)
    types = [name for name in names if inspect.isclass(getattr(webbench, name))]
    called = [name for name in names if name not in types and callable(getattr(webbench, name))]
    others = [name for name in names if name not in called and name not in types]
    return "\n".join(
        [
            "# Reference of Python",
            "",
            "`import webbench as wb`: every public name, from its docstring. [Python](../python.md) walks",
            "through it with examples that run; what a plug-in offers and gets: [contracts](contracts.md).",
            "",
            "## What can be called",
            "",
            *(_told("function", name) for name in called),
            "",
            "## Types",
            "",
            *(_told("class", name, ":members:") for name in types),
            *(_told("data", name) for name in others),
        ]
    )


def _told(kind: str, name: str, *options: str) -> str:
    lines = [f".. auto{kind}:: webbench.{name}", *(f"   {option}" for option in options)]
    return "\n".join(["```{eval-rst}", *lines, "```", ""])
