"""From samples to costs: of a variant, and of what an exhaustive search comes to.

Of many variants that are about as fast, the one that was measured fastest was lucky: it would not
be as fast again. So an exhaustive search's choice is made by the earlier half of the samples and
timed by the later half, and the other way round. The mean of both estimates, by cross-validation,
what a user gets who measures every variant and takes the best.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from fettle.store.base import Example, Offer

# The cost of a perfect metric of 0, which a ratio of costs cannot be taken of.
TINY = 1e-12
FEWEST = 4  # samples of which one half can tell about the other
NEAR = 1.5  # times the lowest cost: above that no half of the samples makes it the best


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


def exhaustive_cost(example: Example, offer: Offer, costs: Sequence[float]) -> float:
    """The cost of the best variant of a call, chosen and timed by different samples.

    `costs` are the variants', by `cost_of`. Halves in time: where a variant's speed hangs on where
    a start of the program put its memory, samples of several starts are not mixed. Variants that
    are far from the lowest cost, or were given up for it with less than half of the most samples,
    have no part in it. The lowest cost where there are too few samples; infinite where no variant
    works.
    """
    lowest = min(costs)
    near = [
        sample_costs(example, variant, offer)
        for variant, cost in zip(offer.variants, costs, strict=True)
        if cost <= NEAR * lowest
    ]
    most = max(map(len, near), default=0)
    if most < FEWEST:
        return lowest
    kept = [its for its in near if 2 * len(its) >= most]
    earlier = [statistics.median(its[: len(its) // 2]) for its in kept]
    later = [statistics.median(its[len(its) // 2 :]) for its in kept]
    chosen_earlier = min(range(len(kept)), key=earlier.__getitem__)
    chosen_later = min(range(len(kept)), key=later.__getitem__)
    return statistics.fmean([later[chosen_earlier], earlier[chosen_later]])
