"""How long each variant takes over the inputs, and how much its repetitions differ."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fettle.core.wording import seconds_text
from fettle.data.training_set import TrainingSet


@dataclass(frozen=True)
class VariantTimes:
    """A variant on the inputs on which it ran. Costs are in seconds where the metric is a time."""

    variant: str
    inputs: int
    least: float
    median: float
    greatest: float
    spread: float  # standard error of a cost as a fraction of it, the median over inputs; or NaN
    greatest_spread: float

    def cells(self, *, is_time: bool) -> tuple[str, ...]:
        """As cells of a table, after the variant's name."""
        text = seconds_text if is_time else "{:.4g}".format
        costs = (text(cost) for cost in (self.least, self.median, self.greatest))
        spreads = (
            "" if math.isnan(one) else f"{100 * one:.{0 if one >= 0.1 else 1}f} %"
            for one in (self.spread, self.greatest_spread)
        )
        return (str(self.inputs), *costs, *spreads)


HEAD = ("variant", "inputs", "least", "median", "greatest", "spread", "greatest spread")


def variant_times(data: TrainingSet) -> tuple[VariantTimes, ...]:
    """The times of the variants that ran, in their order."""
    scale = data.cost_seconds or 1.0
    found = []
    for k, name in enumerate(data.variants):
        ran = np.isfinite(data.costs[:, k])
        if not ran.any():
            continue
        costs = data.costs[ran, k] * scale
        spread = np.empty(0) if data.spread is None else data.spread[ran, k]
        spread = spread[np.isfinite(spread)]
        found.append(
            VariantTimes(
                variant=name,
                inputs=int(ran.sum()),
                least=float(costs.min()),
                median=float(np.median(costs)),
                greatest=float(costs.max()),
                spread=float(np.median(spread)) if spread.size else math.nan,
                greatest_spread=float(spread.max()) if spread.size else math.nan,
            )
        )
    return tuple(found)
