"""Differences of two records part by part, each with the reason that the exporter has for it by its name.

A difference is named by its part and, where the part is an object, by the fields in it that are another:
`actions.click.button`, `trees.box`, `values.steps.ok`. No name covers a whole kind of values: what is not
named has no reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from webbench.core.exchange.account.episode_parts import kind_of
from webbench.core.exchange.account.given import OF_ALL_FORMATS, Places
from webbench.core.exchange.account.tally import Reason
from webbench.core.json_types import Json

Value = tuple[int, str, bytes]
"""The step that it is of (-1: the episode's), its part, and what it is as JSON."""
ANY = "*"
DEEPEST = 12
"""Levels of an object that are named."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What of a kind is another, under one name.

    Attributes:
        name: of the part, and of the field in it.
        sort: "gone": it did not come back; "new": it wasn't there; "other": it came back as another.
        count: how often.
        why: the exporter's reason, "" where it has none.
    """

    name: str
    sort: str
    count: int
    why: str = ""


def differences(
    gone: Counter[Value],
    new: Counter[Value],
    came: Counter[Value],
    places: Places,
    counted: Sequence[Reason],
    apart: Mapping[int, str],
) -> list[Difference]:
    """Each difference of one kind with its reason.

    Args:
        gone, new: values of the first record that the second has not, and the other way round.
        came: all values of the second record.
        counted: what the account of the export says of the kind; it explains as many as it counts, no more.
        apart: steps that are left out as a whole, or came as new ones; values of theirs have that reason.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    for step, part, was, is_now in _pairs(gone, new):
        if was is None or is_now is None:
            of_step = apart.get(step, "") if kind_of(part) == "values" else ""
            found[part, "new" if was is None else "gone", of_step] += 1
            continue
        for name in dict.fromkeys(_fields(part, was, is_now)):
            found[name, "other", ""] += 1
    had = {part for _, part, _ in gone} | {part for _, part, _ in came - new}
    there = {part for _, part, _ in came} & had
    left = _Counted(counted)
    return [
        Difference(name=name, sort=sort, count=count, why=why or _why(name, sort, count, there, places, left))
        for (name, sort, why), count in sorted(found.items())
    ]


def _pairs(
    gone: Counter[Value], new: Counter[Value]
) -> Iterator[tuple[int, str, bytes | None, bytes | None]]:
    """What stood where with what stands there now, None where nothing does."""
    was: defaultdict[tuple[int, str], list[bytes]] = defaultdict(list)
    now: defaultdict[tuple[int, str], list[bytes]] = defaultdict(list)
    for sides, values in ((was, gone), (now, new)):
        for step, part, value in sorted(values.elements()):
            sides[step, part].append(value)
    for place in dict.fromkeys([*was, *now]):
        before, after = was[place], now[place]
        for number in range(max(len(before), len(after))):
            yield (
                *place,
                before[number] if number < len(before) else None,
                after[number] if number < len(after) else None,
            )


def _fields(part: str, was: bytes, now: bytes) -> Iterator[str]:
    try:
        before, after = msgspec.json.decode(was), msgspec.json.decode(now)
    except (msgspec.DecodeError, RecursionError):
        yield part
        return
    yield from fields_that_differ(part, before, after)


def fields_that_differ(name: str, before: Json, after: Json, depth: int = 0) -> Iterator[str]:
    """Names of the innermost fields that are another; items of a list have the name of the list."""
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict) and depth < DEEPEST:
        for key in dict.fromkeys([*before, *after]):
            yield from fields_that_differ(f"{name}.{key}", before.get(key), after.get(key), depth + 1)
    elif isinstance(before, list) and isinstance(after, list) and _holds_objects(before, after):
        if len(before) != len(after):
            yield f"{name}.length"
        for one, other in zip(before, after, strict=False):
            yield from fields_that_differ(name, one, other, depth + 1)
    else:
        yield name


def _holds_objects(*lists: Iterable[Json]) -> bool:
    return all(isinstance(one, dict) for found in lists for one in found)


class _Counted:
    """How many the account of the export has explained, by sort."""

    def __init__(self, reasons: Sequence[Reason]) -> None:
        self._open = {sort: [one for one in reasons if one.sort == sort] for sort in ("left", "made")}
        self._rest = {sort: sum(one.count for one in found) for sort, found in self._open.items()}

    def take(self, sort: str, count: int) -> str:
        """The reasons of this sort, where they are of at least so many that nothing else has taken."""
        if self._rest[sort] < count:
            return ""
        self._rest[sort] -= count
        return "; ".join(dict.fromkeys(one.why for one in self._open[sort]))


def _why(name: str, sort: str, count: int, there: set[str], places: Places, left: _Counted) -> str:
    """The reason by the very name; of what is gone also that of all around it, if none of that came back."""
    if sort == "other":
        return named(places.rewritten, name) or named(OF_ALL_FORMATS, name)
    if sort == "new":
        return named(places.adds, name, whole_kind=kind_of(name) != "values") or left.take("made", count)
    around = name
    while around:
        none_came = not any(one == around or one.startswith(f"{around}.") for one in there)
        if none_came and (why := places.no_place.get(around, "")):
            return why
        around = around.rpartition(".")[0]
    return named(places.partly, name, whole_kind=kind_of(name) != "values") or left.take("left", count)


def named(reasons: Mapping[str, str], name: str, *, whole_kind: bool = False) -> str:
    """The reason of this name, "" for none; `*` in a name stands for one part of it: `actions.*.button`.

    Args:
        whole_kind: one that is given for the kind holds too.
    """
    if name in reasons:
        return reasons[name]
    if whole_kind and kind_of(name) in reasons:
        return reasons[kind_of(name)]
    return next((why for known, why in reasons.items() if ANY in known and _matches(known, name)), "")


def _matches(known: str, name: str) -> bool:
    wanted, parts = known.split("."), name.split(".")
    return len(wanted) == len(parts) and all(
        one in (ANY, other) for one, other in zip(wanted, parts, strict=True)
    )
