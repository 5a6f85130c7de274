"""What README.md says of each recorded benchmark: a line is what was measured, and the figures."""

from collections.abc import Mapping, Sequence
from typing import Any

Rows = Sequence[Mapping[str, Any]]
Line = tuple[str, str]
"""What was measured, and the figures."""


def row_of(rows: Rows, **wanted: object) -> Mapping[str, Any]:
    """The one row that has these values."""
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    if len(found) != 1:
        raise SystemExit(f"{len(found)} rows have {wanted}; one should")
    return found[0]


def names_of(rows: Rows, key: str) -> list[str]:
    """The values that occur, in their order."""
    return list(dict.fromkeys(str(row[key]) for row in rows if key in row))


def spmv(rows: Rows) -> list[Line]:
    """The tuned example against the best of its fixed variants."""
    tuned = row_of(rows, case="tuned")
    fixed = [row for row in rows if not row["case"].startswith("tuned")]
    best = max(fixed, key=lambda row: row["mean"])
    what = f"SpMV, {tuned['held_out']} matrices: share of best"
    return [(what, f"{tuned['mean']:.3f} ({best['case']} for all: {best['mean']:.3f})")]


def schedules(rows: Rows) -> list[Line]:
    """Classifiers on a recorded table, its first set of variants."""
    fewest = min(row["variants"] for row in rows)
    means = {row["case"]: row["mean"] for row in rows if row["variants"] == fewest}
    plain = max(mean for case, mean in means.items() if case.endswith("_ms"))
    figure = f"SVM {means['svm']:.3f}, auto {means['auto']:.3f}; "
    figure += f"SVM trained on labels {means['SVM on labels']:.3f}, best fixed {plain:.3f}"
    return [
        (
            f"{fewest} schedules of SpMV on a GPU, a published table: share of best",
            figure,
        )
    ]


def training_cost(rows: Rows) -> list[Line]:
    """The tuner's seconds against the usual way's."""
    tuner = row_of(rows, case="tuner")
    lines = []
    for case, what in (
        ("pair, same runs", "as many runs of each"),
        ("pair, all runs", "all runs of each"),
    ):
        pairs = row_of(rows, case=case)
        figure = f"{pairs['times_the_tuner']:.1f} times fewer seconds, "
        figure += f"share of best {tuner['share_of_best']:.3f} ({pairs['share_of_best']:.3f})"
        lines.append((f"Training, against a process a variant and input, {what}", figure))
    return lines


def selection_cost(rows: Rows) -> list[Line]:
    """Models alone beside libsvm, and a bound call beside a direct one; medians."""

    def ns(case: str, contender: str) -> float:
        return float(row_of(rows, case=case, contender=contender)["median_ns"])

    lines = []
    for vectors in (50, 120):
        case = f"svm: {vectors} support vectors, 6 log features, 6 classes"
        figure = f"{ns(case, 'fettle: decide, model directory'):.0f} ns "
        figure += f"(libsvm's `svm_predict`: {ns(case, 'libsvm: svm_predict alone'):.0f} ns)"
        lines.append((f"Selection by {case}", figure))
    case = "tree: depth 6, 6 log features"
    lines.append(
        (
            f"Selection by {case}",
            f"{ns(case, 'fettle: decide, 16 inputs in turn'):.0f} ns",
        )
    )
    case = "whole calls: 6 variants, 6 features, 16 inputs in turn"
    figure = f"{ns(case, 'fettle: bound call'):.1f} ns (a direct call: "
    lines.append(("A bound call", f"{figure}{ns(case, 'direct call'):.1f} ns)"))
    return lines


def compile_time(rows: Rows) -> list[Line]:
    """What the header costs a compilation."""
    fettle = row_of(rows, program="fettle/variant.hpp")
    base = row_of(rows, program="<vector> + <functional>")
    seconds = fettle["median_s"] - base["median_s"]
    what = "`#include <fettle/variant.hpp>` at -O0, more than `<vector>` and `<functional>`"
    return [(what, f"{seconds:.2f} s")]


WAYS = {
    "defaults": "variants at their defaults",
    "online": "the same, and 50 calls of search on each input",
}
"""What README.md calls a way of the record, where that does not speak for itself."""


