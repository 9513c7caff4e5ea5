"""The tally of a source: how much it has of each kind, counted from what was parsed and not from the record.

How a format declares its counts:

1. `SHAPE = Shape({...})` says by path what is of which kind (`source_shape.py`, `kinds.py`).
2. As it reads, it hands each parsed value on once, before it makes anything of it:
   `place.tally.read(row, SHAPE)`. What is no JSON (a table's row is an object, a log is text) it counts by
   a pattern of its own: `place.tally.count("steps", len(STEP.findall(text)))`.
3. What the record can't take it tells with kind and reason: `lost = place.tally.losses()`, then
   `lost.lose("actions", "step 3: ...", why="no action that we know")`; where the record has more than the
   source, `place.tally.made("steps", "the answer is a step of its own")`.

The import compares: source + made - left - told again = recorded, for each kind. What doesn't come out even
is told as unexplained, and the import ends with exit code 1. A format that counts nothing is told, too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Literal

import msgspec

from webbench.core.exchange.account.kinds import Kind, kind_of_figure
from webbench.core.exchange.account.source_shape import Again, Figures, Left, Shape
from webbench.core.json_types import Json, JsonObject

MOST_PENDING = 4_000
"""Values that may wait for the episode that has them."""
MOST_EPISODES = 8
"""Episodes that are looked through for a value before it is taken for missing."""
MOST_PATHS = 200
"""Paths of values that are told when they are missing."""
LONGEST_COMPARED = 100_000
"""Characters of a value that are looked for in the record."""
LONGEST_WORD = 24
"""Bytes of a text that could stand in a word of another meaning."""
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_NUMBER = _WORD | {ord(".")}
_NAME = re.compile(rb'"[A-Za-z_]\w{0,40}":')
_LISTS = (list, tuple)
_HOLDERS = (list, dict)
_LEAVING = (Left, Again)

Sort = Literal["left", "made", "again", "unexplained"]


class Reason(msgspec.Struct, kw_only=True):
    """Why the record has more or less of a kind than the source.

    Attributes:
        sort: "left" out of the record, "made" for it, told "again" in the source, or "unexplained".
    """

    sort: Sort
    why: str
    count: int


class Lost(list[str]):
    """Lines of what an episode lost; each with its kind, so that the account comes out even."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally

    def lose(self, kind: Kind, line: str, count: int = 1, *, why: str = "") -> None:
        """`count` of a kind are in the source and not in the record.

        Args:
            line: what is told of the episode.
            why: the reason in the account, where lines differ by what they name; else the line.
        """
        if count <= 0:
            return
        self.append(line)
        self.tally.note("left", kind, why or line, count)
        self.tally.told.add((kind, why or line))

    def has(self, kind: Kind, count: int = 1) -> None:
        """The source has so many of a kind."""
        self.tally.count(kind, count)


