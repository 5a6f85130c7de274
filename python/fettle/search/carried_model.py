"""Predicts a space's points on a new machine, from machines that measured them before.

A Gaussian process over the points. Its mean is a weighted mean of the sources' logarithmic shares
of best. The covariance of two points is that between the sources, and larger for points with
similar parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

WORST = math.log(0.05)
"""The logarithm of a share of best that is as bad as failed."""
COMMON = 0.25  # variance of an offset common to all points: the machine's best is not known
NOISE = 0.03  # of a measurement, as a logarithm
TRIED = 10  # points that are measured where constants are judged


@dataclass(frozen=True)
class Constants:
    """How a machine may differ from the mean of the others."""

    between: float
    """The weight of the sources' covariance around their mean."""
    own: float
    """The standard deviation of what is particular to the new machine."""
    length: float
    """Its correlation length, as a fraction of the parameters' ranges; 0: no correlation."""
    sharpness: float
    """How much more sources with similar device features count; 0: all count the same."""


GRID = tuple(
    Constants(*one)
    for one in product((0.1, 0.3, 1.0), (0.1, 0.25), (0.0, 0.1, 0.3), (0.0, 0.5, 2.0))
)


@dataclass(frozen=True, eq=False)
class Source:
    """A machine that measured the points before."""

    name: str
    shares: Floats
    """The share of best of each point, 0 where it failed or was not measured, (points,)."""
    device: Mapping[str, float]
    """Device features; empty where none are known."""


def likeness(sources: Sequence[Source], device: Mapping[str, float], sharpness: float) -> Floats:
    """The weight of each source: the larger, the more similar its device features are."""
    even = np.full(len(sources), 1.0 / len(sources))
    names = [
        name
        for name in device
        if all(one.device.get(name, 0.0) > 0 for one in sources) and device[name] > 0
    ]
    if not names or not sharpness:
        return even
    known = np.log([[one.device[name] for name in names] for one in sources])
    at = np.log([device[name] for name in names])
    deviation = known.std(axis=0)
    used = deviation > 0
    if not used.any():
        return even
    distance = (((known - at)[:, used] / deviation[used]) ** 2).mean(axis=1)
    near = np.exp(-sharpness * (distance - distance.min()) / max(float(np.median(distance)), 1e-9))
    return np.asarray(near / near.sum())


class Expected:
    """The process of one machine; `places` are the points' parameters, scaled to [0, 1]."""

    def __init__(
        self,
        sources: Sequence[Source],
        device: Mapping[str, float],
        places: Floats,
        constants: Constants,
    ) -> None:
        logs = np.maximum(np.log(np.maximum([one.shares for one in sources], 1e-9)), WORST)
        self._mean: Floats = likeness(sources, device, constants.sharpness) @ logs
        self._deviations: Floats = logs - self._mean
        self._places, self._constants = places, constants
        spread: Floats = (self._deviations**2).sum(axis=0)
        self._prior: Floats = constants.between * spread + constants.own**2 + COMMON
        self._unit: float | None = None
        self._tried: list[int] = []
        self._seen: list[float] = []
        self._columns: list[Floats] = []

    def tell(self, point: int, cost: float) -> None:
        """Adds the measured cost of a point, in any unit; infinite where it failed.

        The unit is calibrated by the first cost, which is taken for the expected one.
        """
        best = max(self._seen, default=float(self._mean[point]))
        seen = best + WORST
        if math.isfinite(cost) and cost > 0:
            if self._unit is None:
                self._unit = float(self._mean[point]) + math.log(cost)
            seen = max(self._unit - math.log(cost), seen)
        self._tried.append(point)
        self._seen.append(seen)
        self._columns.append(self._covariance(point))

    def next_point(self) -> int:
        """The point of the largest expected improvement; the first one has the best mean."""
        if not self._tried:
            return int(self._mean.argmax())
        from scipy.special import ndtr

        columns = np.column_stack(self._columns)
        among = columns[self._tried] + NOISE**2 * np.eye(len(self._tried))
        left = np.array(self._seen) - self._mean[self._tried]
        mean = self._mean + columns @ np.linalg.solve(among, left)
        known = np.einsum("nk,kn->n", columns, np.linalg.solve(among, columns.T))
        deviation = np.sqrt(np.maximum(self._prior - known, 1e-8))
        away = (mean - max(self._seen)) / deviation
        density = np.exp(-(away**2) / 2) / math.sqrt(2 * math.pi)
        gain = deviation * (away * ndtr(away) + density)
        gain[self._tried] = -np.inf
        return int(gain.argmax())

    def _covariance(self, point: int) -> Floats:
        between = self._deviations.T @ self._deviations[:, point]
        found: Floats = self._constants.between * between + COMMON
        if self._constants.length > 0:
            apart = np.abs(self._places - self._places[point]).mean(axis=1)
            found += self._constants.own**2 * np.exp(-apart / self._constants.length)
        else:
            found[point] += self._constants.own**2
        return found


def best_tried(expected: Expected, shares: Floats, count: int) -> float:
    """The best share among the points that are tried on a machine of which all are known."""
    best = 0.0
    for _ in range(count):
        point = expected.next_point()
        share = float(shares[point])
        best = max(best, share)
        expected.tell(point, 1 / share if share > 0 else math.inf)
    return best


def chosen_constants(
    sources: Sequence[Source],
    places: Floats,
    candidates: Callable[[Sequence[Source]], NDArray[np.intp]],
) -> Constants:
    """Of GRID those that carry best between the sources, each in turn the machine to carry to."""
    if len(sources) < 3:
        return GRID[0]
    reached = np.zeros(len(GRID))
    for target in sources:
        others = [one for one in sources if one is not target]
        kept = candidates(others)
        few = [Source(one.name, one.shares[kept], one.device) for one in others]
        count = min(TRIED, len(kept))
        reached += [
            best_tried(
                Expected(few, target.device, places[kept], constants), target.shares[kept], count
            )
            for constants in GRID
        ]
    return GRID[int(reached.argmax())]
