"""Samples of several starts of a program, made comparable.

A second start of the program may find the machine busier than the first one did, and what is
measured in it is slower by that. Variants that were measured in both tell by how much. Without it,
whoever was measured again would look slower than those that were not.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence

# One variant alone may be what the start has moved, or what was measured badly.
FEWEST = 2

Numbers = Mapping[str, Sequence[float]]
Starts = Mapping[str, Sequence[int]]


def paces(samples: Numbers, starts: Starts) -> dict[int, float]:
    """What each start measured over what the one with most variants did, by their common variants.

    The median of the variants' ratios; 1 where less than FEWEST variants are common. Empty where
    all samples are of one start.
    """
    medians: dict[int, dict[str, float]] = {}
    for variant, metrics in samples.items():
        of_start: dict[int, list[float]] = {}
        for start, metric in zip(starts.get(variant, ()), metrics, strict=False):
            of_start.setdefault(start, []).append(metric)
        for start, its in of_start.items():
            medians.setdefault(start, {})[variant] = statistics.median(its)
    if len(medians) < 2:
        return {}
    most = max(medians, key=lambda start: len(medians[start]))
    return {start: _ratio(its, medians[most]) for start, its in medians.items()}


def _ratio(these: Mapping[str, float], those: Mapping[str, float]) -> float:
    both = these.keys() & those.keys()
    ratios = [these[variant] / those[variant] for variant in both if those[variant] > 0]
    known = [ratio for ratio in ratios if 0 < ratio < math.inf]
    return statistics.median(known) if len(known) >= FEWEST else 1.0
