"""How far the cost of a variant on a call would be off, were it measured again.

A cost is the median of n samples; all is of their natural logarithms, so that a spread is a
fraction of the cost, whatever its unit, and the same for a metric and its reciprocal.

- The noise of one sample is robust: s = 1.4826 c(n) MAD, where MAD is the median distance from the
  median and c(n) makes it right on average for few samples (Croux and Rousseeuw 1992). The MAD of a
  few samples says little, so it is averaged with the noise t that is typical on the call, the
  median s of the variants with `FEWEST` samples or more, which counts as `WEIGHT` samples:
  s' = sqrt(((n - 1) s^2 + WEIGHT t^2) / (n - 1 + WEIGHT)).
- Of independent samples the median has the standard error 1.2533 s' / sqrt(n).
- Samples that were taken together, in one batch or one start of the program, are disturbed
  together. Half the distance between the medians of the earlier and the later half of the samples
  has, where they are independent, just that standard error as its root mean square; where they are
  not it is larger. The spread is the larger of the two.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from fettle.store.contents import Example
from fettle.store.subject import Offer
from fettle.training.costs import sample_costs

FEWEST = 4
"""Samples that say something by themselves, each half of them two."""
WEIGHT = 4
OF_A_NORMAL = 1.4826  # the standard deviation over the MAD
OF_THE_MEDIAN = 1.2533  # the standard error of a median over that of a mean
SMALL = (0.0, 0.0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107)  # c(n)


def spreads_of(example: Example, offer: Offer) -> list[float]:
    """The spread of the cost of each variant on a call.

    Not a number where a variant does not work, or where no variant has two samples.
    """
    costs = [sample_costs(example, variant, offer) for variant in offer.variants]
    return spreads([list(map(math.log, one)) if all(map(_works, one)) else [] for one in costs])


def spreads(samples: Sequence[Sequence[float]]) -> list[float]:
    """The spreads of the medians of samples, which are logarithms of what variants cost."""
    noise = [_noise(its) for its in samples]
    known = [one for one, its in zip(noise, samples, strict=True) if len(its) >= FEWEST]
    known = known or [one for one, its in zip(noise, samples, strict=True) if len(its) > 1]
    if not known:
        return [math.nan] * len(samples)
    typical = statistics.median(known)
    return [
        _spread(its, one, typical) if its else math.nan
        for its, one in zip(samples, noise, strict=True)
    ]


def _works(cost: float) -> bool:
    return 0 < cost < math.inf


def _noise(logs: Sequence[float]) -> float:
    """The standard deviation of a sample; 0 of less than two."""
    count = len(logs)
    if count < 2:
        return 0.0
    middle = statistics.median(logs)
    distance = statistics.median(abs(one - middle) for one in logs)
    factor = SMALL[count] if count < len(SMALL) else count / (count - 0.8)
    return OF_A_NORMAL * factor * distance


def _spread(logs: Sequence[float], noise: float, typical: float) -> float:
    own = len(logs) - 1
    variance = (own * noise**2 + WEIGHT * typical**2) / (own + WEIGHT)
    error = OF_THE_MEDIAN * math.sqrt(variance / len(logs))
    if len(logs) < FEWEST:
        return error
    half = len(logs) // 2
    halves = statistics.median(logs[:half]) - statistics.median(logs[-half:])
    return max(error, abs(halves) / 2)
