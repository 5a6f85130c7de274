"""The tables' lines on nested computations, of each recorded benchmark."""

import json
import math
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import pytorch_figures as pytorch
from records import Line, Rows, row_of

HALVES = Path(__file__).resolve().parents[2] / "suite" / "halves.json"


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


def bandwidths(rows: Rows, what: str, *names: str) -> list[Line]:
    """One line of figures that a program recorded by name."""
    found = [row for row in rows if row.get("figure") in names]
    parts = [f"{row['figure']} {row['value']:.2f}" for row in found]
    return [(what, ", ".join(parts))][: len(parts)]


# What was measured, and each recorded summary with the name of the other.
UNTUNED_GPU = {
    "CUDA: reduce of 25k to 100M": (
        ("reduce / cub::DeviceReduce", "CUB"),
        ("reduce / thrust::reduce", "Thrust"),
    ),
    "CUDA: exclusive scan of 25k to 100M": (
        ("scan / cub::DeviceScan", "CUB"),
        ("scan / thrust::exclusive_scan", "Thrust"),
    ),
    "CUDA: sums of rows of many shapes, rows inspected once": (
        ("segmented sum / cub::DeviceSegmentedReduce", "CUB"),
    ),
    "CUDA: sums of rows of many shapes, nothing known of the rows": (
        ("segmented sum, nothing known / cub::DeviceSegmentedReduce", "CUB"),
    ),
    "CUDA: SpMV, real and generated matrices, rows inspected once": (
        ("SpMV / better of cuSPARSE's", "better of cuSPARSE's CSR algorithms"),
        ("at least 1M nonzeros", "of these at least 1M nonzeros"),
    ),
    "CUDA: SpMV, nothing known of the rows": (
        (
            "SpMV, nothing known / better of cuSPARSE's",
            "better of cuSPARSE's CSR algorithms",
        ),
    ),
}
UNTUNED_CPU = {
    "OpenMP: reduce of 25k to 100M": (("reduce / tbb::parallel_reduce", "oneTBB"),),
    "OpenMP: exclusive scan of 25k to 100M": (("scan / tbb::parallel_scan", "oneTBB"),),
    "OpenMP: sums of rows of many shapes": (("segmented sum / tbb::parallel_for", "oneTBB"),),
    "OpenMP: SpMV, real and generated matrices": (
        ("SpMV / Eigen", "Eigen"),
        ("SpMV / MKL inspector-executor", "MKL inspector-executor"),
        ("SpMV / tbb::parallel_for", "oneTBB"),
    ),
    "OpenMP: fused loops on one thread": (("fused loop / by hand", "loop by hand"),),
}
OPERATORS = {
    "CUDA: selections and runs, against the better of CUB and Thrust": (
        ("filter / better of CUB and Thrust", "filter"),
        ("partition / Thrust", "partition"),
        ("unique / better of CUB and Thrust", "unique"),
        ("run lengths / better of CUB and Thrust", "run lengths"),
        ("runs by key / better of CUB and Thrust", "runs by key"),
    ),
    "CUDA: other operators, against the better of CUB and Thrust": (
        ("inclusive scan / better of CUB and Thrust", "inclusive scan"),
        ("sort / better of CUB and Thrust", "sort"),
        ("sort by key / better of CUB and Thrust", "sort by key"),
        ("histogram / CUB", "histogram"),
    ),
    "OpenMP: selections, against the better of std and oneTBB": (
        ("filter / better of std and oneTBB", "filter"),
        ("partition / std", "partition"),
        ("unique / better of std and oneTBB", "unique"),
    ),
    "OpenMP: other operators, against the better of std and oneTBB": (
        ("inclusive scan / better of both", "inclusive scan"),
        ("sort / better of both", "sort"),
        ("sort by key / better of both", "sort by key"),
        ("histogram / better of both", "histogram"),
    ),
}


def untuned_gpu(rows: Rows) -> list[Line]:
    """Untuned computations on a GPU, timed call by call, launches included."""
    lines = [line for what, pairs in UNTUNED_GPU.items() for line in ratios(rows, what, *pairs)]
    what = "CUDA: fraction of the device copy's bandwidth"
    return lines + bandwidths(rows, what, "reduce of 100M", "SpMV of large rows")


