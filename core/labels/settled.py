"""Settled labels: what tables count where raters differed and somebody decided between them."""

from __future__ import annotations

from collections.abc import Iterable

from webbench.core.labels.label import Label


def counting(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels that tables count, in order: a settled one in place of those that it decides between.

    Of two decisions on the same question about the same place the later one counts. Raters' own labels stay
    where they are kept; they count wherever nobody decided.
    """
    given = tuple(labels)
    decided: dict[tuple[object, ...], Label] = {}
    for one in given:
        if one.settles and (_asked(one) not in decided or decided[_asked(one)].at <= one.at):
            decided[_asked(one)] = one
    return tuple(one for one in given if decided.get(_asked(one), one) is one)


def _asked(label: Label) -> tuple[object, ...]:
    """What can be settled: the label's key but for whose it is."""
    *asked, _annotator, _settles = label.key
    return tuple(asked)
