"""Muralidharan's dissertation, chapter 5, and TACO 2016: nested computations tuned."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

from published.figure import Figure, Paper, Rows

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


SURGE = Paper("Nested data parallelism (dissertation, chapter 5; TACO 2016)", figures())
