"""From samples to costs: of a variant, and of what an exhaustive search comes to.

Of many variants that are about as fast, the one that was measured fastest was lucky: it would not
be as fast again. So an exhaustive search's choice is made by one half of the samples and timed by
the other half, and the other way round. The mean of both estimates, by cross-validation, what a
user gets who measures every variant and takes the best.
"""

from __future__ import annotations

import math
import statistics

from fettle.store.base import Example, Offer

# The cost of a perfect metric of 0, which a ratio of costs cannot be taken of.
TINY = 1e-12
FEWEST = 4  # samples of which one half can tell about the other


def cost_of(example: Example, variant: str, offer: Offer) -> float:
    """What a variant costs on a call; positive, smaller is better, infinite where it has none."""
    if example.verdicts[variant][0] != "measured":
        return math.inf
    return _cost(statistics.median(example.samples[variant]), offer)


def sample_costs(example: Example, variant: str, offer: Offer) -> list[float]:
    """`cost_of` of each sample; empty where the variant is not known, or does not work."""
    if example.verdicts.get(variant, ("unmeasured", ""))[0] != "measured":
        return []
    return [_cost(metric, offer) for metric in example.samples[variant]]


def _cost(metric: float, offer: Offer) -> float:
    if not math.isfinite(metric) or metric < 0 or (offer.larger_is_better and metric == 0):
        return math.inf
    if offer.larger_is_better:
        return 1 / metric
    return max(metric, TINY)


def exhaustive_cost(example: Example, offer: Offer) -> float:
    """The cost of the best variant of a call, chosen and timed by different samples.

    Every other sample is in the other half, so both lie in the same stretch of time. Variants with
    less than half of the most samples were given up for being slow, and have no part in it. The
    lowest cost where there are too few samples; infinite where no variant works.
    """
    samples = {variant: sample_costs(example, variant, offer) for variant in offer.variants}
    most = max(map(len, samples.values()), default=0)
    if most < FEWEST:
        return min(cost_of(example, variant, offer) for variant in offer.variants)
    kept = [its for its in samples.values() if 2 * len(its) >= most]
    found = []
    for half in (0, 1):
        chosen = min(kept, key=lambda its: statistics.median(its[half::2]))
        found.append(statistics.median(chosen[1 - half :: 2]))
    return statistics.fmean(found)
