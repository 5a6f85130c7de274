"""Stencils by grouped search with a predicted partition: Garvey and Abdelrahman, 2018."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from published.figure import Blocked, Figure, Paper, Rows, value_of


def hybrid(where: str, what: str, paper: float, key: str, search: str, **options: Any) -> Figure:
    """Of the paper's hybrid heuristic, loading by textures searched as well."""
    return Figure(where, what, paper, "stencil_all", value_of(key, search=search), **options)


def speed_ups(rows: Rows) -> list[float]:
    """Of each kernel: the best that hybrid finds with any loading, over random search."""
    found = []
    for row in rows:
        if "kernel" in row:
            times = row["microseconds"]
            ours = [time for name, time in times.items() if name.startswith("hybrid ")]
            found.append(times["random"] / min(ours))
    if not found:
        raise LookupError("no kernels")
    return found


def throughput(rows: Rows) -> float:
    """The mean GFLOPS of the kernels' best configurations."""
    found = [row["gflops"] for row in rows if "gflops" in row]
    if not found:
        raise LookupError("no kernels")
    return fmean(found)


HYBRID = (
    hybrid(
        "Table 3",
        "hybrid as in the paper, over random-1000",
        1.12,
        "speedup_random",
        "hybrid predicted",
    ),
    hybrid(
        "Table 3",
        "its share of the random search's time",
        0.29,
        "cost_share_random",
        "hybrid predicted",
        lower=True,
    ),
    hybrid(
        "Table 3", "the same over the expert's search", 1.05, "speedup_expert", "hybrid predicted"
    ),
    hybrid(
        "Table 3",
        "its share of the expert's time",
        0.11,
        "cost_share_expert",
        "hybrid predicted",
        lower=True,
    ),
    hybrid("Table 3", "hybrid, oracle, over random-1000", 1.14, "speedup_random", "hybrid oracle"),
    hybrid(
        "Table 4",
        "hybrid by textures alone, over random-1000",
        1.04,
        "speedup_random",
        "hybrid texture",
    ),
    hybrid(
        "Table 6",
        "hybrid: penalty-weighted accuracy",
        1.12 / 1.14,
        "penalty_weighted_accuracy",
        "hybrid predicted",
    ),
    Figure(
        "Figure 8",
        "hybrid over random-1000: the worst kernel",
        0.88,
        "stencil_all",
        lambda rows: min(speed_ups(rows)),
    ),
    Figure(
        "Figure 8",
        "hybrid over random-1000: the best kernel",
        1.72,
        "stencil_all",
        lambda rows: max(speed_ups(rows)),
    ),
    Figure(
        "8.3.3",
        "mean GFLOPS of the best configurations",
        411.0,
        "stencil_all",
        throughput,
        note="a GTX Titan's there",
    ),
    hybrid(
        "Table 8",
        "hybrid, work-group size variable, over random-1000",
        0.94,
        "speedup_random",
        "variable work-group",
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
        *HYBRID,
    ),
    (Blocked("Table 3", "AMD columns", "no AMD GPU"),),
)
