"""The share of best, best cost over chosen cost, and its score over many inputs.

The one implementation, used by classifiers, training and reports alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """One way of choosing (the tuned function, or always the same variant), over all judged inputs.

    The share of best on one input is (cost of its best variant) / (cost of the variant chosen): 1
    is perfect, 0.5 is twice the cost, 0 is a variant that failed. `accuracy` is the fraction of
    inputs on which the choice costs exactly what the best one costs.
    """

    name: str
    mean: float
    p5: float
    worst: float
    accuracy: float

    @staticmethod
    def of(name: str, shares: Floats, hits: NDArray[np.bool_]) -> Score:
        """The score of `shares`, one an input; `hits` says where the choice was the best one."""
        return Score(
            name=name,
            mean=float(shares.mean()),
            p5=float(np.percentile(shares, 5)),
            worst=float(shares.min()),
            accuracy=float(hits.mean()),
        )


def share_of_best(costs: ArrayLike) -> Floats:
    """The share of best of every variant on every input, (input, variant); NaN where none works.

    `costs` are positive, smaller is better, infinite where a variant failed or was excluded.
    """
    table = np.asarray(costs, dtype=np.float64)
    best = table.min(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(best), best / table, np.nan)