class Tally:
    """What a place holds, as far as it has been read.

    Attributes:
        source: how much there is, by kind.
        used: anything was counted at all.
        reasons: what is left out, made or told again, by kind and words.
        noticed: how the source was read, and what is odd about it and changes nothing: a step that is there
            twice, one line each.
        opened: files of which anything was read.
        missing: values that no record has, by their path.
        unsought: values that a rule leaves out, which are looked for nowhere.
        in_other_ways: kinds that `retold` is about, with the reason.
        missed_files: of a folder, those of which nothing was read.
        told: kinds and reasons of which an episode's own lines tell.
        concealed: secrets that were replaced in records, each of which a value may be missing for.
    """

    def __init__(self) -> None:
        self.source: Counter[Kind] = Counter()
        self.used = False
        self.reasons: dict[tuple[Kind, Sort, str], int] = {}
        self.noticed: Counter[str] = Counter()
        self.opened: set[Path] = set()
        self.told: set[tuple[Kind, str]] = set()
        self.concealed = 0
        self.missing: Counter[str] = Counter()
        self.in_other_ways: dict[Kind, str] = {}
        self.unsought = 0
        self.missed_files: list[str] = []
        self._pending: dict[bytes, _Waiting] = {}
        self._exchanges = 0

    def losses(self) -> Lost:
        """An empty list for what one episode loses."""
        return Lost(self)

    def read(self, value: Json, shape: Shape) -> None:
        """Count a parsed value by its shape."""
        self.used = True
        self._read(value, shape)

    def count(self, kind: Kind, count: int = 1) -> None:
        """The source has so many of a kind."""
        self.used = True
        self.source[kind] += count

    def value(self, path: str, value: Json) -> None:
        """A text or number that has to be in the record; `path` names it where it is missing."""
        self.used = True
        self._wait(value, path)

    def more_exchanges(self, listed: int) -> int:
        """How many exchanges with the network a step adds to those before; 0 begins another episode."""
        more = max(0, listed - self._exchanges)
        self._exchanges = max(listed, self._exchanges) if listed else 0
        return more

    def left(self, kind: Kind, why: str, count: int = 1) -> None:
        """So many are in the source and not in the record; the reason is told as a loss."""
        self.note("left", kind, why, count)

    def made(self, kind: Kind, why: str, count: int = 1) -> None:
        """So many are in the record and not in the source: an answer that became a step."""
        self.note("made", kind, why, count)

    def again(self, kind: Kind, why: str, count: int = 1) -> None:
        """So many are in the source for a second time."""
        self.note("again", kind, why, count)

    def retold(self, kind: Kind, why: str) -> None:
        """The source tells a kind in another way, so that the two counts can't be held against each other.

        What is left open of it is explained by this; the table says so.
        """
        self.in_other_ways[kind] = why

    def notice(self, what: str) -> None:
        """Tell of something odd that is taken over as it stands, or of how the source was read."""
        self.noticed[what] += 1

    def note(self, sort: Sort, kind: Kind, why: str, count: int) -> None:
        """Keep a reason; the same again adds up."""
        key = (kind, sort, why)
        if key in self.reasons or len(self.reasons) < MOST_PENDING:
            self.reasons[key] = self.reasons.get(key, 0) + count
        else:
            self.reasons[kind, sort, "more of the same"] = (
                self.reasons.get((kind, sort, "more of the same"), 0) + count
            )

    def _read(self, value: Json, shape: Shape) -> None:
        if value is None or value == "":
            return
        if isinstance(value, _LISTS) and not shape.is_whole:
            for item in value:
                self._read(item, shape)
            return
        rule = shape.rule
        if rule is not None:
            if not value and isinstance(value, _HOLDERS):
                return
            if rule == "values" and not shape.below:
                self._others(value, shape.path)
                return
            for kind in shape.kinds:
                self.source[kind] += 1
            if isinstance(rule, Figures):
                self._figures(value, shape.path)
            elif isinstance(rule, _LEAVING):
                self._leave(rule)
            if not shape.below:
                return
        if isinstance(value, dict):
            self._fields(value, shape)
        elif rule is None:
            self._wait(value, shape.path)

    def _fields(self, value: JsonObject, shape: Shape) -> None:
        below, any_key, path = shape.below, shape.any_key, shape.path
        for key, inner in value.items():
            found = below.get(key, any_key)
            if found is not None:
                self._read(inner, found)
            elif inner is not None and inner != "":
                self._others(inner, f"{path}.{key}" if path else key)

    def _leave(self, rule: Left | Again) -> None:
        self.unsought += rule.kind == "values"
        self.note("left" if isinstance(rule, Left) else "again", rule.kind, rule.why, 1)

    def _figures(self, value: Json, path: str) -> None:
        for name, figure in value.items() if isinstance(value, dict) else ():
            kind = kind_of_figure(str(name))
            is_number = isinstance(figure, int | float) and not isinstance(figure, bool)
            if kind == "values" or not is_number:
                self._others(figure, f"{path}.{name}")
            else:
                self.source[kind] += 1

    def _others(self, value: Json, path: str) -> None:
        """Every value in what no rule is about."""
        if isinstance(value, str):
            self._wait(value, path)
        elif isinstance(value, dict):
            for key, inner in value.items():
                self._others(inner, f"{path}.{key}")
        elif isinstance(value, _LISTS):
            for inner in value:
                self._others(inner, path)
        else:
            self._wait(value, path)

    def _wait(self, value: Json, path: str) -> None:
        text = value.strip()[:LONGEST_COMPARED] if isinstance(value, str) else value
        if text is None or text == "":
            return
        self.source["values"] += 1
        key = _needle(text)
        waiting = self._pending.get(key)
        if waiting is not None:
            waiting.paths[path] = waiting.paths.get(path, 0) + 1
        elif len(self._pending) < MOST_PENDING:
            self._pending[key] = _Waiting({path: 1})
        else:
            self._miss(path, 1)

    @property
    def is_waiting(self) -> bool:
        """Whether values have been counted that no episode has had yet."""
        return bool(self._pending)

    def settle(self, record: bytes) -> None:
        """Values whose text stands in a record (JSON) are recorded; the others wait for the next."""
        for key, waiting in list(self._pending.items()):
            if _stands_in(key, record) or (b"\\" in key and _escaped(key) in record):
                del self._pending[key]
                continue
            waiting.episodes += 1
            if waiting.episodes >= MOST_EPISODES:
                del self._pending[key]
                self._miss_all(waiting)

    def close(self) -> None:
        """No more episodes come: what is waiting still is missing."""
        for waiting in self._pending.values():
            self._miss_all(waiting)
        self._pending.clear()

    def _miss_all(self, waiting: _Waiting) -> None:
        for path, count in waiting.paths.items():
            self._miss(path, count)

    def _miss(self, path: str, count: int) -> None:
        known = path in self.missing or len(self.missing) < MOST_PATHS
        self.missing[path if known else "others"] += count


