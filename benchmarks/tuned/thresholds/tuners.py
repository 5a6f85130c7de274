"""The thesis's tuners on a program: thresholds, runs and what the runs took.

A run is one of all data sets to tune on, as in the thesis. Random tuners are repeated, and their
median run counts.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from table import Program

from fettle.search.thresholds import (
    Thresholds,
    Tuned,
    tune_active,
    tune_binary,
    tune_cma_es,
    tune_exact,
    tune_exhaustive,
    tune_instrumented,
    tune_program,
)
from fettle.search.thresholds.exact import Objective

SEEDS = (0, 1, 2)
MOST_RUNS = 240  # of CMA-ES: what the thesis's took at most


@dataclass
class Runs:
    """Whole runs of a program on the data sets to tune on; counts the seconds they take."""

    program: Program
    seconds: float = 0.0
    known: dict[tuple[tuple[str, float], ...], float] = field(default_factory=dict)

    @property
    def data(self) -> list[str]:
        """The data sets to tune on."""
        return self.program.data(tunes=True)

    def total(self, thresholds: Thresholds) -> float:
        """All of them."""
        key = tuple(sorted(thresholds.items()))
        if key not in self.known:
            self.known[key] = sum(self.program.seconds(thresholds, name) for name in self.data)
            self.seconds += self.known[key]
        return self.known[key]

    def one(self, thresholds: Thresholds, data_set: str) -> float:
        """One of them."""
        took = self.program.seconds(thresholds, data_set)
        self.seconds += took
        return took

    def values(self) -> dict[str, list[float]]:
        """What each threshold is compared with on any of them."""
        found: dict[str, list[float]] = {}
        for name in self.data:
            for threshold, compared in self.program.compared(name).items():
                found.setdefault(threshold, []).extend(compared)
        return found


@dataclass(frozen=True)
class Outcome:
    """What a tuner came to, once for each seed."""

    tuner: str
    tuned: Sequence[Tuned]
    runs: float
    seconds: float

    def held_out(self, program: Program, data_set: str) -> float:
        """The median seconds of a data set with the thresholds found."""
        return median(program.seconds(one.thresholds, data_set) for one in self.tuned)


def exactly(program: Program, objective: Objective = "total") -> Outcome:
    """Of a simple program: one run a version. "total" is the thesis's objective at a conflict."""
    runs = Runs(program)
    data = {
        name: {threshold: values[0] for threshold, values in program.compared(name).items()}
        for name in runs.data
    }
    tuned = tune_exact(program.tree(), data, runs.one, objective=objective)
    name = "exact" if objective == "total" else f"exact, {objective}"
    return Outcome(name, [tuned], tuned.measurements / len(runs.data), runs.seconds)


def _instrumented(runs: Runs, method: str) -> Tuned:
    def measure(thresholds: Thresholds) -> list[object]:
        runs.total(thresholds)
        return list(runs.program.steps(thresholds, runs.data))

    return tune_instrumented(runs.program.tree(), measure, method=method)  # type: ignore[arg-type]


def of_loops(program: Program) -> list[Outcome]:
    """Every tuner for programs in whose loops sizes vary."""
    tree = program.tree()
    each = {name: program.compared(name) for name in program.data(tunes=True)}
    tuners: dict[str, Callable[[Runs, int], Tuned]] = {
        "instrumented": lambda runs, _: _instrumented(runs, "joint"),
        "instrumented, algorithm 8": lambda runs, _: _instrumented(runs, "depth_first"),
        "binary": lambda runs, _: tune_binary(tree, runs.values(), runs.total),
        "binary, algorithm 5": lambda runs, _: tune_binary(
            tree, runs.values(), runs.total, as_printed=True
        ),
        "algorithm 3 with binary": lambda runs, _: tune_program(tree, each, runs.one),
        "exhaustive, algorithm 4": lambda runs, _: tune_exhaustive(tree, runs.values(), runs.total),
        "active": lambda runs, seed: tune_active(tree, runs.values(), runs.total, seed=seed),
        "active, algorithm 6": lambda runs, seed: tune_active(
            tree, runs.values(), runs.total, seed=seed, end_points=False
        ),
        "algorithm 3 with active": lambda runs, seed: tune_program(
            tree, each, runs.one, loops="active", seed=seed
        ),
    }
    if importlib.util.find_spec("cma"):
        tuners["CMA on indices"] = lambda runs, seed: tune_cma_es(
            tree, runs.values(), runs.total, seed=seed, measurements=MOST_RUNS
        )
        tuners["CMA, naive"] = lambda runs, seed: tune_cma_es(
            tree,
            runs.values(),
            runs.total,
            seed=seed,
            measurements=MOST_RUNS,
            encoding="value",
        )
    found = []
    for name, tune in tuners.items():
        seeds = SEEDS if "active" in name or "CMA" in name else SEEDS[:1]
        every, times = [], []
        for seed in seeds:
            runs = Runs(program)
            every.append(tune(runs, seed))
            times.append(runs.seconds)
        counts = [one.measurements for one in every]
        found.append(Outcome(name, every, median(counts), median(times)))
    return found
