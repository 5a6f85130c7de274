"""The strategies on the measured Laplacian kernel, beside the published table of the same methods.

    python benchmarks/common/record.py search_laplacian -- \\
        python benchmarks/search/laplacian/strategies.py --table FOLDER/search_space.csv.xz

Slowdown: the best point found over the best of the table. Published is table 5 of Bruel, Quinito
Masnada, Videau, Legrand, Vincent, Goldman: Autotuning under Tight Budget Constraints, CCGRID 2019.
Repetition r has the seed r. "As published" is the procedure of the paper's authors, as far as their
programs tell.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fettle.search.base import Strategy
from fettle.search.registry import make_strategy
from fettle.search.simulate import simulate
from fettle.search.table import MeasuredTable, measured_table

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

MODEL = (
    "time_per_pixel ~ y_component_number + 1/y_component_number + load_overlap + temporary_size"
    " + vector_length + lws_y + 1/lws_y + elements_number + 1/elements_number"
    " + threads_number + 1/threads_number"
)


@dataclass(frozen=True)
class Case:
    """A strategy, its options, and the published row: mean, largest slowdown, mean budget."""

    name: str
    strategy: str
    budget: int
    options: tuple[tuple[str, object], ...] = ()
    published: tuple[float, float, float] | None = None


STEP, LAST_STEP = 0.05, 60  # of the histogram of slowdowns
IMPROVED = (("as_published", False),)
# Ends early, so that doubts are left to those before the end.
AUTO = (("design", 8), ("doubt", 1), ("doubts", 10), ("settled", 10), ("tolerance", 0.015))
CASES = (
    Case("random", "random", 120, (), (1.10, 1.39, 120.0)),
    Case(
        "Latin hypercube, as published",
        "latin_hypercube",
        125,
        (("samples", 441),),
        (1.17, 1.52, 98.92),
    ),
    Case("Latin hypercube", "latin_hypercube", 125, IMPROVED),
    Case(
        "greedy, as published",
        "greedy",
        120,
        (("last_step", "lws_y"),),
        (6.46, 124.76, 22.17),
    ),
    Case("greedy", "greedy", 120, ()),
    Case("greedy with restart", "greedy_restart", 120, (), (1.23, 3.16, 120.0)),
    Case("genetic, as published", "genetic", 120, (), (1.12, 1.65, 120.0)),
    Case("genetic", "genetic", 120, IMPROVED),
    Case(
        "linear model, the paper's formula",
        "linear_model",
        120,
        (("formula", MODEL),),
        (1.02, 3.77, 119.0),
    ),
    Case("DLMT", "dlmt", 125, (), (1.01, 1.01, 54.84)),
    Case("auto", "auto", 60, AUTO),
)


def made(case: Case, table: MeasuredTable, seed: int) -> Strategy:
    """The strategy of one repetition."""
    return make_strategy(case.strategy, table.space, seed, case.budget, **dict(case.options))


def measure(case: Case, table: MeasuredTable, repeat: int, jobs: int) -> dict[str, object]:
    """The row of one case."""
    begin = time.perf_counter()
    found = simulate(
        table, case.strategy, partial(made, case), budget=case.budget, repeat=repeat, jobs=jobs
    )
    took = time.perf_counter() - begin
    slowdowns = found.slowdowns
    row = {
        "case": case.name,
        **found.record(),
        "budget": case.budget,
        "options": dict(case.options),
        "repeat": repeat,
        "standard_error": float(slowdowns.std() / np.sqrt(repeat)),
        "median_slowdown": float(np.median(slowdowns)),
        "above_1.02": int((slowdowns > 1.02).sum()),
        "search_s": took / repeat,
        "histogram": histogram(slowdowns),
    }
    if case.published:
        names = ("published_mean", "published_max", "published_mean_budget")
        row.update(zip(names, case.published, strict=True))
    return row


def histogram(slowdowns: NDArray[np.float64]) -> dict[str, int]:
    """How many searches came to each slowdown, in steps of STEP; the last bin has all above."""
    steps = np.minimum(np.floor((slowdowns - 1 + 1e-12) / STEP), LAST_STEP).astype(int)
    return {f"{1 + STEP * step:.2f}": int((steps == step).sum()) for step in np.unique(steps)}


def line(row: dict[str, object]) -> str:
    """A row as text."""
    published = f"{row['published_mean']:.2f}" if "published_mean" in row else ""
    return (
        f"{row['case']:34} {row['mean_slowdown']:>8.4f} {row['standard_error']:>7.4f} "
        f"{row['max_slowdown']:>9.4f} {row['mean_budget']:>7.2f} {row['max_budget']:>5} "
        f"{published:>9}"
    )


def main(arguments: Sequence[str]) -> int:
    """Simulate all cases, or those named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cases", nargs="+", choices=[case.name for case in CASES])
    options = parser.parse_args(arguments)
    table = measured_table(options.table)
    print(f"{'case':34} {'mean':>8} {'+-':>7} {'max':>9} {'budget':>7} {'most':>5} published")
    for case in CASES:
        if options.cases and case.name not in options.cases:
            continue
        row = measure(case, table, options.repeat, options.jobs)
        print(line(row), flush=True)
        append_rows([row])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
