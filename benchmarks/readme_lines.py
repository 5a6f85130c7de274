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
    return [(f"{fewest} schedules of SpMV on a GPU, a published table: share of best", figure)]


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
        (f"Selection by {case}", f"{ns(case, 'fettle: decide, 16 inputs in turn'):.0f} ns")
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


def ratios(rows: Rows, what: str, *summaries: tuple[str, str]) -> list[Line]:
    """One line of "peer geomean (least)"; summaries are pairs of a summary's name and a peer's."""
    parts = []
    for name, peer in summaries:
        for row in rows:
            if row.get("summary", "").strip() == name:
                parts.append(f"{peer} {row['call_geomean']:.2f} ({_least(row)})")
    return [(what, ", ".join(parts))][: len(parts)]


def _least(row: Mapping[str, Any]) -> str:
    """The least ratio; with its input where it is so small that one would want to know."""
    least = row["call_least"]
    return f"{least:.2f}" if least >= 0.1 else f"{least:.1g} on {row['call_least_on']}"


def shares(rows: Rows, what: str, *names: str) -> list[Line]:
    """One line of figures that a program recorded by name."""
    found = [row for row in rows if row.get("figure") in names]
    parts = [f"{row['figure']} {row['value']:.2f}" for row in found]
    return [(what, ", ".join(parts))][: len(parts)]


def ndp_gpu(rows: Rows) -> list[Line]:
    """Untuned computations on a GPU, timed call by call, launches included."""
    return [
        *ratios(
            rows,
            "CUDA: reduce of 25k to 100M",
            ("reduce / cub::DeviceReduce", "CUB"),
            ("reduce / thrust::reduce", "Thrust"),
        ),
        *ratios(
            rows,
            "CUDA: exclusive scan of 25k to 100M",
            ("scan / cub::DeviceScan", "CUB"),
            ("scan / thrust::exclusive_scan", "Thrust"),
        ),
        *ratios(
            rows,
            "CUDA: sums of rows of many shapes, rows inspected once",
            ("segmented sum / cub::DeviceSegmentedReduce", "CUB"),
        ),
        *ratios(
            rows,
            "CUDA: the same, nothing known of the rows",
            ("segmented sum, nothing known / cub::DeviceSegmentedReduce", "CUB"),
        ),
        *ratios(
            rows,
            "CUDA: SpMV, real and generated matrices, rows inspected once",
            ("SpMV / better of cuSPARSE's", "better of cuSPARSE's CSR algorithms"),
            ("at least 1M nonzeros", "of these at least 1M nonzeros"),
        ),
        *ratios(
            rows,
            "CUDA: the same, nothing known of the rows",
            (
                "SpMV, nothing known / better of cuSPARSE's",
                "better of cuSPARSE's CSR algorithms",
            ),
        ),
        *shares(
            rows,
            "CUDA: share of the device copy's bandwidth",
            "reduce of 100M",
            "SpMV of large rows",
        ),
    ]


def ndp_cpu(rows: Rows) -> list[Line]:
    """Untuned computations on a processor's cores."""
    return [
        *ratios(
            rows,
            "OpenMP: reduce of 25k to 100M",
            ("reduce / tbb::parallel_reduce", "oneTBB"),
        ),
        *ratios(
            rows,
            "OpenMP: exclusive scan of 25k to 100M",
            ("scan / tbb::parallel_scan", "oneTBB"),
        ),
        *ratios(
            rows,
            "OpenMP: sums of rows of many shapes",
            ("segmented sum / tbb::parallel_for", "oneTBB"),
        ),
        *ratios(
            rows,
            "OpenMP: SpMV, real and generated matrices",
            ("SpMV / Eigen", "Eigen"),
            ("SpMV / MKL inspector-executor", "MKL inspector-executor"),
            ("SpMV / tbb::parallel_for", "oneTBB"),
        ),
        *ratios(
            rows,
            "OpenMP: fused loops on one thread",
            ("fused loop / by hand", "loop by hand"),
        ),
    ]


def ndp_compile_time(rows: Rows) -> list[Line]:
    """A file with the paper's listing 1, against the same with loops by hand."""
    lines = []
    for platform, compiler in (("openmp", "g++ -O2 -fopenmp"), ("cuda", "nvcc -O2")):
        found = {row["program"]: row["median_s"] for row in rows if row["platform"] == platform}
        if found:
            figure = f"{found['listing 1']:.1f} s (by hand {found['by hand']:.2g} s)"
            lines.append((f"Compiling SpMV, {compiler}", figure))
    return lines


