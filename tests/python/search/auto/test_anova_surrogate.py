from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from fettle.search.auto import anova_surrogate
from fettle.search.auto.anova_surrogate import AnovaSurrogate, scaled
from fettle.search.parameter import Parameter
from fettle.search.points import Points, points_of
from fettle.search.space import Space


def points() -> Points:
    return points_of(
        Space(
            [
                Parameter("block", (32, 64, 128, 256, 512)),
                Parameter("tile", (1, 2, 3, 4, 5, 6)),
                Parameter("layout", ("rows", "columns", "tiles")),
                Parameter("cached", (False, True)),
            ]
        )
    )


def test_the_gradient_of_the_posterior_is_right() -> None:
    rng = np.random.default_rng(0)
    all_points = points()
    assert all_points.keys is not None
    keys = np.array(all_points.keys)[rng.choice(180, 25, replace=False)]
    values = rng.normal(size=25)
    function = AnovaSurrogate(all_points).negative_log_posterior
    for logs in rng.normal(size=(4, 10)) * 0.5 - 0.5:
        _, gradient = function(logs, keys, values)
        numeric = approx_fprime(logs, lambda x: function(x, keys, values)[0], 1e-6)
        assert gradient == pytest.approx(numeric, rel=1e-3, abs=1e-3)


def test_main_effects_are_learned_from_points_that_differ_in_everything() -> None:
    rng = np.random.default_rng(1)
    all_points = points()
    assert all_points.keys is not None
    keys = np.array(all_points.keys)
    effects = [rng.normal(size=count) for count in all_points.levels]
    values = sum(effect[keys[:, i]] for i, effect in enumerate(effects))
    order = rng.permutation(len(keys))
    known, unknown = order[:40], order[40:]
    surrogate = AnovaSurrogate(all_points)
    surrogate.fit(keys[known], values[known], 50)
    mean, deviation = surrogate.predict(keys[unknown])
    assert np.sqrt(np.mean((mean - values[unknown]) ** 2)) < 0.25 * values.std()
    assert np.mean(np.abs(mean - values[unknown]) < 3 * deviation) > 0.9
    mean, at_known = surrogate.predict(keys[known])
    assert mean == pytest.approx(values[known], abs=0.2)
    assert at_known.max() < deviation.max()


def test_parameters_of_many_values_are_predicted_by_the_same_formula(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(2)
    all_points = points()
    assert all_points.keys is not None
    keys = np.array(all_points.keys)
    values = rng.normal(size=len(keys)) + keys[:, 0]
    found = []
    for many in (500, 2):  # all tables are whole; none but that of `cached` is
        monkeypatch.setattr(anova_surrogate, "_MANY", many)
        surrogate = AnovaSurrogate(all_points)
        for count in (10, 30):  # the second fit has other values in its tables
            surrogate.fit(keys[:count], values[:count])
        found.append(np.stack(surrogate.predict(keys)))
    assert found[1] == pytest.approx(found[0], rel=1e-9)


def test_numbers_of_a_wide_span_count_by_their_logarithm() -> None:
    assert scaled(np.array([1.0, 2.0, 4.0])).tolist() == pytest.approx([0, 0.5, 1])
    assert scaled(np.array([1.0, 2.0, 3.0])).tolist() == pytest.approx([0, 0.5, 1])
    assert scaled(np.array([0.0, 8.0, 2.0])).tolist() == pytest.approx([0, 1, 0.25])
