"""What is known of a call as an objective sees it, for the search of parameters.

The search, the races and the models of points go by samples of one metric, of which the smaller is
better. Where an objective is wanted, these are its costs: all samples of a variant are the cost of
its medians.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from fettle.objectives.costs import costs_by
from fettle.objectives.metrics import Metrics
from fettle.objectives.objective import MetricTable, Objective
from fettle.store.contents import Example
from fettle.store.subject import Offer


def objective_view(
    objective: Objective, metrics: Metrics, offer: Offer
) -> Callable[[Example], Example]:
    """The view of examples by an objective. It raises FettleError as `costs_by` does."""

    def seen(example: Example) -> Example:
        names = tuple(name for name, its in example.samples.items() if its)
        if not names:
            return example
        own, *others = metrics.measured
        measured = {own: [statistics.median(example.samples[name]) for name in names]}
        for metric in others:
            measured[metric] = [_median(example, name, metric) for name in names]
        ran = [example.verdicts.get(name, ("measured",))[0] == "measured" for name in names]
        table = MetricTable(
            (f"call {example.call}",),
            names,
            metrics,
            {metric: np.array([values]) for metric, values in measured.items()},
            np.array([ran]),
        )
        default = offer.default if offer.default in names else None
        costs = costs_by(objective, table, default).costs[0]
        return replace(
            example,
            samples={
                name: [_as_metric(float(cost), offer)] * len(example.samples[name])
                for name, cost in zip(names, costs, strict=True)
            },
        )

    return seen


def _median(example: Example, variant: str, metric: str) -> float:
    values = np.array(example.others.get(variant, {}).get(metric, []))
    values = values[~np.isnan(values)]
    return float(np.median(values)) if len(values) else float("nan")


def _as_metric(cost: float, offer: Offer) -> float:
    """What `metric_cost` makes the cost of."""
    if not offer.larger_is_better:
        return cost
    return 1.0 / cost if np.isfinite(cost) else -np.inf
