"""The strategies on the measured samples of twelve SPAPT kernels, each sample taken as the space.

    python benchmarks/common/record.py search_spapt -- \\
        python benchmarks/search/spapt/replay.py --data FOLDER [--repeat 10] [--budget 100]

FOLDER holds `<kernel>.csv.xz`: what runs of random sampling and of DLMT measured of spaces of up to
3.8e36 points (Bruel, Quinito Masnada, Videau, Legrand, Vincent, Goldman: Autotuning under Tight
Budget Constraints, CCGRID 2019, second experiment). Only measured points can be replayed, so a pool
is their union: nearer to the optimum than the whole space is, which helps random sampling most.
Share: the pool's best over the best point found. Speed-up: the code that -O3 leaves untransformed
over the best point found. Repetition r has the seed r. Beside them is what the authors' own runs
reached on the same kernel: the median over their runs of the best of a run's first points.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from fettle.data.table import Table, read_table
from fettle.search.base import Strategy
from fettle.search.listed_space import ListedSpace
from fettle.search.parameter import Parameter
from fettle.search.registry import make_strategy
from fettle.search.simulate import simulate
from fettle.search.table import MeasuredTable, sorted_levels

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

ABOUT_A_ROW = (
    "run_dir",
    "technique",
    "id",
    "baseline",
    "correct_result",
    "cost_mean",
    "cost_std",
    "mean_confidence_interval_inf",
    "mean_confidence_interval_sup",
    "runs",
)
STRATEGIES = ("random", "genetic", "annealing", "nelder_mead", "dlmt", "auto")


@dataclass(frozen=True)
class Pool:
    """One kernel: its measured points, its untransformed code's seconds, and the authors' runs."""

    table: MeasuredTable
    baseline: float
    runs: Mapping[str, Sequence[Sequence[float]]]

    def published(self, technique: str, budget: int) -> float:
        """The median over runs of the best of the first `budget` points, as a share of the best."""
        found = [min(run[:budget]) for run in self.runs[technique] if run]
        return self.table.best / statistics.median(found)

    def published_counts(self, technique: str, budget: int) -> dict[str, float]:
        """Of the first `budget` points of a run, on average: how many had which speed-up."""
        runs = [run[:budget] for run in self.runs[technique] if run]
        return self.counts([self.baseline / seconds for run in runs for seconds in run], len(runs))

    @staticmethod
    def counts(speed_ups: Sequence[float], runs: int) -> dict[str, float]:
        """Points a run in each bin of a quarter of a doubling, by where it begins."""
        found = Counter(math.floor(4 * math.log2(one)) for one in speed_ups if one > 0)
        return {f"{2 ** (step / 4):.3f}": found[step] / runs for step in sorted(found)}

    def published_at(self, technique: str, budget: int) -> float:
        """The mean over runs of which of the first `budget` points was the best, from 1."""
        found = [run[:budget] for run in self.runs[technique] if run]
        return statistics.fmean(1 + run.index(min(run)) for run in found)


def seconds_by_point(
    points: Iterable[tuple[str, ...]], seconds: Iterable[float]
) -> dict[tuple[str, ...], float]:
    """The median of a point's measurements."""
    samples: defaultdict[tuple[str, ...], list[float]] = defaultdict(list)
    for point, value in zip(points, seconds, strict=True):
        samples[point].append(value)
    return {point: statistics.median(values) for point, values in samples.items()}


def read_pool(path: Path) -> Pool:
    """The points of a kernel that gave a correct result."""
    table = read_table(path)
    baseline = table.cells("baseline")
    correct = table.cells("correct_result")
    kept = [
        i for i, row in enumerate(zip(baseline, correct, strict=True)) if row == ("False", "True")
    ]
    cost = table.cells("cost_mean")
    names = [name for name in table.columns if name not in ABOUT_A_ROW]
    cells = {name: table.cells(name) for name in names}
    columns = {name: [cells[name][i] for i in kept] for name in names}
    # A few runs were of another set of parameters: dgemv3 without most of them, with three others.
    given = {name: [bool(cell) for cell in columns[name]] for name in names}
    names = [name for name in names if 2 * sum(given[name]) > len(kept)]
    full = [i for i in range(len(kept)) if all(given[name][i] for name in names)]
    kept = [kept[i] for i in full]
    columns = {name: [columns[name][i] for i in full] for name in names}
    names = [name for name in names if len(set(columns[name])) > 1]
    levels = {name: sorted_levels(columns[name]) for name in names}
    measured = seconds_by_point(
        zip(*(columns[name] for name in names), strict=True), (float(cost[i]) for i in kept)
    )
    values = {
        tuple(levels[name][cell] for name, cell in zip(names, point, strict=True)): value
        for point, value in measured.items()
    }
    parameters = [Parameter(name, tuple(dict.fromkeys(levels[name].values()))) for name in names]
    space = ListedSpace(parameters, (dict(zip(names, point, strict=True)) for point in values))
    untransformed = statistics.median(
        float(value) for value, is_one in zip(cost, baseline, strict=True) if is_one == "True"
    )
    best = min(values.values())
    pool = MeasuredTable(path.name, "cost_mean", space, values, (), best, tuple(names))
    return Pool(pool, untransformed, runs_by_technique(table, kept))


