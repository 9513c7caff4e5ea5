"""Picks: what one of many is picked from, and which of them fit what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pick:
    """What can be picked: its name, "" for nothing; a few words; all there is to say.

    `asks` is what has to be said besides, behind the name; "" for nothing.
    """

    name: str
    title: str
    detail: str = ""
    asks: str = ""


def fitting(choices: Sequence[Pick], typed: str) -> list[Pick]:
    """Those with the typed word in their name, then those told of with it; all where nothing is typed."""
    word = typed.casefold()
    by_name = [one for one in choices if word in one.name.casefold()]
    begins = sorted(by_name, key=lambda one: not one.name.casefold().startswith(word)) if word else by_name
    others = [one for one in choices if one not in by_name]
    return begins + [one for one in others if word in f"{one.title} {one.detail}".casefold()]
