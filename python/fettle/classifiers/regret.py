"""Regret: what a wrong choice costs. Everything here is in shares of best, (input, variant).

Shares weigh errors as a user feels them: choosing a variant that is 1 % slower loses 0.01, one that
is 100 times slower loses 0.99, and one that fails loses 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.data.preference import ROUNDING, first_best
from fettle.data.score import share_of_best
from fettle.data.ties import eased_costs, level_costs
from fettle.data.training_set import Floats, TrainingSet

Indices = NDArray[np.intp]

NEGLIGIBLE = 0.001
"""Mean share of best that is not worth another variant, leaf or support vector: less is noise."""
LEANING = 1e-6
"""Share of best that decides between equally good candidates where costs have no noise."""


def shares_of(data: TrainingSet) -> Floats:
    """The share of best of every variant on every input; on each input some variant works.

    1 of all that tie with the best one.
    """
    return share_of_best(level_costs(data))


def judged_shares(data: TrainingSet) -> Floats:
    """`shares_of`, less where a choice runs without a result: 1 - `failure_regret` there."""
    shares = shares_of(data)
    shares[without_result(data)] = 1 - data.failure_regret
    return shares


def without_result(data: TrainingSet) -> NDArray[np.bool_]:
    """Which variants run to no result, as solvers do that diverge, (n, k)."""
    if data.lost_seconds is None:
        return np.zeros(data.costs.shape, dtype=np.bool_)
    lost: NDArray[np.bool_] = np.isinf(data.costs) & (data.lost_seconds > 0)
    return lost


def wanted_shares(data: TrainingSet) -> Floats:
    """`judged_shares` as something to learn from: equal variants differ in the order of preference.

    By so little that it decides among equals only: the last in that order loses `NEGLIGIBLE` where
    costs are measured with noise, else `LEANING`. All that is learned from it, by whatever
    comparison and also by the program that runs the model, then takes the preferred one of equals.
    """
    order = list(data.preference)
    rank = np.empty(len(order))
    rank[order] = np.arange(len(order))
    least = LEANING if data.spread is None else NEGLIGIBLE
    wanted: Floats = share_of_best(eased_costs(data)) - least * rank / max(len(order) - 1, 1)
    wanted[without_result(data)] -= data.failure_regret - 1
    return wanted


def best_fixed(data: TrainingSet, weights: Floats | None = None) -> int:
    """The variant with the best mean share; of equals, which are `NEGLIGIBLE` apart where costs
    are measured with noise, the preferred one. `weights` say how much each input counts."""
    means = np.average(shares_of(data), axis=0, weights=weights)
    return int(first_best(means, data.preference, _equal_means(data)))


def _equal_means(data: TrainingSet) -> float:
    return ROUNDING if data.spread is None else NEGLIGIBLE


def contenders(data: TrainingSet, loss: float = NEGLIGIBLE) -> list[int]:
    """A small set of variants, ascending, whose best one is within `loss` of the best of all.

    Greedy: starts with the best fixed variant and adds the one that gains most, of equals the
    preferred one. What is left out could win at most `loss` of the mean share, but would cost
    support vectors and training time.
    """
    shares = shares_of(data)
    chosen = [best_fixed(data)]
    reached = shares[:, chosen[0]]
    while reached.mean() < 1 - loss:
        gains = np.maximum(shares, reached[:, None]).mean(axis=0)
        gains[chosen] = 0.0
        chosen.append(int(first_best(gains, data.preference, _equal_means(data))))
        reached = np.maximum(reached, shares[:, chosen[-1]])
    return sorted(chosen)


def share_of(shares: Floats, chosen: Indices) -> Floats:
    """The share of best of one choice an input."""
    taken: Floats = shares[np.arange(len(shares)), chosen]
    return taken
