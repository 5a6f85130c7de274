"""Strategies against measured tables: what a search would have found, without running a program.

Repetition r gives the strategy the seed r, so that a simulation can be repeated and extended. What
counts is the slowdown, the best value found relative to the smallest of the table, and the budget,
the measurements spent (Bruel et al., CCGRID 2019, section 4: the same summary of 1000 repetitions).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import Floats
from fettle.search.base import Strategy
from fettle.search.run import search
from fettle.search.space import Point
from fettle.search.table import MeasuredTable

Factory = Callable[[MeasuredTable, int], Strategy]
"""Makes the strategy of one repetition from the table and the seed."""


@dataclass(frozen=True)
class Repetition:
    """One search: each measurement relative to the table's smallest, infinite where it failed."""

    seed: int
    measured: tuple[float, ...]

    @property
    def curve(self) -> tuple[float, ...]:
        """The best slowdown after each measurement, infinite while nothing has worked."""
        return tuple(float(best) for best in np.minimum.accumulate(self.measured))

    @property
    def slowdown(self) -> float:
        """The best value found relative to the table's smallest."""
        return min(self.measured)

    @property
    def measurements(self) -> int:
        """How many points were measured."""
        return len(self.measured)


@dataclass(frozen=True)
class Simulation:
    """The repetitions of one strategy on one table."""

    strategy: str
    table: str
    budget: int
    repetitions: tuple[Repetition, ...]

    @property
    def slowdowns(self) -> Floats:
        """One a repetition."""
        return np.array([one.slowdown for one in self.repetitions])

    @property
    def mean_share(self) -> float:
        """The mean of optimum / best found, 0 where nothing worked."""
        return float(np.mean(1 / self.slowdowns))

    def record(self) -> dict[str, object]:
        """What `--json` prints; a slowdown that is not finite (nothing worked) is null."""
        slowdowns = self.slowdowns
        budgets = [one.measurements for one in self.repetitions]
        return {
            "strategy": self.strategy,
            "mean_slowdown": _finite(float(slowdowns.mean())),
            "min_slowdown": _finite(float(slowdowns.min())),
            "max_slowdown": _finite(float(slowdowns.max())),
            "mean_budget": float(np.mean(budgets)),
            "max_budget": max(budgets),
        }

    def curves(self, length: int) -> Floats:
        """Best so far, (repetitions, length); after its last measurement a search stays there."""
        return np.array(
            [
                one.curve[:length] + (one.slowdown,) * (length - one.measurements)
                for one in self.repetitions
            ]
        )


def simulate(
    table: MeasuredTable,
    strategy: str,
    factory: Factory,
    *,
    budget: int,
    repeat: int,
    jobs: int = 1,
) -> Simulation:
    """Search a table `repeat` times, with the seeds 0 to repeat - 1, `budget` measurements each.

    `jobs` processes share the repetitions (then `factory` must be picklable); the result is the
    same. Raises FettleError for a budget, repeat or jobs below 1, and what the strategy raises; a
    repetition in which no measured point worked has an infinite slowdown; that is not an error.
    """
    for option, number in (("--budget", budget), ("--repeat", repeat), ("--jobs", jobs)):
        if number < 1:
            raise FettleError(f"{option} is {number}; give at least 1")
    if jobs == 1:
        found = _repetitions(table, factory, budget, range(repeat))
    else:
        with ProcessPoolExecutor(
            max_workers=jobs, initializer=_prepare, initargs=(table, factory, budget)
        ) as pool:
            shares = [range(first, repeat, jobs * 8) for first in range(min(repeat, jobs * 8))]
            found = [one for part in pool.map(_share, shares) for one in part]
    found = sorted(found, key=lambda one: one.seed)
    return Simulation(strategy, table.name, budget, tuple(found))


def _repetitions(
    table: MeasuredTable, factory: Factory, budget: int, seeds: Sequence[int]
) -> list[Repetition]:
    return [Repetition(seed, _measured(table, factory(table, seed), budget)) for seed in seeds]


def _measured(table: MeasuredTable, strategy: Strategy, budget: int) -> tuple[float, ...]:
    # What is measured is noted here: where nothing works the search ends in an error.
    values: list[float] = []

    def note(point: Point, value: float) -> None:
        values.append(value)

    try:
        search(table.space, table.measure, strategy, measurements=budget, on_measured=note)
    except FettleError:
        if not values or not math.isinf(min(values)):
            raise
    return tuple(float(value / table.best) for value in values)


_shared: tuple[MeasuredTable, Factory, int] | None = None


def _prepare(table: MeasuredTable, factory: Factory, budget: int) -> None:
    global _shared
    _shared = (table, factory, budget)


def _share(seeds: Sequence[int]) -> list[Repetition]:
    assert _shared is not None
    table, factory, budget = _shared
    return _repetitions(table, factory, budget, seeds)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
