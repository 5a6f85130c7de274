"""The trade-off between objectives: fronts, dominated variants, what each choice costs.

Dissertation, table 4.1: the metrics of what an objective chooses, relative to those of always
taking the same variant, averaged over the inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.objectives.costs import costs_by
from fettle.objectives.metric_expression import Floats, best_of
from fettle.objectives.objective import MetricTable, Objective
from fettle.objectives.pareto import always_dominated, as_costs, on_front

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Selector:
    """How variants are selected: always the same variant, the best by an objective, or a model."""

    name: str
    kind: str
    """"variant", "optimum" or "model"."""
    inputs: int
    """On how many inputs what it chooses has all metrics."""
    relative: Mapping[str, float]
    """Each metric over the best of all variants by it, geometric mean over the inputs: 1 is the
    optimum of that metric."""
    against: Mapping[str, Mapping[str, float]]
    """For each variant each metric over that variant's, mean over the inputs (table 4.1); of ways
    that are not variants."""
    on_front: bool
    """Whether no other way is as good by all metrics and better by one; False where some inputs
    lack metrics."""


@dataclass(frozen=True, eq=False)
class TradeOff:
    """Made by `trade_off`."""

    table: MetricTable
    names: tuple[str, ...]
    """The metrics that are compared."""
    front: NDArray[np.bool_]
    """Which variants are not dominated on each input, (n, k)."""
    dominated: tuple[str, ...]
    """Variants that are dominated on all inputs."""
    ways: tuple[Selector, ...]


def trade_off(
    table: MetricTable,
    objectives: Sequence[Objective] = (),
    models: Mapping[str, Indices] | None = None,
    names: Sequence[str] | None = None,
) -> TradeOff:
    """Compares variants, the best choices by objectives, and those of models (an index an input).

    `names` are the metrics that the fronts are of, None: all measured ones. Raises FettleError as
    `costs_by` does. Cost: n k^2 for each metric.
    """
    values = table.metrics.values(table.measured)
    ran = table.ran()
    shown = tuple(values)
    chosen_by = tuple(names or table.metrics.measured)
    masked = {name: np.where(ran, values[name], np.nan) for name in shown}
    front = on_front(as_costs(masked, chosen_by, table.metrics.directions))
    rows = np.arange(len(table.inputs))
    ways: list[tuple[str, str, Indices]] = [
        (name, "variant", np.full(len(rows), k)) for k, name in enumerate(table.variants)
    ]
    for one in objectives:
        costs = costs_by(one, table).costs
        ways.append((one.name, "optimum", np.argmin(costs, axis=1)))
    ways += [(name, "model", chosen) for name, chosen in (models or {}).items()]
    relative = [_relative(masked, table, chosen) for _, _, chosen in ways]
    known = [np.isfinite(np.stack([one[name] for name in shown])).all(axis=0) for one in relative]
    means = [
        {name: _geometric_mean(one[name][there]) for name in shown}
        for one, there in zip(relative, known, strict=True)
    ]
    points = np.array([[one[name] for name in chosen_by] for one in means])
    points[[not there.all() for there in known]] = np.nan
    best = on_front(points[None])[0]
    return TradeOff(
        table,
        chosen_by,
        front,
        always_dominated(front, table.variants),
        tuple(
            Selector(
                name,
                kind,
                int(there.sum()),
                mean,
                {} if kind == "variant" else _against(masked, table, chosen),
                bool(undominated),
            )
            for (name, kind, chosen), mean, there, undominated in zip(
                ways, means, known, best, strict=True
            )
        ),
    )


def _relative(
    values: Mapping[str, Floats], table: MetricTable, chosen: Indices
) -> dict[str, Floats]:
    rows = np.arange(len(chosen))
    found = {}
    for name, all_of_it in values.items():
        best = best_of(all_of_it, table.metrics.directions[name])[:, 0]
        with np.errstate(all="ignore"):
            found[name] = all_of_it[rows, chosen] / best
    return found


def _against(
    values: Mapping[str, Floats], table: MetricTable, chosen: Indices
) -> dict[str, dict[str, float]]:
    rows = np.arange(len(chosen))
    found: dict[str, dict[str, float]] = {}
    for k, variant in enumerate(table.variants):
        found[variant] = {}
        for name, of_it in values.items():
            with np.errstate(all="ignore"):
                ratios = of_it[rows, chosen] / of_it[:, k]
            ratios = ratios[np.isfinite(ratios)]
            found[variant][name] = float(ratios.mean()) if len(ratios) else float("nan")
    return found


def _geometric_mean(values: Floats) -> float:
    with np.errstate(all="ignore"):
        return float(np.exp(np.log(values).mean())) if len(values) else float("nan")
