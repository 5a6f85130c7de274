"""Muralidharan's dissertation, chapters 2 to 4: variants, machines, energy."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

from published.figure import Blocked, Figure, Paper, Rows, row_of, value_of

NO_NUMBER_AT_ALL = (
    "named as work to come, without a number; two halves of the judging rounds differ by up to 0.03"
)
NO_NUMBER = "the paper says above, and gives no number"
SIX_GPUS = ("K20Xm", "K40m", "P100", "V100", "RadeonVII", "MI250X")


def share(function: str) -> Callable[[Rows], float]:
    """The share of best of one of the six functions, selection free."""
    return value_of("selection_free", function=function)


def converged(rows: Rows) -> float:
    """How often a converging solver was chosen where some do not converge."""
    row = row_of(rows, function="solvers")
    found = row["convergence"]
    return float(found["chosen"] / found["mixed"])


def over_hybrid(rows: Rows) -> float:
    """How many times as fast breadth-first search is as the hybrid of its variants."""
    return float(row_of(rows, function="bfs")["over_library"]["hybrid"]["free"])


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
        Figure(
            "2.4.1.3",
            "BFS: over the hybrid kernel",
            1.11,
            "examples_gpu",
            over_hybrid,
        ),
        Figure("2.4.1.4", "Histogram: share of best", 0.9416, "examples_gpu", share("histogram")),
        Figure("2.4.1.5", "Sort: share of best", 0.9925, "examples_gpu", share("sort")),
    ),
)

MACHINES = Paper(
    "Machines never trained on (dissertation, chapter 3)",
    (
        Figure(
            "Figure 3.5",
            "SpMV formats, six GPUs unseen: ours over majority vote",
            1.0,
            "transfer",
            lambda rows: transferred("auto")(rows) / transferred("majority")(rows),
            note=NO_NUMBER,
        ),
        Figure(
            "Figure 3.5",
            "the same: profile DFS over majority vote",
            1.0,
            "transfer",
            lambda rows: transferred("p-dfs")(rows) / transferred("majority")(rows),
            note=NO_NUMBER,
        ),
        Figure(
            "Table 3.7",
            "SpMV: seconds of P-DFS, profiles collected already",
            3.36,
            "transfer_dissertation",
            value_of("seconds", table="3.7", method="P-DFS, selection"),
            lower=True,
        ),
        Figure(
            "Table 3.7",
            "SpMV: seconds of CV-DFS",
            12.42,
            "transfer_dissertation",
            value_of("seconds", table="3.7", method="CV-DFS, selection"),
            lower=True,
        ),
    ),
    (
        Blocked(
            "Table 3.7", "six functions on six GPUs", "Fermi to Maxwell; CUDA 13 begins at Turing"
        ),
    ),
)


def better_by(function: str, ours: str, other: str) -> Callable[[Rows], float]:
    """The share of best of one way to tune over that of another."""

    def compute(rows: Rows) -> float:
        key = "share_of_best"
        one, two = (row_of(rows, function=function, way=way)[key] for way in (ours, other))
        return float(one / two)

    return compute


PARAMETERS = Paper(
    "Parameters and active learning (dissertation, 7.2.1)",
    tuple(
        Figure(
            where,
            f"{title}: ours over {what}",
            1.0,
            "parameters_queries",
            better_by(function, ours, other),
            note=NO_NUMBER_AT_ALL,
        )
        for function, title in (("multiply", "small products"), ("sort", "sorting"))
        for where, what, ours, other in (
            ("7.2.1", "KCCA's neighbours", "multilevel", "KCCA multilevel"),
            (
                "7.2.1",
                "active learning by variance, after Schein",
                "active multilevel",
                "active multilevel, variance",
            ),
        )
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
