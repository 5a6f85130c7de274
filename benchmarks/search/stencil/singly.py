"""Tunes each optimization alone around the best random point: the paper's section 5.5, figure 5.

    python benchmarks/search/stencil/singly.py --sampled MEASURED --table singly.jsonl --kernels 98

MEASURED is what run.py measured of random_paper. Of each kernel in it: every value of an
optimization, while the others are the best point's; then the values that were best, together, and
the best point in turn with them. How data is loaded and how wide its vectors are is one
optimization: vectors are loaded exactly where the loading is by vectors.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from measuring import Measuring, OnGpu, Replay
from run import chosen_of, final_times, parser
from samples import SAMPLE, SEED, times_of
from shapes import AXES, StencilKernel
from space import (
    LOADING,
    NO_MERGES,
    PARAMETERS,
    SIDES,
    VECTOR_WIDTHS,
    powers_of_two,
    random_points,
    space,
)

from fettle.search.grouped import MeasuredPoints
from fettle.search.space import Point

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

BINS = 20
WAYS = [(way, 1) for way in LOADING if way != "vector"] + [("vector", w) for w in VECTOR_WIDTHS]
Row = dict[str, Any]


def best_of_sample(kernel: StencilKernel, known: MeasuredPoints) -> Point:
    """The fastest random point."""
    points = random_points(kernel, SAMPLE, SEED, loading=LOADING, merges=NO_MERGES)
    times = times_of(kernel, known)
    return points[times.index(min(times))]


def changes() -> dict[str, list[Point]]:
    """For each optimization the values it can have, with what has to have a value then."""
    found: dict[str, list[Point]] = {
        "loading": [{"loading": w, "vector_width": n, "block_merge_x": n} for w, n in WAYS]
    }
    for name, (optimization, axis) in PARAMETERS.items():
        if optimization in ("work_group", "cyclic_merge"):
            side = SIDES[AXES.index(axis)]
            found[name] = [{name: value} for value in powers_of_two(side)]
    return found


def neighbours(kernel: StencilKernel, best: Point) -> dict[str, list[Point]]:
    """For each optimization the valid points that differ in it alone, and the best point itself."""
    valid = space(kernel, loading=LOADING, merges=NO_MERGES)
    return {
        name: [point for one in some if valid.violation(point := {**best, **one}) is None]
        for name, some in changes().items()
    }


def combined(best: Point, fastest: Mapping[str, Point]) -> Point:
    """The best point with each optimization's value of the fastest of its neighbours."""
    found = dict(best)
    for name, some in changes().items():
        found |= {key: fastest[name][key] for key in some[0]}
    return found


def share_of(
    kernel: StencilKernel, best: Point, measuring: Measuring, known: MeasuredPoints
) -> float | None:
    """The share of the best point's speed that the combined one has; none: not measured."""
    around = neighbours(kernel, best)
    missing = {
        known.key(point): point
        for points in around.values()
        for point in points
        if known.get(kernel.name, point) is None
    }
    batch = [(kernel.name, point) for point in missing.values()]
    for (name, point), one in zip(batch, measuring.batch(batch), strict=True):
        if one is None:
            return None
        known.add(name, point, one)

    def seconds(point: Point) -> float:
        one = known.get(kernel.name, point)
        return math.inf if one is None else one.value

    both = [best, combined(best, {name: min(some, key=seconds) for name, some in around.items()})]
    if space(kernel, loading=LOADING, merges=NO_MERGES).violation(both[1]) is not None:
        return 0.0
    times = final_times(kernel, both, measuring, known)
    if times is None:
        return None
    return times[known.key(best)] / times[known.key(both[1])]


def summary(shares: Mapping[str, float]) -> list[Row]:
    """A row a kernel, and one for all: how the shares are spread, and their mean."""
    counts = [0] * (BINS + 1)
    for share in shares.values():
        counts[min(int(share * BINS), BINS)] += 1
    rows: list[Row] = [{"singly": name, "share": share} for name, share in shares.items()]
    total = {
        "kernels": len(shares),
        "mean_share": fmean(shares.values()),
        "not_run": sum(not share for share in shares.values()),
        "shares": counts,  # the last: at least 1
    }
    return [*rows, total]


def main(arguments: Sequence[str] | None = None, measuring: Measuring | None = None) -> None:
    """Measure, show, and add rows to the record."""
    made = parser()
    made.description = (__doc__ or "").splitlines()[0]
    made.add_argument("--sampled", type=Path, required=True, help="what run.py measured")
    options = made.parse_args(arguments)
    sampled, known = MeasuredPoints(options.sampled), MeasuredPoints(options.table)
    if measuring is None and options.replay:
        measuring = Replay()
    measuring = measuring or OnGpu(jobs=options.jobs, time_limit=options.time_limit)
    shares = {}
    for kernel in chosen_of(options):
        best = best_of_sample(kernel, sampled)
        share = share_of(kernel, best, measuring, known)
        if share is None:
            break
        shares[kernel.name] = share
        print(f"{kernel.name:24} {share:.3f}", flush=True)
    known.close()
    if isinstance(measuring, OnGpu):
        measuring.compilers.close()
    if not shares:
        raise SystemExit("no kernel was finished")
    rows = summary(shares)
    print(rows[-1])
    append_rows(rows)


if __name__ == "__main__":
    main()
