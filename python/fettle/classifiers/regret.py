"""Regret: what a wrong choice costs. Everything here is in shares of best, (input, variant).

Shares weigh errors as a user feels them: choosing a variant that is 1 % slower loses 0.01, one that
is 100 times slower loses 0.99, and one that fails loses 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.report.summary import share_of_best
from fettle.training_set import Floats, TrainingSet

Indices = NDArray[np.intp]

NEGLIGIBLE = 0.001
"""Mean share of best that is not worth another variant, leaf or support vector: less is noise."""


def shares_of(data: TrainingSet) -> Floats:
    """The share of best of every variant on every input; on each input some variant works."""
    return share_of_best(data.costs)


def best_fixed(shares: Floats) -> int:
    """The variant with the best mean share, the first of equals."""
    return int(shares.mean(axis=0).argmax())


def contenders(shares: Floats, loss: float = NEGLIGIBLE) -> list[int]:
    """A small set of variants, ascending, whose best one is within `loss` of the best of all.

    Greedy: starts with the best fixed variant and adds the one that gains most. What is left out
    could win at most `loss` of the mean share, but would cost support vectors and training time.
    """
    chosen = [best_fixed(shares)]
    reached = shares[:, chosen[0]]
    while reached.mean() < 1 - loss:
        gains = np.maximum(shares, reached[:, None]).mean(axis=0)
        chosen.append(int(gains.argmax()))
        reached = np.maximum(reached, shares[:, chosen[-1]])
    return sorted(chosen)


def share_of(shares: Floats, chosen: Indices) -> Floats:
    """The share of best of one choice an input."""
    taken: Floats = shares[np.arange(len(shares)), chosen]
    return taken
