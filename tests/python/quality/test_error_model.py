"""Where errors keep a bound, learned from samples of a known law."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.data.training_set import TrainingSet
from fettle.quality.error_model import fit_errors


def measured(count: int = 200, *, bits: bool = False) -> TrainingSet:
    """Errors that fall with the square root of n, as a Monte Carlo method's do, times chance."""
    random = np.random.default_rng(7)
    n = np.exp(random.uniform(3, 12, count))
    error = np.exp(-0.5 * np.log(n) + random.normal(0, 0.1, count))
    if bits:
        error[:] = 0
    return TrainingSet(
        function="f",
        features=("n",),
        variants=("exact", "sampled"),
        inputs=tuple(map(str, range(count))),
        values=n.reshape(-1, 1),
        costs=np.ones((count, 2)),
        feature_seconds=np.zeros(1),
        default="exact",
        errors=np.column_stack([np.zeros(count), error]),
    )


def test_the_law_is_found() -> None:
    fitted = fit_errors(measured(), ("sampled",), 0.05)
    [entry] = fitted.inputs
    assert entry.transform == "log"
    constant, (slope,), deviation = fitted.variants["sampled"]
    assert slope == pytest.approx(-0.5 * (entry.high - entry.low) / 2, rel=0.05)
    assert deviation == pytest.approx(0.1, rel=0.2)
    assert constant == pytest.approx(-0.5 * (entry.high + entry.low) / 2 - np.log(0.05), abs=0.1)
    admission = fitted.admitting(3.0).admissions["sampled"]
    assert admission.constant == pytest.approx(constant + 3 * deviation)


def test_too_few_errors_admit_nothing() -> None:
    assert fit_errors(measured(5), ("sampled",), 0.05).variants == {}


def test_a_bound_of_0_admits_what_was_exact_on_every_input() -> None:
    assert fit_errors(measured(), ("sampled",), 0.0).variants == {}
    admitted = fit_errors(measured(bits=True), ("sampled",), 0.0).admitting(6.0).admissions
    assert admitted["sampled"].constant == -1.0
