"""Stencils by grouped search with a predicted partition: Garvey and Abdelrahman, 2018."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from statistics import fmean, geometric_mean
from typing import Any

from published.figure import Blocked, Figure, Paper, Rows, row_of, value_of
from published.stencil_variations import VARIATIONS, ratio


def hybrid(where: str, what: str, paper: float, key: str, search: str, **options: Any) -> Figure:
    """Of the paper's hybrid heuristic, loading by textures searched as well."""
    return Figure(where, what, paper, "stencil_all", value_of(key, search=search), **options)


def beside_expert(what: str, paper: float, key: str, **options: Any) -> Figure:
    """Of the same beside the expert's search, which was measured of fewer kernels."""
    return Figure(
        "Table 3",
        what,
        paper,
        "stencil_expert",
        value_of(key, search="hybrid predicted"),
        note=kernels_of,
        **options,
    )


def speed_ups(rows: Rows) -> list[float]:
    """Of each kernel: the best that hybrid finds with any loading, over random search."""
    found = []
    for row in rows:
        if "kernel" in row:
            times = row["microseconds"]
            ours = [time for name, time in times.items() if name.startswith("hybrid ")]
            found.append(times["random_paper"] / min(ours))
    if not found:
        raise LookupError("no kernels")
    return found


def throughput(rows: Rows) -> float:
    """The mean GFLOPS of the kernels' best configurations."""
    found = [row["gflops"] for row in rows if "gflops" in row]
    if not found:
        raise LookupError("no kernels")
    return fmean(found)


def times_of(rows: Rows) -> list[Mapping[str, float]]:
    """For each kernel the microseconds of what each search found."""
    found = [row["microseconds"] for row in rows if "kernel" in row]
    if not found:
        raise LookupError("no kernels")
    return found


def where_best(best: str, loading: str) -> Callable[[Rows], float]:
    """Of kernels that are fastest by a loading: hybrid by a loading over random search."""

    def compute(rows: Rows) -> float:
        ratios = []
        for times in times_of(rows):
            ours = {n: us for n, us in times.items() if n.startswith("hybrid ")}
            if min(ours, key=ours.__getitem__) == f"hybrid {best}":
                ratios.append(times["random_paper"] / ours[f"hybrid {loading}"])
        if not ratios:
            raise LookupError(best)
        return geometric_mean(ratios)

    return compute


def repeated(more: str, less: str) -> Callable[[Rows], float]:
    """What more repetitions of the heuristic by dimensions gain, by vectors."""
    names = [f"by_dimension:{repetitions} vector" for repetitions in (less, more)]
    return lambda rows: geometric_mean([us[names[0]] / us[names[1]] for us in times_of(rows)])


def sampled(key: str, kind: str = "sampled") -> Callable[[Rows], float]:
    """The mean over kernels of a figure of their random samples, or over rows of another kind."""

    def compute(rows: Rows) -> float:
        found = [row[key] for row in rows if kind in row]
        if not found:
            raise LookupError(f"no rows of what was {kind}")
        return fmean(found)

    return compute


def carried(rows: Rows) -> str:
    """How configurations were carried from kernel to kernel."""
    [row] = [row for row in rows if "carried" in row]
    return (
        f"a GTX Titan's there; {row['carried']} pairs of kernels, the configurations that were "
        f"measured on both, of which the best has {row['share_here']:.2f} of the first one's best; "
        f"the most is {1 - row['least_share_there']:.2f}"
    )


def kernels_of(rows: Rows) -> str:
    """How many kernels were measured."""
    return f"{sum('kernel' in row for row in rows)} of 104 kernels"


def prediction(rows: Rows) -> str:
    """How many kernels were measured, and what there was to predict of them."""
    if verdict := row_of(rows, search="hybrid predicted").get("verdict"):
        return f"{kernels_of(rows)}; {verdict}"
    best = Counter(
        min((us, name) for name, us in times.items() if name.startswith("hybrid "))[1].split()[1]
        for times in times_of(rows)
    )
    ways = ", ".join(f"{way} on {count}" for way, count in best.most_common())
    return f"{kernels_of(rows)}; by best loading: {ways}"


SPACE = (
    Figure(
        "Figure 3",
        "share of random points within 10 % of the best",
        0.013,
        "stencil_all",
        sampled("within_10_percent"),
        note="a property of the space and of the device, not of a search",
    ),
    Figure(
        "Figure 3",
        "share of random points more than 10 times slower than the best",
        0.342,
        "stencil_all",
        sampled("over_10_times_slower"),
        lower=True,
        note="those that do not run or cannot but be slow count as such",
    ),
)

HYBRID = (
    hybrid(
        "Table 3",
        "hybrid as in the paper, over random-1000",
        1.12,
        "speedup_random_paper",
        "hybrid predicted",
        note=prediction,
    ),
    hybrid(
        "Table 3",
        "its share of the random search's time",
        0.29,
        "cost_share_random_paper",
        "hybrid predicted",
        lower=True,
        note="vectors, the best loading, have one parameter more than the others",
    ),
    beside_expert("hybrid over the expert's search", 1.05, "speedup_expert"),
    beside_expert("its share of the expert's time", 0.11, "cost_share_expert", lower=True),
    hybrid(
        "Table 3",
        "hybrid, oracle, over random-1000",
        1.14,
        "speedup_random_paper",
        "hybrid oracle",
    ),
    hybrid(
        "Table 4",
        "hybrid by textures alone, over random-1000",
        1.04,
        "speedup_random_paper",
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
    Figure(
        "Figure 6",
        "what a kernel loses of its best by another's best configuration",
        1 - 0.69,
        "stencil_all",
        lambda rows: 1 - sampled("share_there", "carried")(rows),
        lower=True,
        note=carried,
    ),
    Figure(
        "Table 7",
        "restricted hybrid over hybrid, all loadings tried: speed",
        1.0,
        "stencil_all",
        ratio("restricted oracle", "hybrid oracle", "speedup_random_paper"),
        note="the paper says relatively unchanged",
    ),
    Figure(
        "Table 7",
        "the same: configurations",
        1.0,
        "stencil_all",
        ratio("restricted oracle", "hybrid oracle", "configurations"),
        lower=True,
        note="the paper says significantly fewer",
    ),
    Figure(
        "8.3.2",
        "hybrid over random-1000 by vectors, where they are the best loading",
        1.07,
        "stencil_all",
        where_best("vector", "vector"),
    ),
    Figure(
        "8.3.2",
        "the same kernels by local memory (what vectors gain over it is the reason to part them)",
        0.67,
        "stencil_all",
        where_best("vector", "local"),
    ),
    Figure(
        "8.3.1",
        "by dimensions, two passes more over none: speed on the seven kernels of radius 2",
        1.0,
        "stencil_repetitions",
        repeated("2", "0"),
        note="the paper says a large benefit of the first, a very slight one of the second, and "
        "gives no number",
    ),
    Figure(
        "8.3.1",
        "the same, three over two (the paper: no benefit)",
        1.0,
        "stencil_repetitions",
        repeated("3", "2"),
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
        *SPACE,
        *HYBRID,
        *VARIATIONS,
    ),
    (
        Blocked("Tables 3 and 6, figure 8", "AMD columns", "no AMD GPU"),
        Blocked("Tables 5 and 13", "loading techniques and best configurations, AMD", "no AMD GPU"),
        Blocked("Table 11", "416 kernels of varying intensity", "published for AMD alone"),
    ),
    (("stencil_figures.png", "Figures 2, 3 and 8: random samples, and hybrid over them"),),
)
