"""Pareto fronts: which variants are not dominated (dissertation 4.1).

A variant dominates another one where it is at least as good by all metrics and better by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.objectives.metric_expression import Direction, Floats

Booleans = NDArray[np.bool_]


def as_costs(
    values: Mapping[str, Floats], names: Sequence[str], directions: Mapping[str, Direction]
) -> Floats:
    """The metrics with smaller as the better one, (..., m)."""
    return np.stack(
        [-values[name] if directions[name] == "larger" else values[name] for name in names], axis=-1
    )


def on_front(costs: Floats) -> Booleans:
    """Which of k points are not dominated, for each of n inputs: (n, k, m) -> (n, k).

    A point with a metric that is not finite is on no front. Equal points are both on it. Cost:
    n k^2 m.
    """
    known: Booleans = np.asarray(np.isfinite(costs).all(axis=2))
    found: Booleans = known.copy()
    for k in range(costs.shape[1]):
        own = costs[:, k : k + 1, :]
        beats = (costs <= own).all(axis=2) & (costs < own).any(axis=2) & known
        found[:, k] &= ~beats.any(axis=1)
    return found


def always_dominated(front: Booleans, variants: Sequence[str]) -> tuple[str, ...]:
    """The variants that are on the front of no input."""
    ever = np.asarray(front.any(axis=0)).tolist()
    return tuple(name for name, there in zip(variants, ever, strict=True) if not there)