def parameters(rows: Rows) -> list[Line]:
    """The ways to tune variants with parameters, beside the best point taken always."""
    titles = {"multiply": "a product of small matrices", "sort": "sorting"}
    inputs = {"multiply": "shapes", "sort": "inputs"}
    found = []
    for function in names_of(rows, "function"):
        own = [row for row in rows if row["function"] == function]
        most = max(row.get("inputs", 0) for row in own)
        parts = []
        for way in names_of(own, "way"):
            row = row_of(own, way=way)
            few = row.get("inputs", most) < most
            of = f" (of {row['inputs']} of {most} training inputs)" if few else ""
            parts.append(f"{WAYS.get(way, way)} {row['share_of_best']:.2f}{of}")
        judged_on = f"{own[0]['judged_on']} {inputs[function]}"
        what = f"Tuned parameters of {titles[function]}, {judged_on}: mean share of best"
        found.append((what, ", ".join(parts)))
    return found


def search_laplacian(rows: Rows) -> list[Line]:
    """Strategies on a measured space, beside the published figures of the same methods."""
    published = [row for row in rows if "published_mean" in row]
    dlmt = row_of(rows, case="DLMT")
    what = f"Search, Laplacian kernel, {dlmt['repeat']} searches each: mean slowdown"
    figure = f"DLMT {dlmt['mean_slowdown']:.3f}, largest {dlmt['max_slowdown']:.3f}, with "
    figure += f"{dlmt['mean_budget']:.1f} measurements (the paper's {dlmt['published_mean']:.2f}, "
    figure += f"{dlmt['published_max']:.2f}, {dlmt['published_mean_budget']:.1f}); "
    auto = row_of(rows, case="auto")
    figure += f"auto {auto['mean_slowdown']:.3f}, largest {auto['max_slowdown']:.3f}, with "
    figure += f"{auto['mean_budget']:.1f}, above 1.02 in {auto['above_1.02']}"
    others = [
        f"{row['case'].partition(',')[0]} {row['mean_slowdown']:.2f} ({row['published_mean']:.2f})"
        for row in published
        if row is not dlmt
    ]
    same = "The same, the paper's other methods (in brackets: the paper's figure)"
    return [(what, figure), (same, ", ".join(others))]


def best_others(rows: Rows, budget: int) -> tuple[tuple[str, float], tuple[str, float]]:
    """Beside auto the best strategy here, and the best of Kernel Tuner's, with their shares."""
    others = [r for r in rows if r.get("budget") == budget and r["strategy"] != "auto"]
    tuner = [row for row in others if row["strategy"].startswith("kernel_tuner:")]
    found = []
    for group in ([row for row in others if row not in tuner], tuner):
        best = max(group, key=lambda row: row["mean_share"])
        found.append((best["strategy"].removeprefix("kernel_tuner:"), best["mean_share"]))
    return found[0], found[1]


def search_spaces(rows: Rows) -> list[Line]:
    """What auto comes to on measured kernels, beside the best of the others."""
    lines = []
    for auto in [row for row in rows if row.get("strategy") == "auto"]:
        budget = auto["budget"]
        what = f"Search, {auto['spaces']} measured kernel spaces, {budget} measurements: "
        figure = f"auto {auto['mean_share']:.3f}"
        (own, own_share), (tuner, tuner_share) = best_others(rows, budget)
        figure += f", best of the other methods here {own_share:.3f} ({own})"
        figure += f", best of Kernel Tuner's {tuner_share:.3f} ({tuner})"
        drawn = row_of(rows, strategy="random", budget=budget)["mean_share"]
        lines.append((f"{what}mean of optimum / best found", f"{figure}, random {drawn:.3f}"))
    return lines


def search_construction(rows: Rows) -> list[Line]:
    """The largest constrained space, built and filtered."""
    found = max(rows, key=lambda row: row["product"])
    what = f"Building the space of {found['space']}, {found['points']} of {found['product']} points"
    figure = f"{found['propagation_s']:.3f} s, {found['propagation_ratio']:.0f} times faster than "
    return [(what, f"{figure}filtering the product ({found['filter_s']:.1f} s)")]


def stencil(rows: Rows) -> list[Line]:
    """Grouped searches with a predicted part of the space, each beside both of the references."""
    lines = []
    for search, title in (
        ("blocks predicted", "blocks alone"),
        ("refined predicted two", "refined, two ways of loading"),
    ):
        found = row_of(rows, search=search)
        parts = [
            f"{found[f'speedup_{other}']:.2f} of {name} best (geometric mean) in "
            f"{found[f'cost_share_{other}']:.1%} of its time"
            for other, name in (
                ("expert", "the expert search's"),
                ("random", "random-1000's"),
            )
        ]
        what = f"Stencils on a GPU, {found['kernels']} of 104 kernels, loading predicted, {title}"
        lines.append((f"{what}: speed of the best found", "; ".join(parts)))
    return lines
