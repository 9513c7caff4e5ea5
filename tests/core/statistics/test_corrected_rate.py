"""The rate that is corrected by a reader's errors: worked out by hand, and its interval tried by drawing."""

from __future__ import annotations

import numpy as np
import pytest

from webbench.core.statistics.corrected_rate import corrected_rate


def test_the_estimate_is_rogan_and_gladen_s() -> None:
    found = corrected_rate(40, 100, found=18, positives=20, cleared=24, negatives=30)
    assert found.value == pytest.approx((0.4 + 0.8 - 1) / (0.9 + 0.8 - 1))
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.2857 < found.high


def test_a_reader_that_tells_nothing_gives_none() -> None:
    assert corrected_rate(40, 100, found=5, positives=10, cleared=5, negatives=10).value is None
    assert corrected_rate(40, 100, found=5, positives=5, cleared=0, negatives=0).value is None
    assert corrected_rate(0, 0, found=5, positives=5, cleared=5, negatives=5).value is None


def test_its_interval_holds_the_true_rate() -> None:
    """A rate of 0.3 read with a sensitivity of 0.8 and a specificity of 0.9, drawn 400 times."""
    generator = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        given = int(generator.binomial(200, 0.3 * 0.8 + 0.7 * 0.1))
        found, cleared = int(generator.binomial(30, 0.8)), int(generator.binomial(40, 0.9))
        one = corrected_rate(given, 200, found=found, positives=30, cleared=cleared, negatives=40)
        assert one.low is not None
        assert one.high is not None
        held += one.low <= 0.3 <= one.high
    assert 0.93 <= held / 400 <= 0.99
