"""The tree-structured Parzen estimator, by the package `optuna`."""

from __future__ import annotations

from typing import Any

from fettle.search.optuna_study import OptunaStrategy


class Tpe(OptunaStrategy):
    """optuna's TPESampler, multivariate (Bergstra et al. 2011; Falkner, Klein, Hutter 2018).

    The first ten points are random. A suggestion takes some milliseconds.
    """

    NAME = "tpe"

    def sampler(self, seed: int) -> Any:
        """TPESampler; multivariate, as parameters of programs depend on each other."""
        return self._optuna.samplers.TPESampler(seed=seed, multivariate=True)
