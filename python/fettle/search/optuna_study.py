"""An optuna study as a strategy: what the strategies that optuna's samplers make have in common."""

from __future__ import annotations

import math
import warnings
from abc import abstractmethod
from typing import Any

from fettle.search.base import SteppedStrategy, Steps
from fettle.search.numbering import Key
from fettle.search.optional import optional_module
from fettle.search.space import Space

# The value for optuna of a failed point before any has worked; only its sign matters.
_FAILED = 1.0


class OptunaStrategy(SteppedStrategy):
    """Measures what an optuna sampler suggests; where that is known or refused, the nearest point.

    An ordered parameter is an integer, its value's rank; another is a categorical one. A failed
    point counts as the worst value so far, because optuna accepts finite values only. Needs optuna.
    """

    NAME: str

    def __init__(self, space: Space, seed: int, budget: int | None = None) -> None:
        super().__init__(space, seed, budget)
        self._optuna = optional_module("optuna", self.NAME)

    @abstractmethod
    def sampler(self, seed: int) -> Any:
        """The optuna sampler that suggests points."""

    def steps(self) -> Steps[None]:
        """One suggestion after the other until nothing is left."""
        optuna = self._optuna
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            study = optuna.create_study(sampler=self.sampler(self.seed))
        distributions = {
            name: optuna.distributions.IntDistribution(0, levels - 1)
            if ordered
            else optuna.distributions.CategoricalDistribution(tuple(range(levels)))
            for name, levels, ordered in zip(
                self.points.names, self.points.levels, self.points.ordered, strict=True
            )
        }
        worst = -math.inf
        while True:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                trial = study.ask(distributions)
            suggested = self.points.ranked([trial.params[name] for name in self.points.names])
            key = self._new(suggested)
            if key is None:
                return
            value = yield from self.value(key)
            if math.isfinite(value):
                worst = max(worst, value)
            shown = value if math.isfinite(value) else (worst if worst > -math.inf else _FAILED)
            if key == suggested:
                study.tell(trial, shown)
                continue
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            study.add_trial(
                optuna.trial.create_trial(
                    params=dict(zip(self.points.names, self.points.ranks(key), strict=True)),
                    distributions=distributions,
                    value=shown,
                )
            )

    def _new(self, suggested: Key) -> Key | None:
        if suggested not in self.visited and self.points.is_valid(suggested):
            return suggested
        return self.points.nearest(self.points.coordinates(suggested), self.rng, self.visited)
