"""From samples to costs: of a variant, and of what an exhaustive search comes to.

Of many variants that are about as fast, the one that was measured fastest was lucky: it would not
be as fast again. So an exhaustive search's choice is made by the earlier half of the samples and
timed by the later half, and the other way round. The mean of both estimates, by cross-validation,
what a user gets who measures every variant and takes the best.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Sequence

from fettle.store.contents import Example
from fettle.store.subject import Offer

# The cost of a perfect metric of 0, which a ratio of costs cannot be taken of.
TINY = 1e-12
FEWEST = 4  # samples of which one half can tell about the other
NEAR = 1.5  # times the lowest cost: above that no half of the samples makes it the best


def cost_of(example: Example, variant: str, offer: Offer) -> float:
    """What a variant costs on a call; positive, smaller is better, infinite where it has none."""
    if example.verdicts[variant][0] != "measured":
        return math.inf
    return metric_cost(statistics.median(example.samples[variant]), offer)


def sample_costs(example: Example, variant: str, offer: Offer) -> list[float]:
    """`cost_of` of each sample; empty where the variant is not known, or does not work."""
    if example.verdicts.get(variant, ("unmeasured", ""))[0] != "measured":
        return []
    return [metric_cost(metric, offer) for metric in example.samples[variant]]


def why_no_metric(metrics: Sequence[float], offer: Offer) -> str:
    """Why metrics that a variant returned are not valid as its costs; empty if they are valid.

    A time is positive: one of 0, a denormal one or a negative one was not measured. Any other
    metric may be 0, but not negative: a share of the best is a ratio of costs.
    """
    for metric in metrics:
        if is_infinite_cost(metric, offer):
            continue
        if offer.unit == "s" and metric < sys.float_info.min:
            return (
                f"its metric {metric:g} is not a time in seconds; return what the clock says, or "
                "nothing, and Fettle times the call"
            )
        if metric < 0:
            return (
                f"its metric {metric:g} is negative; return a number from 0 on, or, if it is the "
                'function\'s result, say metric="elapsed" in the tuning script'
            )
    return ""


def metric_cost(metric: float, offer: Offer) -> float:
    """The cost of one metric; infinite too where it cannot be a cost."""
    if not math.isfinite(metric) or metric < 0 or (offer.larger_is_better and metric == 0):
        return math.inf
    if offer.larger_is_better:
        return 1 / metric
    return max(metric, TINY)


def is_infinite_cost(metric: float, offer: Offer) -> bool:
    """Whether a metric says that the variant came to no result: as `fettle/measure/metric.hpp`."""
    return metric in (0, -math.inf) if offer.larger_is_better else metric == math.inf


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
    found = statistics.fmean([later[chosen_earlier], earlier[chosen_later]])
    return (
        found if math.isfinite(found) else lowest
    )  # a choice of one half may have an infinite cost in the other
