"""Comparing what was read with what is expected, part by part, and naming every difference."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from webbench.benchmarks.webarena.verified.values.typed_values import Value, same_value
from webbench.core.json_types import Json

MOST_ITEMS = 1_000
"""Items of an agent's list that are compared."""


class Difference(msgspec.Struct, frozen=True):
    """One thing that is not as expected: "agent_response.status_mismatch", and why."""

    name: str
    messages: tuple[str, ...]


def differences(
    expected: Json,
    actual: Json,
    path: str,
    *,
    ordered: bool = False,
    more_keys: bool = False,
    unseen: Collection[str] = (),
) -> list[Difference]:
    """Empty where both agree.

    Args:
        expected, actual: `Value`s, lists and objects of them, numbers, texts or None.
        path: what it is called in names.
        ordered: lists have to have the same order.
        more_keys: objects may have keys that aren't expected.
        unseen: keys of the outermost object whose values don't count.
    """
    if expected is None or actual is None:
        if expected is actual:
            return []
        return [Difference(f"{path}_none_mismatch", (_expected(expected, actual),))]
    if isinstance(expected, dict):
        return _of_objects(expected, actual, path, ordered, more_keys, unseen)
    if isinstance(expected, list):
        return _of_lists(expected, actual, path, ordered, more_keys)
    same = same_value(expected, actual) if isinstance(expected, Value) else expected == actual
    return [] if same else [Difference(f"{path}_mismatch", (_expected(expected, actual),))]


def _of_objects(
    expected: dict[str, Json],
    actual: Json,
    path: str,
    ordered: bool,
    more_keys: bool,
    unseen: Collection[str],
) -> list[Difference]:
    if not isinstance(actual, dict):
        wrong = f"Expected a structured object, but got: {_type(actual)}"
        return [Difference(f"{path}_invalid_format", (wrong,))]
    missing, extra = sorted(expected.keys() - actual.keys()), sorted(actual.keys() - expected.keys())
    messages: list[str] = []
    if extra and not more_keys:
        messages.append(f"Extra keys in actual object: {extra}")
    if missing:
        messages.append(f"Missing keys in actual object: {missing}")
    found = [Difference(f"{path}_keys_mismatch", tuple(messages))] if messages else []
    for key in (key for key in expected if key in actual and key not in unseen):
        found += differences(
            expected[key], actual[key], f"{path}.{key}", ordered=ordered, more_keys=more_keys
        )
    return found


def _of_lists(
    expected: list[Json], actual: Json, path: str, ordered: bool, more_keys: bool
) -> list[Difference]:
    if not isinstance(actual, list):
        return [Difference(f"{path}_invalid_format", (f"Expected an array, but got: {_type(actual)}",))]
    if len(actual) > MOST_ITEMS:
        told = f"Expected {len(expected)} elements, got {len(actual)}"
        return [Difference(f"{path}_array_values_mismatch", (told,))]
    if ordered:
        return _in_order(expected, actual, path, more_keys)
    free = list(range(len(actual)))
    missing = 0
    for number, wanted in enumerate(expected):
        place = f"{path}[{number}]"
        met = next(
            (at for at in free if not differences(wanted, actual[at], place, more_keys=more_keys)), None
        )
        if met is None:
            missing += 1
        else:
            free.remove(met)
    if not missing and not free:
        return []
    told = _count_difference(len(expected), missing, len(free))
    return [Difference(f"{path}_array_values_mismatch", (told, _lists(expected, actual)))]


def _in_order(expected: list[Json], actual: list[Json], path: str, more_keys: bool) -> list[Difference]:
    found: list[Difference] = []
    wrong = 0
    for number, (wanted, given) in enumerate(zip(expected, actual, strict=False)):
        here = differences(wanted, given, f"{path}[{number}]", ordered=True, more_keys=more_keys)
        wrong += bool(here)
        found += here
    if len(expected) != len(actual):
        matched = min(len(expected), len(actual)) - wrong
        told = f"Array value mismatch (ordered). Matched ({matched}/{len(expected)})"
        found.append(Difference(f"{path}_array_values_mismatch", (told, _lists(expected, actual))))
    return found


def _count_difference(expected: int, missing: int, extra: int) -> str:
    matched = f"({expected - missing}/{expected})"
    if not missing:
        return f"Array contains all expected elements {matched} but has {extra} extra element(s)"
    if not extra:
        return f"Array is missing {missing} expected element(s). Matched {matched}"
    return f"Array value mismatch (unordered). Matched {matched}, Missing: {missing}, Extra: {extra}"


def _expected(expected: Json, actual: Json) -> str:
    return f"Expected {shown(expected)}, got {shown(actual)}"


def _lists(expected: Sequence[Json], actual: Sequence[Json]) -> str:
    return f"Expected: {_short(expected)}, Got: {_short(actual)}"


def _short(values: Sequence[Json]) -> str:
    """The first two and the last of more than three."""
    listed = [str(shown(value)) for value in values]
    return f"[{', '.join(listed if len(listed) <= 3 else [*listed[:2], '...', listed[-1]])}]"


def shown(value: Json) -> Json:
    """With `Value`s in the form that was compared."""
    if isinstance(value, Value):
        return value.shown
    if isinstance(value, dict):
        return {key: shown(part) for key, part in value.items()}
    return [shown(part) for part in value] if isinstance(value, list) else value


def told(value: Json) -> str:
    """ "{'month': Month('May')}": values with their types."""
    if isinstance(value, Value):
        return value.told()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {told(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        inner = ", ".join(map(told, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def _type(value: Json) -> str:
    return type(value).__name__
