"""Searching parameters: Bruel et al., CCGRID 2019; Garvey and Abdelrahman, 2018; Breddam, 2019."""

from __future__ import annotations

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

DESIGNS = Paper(
    "Design of experiments (Bruel et al., CCGRID 2019)",
    tuple(
        Figure(
            "Table 5",
            f"Laplacian, mean slowdown: {case.partition(',')[0]}",
            slowdown,
            "search_laplacian",
            value_of("mean_slowdown", case=case),
            lower=True,
        )
        for case, slowdown in LAPLACIAN.items()
    )
    + tuple(
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
    ),
)

STENCILS = Paper(
    "Stencils (Garvey and Abdelrahman, 2018)",
    (
        Figure(
            "Table 3",
            "predicted loading and blocks over random search of 1000, 43 of 104 kernels",
            1.12,
            "stencil",
            value_of("speedup_random", search="refined predicted two"),
        ),
        Figure(
            "Table 3",
            "the same: its share of the random search's time",
            0.29,
            "stencil",
            value_of("cost_share_random", search="refined predicted two"),
            lower=True,
        ),
        Figure(
            "Table 3",
            "the same over the expert's search",
            1.05,
            "stencil",
            value_of("speedup_expert", search="refined predicted two"),
        ),
        Figure(
            "Table 3",
            "the same: its share of the expert's time",
            0.11,
            "stencil",
            value_of("cost_share_expert", search="refined predicted two"),
            lower=True,
            note="two ways of loading are searched; the predicted one alone takes 0.18",
        ),
        Figure(
            "Table 4",
            "the predicted loading over the best of all loadings",
            1.12 / 1.14,
            "stencil",
            value_of("penalty_weighted_accuracy", search="refined predicted"),
        ),
    ),
    (Blocked("Table 3", "AMD columns", "no AMD GPU"),),
)


def runs_a_version(rows: Rows) -> float:
    """Of the simple programs: runs over versions, where it is the most."""
    found = [
        row["runs"] / row["versions"]
        for row in rows
        if row.get("kind") == "simple" and "runs" in row
    ]
    if not found:
        raise LookupError("no simple programs")
    return float(max(found))


def lud(tuner: str, paper: float) -> Figure:
    """Table 6.2: runs of a tuner on LUD."""
    return Figure(
        "Table 6.2",
        f"LUD: runs of the tuner {tuner}",
        paper,
        "thresholds_cuda",
        value_of("runs", programs="lud", tuner=tuner),
        lower=True,
    )


THRESHOLDS = Paper(
    "Thresholds between versions (Breddam, 2019)",
    (
        Figure(
            "Figure 4.2",
            "ten simple programs on data left out: mean speed over moderate flattening",
            3.07,
            "thresholds_cuda",
            value_of("mean_speedup_moderate", programs="simple"),
            note="table 6.1 comes to 3.04 without SRAD's first data set, 57 with it",
        ),
        Figure(
            "Table 6.1",
            "the same, geometric mean over all data sets",
            2.39,
            "thresholds_cuda",
            value_of("speedup_moderate", programs="simple"),
            note="computed from the table",
        ),
        Figure(
            "2.1",
            "simple programs: runs of all data sets over versions, at most",
            1.0,
            "thresholds_cuda",
            runs_a_version,
            lower=True,
        ),
        Figure(
            "Figure 4.6",
            "LUD on data left out: mean speed of the instrumented tuner over moderate flattening",
            1.2,
            "thresholds_cuda",
            value_of("mean_speedup_moderate", programs="lud", tuner="instrumented"),
        ),
        *(
            lud(tuner, paper)
            for tuner, paper in (
                ("instrumented", 18.0),
                ("binary", 45.0),
                ("active", 37.0),
                ("CMA, naive", 109.0),
                ("CMA on indices", 173.0),
            )
        ),
    ),
)
