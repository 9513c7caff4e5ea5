"""The names nearest to a misspelt one, for errors that say what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_LONGEST = 64
_FEW = 8


def edit_distance(a: Sequence[str], b: Sequence[str]) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`: letters, or words.

    The optimal string alignment distance; O(len(a) * len(b)).
    """
    older: list[int] = []
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j - 1] + 1, previous[j] + 1, previous[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        older, previous = previous, row
    return previous[-1]


def nearest_names(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names most like `name`, best first; empty where none is near.

    Near: it starts or contains the name, or at most a third of its letters (and at least one) differ.
    Case is ignored; a name longer than 64 characters is cut.
    """
    wanted = name[:_LONGEST].casefold()
    ranked: list[tuple[int, str]] = []
    for candidate in known:
        folded = candidate[:_LONGEST].casefold()
        distance = edit_distance(wanted, folded)
        contained = len(wanted) >= 3 and (wanted in folded or folded in wanted)
        if contained or distance <= max(1, max(len(wanted), len(folded)) // 3):
            ranked.append((min(distance, 2) if contained else distance, candidate))
    return [candidate for _, candidate in sorted(ranked)[:count]]


def suggestion(name: str, known: Sequence[str]) -> str:
    """A hint for an unknown name: all names where they are few, else the nearest ones, however far off."""
    if not known:
        return "there are none"
    near = nearest_names(name, known)
    if len(known) <= _FEW:
        others = [one for one in known if one not in near]
        return f"there {'is' if len(known) == 1 else 'are'} {quoted_names([*near, *others])}"
    if near:
        return f"nearest: {quoted_names(near)}"
    wanted = name[:_LONGEST].casefold()
    least = sorted(known, key=lambda one: edit_distance(wanted, one[:_LONGEST].casefold()))[:3]
    return f"there are {len(known)}, the least unlike {quoted_names(least)}"


def quoted_names(names: Sequence[str]) -> str:
    """Names in quotation marks, with commas between them."""
    return ", ".join(f'"{name}"' for name in names)