def tuned(rows: Rows) -> list[Line]:
    """One of the five benchmarks of the Surge papers, tuned, on inputs that it was not tuned on."""
    found = row_of(rows, row="summary")
    ups, one_call = found["speed_ups"], found["speed_ups_of_one_call"]
    names = [name for name in ups if name != "default"] + ["default"] * ("default" in ups)
    parts = [
        f"{'the untuned default rule' if name == 'default' else name} "
        f"{ups[name]['geomean']:.2f} ({one_call[name]['geomean']:.2f})"
        for name in names
    ]
    if found["share_of_exhaustive"] is not None:
        parts.append(f"share of the best candidates {found['share_of_exhaustive']:.3f}")
    platform = {"openmp": "OpenMP", "cuda": "CUDA"}[found["platform"]]
    return [(f"{platform}: {found['title']}, {found['inputs']} inputs", ", ".join(parts))]


def parameters(rows: Rows) -> list[Line]:
    """The ways to tune variants with parameters, beside the best point taken always."""
    ways = ("best fixed point", "variants", "multilevel", "restricted", "active restricted")
    titles = {"multiply": "a product of small matrices", "sort": "sorting"}
    inputs = {"multiply": "shapes", "sort": "inputs"}
    found = []
    for function in dict.fromkeys(row.get("function", "multiply") for row in rows):
        own = [row for row in rows if row.get("function", "multiply") == function]
        parts = [f"{way} {row_of(own, way=way)['share_of_best']:.2f}" for way in ways]
        judged_on = f"{own[0].get('judged_on', 12)} {inputs[function]}"
        what = f"Tuned parameters of {titles[function]}, {judged_on}: share of best"
        found.append((what, ", ".join(parts)))
    return found


def search_laplacian(rows: Rows) -> list[Line]:
    """Strategies on a measured space, beside the published figures of the same methods."""
    published = [row for row in rows if "published_mean" in row]
    dlmt = row_of(rows, case="DLMT")
    what = f"Search, Laplacian kernel, {dlmt['repeat']} searches each: slowdown against the optimum"
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


def search_spaces(rows: Rows) -> list[Line]:
    """What auto comes to on measured kernels, beside the best of the others."""
    lines = []
    for auto in [row for row in rows if row.get("strategy") == "auto"]:
        others = [
            row
            for row in rows
            if row.get("budget") == auto["budget"] and row["strategy"] not in ("auto", "dlmt")
        ]
        tuner = [row for row in others if row["strategy"].startswith("kernel_tuner:")]
        own = [row for row in others if row not in tuner]
        what = f"Search, {auto['spaces']} measured kernel spaces, {auto['budget']} measurements: "
        figure = f"auto {auto['mean_share']:.3f}"
        for of, group in (("the other methods here", own), ("Kernel Tuner's", tuner)):
            best = max(group, key=lambda row: row["mean_share"])
            name = best["strategy"].removeprefix("kernel_tuner:")
            figure += f", best of {of} {best['mean_share']:.3f} ({name})"
        figure += f", random {row_of(others, strategy='random')['mean_share']:.3f}"
        lines.append((f"{what}optimum / best found", figure))
    return lines


def search_construction(rows: Rows) -> list[Line]:
    """The largest constrained space, built and filtered."""
    found = max(rows, key=lambda row: row["product"])
    what = f"Building the space of {found['space']}, {found['points']} of {found['product']} points"
    figure = f"{found['propagation_s']:.3f} s, {found['propagation_ratio']:.0f} times faster than "
    return [(what, f"{figure}filtering the product ({found['filter_s']:.1f} s)")]


def stencil(rows: Rows) -> list[Line]:
    """Grouped search with a predicted part of the space beside an expert's and random search."""
    parts = []
    for other, name, search in (
        ("expert", "the expert search's", "blocks predicted"),
        ("random", "random-1000's", "refined predicted two"),
    ):
        found = row_of(rows, search=search)
        parts.append(
            f"{found[f'speedup_{other}']:.2f} times as fast as {name} best in "
            f"{found[f'cost_share_{other}']:.1%} of its time"
        )
    what = (
        f"Stencils on a GPU, {found['kernels']} of 104 kernels: grouped search, loading predicted"
    )
    return [(what, "; ".join(parts))]
