"""The rate that a fallible reader's rate comes to once its errors are known."""

from __future__ import annotations

import math

from webbench.core.statistics.estimates import LEVEL, Estimate, normal_quantile

METHOD = "Rogan–Gladen, Lang–Reiczigel interval"


def corrected_rate(
    given: int, n: int, *, found: int, positives: int, cleared: int, negatives: int
) -> Estimate:
    """Rogan and Gladen's estimate (1978) of a prevalence with Lang and Reiczigel's interval (2014).

    There is none where sensitivity and specificity together are 1 or less: such a reader tells nothing.
    What was read and what the reader was measured on are taken as independent samples.

    Args:
        given: of `n` episodes, those that the reader holds positive.
        found, positives: of those that people hold positive, how many the reader does too.
        cleared, negatives: the same of those that people hold negative.
    """
    if not n or not positives or not negatives:
        return Estimate(value=None, n=n, method=f"{METHOD}: people labelled no episode of either kind")
    sensitivity, specificity = found / positives, cleared / negatives
    if sensitivity + specificity <= 1:
        return Estimate(value=None, n=n, method=f"{METHOD}: sensitivity and specificity are 1 or less")
    value = _within((given / n + specificity - 1) / (sensitivity + specificity - 1))
    z = normal_quantile((1 + LEVEL) / 2)
    # Agresti and Coull's additions keep the variance of a share of 0 or 1 above 0.
    read = (given + z * z / 2) / (n + z * z)
    sensitivity, specificity = (found + 1) / (positives + 2), (cleared + 1) / (negatives + 2)
    power = sensitivity + specificity - 1
    if power <= 0:
        return Estimate(value=value, n=n, method=f"{METHOD} (none: people labelled too few episodes)")
    rate = (read + specificity - 1) / power
    of_found = sensitivity * (1 - sensitivity) / (positives + 2)
    of_cleared = specificity * (1 - specificity) / (negatives + 2)
    shift = 2 * z * z * (rate * of_found - (1 - rate) * of_cleared)
    variance = read * (1 - read) / (n + z * z) + rate * rate * of_found + (1 - rate) ** 2 * of_cleared
    reach = z * math.sqrt(variance) / power
    return Estimate(
        value=value, low=_within(rate + shift - reach), high=_within(rate + shift + reach), n=n, method=METHOD
    )


def _within(share: float) -> float:
    return min(1.0, max(0.0, share))