class _Waiting(msgspec.Struct):
    """A value that no episode has had yet.

    Attributes:
        paths: where it stands in the source, and how often.
        episodes: that were looked through for it.
    """

    paths: dict[str, int]
    episodes: int = 0


def _needle(value: Json) -> bytes:
    """A text as JSON has it between quotation marks; before anything else stands a NUL, which no JSON has."""
    if isinstance(value, str):
        try:
            return msgspec.json.encode(value)[1:-1]
        except UnicodeEncodeError:
            return json.dumps(value).encode()[1:-1]
    try:
        return b"\0" + msgspec.json.encode(value)  # as records are written: 1e-5 and not 1e-05
    except (OverflowError, TypeError):
        return b"\0" + json.dumps(value).encode()


def _escaped(needle: bytes) -> bytes:
    """As it stands within a text that is JSON itself, or a call as it was sent."""
    return needle.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def _stands_in(needle: bytes, record: bytes) -> bool:
    """A text as a part of a longer one too, where that is no part of a word; a number as a number.

    The name of a field is no value.
    """
    if b':"%b"' % needle in record:
        return True  # the whole text of a field, as most are
    sought = needle.removeprefix(b"\0")
    inner = _NUMBER if needle.startswith(b"\0") else _WORD
    may_be_part = len(needle) <= LONGEST_WORD
    opens, closes = may_be_part and sought[0] in _WORD, may_be_part and sought[-1] in _WORD
    at = record.find(sought)
    while at >= 0:
        end = at + len(sought)
        goes_on = closes and end < len(record) and record[end] in inner
        began = opens and at > 0 and record[at - 1] in inner and not _is_escape(record, at)
        if not goes_on and not began and not _is_name(record, at, end):
            return True
        at = record.find(sought, at + 1)
    return False


def _is_name(record: bytes, at: int, end: int) -> bool:
    """Whether what stands from `at` to `end` has a part of a field's name, or the colon behind one."""
    quote = record.rfind(b'"', 0, at - 1 if record[at : at + 1] == b":" else end)
    return _NAME.match(record, quote) is not None


def _is_escape(record: bytes, at: int) -> bool:
    """Whether a line end or tab, as JSON writes it, stands before this place."""
    return record[at - 2 : at] in (b"\\n", b"\\t", b"\\r")
