"""The test sees errors that grow, and the power that made a response is found again."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.search.heteroscedasticity import power_transformation, score_test
from fettle.search.linear_fit import fit_linear

RNG = np.random.default_rng(7)
X = np.column_stack([np.ones(200), RNG.uniform(1, 5, 200)])
LINE = X @ [2.0, 3.0]


def test_even_errors_pass_and_growing_errors_do_not() -> None:
    even = fit_linear(X, LINE + RNG.normal(0, 1, 200), ("1", "x"))
    growing = fit_linear(X, LINE * np.exp(RNG.normal(0, 0.3, 200)), ("1", "x"))
    assert score_test(even).p > 0.05
    assert score_test(growing).p < 1e-4


def test_a_perfect_fit_has_no_uneven_errors() -> None:
    assert score_test(fit_linear(X, X @ [1.0, 0.0], ("1", "x"))).p == 1.0


@pytest.mark.parametrize(
    ("inverse", "power"),
    [(np.exp, 0.0), (lambda z: z, 1.0), (lambda z: z**2, 0.5), (lambda z: 1 / z, -1.0)],
)
@pytest.mark.parametrize("unit", [1.0, 1e-10])
def test_the_power_is_found_whatever_the_unit(inverse, power: float, unit: float) -> None:
    made = inverse((LINE + RNG.normal(0, 0.5, 200)) / 5) * unit
    found = power_transformation(X, made)
    assert found.low <= power <= found.high
    assert found.power == power
    assert (np.argsort(found.apply(made)) == np.argsort(made)).all()


def test_what_is_not_positive_has_no_power() -> None:
    with pytest.raises(FettleError, match="positive"):
        power_transformation(X, LINE - 20)
