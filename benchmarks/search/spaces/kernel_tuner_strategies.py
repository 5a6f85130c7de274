"""Kernel Tuner's strategies on measured tables, through its own simulation runner.

The runner, the search space and the cost function are Kernel Tuner's; its search space is built of
the table's rows, once for all repetitions. Its budget counts unique measured points, as Fettle's
does, and a point that failed counts too.
"""

from __future__ import annotations

import contextlib
import io
import math
import random
import warnings
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from kernel_tuner import util
from kernel_tuner.interface import Options, strategy_map
from kernel_tuner.runners.simulation import SimulationRunner
from kernel_tuner.searchspace import Searchspace

from fettle.search.table import MeasuredTable

# As its interface has them, with their defaults. Not here: brute_force, which is none for a budget;
# nsga2 and nsga3, which are for several objectives; pyatf_strategies, which builds a search space
# of its own from constraints, and a table has none; skopt, which fails where a point has failed.
NAMES = (
    "random_sample",
    "minimize",
    "basinhopping",
    "diff_evo",
    "genetic_algorithm",
    "greedy_mls",
    "ordered_greedy_mls",
    "greedy_ils",
    "dual_annealing",
    "mls",
    "pso",
    "simulated_annealing",
    "firefly_algorithm",
    "bayes_opt",
    "hybrid_vndx",
    "adaptive_tabu_greywolf",
)

# Points asked for, known ones included, after which a search that measures nothing new is ended.
_MOST_ASKED = 20


class Noting(SimulationRunner):
    """The simulation runner, which notes each unique point's value in the order of measuring."""

    def __init__(self) -> None:
        super().__init__(None, Options(kernel_name="table"), Options(quiet=True), 1, [])
        self.values: list[float] = []
        self._known: set[tuple[Hashable, ...]] = set()
        self._asked = 0

    def run(self, parameter_space: Iterable[Sequence[Hashable]], tuning_options: Any) -> Any:
        """As the simulation runner's; ends a search that asks for known points only."""
        configurations = [tuple(one) for one in parameter_space]
        results = super().run(configurations, tuning_options)
        for one, result in zip(configurations, results, strict=True):
            self._asked += 1
            if result is not None and one not in self._known:
                self._known.add(one)
                self._asked = 0
                self.values.append(math.inf if "__error__" in result else float(result["time"]))
        if self._asked > _MOST_ASKED * tuning_options["max_fevals"]:
            raise util.StopCriterionReached("nothing new was asked for")
        return results


class KernelTunerTable:
    """A measured table as Kernel Tuner's search space and cache."""

    def __init__(self, table: MeasuredTable) -> None:
        names = [parameter.name for parameter in table.space.parameters]
        self._best = table.best
        self._parameters = {p.name: list(p.values) for p in table.space.parameters}
        self._cache: dict[str, dict[str, Any]] = {}
        for row, value in table.values.items():
            entry: dict[str, Any] = dict(zip(names, row, strict=True))
            if math.isfinite(value):
                entry["time"] = value
            else:
                entry["__error__"] = util.RuntimeFailedConfig()
                entry["time"] = entry["__error__"]
            self._cache[",".join(map(str, row))] = entry
        self._space = Searchspace(
            None, None, None, from_cache={"tune_params": self._parameters, "cache": self._cache}
        )

    def curve(self, name: str, seed: int, budget: int) -> tuple[float, ...]:
        """The best slowdown after each measurement of one search."""
        options = Options(
            strategy_options=Options(max_fevals=budget),
            max_fevals=budget,
            objective=["time"],
            objective_higher_is_better=[False],
            tune_params=self._parameters,
            restrictions=[],
            cache=self._cache,
            cachefile=None,
            metrics=None,
            verbose=False,
            strategy=name,
            seed=seed,
            simulated_time=0,
            budget=util.TuningBudget(None, min(budget, self._space.size)),
        )
        runner = Noting()
        random.seed(seed)
        np.random.seed(seed)
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with contextlib.suppress(util.StopCriterionReached):
                strategy_map[name].tune(self._space, runner, options)
        best = np.minimum.accumulate(runner.values[:budget]) / self._best
        return tuple(float(slowdown) for slowdown in best)
