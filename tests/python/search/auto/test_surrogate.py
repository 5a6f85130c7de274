from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from fettle.search.auto import surrogate as surrogate_module
from fettle.search.auto.surrogate import Surrogate, expected_improvement


def test_the_gradient_of_the_posterior_is_right() -> None:
    rng = np.random.default_rng(0)
    rows, values = rng.random((9, 3)), rng.normal(size=9)
    squares = np.square(rows.T[:, :, None] - rows.T[:, None, :]).reshape(3, -1)
    function = surrogate_module._negative_log_posterior
    for logs in rng.normal(size=(4, 5)) * 0.5 - 0.5:
        _, gradient = function(logs, squares, values)
        numeric = approx_fprime(logs, lambda x: function(x, squares, values)[0], 1e-6)
        assert gradient == pytest.approx(numeric, rel=1e-3, abs=1e-3)


def test_the_surrogate_passes_through_what_it_knows() -> None:
    rows = np.linspace(0, 1, 9)[:, None]
    values = np.sin(4 * rows[:, 0])
    surrogate = Surrogate(1)
    surrogate.fit(rows, values)
    mean, deviation = surrogate.predict(np.array([[0.5], [0.43], [2.0]]))
    assert mean[:2] == pytest.approx(np.sin([2.0, 1.72]), abs=0.02)
    assert deviation[0] < deviation[1] < deviation[2]


def test_expected_improvement_is_the_integral() -> None:
    draws = np.random.default_rng(0).normal(1.0, 0.5, 200_000)
    got = expected_improvement(np.array([1.0]), np.array([0.5]), 0.8)
    assert got[0] == pytest.approx(np.maximum(0.8 - draws, 0).mean(), rel=0.02)
