"""The spread of costs: against the spread of many measurements of the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.examples import make_table
from fettle.training.spread import spreads


@pytest.mark.parametrize("samples", [5, 9, 30])
def test_it_is_how_far_medians_of_independent_samples_lie_from_the_truth(samples: int) -> None:
    random = np.random.default_rng(samples)
    logs = random.normal(0.0, 0.1, (1000, 3, samples))
    errors = np.median(logs, axis=-1).std()
    found = np.median([spreads(row) for row in logs.tolist()])
    assert errors < found < 1.5 * errors


def test_batches_that_were_disturbed_together_are_not_independent() -> None:
    random = np.random.default_rng(1)
    batches = random.normal(0.0, 0.1, (1000, 3, 2, 1)) + random.normal(0, 1e-3, (1000, 3, 2, 3))
    logs = batches.reshape(1000, 3, 6)
    errors = np.median(logs, axis=-1).std()
    found = np.sqrt(np.mean(np.square([spreads(row) for row in logs.tolist()])))
    assert 0.8 * errors < found < 1.5 * errors


def test_an_outlier_says_nothing_of_the_others() -> None:
    steady = [0.0, 0.01, -0.01, 0.02, -0.02, 0.0, 0.01, -0.01]
    [plain] = spreads([steady])
    [disturbed] = spreads([[*steady[:-1], 3.0]])
    assert disturbed < 1.6 * plain


def test_few_samples_borrow_from_the_others_of_the_call() -> None:
    steady = [0.0, 0.01, -0.01, 0.02, -0.02, 0.0, 0.01, -0.01]
    own, two, one, none = spreads([steady, [5.0, 5.0], [7.0], []])
    assert 0 < own < two < one
    assert math.isnan(none)
    assert all(map(math.isnan, spreads([[1.0], [2.0]]))), "nothing was repeated"
    assert spreads([[1.0, 1.0], [2.0, 2.0]]) == [0.0, 0.0], "a metric that is worked out"


def test_every_cost_of_a_table_has_its_spread() -> None:
    offer = Offer(("a", "b", "c"), ("n",), "a", "s", False, {})
    made = Example(0, {"n": 1.0}, {"n": 0.0})
    made.samples = {"a": [1.0, 1.1, 0.9, 1.0], "b": [2.0, 2.2, 1.8, 2.0], "c": [1.0]}
    made.verdicts = {"a": ("measured", ""), "b": ("measured", ""), "c": ("failed", "crashed")}
    data = make_table("f", offer, [("x", [made])]).data
    assert data.spread is not None
    assert data.spread[0, 0] == pytest.approx(data.spread[0, 1]), "a fraction of the cost"
    assert 0.02 < data.spread[0, 0] < 0.15
    assert math.isnan(data.spread[0, 2])
    assert data.only(["b"]).spread == pytest.approx(data.spread[:, [1]])
    assert data.rows([]).spread is not None
