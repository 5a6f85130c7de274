"""From metrics to costs: how good each variant is by an objective, for a classifier to learn from.

A cost is positive and smaller is better: the value of an expression that is minimised, 1 / value
of one that is maximised, the rank in a function's order. The share of best, best cost / cost, is
then what a choice keeps of the best value.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.score import share_of_best
from fettle.data.training_set import TrainingWarning
from fettle.objectives.aggregation import ranks
from fettle.objectives.bounds import Bound
from fettle.objectives.metric_expression import Floats, Values
from fettle.objectives.objective import MetricTable, Objective

TINY = 1e-12  # the cost of a perfect value of 0, which a ratio cannot be taken of


@dataclass(frozen=True)
class Unsatisfied:
    """An input on which no variant satisfies the bounds, and the one that is nearest to it."""

    input: str
    nearest: str
    excess: float
    """By which fraction of the limit the nearest breaks the bound that it breaks most."""


@dataclass(frozen=True, eq=False)
class ObjectiveCosts:
    """The costs by an objective. Made by `costs_by`."""

    objective: Objective
    costs: Floats
    """(n, k), infinite where a variant did not run, lacks a metric or breaks a bound. Where all
    break one, the default has a cost and no other has."""
    values: Floats
    """What the expression came to, (n, k); places of an aggregation function."""
    default: str
    """What runs where no variant satisfies the bounds."""
    unsatisfied: tuple[Unsatisfied, ...] = ()
    lacking: tuple[tuple[str, int], ...] = ()
    """Variants that ran without the metrics of the objective, and on how many inputs."""

    def lines(self) -> Iterator[str]:
        """What the user should know, for people."""
        name, count = self.objective.name, len(self.costs)
        for variant, inputs in self.lacking:
            yield (
                f"objective {name}: {variant} lacks a metric on {inputs} of "
                f"{counted(count, 'input')}, where it cannot be chosen"
            )
        if self.unsatisfied:
            bounds = " and ".join(bound.text for bound in self.objective.bounds)
            near = min(self.unsatisfied, key=lambda one: one.excess)
            lacks = (
                "which lacks a metric"
                if np.isinf(near.excess)
                else f"{100 * near.excess:.3g} % beyond the limit"
            )
            yield (
                f"objective {name}: no variant satisfies {bounds} on {len(self.unsatisfied)} of "
                f"{counted(count, 'input')}, where the default, {self.default}, is deployed; the "
                f"most nearly feasible is {near.nearest} on {near.input}, {lacks}"
            )


def costs_by(
    objective: Objective, table: MetricTable, default: str | None = None
) -> ObjectiveCosts:
    """The costs of all runs of a table. `default` is what runs where no variant satisfies the
    bounds; None: the variant that satisfies them most often, of these the best.

    Raises FettleError for unknown metrics, for values that are negative, and for what an
    aggregation function does wrong.
    """
    objective.check(table.metrics)
    metrics = table.metrics.values(table.measured)
    values = _values(objective, table, metrics)
    ran = table.ran()
    usable = ran & np.isfinite(values)
    costs = np.full(values.shape, np.inf)
    costs[usable] = _cost(values[usable], objective.maximize)
    costs[~np.isfinite(costs)] = np.inf
    excess = np.zeros(values.shape)
    for bound in objective.bounds:
        _check_best(bound, table, metrics)
        excess = np.maximum(excess, bound.excess(metrics, table.metrics.directions))
    excess[~ran] = np.inf
    kept = np.where(excess > 0, np.inf, costs)
    lost = np.isfinite(costs).any(axis=1) & ~np.isfinite(kept).any(axis=1)
    taken = default if default is not None else _default(table.variants, kept, excess)
    if len(lost) and lost.all():
        bounds = " and ".join(bound.text for bound in objective.bounds)
        warnings.warn(
            f"the objective {objective.name}: no variant satisfies {bounds} on any input, so that "
            f"every call runs the default, {taken}: correct the bound",
            TrainingWarning,
            stacklevel=2,
        )
    chosen = table.variants.index(taken)
    kept[lost, chosen] = np.where(np.isfinite(costs[lost, chosen]), costs[lost, chosen], 1.0)
    lacking = ran & ~np.isfinite(values)
    return ObjectiveCosts(
        objective,
        kept,
        values,
        taken,
        tuple(_unsatisfied(table, excess, lost)),
        tuple(
            (name, int(count))
            for name, count in zip(table.variants, lacking.sum(axis=0), strict=True)
            if count
        ),
    )


def _check_best(bound: Bound, table: MetricTable, metrics: Values) -> None:
    """Raises FettleError where a metric that a bound compares with the best is negative."""
    for name in re.findall(r"best\(\s*(\w+)\s*\)", bound.text):
        bad = np.argwhere((metrics[name] < 0) & table.ran())
        if len(bad):
            i, k = bad[0]
            raise FettleError(
                f"the bound {bound.text!r}: {name} is {metrics[name][i, k]:g} for "
                f"{table.variants[k]} on {table.inputs[i]}, and no multiple of a negative best "
                "is a limit; correct the value, or leave it empty"
            )


def _values(objective: Objective, table: MetricTable, metrics: Values) -> Floats:
    shape = (len(table.inputs), len(table.variants))
    if objective.expression is not None:
        expression = objective.expression
        found = np.broadcast_to(expression.value(metrics, table.metrics.directions), shape)
        bad = np.argwhere((found < 0) & table.ran())
        if len(bad):
            i, k = bad[0]
            raise FettleError(
                f"the objective {objective.name}, {expression.text}, is {found[i, k]:g} for "
                f"{table.variants[k]} on {table.inputs[i]}; it has to be positive, so that one "
                "choice can be so many per cent worse than another: write it as a product or "
                "quotient of metrics"
            )
        ran = table.ran() & np.isfinite(found)
        if ran.any() and not found[ran].any():
            raise FettleError(
                f"the objective {objective.name}, {expression.text}, is 0 for every variant on "
                "every input, so that there is nothing to choose by"
            )
        zero = np.argwhere((found == 0) & ran)
        if len(zero) and expression.text.strip() in table.measured and not objective.maximize:
            i, k = zero[0]
            warnings.warn(
                f"the objective {objective.name}, {expression.text}, is 0 in {len(zero)} of "
                f"{counted(int(ran.sum()), 'run')}, first for {table.variants[k]} on "
                f"{table.inputs[i]}: nothing else can be chosen there; where a sensor said "
                "nothing, leave the value empty",
                TrainingWarning,
                stacklevel=2,
            )
        return np.array(found)
    assert objective.function is not None
    runs = np.stack([table.measured[name] for name in table.metrics.measured], axis=2)
    runs = np.where(table.ran()[:, :, None], runs, np.nan)
    return np.array(
        [
            ranks(
                objective.function,
                [(k, *row) for k, row in enumerate(rows.tolist())],
                f"the input {name}",
            )
            for name, rows in zip(table.inputs, runs, strict=True)
        ]
    ).reshape(shape)


def _cost(values: Floats, larger: bool) -> Floats:
    with np.errstate(divide="ignore"):
        found: Floats = 1.0 / values if larger else np.maximum(values, TINY)
    return found


def _default(variants: tuple[str, ...], costs: Floats, excess: Floats) -> str:
    """The variant that most often satisfies the bounds; of these the best on average, and where no
    variant ever does, the one that is nearest to it on most inputs."""
    satisfied = np.isfinite(costs)
    if not satisfied.any():
        nearest = excess == excess.min(axis=1, keepdims=True)
        return variants[int(np.argmax((nearest & np.isfinite(excess)).sum(axis=0)))]
    shares = np.nan_to_num(share_of_best(costs)).mean(axis=0)
    counts = satisfied.sum(axis=0)
    return variants[max(range(len(variants)), key=lambda k: (counts[k], shares[k]))]


def _unsatisfied(
    table: MetricTable, excess: Floats, lost: NDArray[np.bool_]
) -> Iterator[Unsatisfied]:
    for row in np.flatnonzero(lost):
        near = int(np.argmin(excess[row]))
        yield Unsatisfied(table.inputs[row], table.variants[near], float(excess[row, near]))
