"""How many times as fast one way to run is as another, and how sure that is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fettle.data.tuning_result import Gain
from fettle.store.subject import Offer
from fettle.training.costs import metric_cost

LEVEL = 0.95
FEWEST = 3  # samples whose spread says anything
_NORMAL = 1.96
_MEDIAN = 1.2533 * 1.4826  # the standard error of a median, from the median absolute deviation


@dataclass(frozen=True)
class Ratio:
    """The cost of one contender over that of another, on one input."""

    log: float
    error: float  # standard error of `log`, as the samples tell; NaN where they are too few

    @staticmethod
    def of(calls: Sequence[tuple[Sequence[float], Sequence[float]]], offer: Offer) -> Ratio:
        """The geometric mean over the calls of an input, each with the metrics of both."""
        logs = [[_logs(metrics, offer) for metrics in both] for both in calls]
        ratios = [statistics.median(one) - statistics.median(other) for one, other in logs]
        errors = [_error(its) ** 2 for both in logs for its in both]
        return Ratio(statistics.fmean(ratios), math.sqrt(sum(errors)) / len(calls))


def gain_of(ratios: Sequence[Ratio]) -> Gain:
    """The gain over inputs: geometric mean, extremes and how sure it is."""
    from scipy.special import stdtrit

    logs = np.array([ratio.log for ratio in ratios])
    count, mean = len(logs), float(logs.mean())
    half = math.nan
    if count > 1:
        quantile = float(stdtrit(count - 1, (1 + LEVEL) / 2))
        half = quantile * float(logs.std(ddof=1)) / math.sqrt(count)
    noise = _NORMAL * math.sqrt(sum(ratio.error**2 for ratio in ratios)) / count
    below, above = (half, 0.0) if math.isnan(noise) else (noise, noise)
    return Gain(
        mean=math.exp(mean),
        least=math.exp(float(logs.min())),
        greatest=math.exp(float(logs.max())),
        low=math.exp(mean - half),
        high=math.exp(mean + half),
        measured_low=math.exp(mean - below),
        measured_high=math.exp(mean + above),
    )


def _logs(metrics: Sequence[float], offer: Offer) -> list[float]:
    return [math.log(metric_cost(metric, offer)) for metric in metrics]


def _error(logs: Sequence[float]) -> float:
    if len(logs) < FEWEST:
        return math.nan
    middle = statistics.median(logs)
    deviation = statistics.median([abs(value - middle) for value in logs])
    return _MEDIAN * deviation / math.sqrt(len(logs))
