"""What each source machine counts for a machine, from the device features alone.

A kernel looks at a few device features. `nearest` averages the sources, those most that are near;
`kriging` is the best linear unbiased prediction of a Gaussian process over machines, which can
extrapolate a trend: its weights add up to 1, and some may be negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np

from fettle.data.training_set import Floats

MOST_FEATURES = 3
MOST_SUBSETS = 400


@dataclass(frozen=True)
class Kernel:
    """A similarity of machines by some of their features."""

    features: tuple[int, ...]
    kind: Literal["nearest", "kriging"]
    length: float
    """In standard deviations of the features over the sources."""
    noise: float = 0.0

    def weights(self, sources: Floats, target: Floats) -> Floats:
        """A weight for each source; the features are standardised."""
        chosen = list(self.features)
        among, at = sources[:, chosen], target[chosen]
        to_target = ((among - at) ** 2).mean(axis=1)
        if self.kind == "nearest":
            near = np.exp(-(to_target - to_target.min()) / self.length**2) + 0.01
            return np.asarray(near / near.sum())
        between = ((among[:, None] - among[None]) ** 2).mean(axis=2)
        covariance = np.exp(-between / (2 * self.length**2)) + self.noise * np.eye(len(among))
        ahead = np.exp(-to_target / (2 * self.length**2))
        ones = np.ones(len(among))
        plain, unit = np.linalg.solve(covariance, np.column_stack([ahead, ones])).T
        return np.asarray(plain + unit * (1 - plain.sum()) / unit.sum())


SHAPES: tuple[tuple[Literal["nearest", "kriging"], float, float], ...] = (
    ("nearest", 0.7, 0.0),
    ("kriging", 1.0, 0.1),
    ("kriging", 2.0, 0.1),
    ("kriging", 1.0, 0.5),
)


def all_kernels(features: int) -> tuple[Kernel, ...]:
    """Kernels on every subset of at most MOST_FEATURES features, fewer where there are many."""
    largest = min(MOST_FEATURES, features)
    while largest > 1 and sum(comb(features, n) for n in range(1, largest + 1)) > MOST_SUBSETS:
        largest -= 1
    subsets = [chosen for n in range(1, largest + 1) for chosen in combinations(range(features), n)]
    return tuple(
        Kernel(chosen, kind, length, noise) for chosen in subsets for kind, length, noise in SHAPES
    )
