"""How long it takes to build constrained spaces: propagation against filtering the product.

    python benchmarks/common/record.py search_construction -- \\
        python benchmarks/search/construction/construction.py

Filtering asks the constraints of every combination, in a plain loop that stops at the first that
refuses; propagation is `fettle.search.space`. Both are asked the same functions, and must leave as
many points. Seconds of processor time: least of three, of filtering once.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from pathlib import Path

from published_spaces import gemm, hotspot

from fettle.search.points import Points
from fettle.search.space import Space

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

SPACES: dict[str, Callable[[], Space]] = {
    "gemm, as measured": partial(gemm, measured=True),
    "gemm": gemm,
    "hotspot": hotspot,
}


def filtered(space: Space) -> int:
    """How many points of the product fulfil all constraints."""
    names = [parameter.name for parameter in space.parameters]
    rules = [
        (c.predicate, itemgetter(*(names.index(name) for name in c.names)))
        for c in space.constraints
    ]
    found = 0
    for point in itertools.product(*(parameter.values for parameter in space.parameters)):
        for rule, values in rules:
            if not rule(*values(point)):
                break
        else:
            found += 1
    return found


def seconds(run: Callable[[], int], repeat: int) -> tuple[float, int]:
    """The least processor time of some runs, and what they gave."""
    times, found = [], 0
    for _ in range(repeat):
        begin = time.process_time()
        found = run()
        times.append(time.process_time() - begin)
    return min(times), found


def written_out(space: Space) -> int:
    """The points as strategies use them: an array, and a tuple of level numbers for each."""
    return len(Points(space).keys or [])


def measure(name: str, make: Callable[[], Space]) -> dict[str, object]:
    """One space's figures. Ends the program where the counts differ."""
    filter_s, points = seconds(lambda: filtered(make()), 1)
    row: dict[str, object] = {
        "space": name,
        "product": make().product,
        "points": points,
        "filter_s": filter_s,
    }
    for what, run in (
        ("propagation", lambda: len(make())),
        ("written_out", lambda: written_out(make())),
    ):
        took, found = seconds(run, 3)
        if found != points:
            raise SystemExit(f"{name}, {what}: {found} points, filtering leaves {points}")
        row[f"{what}_s"] = took
        row[f"{what}_ratio"] = filter_s / took
    return row


def main() -> int:
    """Measure all spaces, or those named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--spaces", nargs="+", choices=SPACES, default=list(SPACES))
    options = parser.parse_args()
    rows = [measure(name, SPACES[name]) for name in options.spaces]
    print(f"{'space':18} {'product':>10} {'points':>8} {'filter s':>9} {'s':>8} {'ratio':>6}")
    for row in rows:
        print(
            f"{row['space']:18} {row['product']:>10} {row['points']:>8} {row['filter_s']:>9.3f} "
            f"{row['propagation_s']:>8.4f} {row['propagation_ratio']:>6.0f}"
        )
    append_rows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
