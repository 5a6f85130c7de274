"""Gaussian-process search, by the package `optuna`."""

from __future__ import annotations

from typing import Any

from fettle.search.optional import optional_module
from fettle.search.optuna_study import OptunaStrategy
from fettle.search.space import Space


class GaussianProcess(OptunaStrategy):
    """optuna's GPSampler: expected improvement of a Matérn-5/2 process with a length a parameter.

    The first ten points are random. A suggestion takes a good part of a second, and more with each
    point that is known: for measurements that take longer than that. optuna's sampler needs the
    package torch too.
    """

    NAME = "gaussian_process"

    def __init__(self, space: Space, seed: int, budget: int | None = None) -> None:
        super().__init__(space, seed, budget)
        optional_module("torch", self.NAME)

    def sampler(self, seed: int) -> Any:
        """GPSampler with its own defaults."""
        return self._optuna.samplers.GPSampler(seed=seed)
