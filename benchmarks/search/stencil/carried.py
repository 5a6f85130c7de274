"""What one kernel's best configuration is worth on the others: the paper's section 5.6, figure 6.

The points of a kernel that were measured on another one, too, are the configurations that could be
carried there; the best of them on the one is run on the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations
from statistics import fmean
from typing import Any

from fettle.search.grouped import MeasuredPoints

BINS = 20


def seconds_by_point(name: str, known: MeasuredPoints) -> dict[str, float]:
    """The seconds of all points of a kernel, infinite where one does not run."""
    return {MeasuredPoints.key(point): one.value for point, one in known.points(name)}


def carried_shares(times: Sequence[dict[str, float]]) -> Iterator[tuple[float, float]]:
    """For each pair of kernels: the share of the first one's best that the carried configuration
    has there, and the share of the second one's best that it has on the second."""
    for here, there in permutations(times, 2):
        both = here.keys() & there.keys()
        carried = min(sorted(both), key=lambda point: here[point])
        yield min(here.values()) / here[carried], min(there.values()) / there[carried]


def carried_row(names: Sequence[str], known: MeasuredPoints) -> dict[str, Any]:
    """Figure 6 of these kernels: how the shares are spread, and their mean."""
    times = [seconds_by_point(name, known) for name in names]
    shares = list(carried_shares(times))
    counts = [0] * BINS
    for _, there in shares:
        counts[min(int(there * BINS), BINS - 1)] += 1
    return {
        "carried": len(shares),
        "points": min(len(a.keys() & b.keys()) for a, b in permutations(times, 2)),
        "share_here": fmean(here for here, _ in shares),
        "share_there": fmean(there for _, there in shares),
        "least_share_there": min(there for _, there in shares),
        "not_run": sum(not there or math.isnan(there) for _, there in shares),
        "shares": counts,
    }
