"""What it loses to choose a variant that comes to no result: `failure_regret`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fettle import AutoClassifier, FettleError, SvmClassifier, TreeClassifier
from fettle.classifiers.base import SearchingClassifier
from fettle.classifiers.regret import judged_shares, shares_of, wanted_shares
from fettle.data.training_set import TrainingSet

INPUTS = 90


def solvers() -> TrainingSet:
    """A fast solver that has no result on every sixth input, which no feature tells, below a half;
    a sure one that takes 1.5 times as long; above, a third one is the fastest."""
    x = np.linspace(0, 1, INPUTS)
    diverges = (np.arange(INPUTS) % 6 == 0) & (x < 0.5)
    costs = np.stack([np.where(diverges, np.inf, 1.0), np.full(INPUTS, 1.5), 2 - 1.5 * x], axis=1)
    return TrainingSet(
        function="solve",
        features=("x",),
        variants=("fast", "sure", "large"),
        inputs=tuple(f"i{n}" for n in range(INPUTS)),
        values=x[:, None],
        costs=costs,
        feature_seconds=np.zeros(1),
        default="sure",
        lost_seconds=np.stack([diverges * 5.0, np.zeros(INPUTS), np.zeros(INPUTS)], axis=1),
    )


@pytest.mark.parametrize("kind", [TreeClassifier, SvmClassifier, AutoClassifier])
def test_a_failure_that_weighs_more_is_avoided(kind: type[SearchingClassifier]) -> None:
    data = solvers()
    chosen = {
        regret: kind(failure_regret=regret).fit_and_judge(data).chosen.fitted.choose(data.values)
        for regret in (1.0, 4.0)
    }
    low = data.values[:, 0] < 0.45
    assert (chosen[1.0][low] == 0).mean() > 0.9
    assert (chosen[4.0][low] != 0).mean() > 0.9
    high = data.values[:, 0] > 0.9
    assert (chosen[4.0][high] == 2).all()  # where nothing fails, nothing changes


def test_only_what_ran_without_a_result_weighs_more() -> None:
    data = SearchingClassifier.weighed(TreeClassifier(failure_regret=3.0), solvers())
    lost = np.isinf(data.costs)
    assert (judged_shares(data)[lost] == -2).all()
    assert (judged_shares(data)[~lost] == shares_of(data)[~lost]).all()
    assert (wanted_shares(data)[lost] < -1.9).all()
    assert (shares_of(data)[lost] == 0).all()  # a share of best is not negative


@pytest.mark.parametrize("regret", [0.5, float("inf"), float("nan"), "much"])
def test_a_regret_that_is_none_is_refused(regret: Any) -> None:
    with pytest.raises(FettleError, match="failure_regret must be a number >= 1"):
        AutoClassifier(failure_regret=regret)
