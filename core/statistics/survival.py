"""Survival after Kaplan and Meier (1958): the share that nothing has happened to yet, by time."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import msgspec

from webbench.core.statistics.estimates import LEVEL


class Survival(msgspec.Struct, frozen=True, kw_only=True):
    """A curve in steps, over the times at which anything happened or somebody was lost sight of.

    Attributes:
        times: ascending; before the first of them the share is 1.
        shares: at and after each time.
        low, high: pointwise bounds by Greenwood's formula on the log-log scale; None where there are none.
        at_risk, events, censored: before, and at, each time. Who is censored at a time was at risk then.
        median: the first time at which the share is at most one half, None where it stays above.
    """

    times: tuple[float, ...]
    shares: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    at_risk: tuple[int, ...]
    events: tuple[int, ...]
    censored: tuple[int, ...]
    median: float | None
    n: int


def kaplan_meier(times: Sequence[float], happened: Sequence[bool], level: float = LEVEL) -> Survival:
    """The curve of these; for whom nothing happened the time is how long that is known (right-censored)."""
    if not times:
        return Survival(
            times=(), shares=(), low=(), high=(), at_risk=(), events=(), censored=(), median=None, n=0
        )
    import numpy as np
    from scipy.stats import CensoredData, ecdf

    found = ecdf(CensoredData.right_censored(list(times), [not one for one in happened])).sf
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # at shares of 1 and 0 there are no bounds
        bounds = found.confidence_interval(level, method="log-log")
    places = [float(one) for one in found.quantiles]
    shares = [float(one) for one in found.probabilities]
    events = [
        sum(1 for time, one in zip(times, happened, strict=True) if one and time == at) for at in places
    ]
    gone = [sum(1 for time in times if time == at) for at in places]
    return Survival(
        times=tuple(places),
        shares=tuple(shares),
        low=tuple(_bound(one) for one in bounds.low.probabilities),
        high=tuple(_bound(one) for one in bounds.high.probabilities),
        at_risk=tuple(sum(1 for time in times if time >= at) for at in places),
        events=tuple(events),
        censored=tuple(all_gone - own for all_gone, own in zip(gone, events, strict=True)),
        median=next((at for at, share in zip(places, shares, strict=True) if share <= 0.5), None),
        n=len(times),
    )


def _bound(value: float) -> float | None:
    """None where the formula gives no number: at a share of 1 or 0."""
    return None if value != value else float(value)