def operators(rows: Rows) -> list[Line]:
    """Selections, sorts, bins and inclusive scans, beside the platform's libraries."""
    return [line for what, pairs in OPERATORS.items() for line in ratios(rows, what, *pairs)]


def row_programs(rows: Rows) -> list[Line]:
    """Row programs on a GPU, against separate computations, kernels by hand and PyTorch."""
    separate: dict[str, list[float]] = {
        row["computation"]: [] for row in rows if "separate_us" in row
    }
    by_hand: dict[str, list[float]] = {name: [] for name in separate}
    peers: dict[str, list[float]] = {name: [] for name in pytorch.COMPUTATIONS}
    for row in rows:
        name, us = row["computation"], row["us"]
        if "separate_us" in row:
            separate[name].append(row["separate_us"] / us)
        if "by_hand_us" in row:
            by_hand[name].append(row["by_hand_us"] / us)
        known = pytorch.MICROSECONDS.get((row["rows"], row["columns"], row["type"]))
        if known and name in pytorch.COMPUTATIONS:
            peers[name].append(known[pytorch.COMPUTATIONS.index(name)] / us)
    return [
        ("CUDA: row programs, over separate computations", _least_and_mean(separate)),
        ("CUDA: row programs, over kernels by hand", _least_and_mean(by_hand)),
        ("CUDA: row programs, over PyTorch 2.11's figures", _least_and_mean(peers)),
    ]


# What a program was measured beside, by the end of what was measured.
BESIDE = {
    "": "separate executions",
    ", tuned beside the better": "the better of fused and unfused, tuned",
    ", beside one fused by hand": "one fused by hand",
}


def programs(rows: Rows) -> list[Line]:
    """Programs of computations, over the same executed one by one, tuned, and by hand."""
    platform = {"cuda": "CUDA", "openmp": "OpenMP"}[rows[0]["platform"]]
    parts: dict[str, list[str]] = {end: [] for end in BESIDE}
    for row in rows:
        end = next((end for end in BESIDE if end and row["what"].endswith(end)), "")
        what = row["what"].removesuffix(end)
        parts[end].append(f"{what}: {row['separate_us'] / row['program_us']:.2f}")
    return [
        (f"{platform}: programs, over {beside}", "; ".join(parts[end]))
        for end, beside in BESIDE.items()
        if parts[end]
    ]


def _least_and_mean(ratios: Mapping[str, list[float]]) -> str:
    """By name the geometric mean, in brackets the least."""
    return ", ".join(
        f"{name.replace('_', ' ')} {geometric_mean(its):.2f} ({min(its):.2f})"
        for name, its in ratios.items()
        if its
    )


UNFITTED = "computations that the default rule was never fitted to"
TUNED_WITH_FEW = "such computations, tuned with 12 small inputs each"


def suite(rows: Rows, platform: str, others: str, which: str) -> list[Line]:
    """Two lines of the suite on a platform, of the half of it that no rule was fitted to."""
    halves = json.loads(HALVES.read_text(encoding="utf-8"))["never_used_to_fit"]
    times: dict[tuple[str, str], dict[str, float]] = {}
    balanced: set[tuple[str, str]] = set()
    for row in rows:
        if row.get("work") in halves and "batch_us" in row:
            case = (row["work"], row["input"])
            best = times.setdefault(case, {})
            best[row["role"]] = min(best.get(row["role"], math.inf), row["batch_us"])
            if row["balanced"]:
                balanced.add(case)
    gains = {
        case: best["simple"] / best["fettle"]
        for case, best in times.items()
        if {"simple", "fettle"} <= best.keys()
    }

    def line(what: str, cases: Collection[tuple[str, str]]) -> Line:
        least = min(cases, key=gains.__getitem__)
        mean = geometric_mean(gains[case] for case in cases)
        figures = f"{mean:.2f} ({gains[least]:.2f} on {' '.join(least).replace('_', ' ')})"
        return (what, f"better of two simple {others} {figures} of {len(cases)}")

    what = f"{platform}: {which}, all shapes"
    return [
        line(what, gains.keys()),
        line(f"{platform}: of these, balanced shapes", balanced & gains.keys()),
    ]


