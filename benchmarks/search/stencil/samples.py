"""What the paper's random samples say of the space: its figures 2, 3 and 6, added to a record.

    python benchmarks/search/stencil/samples.py benchmarks/results/stencil_all.json --table TABLE

TABLE is what run.py measured for the record. Of each kernel in it the sample `random_paper`: the
best time by sample size, mean over draws, over the whole sample's best; and how the sample's points
are spread by speed, the best one's being 1. Points that are hopeless or do not run have no speed.
Of all kernels together: what the best configuration of each is worth on the others (carried.py).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

from carried import carried_row
from gpu import is_hopeless
from shapes import StencilKernel, kernel_named
from space import LOADING, NO_MERGES, SIDES, random_points

from fettle.search.grouped import MeasuredPoints

SAMPLE = 1000
SIZES = range(100, SAMPLE, 100)
DRAWS = 10
SEED = 1
BINS = 20
Row = dict[str, Any]


def times_of(kernel: StencilKernel, known: MeasuredPoints) -> list[float]:
    """The sample's seconds, infinite where a point does not run or was not tried."""
    found = []
    for point in random_points(kernel, SAMPLE, SEED, loading=LOADING, merges=NO_MERGES):
        one = known.get(kernel.name, point)
        if one is None and not is_hopeless(kernel, point, SIDES):
            raise SystemExit(f"{kernel.name}: the table lacks points of the sample")
        found.append(math.inf if one is None else one.value)
    return found


def sample_row(name: str, times: Sequence[float]) -> Row:
    """Figures 2 and 3 of a kernel."""
    best = min(times)
    rng = random.Random(f"{SEED} {name}")
    speeds = [best / time for time in times]
    counts = [0] * BINS
    for speed in speeds:
        counts[min(int(speed * BINS), BINS - 1)] += 1
    return {
        "sampled": name,
        "points": len(times),
        "run": sum(map(math.isfinite, times)),
        "best_by_size": {
            str(size): round(fmean(min(rng.sample(times, size)) for _ in range(DRAWS)) / best, 4)
            for size in SIZES
        },
        "within_10_percent": sum(speed >= 0.9 for speed in speeds) / len(times),
        "over_10_times_slower": sum(speed < 0.1 for speed in speeds) / len(times),
        "speeds": counts,
    }


def with_rows(record: Mapping[str, Any], found: Sequence[Row]) -> str:
    """The record with these rows after its own, in place of such rows that it had."""
    rows = [row for row in record["rows"] if "sampled" not in row and "carried" not in row]
    return json.dumps({**record, "rows": [*rows, *found]}, indent=1) + "\n"


def main() -> None:
    """Read, print, and add to the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("--table", type=Path, required=True)
    options = parser.parse_args()
    record = json.loads(options.record.read_text(encoding="utf-8"))
    known = MeasuredPoints(options.table)
    names = [row["kernel"] for row in record["rows"] if "kernel" in row]
    found = [sample_row(name, times_of(kernel_named(name), known)) for name in names]
    for row in found:
        print(
            f"{row['sampled']:24} {row['within_10_percent']:.3f} {row['over_10_times_slower']:.3f}"
        )
    carried = carried_row(names, known)
    print(f"carried to another kernel: {carried['share_there']:.3f} of its best")
    options.record.write_text(with_rows(record, [*found, carried]), encoding="utf-8")


if __name__ == "__main__":
    main()
