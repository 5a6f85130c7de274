"""Muralidharan's dissertation, chapter 5, and TACO 2016: nested computations tuned."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean

from published.figure import SOURCES, Blocked, Figure, Paper, Rows

sys.path.append(str(Path(__file__).resolve().parents[2] / "tuned" / "common"))
from counted import printed_lines

REFERENCES = {
    "reduction": ("Reduction", "thrust", "thrust", 3.67, 1.04),
    "scan": ("Scan", "thrust", "thrust", 1.26, 2.28),
    "ndp_spmv": ("SpMV", "warp_per_row", "mkl", 1.17, 0.93),
    "kmeans": ("K-means", "catanzaro", "scikit-learn", 1.05, 0.98),
    "comd": ("CoMD", "exmatex", "exmatex", 1.01, 0.95),
}


def mean_speed_up(reference: str) -> Callable[[Rows], float]:
    """The paper's mean over inputs of the reference's time over the tuned one's, calls in a row."""

    def compute(rows: Rows) -> float:
        inputs = [row["batch_us"] for row in rows if row.get("row") == "input"]
        inputs = [one for one in inputs if reference in one]
        if not inputs:
            raise LookupError(reference)
        return mean(one[reference] / one["tuned" if "tuned" in one else "fettle"] for one in inputs)

    return compute


def figures() -> tuple[Figure, ...]:
    """Table 5.8: GPU and CPU of the five benchmarks."""
    found = []
    for name, (title, gpu, cpu, on_gpu, on_cpu) in REFERENCES.items():
        for platform, reference, paper in (("cuda", gpu, on_gpu), ("openmp", cpu, on_cpu)):
            what = f"{title}, {'GPU' if platform == 'cuda' else 'CPU'}: speed-up over {reference}"
            found.append(
                Figure("Table 5.8", what, paper, f"{name}_{platform}", mean_speed_up(reference))
            )
    return tuple(found)


LINES = {"reduction": 8, "scan": 19, "ndp_spmv": 9, "kmeans": 43, "comd": 71}


def source_lines() -> tuple[Figure, ...]:
    """Table VIII: lines of the core computations."""
    return tuple(
        Figure(
            "Table VIII",
            f"{REFERENCES[name][0]}: source lines of the form that the paper prints",
            paper,
            SOURCES,
            lambda _, name=name: float(printed_lines(name)),
            lower=True,
        )
        for name, paper in LINES.items()
    )


def of_warps(which: str) -> Callable[[Rows], float]:
    """Figure 6, left: from the microseconds of each logical warp size in blocks of 128, by input.

    "fixed": of the best single size for all, the mean share of each matrix's best. "rule": that of
    the default rule, which chooses by the rows.
    """

    def compute(rows: Rows) -> float:
        times: dict[str, dict[str, float]] = {}
        for row in rows:
            if row.get("work") == "warp_sizes" and "call_us" in row:
                times.setdefault(row["input"], {})[row["contender"]] = row["batch_us"]
        if not times:
            raise LookupError("no matrices")
        sizes = [f"block 128, warp {lanes}" for lanes in (2, 4, 8, 16, 32)]
        every = [[its[size] for size in sizes] for its in times.values()]
        if which == "rule":
            return mean(min(its[size] for size in sizes) / its["fettle"] for its in times.values())
        shares = [[min(some) / time for time in some] for some in every]
        return max(mean(column) for column in zip(*shares, strict=True))

    return compute


SURGE = Paper(
    "Nested data parallelism (dissertation, chapter 5; TACO 2016)",
    (
        *figures(),
        *source_lines(),
        Figure(
            "Figure 6",
            "SpMV, tuned by rows over the best single logical warp size: shares of the best",
            1.0,
            "warp_sizes",
            lambda rows: of_warps("rule")(rows) / of_warps("fixed")(rows),
            note="the paper says that no single size is best, and gives no number",
        ),
    ),
    (
        Blocked(
            "Figure 6", "right: block sizes on a second architecture", "measured on one kind of GPU"
        ),
        Blocked(
            "Table VIII",
            "the papers' own references",
            "those of 2014 are rewritten here; CUDA 13 does not compile them",
        ),
    ),
)