def runs_by_technique(table: Table, kept: Sequence[int]) -> dict[str, list[list[float]]]:
    """The seconds of each run's points in the order in which they were measured."""
    columns = [table.cells(name) for name in ("technique", "run_dir", "id", "cost_mean")]
    runs: defaultdict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for i in kept:
        technique, run, number, cost = (column[i] for column in columns)
        runs[technique, run].append((int(float(number)), float(cost)))
    found: defaultdict[str, list[list[float]]] = defaultdict(list)
    for (technique, _), points in runs.items():
        found[technique].append([cost for _, cost in sorted(points)])
    return dict(found)


def strategy_of(name: str, budget: int, table: MeasuredTable, seed: int) -> Strategy:
    """A strategy of one repetition."""
    return make_strategy(name, table.space, seed, budget)


def measure(kernel: str, pool: Pool, name: str, budget: int, repeat: int) -> dict[str, object]:
    """The row of a kernel and a strategy; curves hold the best share after each measurement."""
    begin = time.process_time()
    factory = partial(strategy_of, name, budget)
    found = simulate(pool.table, name, factory, budget=budget, repeat=repeat)
    seconds = time.process_time() - begin
    return {
        "kernel": kernel,
        "strategy": name,
        "budget": budget,
        "repeat": repeat,
        "points": len(pool.table.values),
        "parameters": len(pool.table.names),
        "mean_share": found.mean_share,
        "least_share": float(np.min(1 / found.slowdowns)),
        "share_at_25": float(np.mean(1 / found.curves(budget)[:, min(25, budget) - 1])),
        "speed_up": float(np.mean(pool.baseline / pool.table.best / found.slowdowns)),
        "slowdowns": [round(float(slowdown), 5) for slowdown in found.slowdowns],
        "mean_measured": float(np.mean([one.measurements for one in found.repetitions])),
        "found_at": float(
            np.mean([1 + one.curve.index(one.slowdown) for one in found.repetitions])
        ),
        "published_dlmt_at": pool.published_at("DLMT", budget),
        "published_random_at": pool.published_at("RS", budget),
        "published_random": pool.published("RS", budget),
        "published_dlmt": pool.published("DLMT", budget),
        "speed_ups": pool.counts(
            [
                pool.baseline / pool.table.best / slowdown
                for one in found.repetitions
                for slowdown in one.measured
            ],
            repeat,
        ),
        "search_s": seconds / repeat,
    }


def main(arguments: Sequence[str]) -> int:
    """Replay all kernels; a line a kernel and strategy, then each strategy's mean share."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES))
    options = parser.parse_args(arguments)
    paths = sorted(options.data.glob("*.csv.xz"))
    if not paths:
        raise SystemExit(f"{options.data} has no <kernel>.csv.xz")
    shares: defaultdict[str, list[float]] = defaultdict(list)
    print(f"{'kernel':12} {'strategy':10} {'share':>6} {'least':>6} {'at 25':>6} {'speed-up':>8}")
    for path in paths:
        kernel, pool = path.name.removesuffix(".csv.xz"), read_pool(path)
        for name in options.strategies:
            row = measure(kernel, pool, name, options.budget, options.repeat)
            append_rows([row])
            shares[name].append(float(str(row["mean_share"])))
            print(
                f"{kernel:12} {name:10} {row['mean_share']:6.3f} {row['least_share']:6.3f} "
                f"{row['share_at_25']:6.3f} {row['speed_up']:8.2f}",
                flush=True,
            )
        for technique in ("RS", "DLMT"):
            share = pool.published(technique, options.budget)
            counts = pool.published_counts(technique, options.budget)
            append_rows([{"kernel": kernel, "authors": technique, "speed_ups": counts}])
            shares[f"authors' {technique}"].append(share)
            print(f"{kernel:12} authors' {technique:4} {share:6.3f}", flush=True)
    for name, found in shares.items():
        print(f"mean share of {name} over {len(found)} kernels: {np.mean(found):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
