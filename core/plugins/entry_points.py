"""Loading plug-ins: entry points of our groups by name; our own come by the same door.

Listing names imports nothing; a plug-in that can't be imported is reported when it is asked for, or by
`broken`, and never disturbs the others. What a plug-in must be is told where it is used: `find_benchmark`,
`create_agent`, `find_dialect` and so on stand beside their contracts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from webbench.core.errors import UsageError, WebbenchError
from webbench.core.text.nearest import nearest_names
from webbench.core.text.plain_text import plain_clip

Made = TypeVar("Made")

DISTRIBUTION = "webbench-tui"
"""What our own entry points come with."""

Loader = Callable[[], Any]
"""Imports the plug-in and gives what its entry point names. Raises `PluginBroken`."""


class PluginBroken(WebbenchError):
    """An installed plug-in can't be imported or made (exit code 3); `reason` is why, without its name."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "", reason: str = "") -> None:
        super().__init__(message, hint)
        self.reason = reason or message


def claims(group: str) -> list[EntryPoint]:
    """All entry points of a group by name; of those with one name the one that is used comes first.

    The product's own wins over any other, else the first by the module it names.
    """
    return sorted(entry_points(group=group), key=lambda point: (point.name, not built_in(point), point.value))


def built_in(point: EntryPoint) -> bool:
    """Whether the product itself brings it."""
    return point.dist is not None and point.dist.name.lower().replace("_", "-") == DISTRIBUTION


@cache
def installed(group: str) -> Mapping[str, EntryPoint]:
    """The entry points that are used, by name. Imports nothing."""
    found: dict[str, EntryPoint] = {}
    for point in claims(group):
        found.setdefault(point.name, point)
    return found


def load(group: str) -> dict[str, Loader]:
    """Loaders of a group by name, in alphabetical order. Imports nothing."""
    return {name: _loader(point) for name, point in installed(group).items()}


def broken(group: str) -> dict[str, str]:
    """What is wrong with the plug-ins of a group that can't be imported; imports all of them."""
    problems: dict[str, str] = {}
    for name, loader in load(group).items():
        try:
            loader()
        except PluginBroken as error:
            problems[name] = str(error)
    return problems


def find(group: str, kind: str, name: str) -> Loader:
    """The loader of this name.

    Args:
        kind: what the group holds, for messages.

    Raises `UsageError` where there is none, naming the nearest ones.
    """
    loaders = load(group)
    if name in loaders:
        return loaders[name]
    near = nearest_names(name, loaders)
    known = ", ".join(loaders) or "none is installed"
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise UsageError(f'There is no {kind} named "{plain_clip(name, 60)}"', f"{hint}known: {known}")


def _loader(point: EntryPoint) -> Loader:
    def load_point() -> object:
        try:
            return point.load()
        except (Exception, SystemExit) as error:
            raise _failure(point.group, point.name, error) from error

    return load_point


def make(group: str, name: str, factory: Callable[[], Made]) -> Made:
    """What the factory of this entry point makes. Raises `PluginBroken` for whatever goes wrong in it."""
    try:
        return factory()
    except WebbenchError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure(group, name, error) from error


def _failure(group: str, name: str, error: BaseException) -> PluginBroken:
    point = installed(group)[name]
    source = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    reason = plain_clip(f"{type(error).__name__}: {error}", 300)
    return PluginBroken(
        f'The plug-in "{name}" of {group} ({source}) failed: {reason}',
        f"reinstall or remove {point.dist.name if point.dist else point.module}",
        reason,
    )
