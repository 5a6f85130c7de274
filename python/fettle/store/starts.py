"""Samples of several starts of a program, made comparable.

A second start of the program may find the machine busier than the first one did, and what is
measured in it is slower by that. Variants that were measured in both tell by how much. Without it,
variants that were measured again would look slower than those that were not.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence

# One variant alone may be what the start has moved, or what was measured badly.
FEWEST = 2


def comparable(
    samples: Mapping[str, Mapping[int, Sequence[float]]],
) -> dict[str, list[float]]:
    """The metrics of each variant as if all starts had met the machine that one of them met.

    `samples` has those of each start, by its number. That one is the start with the most variants.
    What another one measured is divided by the median ratio of the variants that both have, or left
    as it is where these are less than FEWEST.
    """
    paces = _paces(samples)
    return {
        variant: [
            metric if paces[start] == 1.0 else metric / paces[start]
            for start, metrics in its.items()
            for metric in metrics
        ]
        for variant, its in samples.items()
    }


def _paces(samples: Mapping[str, Mapping[int, Sequence[float]]]) -> dict[int, float]:
    starts = dict.fromkeys(start for its in samples.values() for start in its)
    if len(starts) <= 1:
        return dict.fromkeys(starts, 1.0)
    medians: dict[int, dict[str, float]] = {}
    for variant, its in samples.items():
        for start, metrics in its.items():
            medians.setdefault(start, {})[variant] = statistics.median(metrics)
    most = max(medians.values(), key=len)
    return {start: 1.0 if its is most else _pace(its, most) for start, its in medians.items()}


def _pace(these: Mapping[str, float], those: Mapping[str, float]) -> float:
    both = these.keys() & those.keys()
    ratios = [these[variant] / those[variant] for variant in both if those[variant] > 0]
    known = [ratio for ratio in ratios if 0 < ratio < math.inf]
    return statistics.median(known) if len(known) >= FEWEST else 1.0
