"""Finding what can be imported below a path, and by which format."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from webbench.core.exchange.import_format import Claim, Format
from webbench.core.exchange.place import MOST_NAMES, Place
from webbench.core.exchange.reading.archive import is_zip
from webbench.core.exchange.reading.picture_bytes import PICTURES
from webbench.core.text.bounded_json import DEEPEST

MOST_PLACES = 500_000
UNKNOWN = "unknown format"
NEAR, MOST_KEYS = 3, 12
"""Near formats that are told of, and keys of each."""
_KEYS = re.compile(rb'"([\w.-]{1,40})"\s*:')
_PLAIN = frozenset(
    {"json", "list", "lines", "line", "object", "folder", "file", "files", "with", "and", "then", "its"}
    | {"csv", "text", "log", "each", "the", "from", "html", "gzipped", "jsonl", "png", "pkl"}
)


class Found(msgspec.Struct, frozen=True):
    """A place and what is to be done with it.

    Attributes:
        format: None where no format knows it; then `claim` is a refusal that names the nearest one.
    """

    place: Place
    format: Format | None
    claim: Claim


def find(root: Path, formats: Sequence[Format], only: str = "") -> Iterator[Found]:
    """What lies at `root` and below, in the order of names.

    A folder that a format takes is not looked into any further: what it holds is that format's.

    Args:
        only: name of the one format to be tried; empty for all.
    """
    asked = [one for one in formats if not only or one.name == only]
    waiting = [root]
    for _ in range(MOST_PLACES):
        if not waiting:
            return
        place = Place(waiting.pop(), root)
        barred = _barred(place)
        taken = None if barred else surest(place, asked)
        if taken is not None:
            yield taken
        elif not barred and place.is_folder:
            waiting += [place.path / name for name in sorted(place.names, reverse=True)]
        else:
            reason = barred or (f"{UNKNOWN}; {nearest(place, formats)}" if not only else f"it is not {only}")
            yield Found(place, None, Claim("refused", reason))
        if len(place.names) >= MOST_NAMES:
            cut = f"of this folder only {MOST_NAMES:,} names are looked at"
            yield Found(place, None, Claim("refused", cut))
    if waiting:
        left = f"{MOST_PLACES:,} files and folders were looked at; {len(waiting):,} or more are left"
        yield Found(Place(root, root), None, Claim("refused", f"{left}: import parts of it"))


def _barred(place: Place) -> str:
    """Why a place is not looked into, "" where nothing keeps from it."""
    if not place.confined:
        return _unconfined(place)
    if not os.access(place.path, os.R_OK | (os.X_OK if place.is_folder else 0)):
        return "it can't be read: you have no permission to"
    if place.is_folder and place.path.is_symlink() and place.path != place.root:
        return "a link to a folder that is imported itself"
    return ""


def _unconfined(place: Place) -> str:
    """What is wrong with a path that is no file or folder below the root."""
    if place.path.is_symlink():
        return "it is a link that leads out of the folder that is imported, or nowhere"
    return "it is no plain file, or can't be reached"


def surest(place: Place, formats: Sequence[Format]) -> Found | None:
    """The format that is surest of the place; of equals the first by name."""
    found = [Found(place, one, claim) for one in formats if (claim := one.claim(place)) is not None]
    return max(found, key=lambda one: one.claim.sure, default=None)


def nearest(place: Place, formats: Sequence[Format]) -> str:
    """A guess for a file that nobody knows: the format whose description shares most of its words."""
    if is_zip(place):
        return "it is a zip file: unpack it first"
    if not place.head.strip():
        return (
            "it is empty" if place.size < len(place.head) + 1 else "it can't be read, or begins with blanks"
        )
    if place.head.lstrip()[: DEEPEST + 1].strip(b"[{") == b"" and len(place.head.lstrip()) > DEEPEST:
        return f"it is nested deeper than {DEEPEST} levels"
    if place.head.startswith(PICTURES):
        return "it is a picture that no episode beside it names"
    words = set(_words_in(place.name)) | set(_words_in(place.head.decode("utf-8", "replace")))
    shared = {one.name: len(words & set(_words_in(one.looks_like))) for one in formats}
    best = max(formats, key=lambda one: shared[one.name], default=None)
    if best is None or not shared[best.name]:
        return "nothing in it is like a format we know"
    return f"the nearest is {best.name}: {best.looks_like}{_missing(place, formats, words, shared)}"


def _missing(place: Place, formats: Sequence[Format], words: set[str], shared: Mapping[str, int]) -> str:
    """Which keys were found, and which words of the nearest formats were not."""
    keys = dict.fromkeys(found.decode("utf-8", "replace") for found in _KEYS.findall(place.head))
    near = sorted((one for one in formats if shared[one.name]), key=lambda one: -shared[one.name])[:NEAR]
    told = [f"; keys found: {', '.join(list(keys)[:MOST_KEYS])}" if keys else "; no keys of JSON were found"]
    for one in near:
        lacks = [word for word in dict.fromkeys(_words_in(one.looks_like)) if word not in words | _PLAIN]
        told.append(f"; {one.name} misses {', '.join(lacks[:MOST_KEYS]) or 'nothing by name'}")
    return "".join(told)


def _words_in(text: str) -> list[str]:
    separated = "".join(character if character.isalnum() else " " for character in text.lower())
    return [word for word in separated.split() if len(word) > 2 and not word.isdigit()]
