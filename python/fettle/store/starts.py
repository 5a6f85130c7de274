"""Samples of several starts of a program, made comparable.

A second start of the program may find the machine busier than the first one did, and what is
measured in it is slower by that. Variants that were measured in both tell by how much. Without it,
variants that were measured again would look slower than those that were not.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

# One variant alone may be what the start has moved, or what was measured badly.
FEWEST = 2


class Sample(NamedTuple):
    """One measurement, and the number of the program's start that it is of."""

    start: int
    metric: float


def comparable(samples: Mapping[str, Sequence[Sample]]) -> dict[str, list[float]]:
    """The metrics of each variant as if all starts had met the machine that one of them met.

    That one is the start with the most variants. What another one measured is divided by the median
    ratio of the variants that both have, or left as it is where these are less than FEWEST.
    """
    medians: dict[int, dict[str, float]] = {}
    for variant, its in samples.items():
        of_starts: dict[int, list[float]] = {}
        for start, metric in its:
            of_starts.setdefault(start, []).append(metric)
        for start, its_metrics in of_starts.items():
            medians.setdefault(start, {})[variant] = statistics.median(its_metrics)
    if len(medians) <= 1:
        return {variant: [one.metric for one in its] for variant, its in samples.items()}
    most = max(medians.values(), key=len, default={})
    paces = {start: 1.0 if its is most else _pace(its, most) for start, its in medians.items()}
    return {
        variant: [one.metric / paces[one.start] for one in its] for variant, its in samples.items()
    }


def _pace(these: Mapping[str, float], those: Mapping[str, float]) -> float:
    both = these.keys() & those.keys()
    ratios = [these[variant] / those[variant] for variant in both if those[variant] > 0]
    known = [ratio for ratio in ratios if 0 < ratio < math.inf]
    return statistics.median(known) if len(known) >= FEWEST else 1.0
