"""How surely a bound is kept, beside values that were published and sums by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.quality.clopper_pearson import inputs_needed, lower_limit


def test_known_limits() -> None:
    assert lower_limit(299, 299, 0.95) == pytest.approx(0.05 ** (1 / 299))
    assert lower_limit(0, 10, 0.95) == 0.0
    # Clopper and Pearson: of 10 inputs 8 kept, the lower end of a two-sided 90 % interval.
    assert lower_limit(8, 10, 0.95) == pytest.approx(0.4931, abs=1e-4)


@pytest.mark.parametrize(
    ("coverage", "confidence", "misses", "needed"),
    [(0.99, 0.95, 0, 299), (0.99, 0.95, 1, 473), (0.95, 0.95, 0, 59), (0.9, 0.99, 0, 44)],
)
def test_inputs_needed(coverage: float, confidence: float, misses: int, needed: int) -> None:
    assert inputs_needed(coverage, confidence, misses) == needed
    assert lower_limit(needed - misses, needed, confidence) >= coverage
    assert lower_limit(needed - 1 - misses, needed - 1, confidence) < coverage


def test_the_limit_is_kept_as_often_as_it_says() -> None:
    random = np.random.default_rng(3)
    kept = random.binomial(300, 0.985, size=2000)
    limits = {k: lower_limit(int(k), 300, 0.95) for k in np.unique(kept)}
    holds = np.mean([limits[k] <= 0.985 for k in kept])
    assert holds >= 0.94