suite_cuda = partial(suite, platform="CUDA", others="kernels", which=UNFITTED)
suite_tuned_cuda = partial(suite_cuda, which=TUNED_WITH_FEW)
suite_openmp = partial(suite, platform="OpenMP", others="loops", which=UNFITTED)
suite_tuned_openmp = partial(suite_openmp, which=TUNED_WITH_FEW)


def launch_cost(rows: Rows) -> list[Line]:
    """What small calls on CUDA cost the host beyond a plain launch of their kernel."""
    lines = []
    for kind in ("prepared", "unprepared"):
        more = {
            row["computation"]: row[f"{kind}_ns"] - row["plain_ns"]
            for row in rows
            if "plain_ns" in row
        }
        most = max(more, key=more.__getitem__)
        mean = sum(more.values()) / len(more)
        what = f"CUDA: a small call, {kind}, beyond a plain launch of its kernel"
        lines.append((what, f"{mean:+.0f} ns on average; {more[most]:+.0f} ({most})"))
    return lines


def untuned_cpu(rows: Rows) -> list[Line]:
    """Untuned computations on a processor's cores."""
    return [line for what, pairs in UNTUNED_CPU.items() for line in ratios(rows, what, *pairs)]


def compile_time(rows: Rows) -> list[Line]:
    """A file with the paper's listing 1: against loops by hand, and tuned; ten computations."""
    lines = []
    for platform, compiler in (("openmp", "g++ -O2 -fopenmp"), ("cuda", "nvcc -O2")):
        found = {row["program"]: row["median_s"] for row in rows if row["platform"] == platform}
        if not found:
            continue
        library = "fettle::compiled"
        tuned = found[f"listing 1, tuned, {library}"] / found[f"listing 1, {library}"]
        lines += [
            (
                f"Compiling SpMV, {compiler}",
                f"{found['listing 1']:.1f} s (by hand {found['by hand']:.2g} s, "
                f"an empty file {found['an empty file']:.2g} s)",
            ),
            (f"The same, tuned, over untuned; both with {library}", f"{tuned:.2f}"),
            (f"Compiling ten computations, {compiler}", f"{found['ten computations']:.1f} s"),
        ]
    return lines


DEFAULTS = {
    "default": "the untuned default rule",
    "default_uninspected": "the untuned default rule, rows not inspected",
}


ODD = 3.0
"""Times the geometric mean of the other inputs: a speed-up that the mean of all rests on."""


def rests_on_one(rows: Rows, summary: Mapping[str, Any]) -> str:
    """The geometric mean over the reference without the input that is far above the others."""
    ours, other = summary["ours"], summary["reference"]
    ratios = {
        row["label"]: row["batch_us"][other] / row["batch_us"][ours]
        for row in rows
        if row.get("row") == "input" and other in row["batch_us"]
    }
    if len(ratios) < 3:
        return ""
    most = max(ratios, key=lambda label: ratios[label])
    rest = geometric_mean([ratio for label, ratio in ratios.items() if label != most])
    if ratios[most] < ODD * rest:
        return ""
    return f"{rest:.2f} without {most}, where it is {ratios[most]:.2f}"


def tuned(rows: Rows) -> list[Line]:
    """One of the five benchmarks of the Surge papers, tuned, on inputs that it was not tuned on."""
    found = row_of(rows, row="summary")
    ups, one_call = found["speed_ups"], found["speed_ups_of_one_call"]
    names = [name for name in ups if name != "default"] + ["default"] * ("default" in ups)
    parts = [
        f"{DEFAULTS.get(name, name)} {ups[name]['geomean']:.2f} (least {ups[name]['least']:.2f}; "
        f"{one_call[name]['geomean']:.2f})"
        for name in names
    ]
    if without_it := rests_on_one(rows, found):
        parts[0] += f", {without_it}"
    if found["share_of_exhaustive"] is not None:
        shares = [row["share_of_best"] for row in rows if row.get("row") == "input"]
        known = len(shares) - shares.count(None)
        on = f" on {known} of them" if known < len(shares) else ""
        parts.append(f"share of the best candidates {found['share_of_exhaustive']:.3f}{on}")
    platform = {"openmp": "OpenMP", "cuda": "CUDA"}[found["platform"]]
    return [(f"{platform}: {found['title']}, {found['inputs']} inputs", ", ".join(parts))]
