"""Searching parameters by designs of experiments: Bruel et al., CCGRID 2019."""

from __future__ import annotations

from statistics import fmean

from published.figure import Blocked, Figure, Paper, Rows, value_of

LAPLACIAN = {
    "random": 1.10,
    "Latin hypercube, as published": 1.17,
    "greedy": 6.46,
    "greedy with restart": 1.23,
    "genetic, as published": 1.12,
    "linear model, the paper's formula": 1.02,
    "DLMT": 1.01,
}

TABLE_5: tuple[Figure, ...] = (
    *(
        Figure(
            "Table 5",
            f"Laplacian, mean slowdown: {case.partition(',')[0]}",
            slowdown,
            "search_laplacian",
            value_of("mean_slowdown", case=case),
            lower=True,
        )
        for case, slowdown in LAPLACIAN.items()
    ),
    Figure(
        "Table 5",
        "Laplacian, mean slowdown: greedy, ended as the authors' program did",
        6.46,
        "search_laplacian_histogram",
        value_of("mean_slowdown", case="greedy, as published"),
        lower=True,
        note="100 searches, standard error 1.0",
    ),
)

BUDGETS = {"DLMT": 54.84, "linear model, the paper's formula": 119.0, "greedy with restart": 120.0}
WORST = {"DLMT": 1.01, "linear model, the paper's formula": 3.77, "greedy with restart": 3.16}

TABLE_5 += (
    *(
        Figure(
            "Table 5",
            f"Laplacian, {what} of {case.partition(',')[0]}",
            paper,
            "search_laplacian",
            value_of(key, case=case),
            lower=True,
            note=note if case == "DLMT" else "",
        )
        for what, key, all_of, note in (
            ("mean budget", "mean_budget", BUDGETS, "55 measurements in every search"),
            (
                "greatest slowdown",
                "max_slowdown",
                WORST,
                "the mean is 1.008; which points a design holds is drawn anew in every search",
            ),
        )
        for case, paper in all_of.items()
    ),
)

FIGURE_8 = tuple(
    Figure(
        "Figure 8",
        f"SPAPT {kernel}: ours over the authors' DLMT runs, 100 measurements",
        1.0,
        "search_spapt",
        lambda rows, kernel=kernel: (
            value_of("mean_share", kernel=kernel, strategy="auto")(rows)
            / value_of("published_dlmt", kernel=kernel, strategy="auto")(rows)
        ),
    )
    for kernel in (
        *("adi", "atax", "correlation", "dgemv3", "fdtd", "gemver"),
        *("gesummv", "jacobi", "lu", "mm", "mvt", "stencil3d"),
    )
)


def found_at(rows: Rows) -> float:
    """Over kernels, at which measurement the best was found: ours over the authors' DLMT runs."""
    found = [row for row in rows if row.get("strategy") == "auto" and "found_at" in row]
    if not found:
        raise LookupError("found_at")
    return fmean(row["found_at"] for row in found) / fmean(
        row["published_dlmt_at"] for row in found
    )


FIGURE_6 = (
    Figure(
        "Figure 6",
        "SPAPT: measurements until the best was found, ours over the authors' DLMT runs",
        1.0,
        "search_spapt",
        found_at,
        lower=True,
        note="by then ours is at 0.920 of the pools' best, theirs at 0.817",
    ),
)


def below_untransformed(counts: dict[str, float]) -> float:
    """The part of the measurements that were slower than what the compiler makes by itself."""
    slow = sum(count for step, count in counts.items() if float(step) < 1)
    return slow / sum(counts.values())


def wasted(rows: Rows) -> float:
    """Over kernels, the part of slower measurements: ours over the authors' DLMT runs."""

    def mean(key: str, value: str) -> float:
        found = [row["speed_ups"] for row in rows if row.get(key) == value and "speed_ups" in row]
        if not found:
            raise LookupError(f"no speed-ups of {value}")
        return fmean(map(below_untransformed, found))

    return mean("strategy", "auto") / mean("authors", "DLMT")


FIGURE_7 = (
    Figure(
        "Figure 7",
        "SPAPT: measurements slower than untransformed code, ours over the authors' DLMT runs",
        1.0,
        "search_spapt",
        wasted,
        lower=True,
    ),
)

DESIGNS = Paper(
    "Design of experiments (Bruel et al., CCGRID 2019)",
    (*TABLE_5, *FIGURE_6, *FIGURE_7, *FIGURE_8),
    (
        Blocked(
            "Figure 8", "three SPAPT kernels, live", "their sources are not in the published data"
        ),
    ),
    (
        ("doe_figure_1", "Figure 1: six samplings of 50 points"),
        ("doe_figure_5", "Figure 5: how far from the optimum the searches of the Laplacian ended"),
        ("doe_figure_7", "Figure 7: what the searches of the SPAPT kernels measured"),
    ),
)
