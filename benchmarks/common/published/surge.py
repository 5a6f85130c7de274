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


def slowest(rows: Rows) -> str:
    """On how many matrices MKL is no faster, and on which it is by far."""
    inputs = [row for row in rows if row.get("row") == "input"]
    ratios = {row["label"]: row["batch_us"]["mkl"] / row["batch_us"]["tuned"] for row in inputs}
    least = sorted(ratios, key=ratios.__getitem__)[:4]
    listed = ", ".join(f"{name} {ratios[name]:.2f}" for name in least)
    equal = sum(ratio >= 1 for ratio in ratios.values())
    return f"MKL is no faster on {equal} of {len(ratios)}; the least are {listed}"


def figures() -> tuple[Figure, ...]:
    """Table 5.8: GPU and CPU of the five benchmarks, the latter with few cores and with many."""
    found = []
    for name, (title, gpu, cpu, on_gpu, on_cpu) in REFERENCES.items():
        for record, on, reference, paper in (
            ("cuda", "GPU", gpu, on_gpu),
            ("openmp", "CPU", cpu, on_cpu),
            ("openmp_many_cores", "CPU, many cores", cpu, on_cpu),
        ):
            what = f"{title}, {on}: speed-up over {reference}"
            compute = mean_speed_up(reference)
            note = slowest if reference == "mkl" else ""
            found.append(Figure("Table 5.8", what, paper, f"{name}_{record}", compute, note=note))
    return tuple(found)


# Training inputs on the GPU and on the CPU, and the size of the search space on the GPU.
TUNED_ON = {
    "reduction": (8, 6, 42),
    "scan": (7, 5, 90),
    "ndp_spmv": (10, 6, 42),
    "kmeans": (5, 7, 40),
    "comd": (7, 7, 48),
}
LEARNED_ACTIVELY = ("reduction", "scan")  # those whose races training_inputs.py has replayed


def most_of(key: str) -> Callable[[Rows], float]:
    """Of the functions of a benchmark: the greatest count."""

    def compute(rows: Rows) -> float:
        found = [row[key] for row in rows if row.get("row") == "function"]
        if not found:
            raise LookupError("no functions")
        return float(max(found))

    return compute


def needed_of(benchmark: str, order: str) -> Callable[[Rows], float]:
    """Of the functions of a benchmark: the most inputs that an order needs; all where it does not
    come near the model of all inputs with half of them."""

    def compute(rows: Rows) -> float:
        its = [row for row in rows if row.get("benchmark") == benchmark]
        if not its:
            raise LookupError(benchmark)
        return float(max(row["needed"][order] or row["inputs"] for row in its))

    return compute


def order_of(benchmark: str) -> Callable[[Rows], str]:
    """What of the benchmark's functions each order needs, from how many inputs."""

    def note(rows: Rows) -> str:
        its = [row for row in rows if row.get("benchmark") == benchmark]
        pools = ", ".join(str(row["inputs"]) for row in its)
        return (
            f"the most of {len(its)} computations with {pools} inputs, until the model is within "
            f"0.01 of that of all; in random order {needed_of(benchmark, 'random')(rows):g}"
        )

    return note


def tuning() -> tuple[Figure, ...]:
    """Table 5.7: what was tuned on."""
    found = []
    for name, (on_gpu, on_cpu, space) in TUNED_ON.items():
        title, gpu = REFERENCES[name][0], f"{name}_cuda"
        for where, inputs, record in (
            ("GPU", on_gpu, gpu),
            ("CPU", on_cpu, f"{name}_openmp_many_cores"),
        ):
            what = f"{title}, {where}: training inputs"
            note = "all were measured, without the active learning that the paper's tuner used"
            compute = most_of("training_inputs")
            found.append(Figure("Table 5.7", what, inputs, record, compute, lower=True, note=note))
        if name in LEARNED_ACTIVELY:
            what, record = f"{title}, CPU: training inputs by itune", "training_inputs_openmp"
            compute, learned = needed_of(name, "itune"), order_of(name)
            found.append(
                Figure("Table 5.7", what, on_cpu, record, compute, lower=True, note=learned)
            )
        what = f"{title}, GPU: size of the search space"
        found.append(Figure("Table 5.7", what, space, gpu, most_of("space")))
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


def of_blocks(rows: Rows) -> float:
    """Figure 6, right: the best block's time over that of 128 threads, where 4 lanes are the best
    logical warp; the mean over these matrices."""
    times: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.get("work") == "warp_sizes" and "call_us" in row:
            times.setdefault(row["input"], {})[row["contender"]] = row["batch_us"]
    shares = []
    for its in times.values():
        warps = {lanes: its[f"block 128, warp {lanes}"] for lanes in (2, 4, 8, 16, 32)}
        if min(warps, key=warps.__getitem__) == 4:
            blocks = [its[f"block {size}, warp 4"] for size in (32, 64, 128, 256, 512, 1024)]
            shares.append(min(blocks) / warps[4])
    if not shares:
        raise LookupError("no matrices")
    return mean(shares)


SURGE = Paper(
    "Nested data parallelism (dissertation, chapter 5; TACO 2016)",
    (
        *tuning(),
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
        Figure(
            "Figure 6",
            "right: share of the best block size that 128 threads reach, logical warps of 4",
            1.0,
            "warp_sizes",
            of_blocks,
            note="mean over the matrices whose best logical warp is 4; 128 is the best of the "
            "paper's one matrix on a K20c, 256 on a GTX 480; webbase-1M is not among the "
            "inputs",
        ),
    ),
    (
        Blocked(
            "Figure 6",
            "right: block sizes on a second architecture",
            "the H100 and the H200 have the same architecture, and only an H100 was measured",
        ),
        Blocked(
            "Table VIII",
            "the papers' own references",
            "those of 2014 are rewritten here; CUDA 13 does not compile them",
        ),
    ),
    (
        ("figure_5_5", "Figure 4, dissertation 5.5: reduction, scan and SpMV"),
        ("figure_5_6", "Figure 5, left, dissertation 5.6: k-means"),
        ("figure_5_7", "Figure 5, right, dissertation 5.7: CoMD"),
    ),
)
