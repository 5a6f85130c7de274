"""The power that a device draws at a clock, fitted to some measurements, and the clocks worth more.

Power is an idle part and one that grows with the clock times the voltage squared; up to some clock
the voltage is the lowest that the device has, beyond it grows with the clock (as Kernel Tuner fits
it: Schoonhoven et al., 2022). Below that ridge a lower clock saves little and costs time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError

FEWEST = 4
"""Clocks at which power has to be known for a fit of four parameters."""
WEIGHTS = (0.5, 1.0, 2.0)
"""What speed may be worth beside power, as an exponent: T/P^2 to T^2/P."""


@dataclass(frozen=True)
class PowerCurve:
    """watts(f) = idle + slope f (1 + growth max(0, f - ridge))^2. Made by `fit_power`."""

    idle: float
    slope: float
    ridge: float
    growth: float

    def watts(self, mhz: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """The power at clocks."""
        clock = np.asarray(mhz, dtype=float)
        found: NDArray[np.float64] = self.idle + self.slope * _shape(clock, self.ridge, self.growth)
        return found


def _shape(clock: NDArray[np.float64], ridge: float, growth: float) -> NDArray[np.float64]:
    found: NDArray[np.float64] = clock * (1.0 + growth * np.maximum(0.0, clock - ridge)) ** 2
    return found


def fit_power(mhz: Sequence[float], watts: Sequence[float]) -> PowerCurve:
    """The curve nearest to measured powers, by least squares; no part of it is negative.

    Raises FettleError for fewer than FEWEST different clocks. Cost: 40 x 40 fits of two numbers.
    """
    clock, power = np.asarray(mhz, dtype=float), np.asarray(watts, dtype=float)
    if len(set(clock.tolist())) < FEWEST:
        raise FettleError(
            f"a power curve needs measurements at {FEWEST} clocks at least, not at "
            f"{len(set(clock.tolist()))}"
        )
    span = clock.max() - clock.min()
    best, least = None, np.inf
    for ridge in np.linspace(clock.min(), clock.max(), 40):
        for growth in np.linspace(0.0, 3.0 / span, 40):
            shape = _shape(clock, float(ridge), float(growth))
            centred = shape - shape.mean()
            slope = max(0.0, float(centred @ power / (centred @ centred)))
            idle = float(power.mean() - slope * shape.mean())
            if idle < 0.0:
                idle, slope = 0.0, float(shape @ power / (shape @ shape))
            error = float(((idle + slope * shape - power) ** 2).sum())
            if error < least * (1 - 1e-9):
                best, least = PowerCurve(idle, slope, float(ridge), float(growth)), error
    assert best is not None
    return best


def narrowed(offered: Sequence[int], curve: PowerCurve, most: int = 8) -> tuple[int, ...]:
    """The clocks of a device that are worth measuring, ascending.

    Those that are best by speed^a / power for some weight of WEIGHTS where speed grows with the
    clock, the highest, and some between the lowest of these and the highest; what runs at the speed
    of the memory wants none that is lower than the first of them either.
    """
    clocks = np.array(sorted(offered), dtype=float)
    power = curve.watts(clocks)
    best = [int(np.argmax(clocks**weight / power)) for weight in WEIGHTS]
    chosen = {*best, len(clocks) - 1}
    for place in np.linspace(min(best), len(clocks) - 1, most):
        if len(chosen) < most:
            chosen.add(round(float(place)))
    return tuple(int(clocks[k]) for k in sorted(chosen))


def spread(offered: Sequence[int], count: int) -> tuple[int, ...]:
    """So many of the clocks, evenly over their range, both ends among them."""
    clocks = sorted(offered)
    places = np.linspace(0, len(clocks) - 1, min(count, len(clocks)))
    return tuple(dict.fromkeys(clocks[round(float(place))] for place in places))
