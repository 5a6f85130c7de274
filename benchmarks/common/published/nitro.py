"""Muralidharan's dissertation, chapters 2 to 4: variants, machines, energy."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

from published.figure import Blocked, Figure, Paper, Rows, row_of, value_of

SIX_GPUS = ("K20Xm", "K40m", "P100", "V100", "RadeonVII", "MI250X")


def share(function: str) -> Callable[[Rows], float]:
    """The share of best of one of the six functions, selection free."""
    return value_of("selection_free", function=function)


def converged(rows: Rows) -> float:
    """How often a converging solver was chosen where some do not converge."""
    row = row_of(rows, function="solvers")
    found = row["convergence"]
    return float(found["chosen"] / found["mixed"])


def best_fixed_over(function: str) -> Callable[[Rows], float]:
    """The selected variant's share of best over that of the best fixed one."""

    def compute(rows: Rows) -> float:
        row = row_of(rows, function=function)
        return float(row["selection_free"] / row["best_fixed_share"])

    return compute


def transferred(method: str) -> Callable[[Rows], float]:
    """A transfer method's mean share of best over the six GPUs, each unseen in turn."""

    def compute(rows: Rows) -> float:
        found = [
            row["mean"]
            for row in rows
            if row.get("method") == method and row.get("device") in SIX_GPUS and not row["measured"]
        ]
        if len(found) != len(SIX_GPUS):
            raise LookupError(f"{method} on {len(found)} GPUs")
        return mean(found)

    return compute


def seconds(method: str) -> Callable[[Rows], float]:
    """What a model for an unseen machine takes."""

    def compute(rows: Rows) -> float:
        found = [row["seconds"] for row in rows if row.get("method") == method and "seconds" in row]
        if not found:
            raise LookupError(f"seconds of {method}")
        return float(found[0])

    return compute


VARIANTS = Paper(
    "Input-adaptive variants (dissertation, chapter 2; Nitro)",
    (
        Figure("2.4.1.1", "SpMV: share of best", 0.9374, "examples_gpu", share("spmv")),
        Figure("2.4.1.2", "Solvers: share of best", 0.9323, "examples_gpu", share("solvers")),
        Figure(
            "2.4.1.2",
            "Solvers: a converging one chosen, of systems on which some fail",
            33 / 35,
            "examples_gpu",
            converged,
        ),
        Figure("2.4.1.3", "BFS: share of best", 0.9792, "examples_gpu", share("bfs")),
        Figure("2.4.1.4", "Histogram: share of best", 0.9416, "examples_gpu", share("histogram")),
        Figure("2.4.1.5", "Sort: share of best", 0.9925, "examples_gpu", share("sort")),
        Figure(
            "3.4",
            "Transpose: over its best fixed variant",
            1.0,
            "examples_gpu",
            best_fixed_over("transpose"),
            note="the paper says only that tuning pays",
        ),
    ),
)

MACHINES = Paper(
    "Machines never trained on (dissertation, chapter 3)",
    (
        Figure(
            "3.5.2",
            "SpMV formats, six GPUs unseen: ours over majority vote",
            1.0,
            "transfer",
            lambda rows: transferred("auto")(rows) / transferred("majority")(rows),
        ),
        Figure(
            "3.5.2",
            "the same: profile DFS over majority vote",
            1.0,
            "transfer",
            lambda rows: transferred("p-dfs")(rows) / transferred("majority")(rows),
        ),
        Figure(
            "Table 3.7",
            "seconds of P-DFS without profiling",
            5.0,
            "transfer",
            seconds("p-dfs"),
            lower=True,
            note="the paper's are of other functions on a 2013 processor",
        ),
    ),
    (
        Blocked(
            "Table 3.7", "six functions on six GPUs", "Fermi to Maxwell; CUDA 13 begins at Turing"
        ),
    ),
)

ENERGY = Paper(
    "Energy and power (dissertation, chapter 4)",
    (),
    (
        Blocked(
            "Table 4.1",
            "throughput, energy and power of sorting at tuned clocks",
            "needs a GPU that reports its power and allows its clocks to be set",
        ),
    ),
)
