"""Losses of an import by their reason: each once, with where it holds and how often it came."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.exchange.importing import Imported


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """What was lost, or refused, for one reason.

    Attributes:
        kind: "lost" of what was imported, or the whole place was "refused".
        formats: as which the places were read; none for those that no format knows.
        times: how often it came in all places together.
        places: paths, from what was imported on.
    """

    kind: Literal["lost", "refused"]
    reason: str
    formats: tuple[str, ...]
    times: int
    places: tuple[str, ...]


def by_reason(told: Sequence[Imported], root: Path) -> list[Loss]:
    """What was lost, then what was refused, each in the order in which it first came."""
    lost = [(one, text) for one in told if one.state != "refused" for text in one.lost]
    refused = [(one, one.why) for one in told if one.state == "refused"]
    return [*_grouped("lost", lost, root), *_grouped("refused", refused, root)]


def _grouped(
    kind: Literal["lost", "refused"], found: Sequence[tuple[Imported, str]], root: Path
) -> list[Loss]:
    groups: dict[str, list[tuple[Imported, str]]] = {}
    for one, text in found:
        groups.setdefault(_without_place(text, one.path, root), []).append((one, text))
    return [
        Loss(
            kind=kind,
            reason=reason,
            formats=tuple(dict.fromkeys(one.format for one, _ in group if one.format)),
            times=sum(one.again.get(text, 0) + 1 for one, text in group),
            places=tuple(one.path.removeprefix(f"{root}/") for one, _ in group),
        )
        for reason, group in groups.items()
    ]


def _without_place(text: str, path: str, root: Path) -> str:
    """A reason without the path that stands before it anyhow, and other paths from the root on."""
    if text.startswith(f"{path}: "):
        text = text.removeprefix(f"{path}: ")
    elif text.startswith(f"{path} "):
        text = f"it {text.removeprefix(f'{path} ')}"
    return text.replace(f"{root}/", "")
