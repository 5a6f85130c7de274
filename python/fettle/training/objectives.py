"""Objectives of a tuned function: from the metrics in the store to what its models learn.

All objectives of a function are made of the same measurements: another one needs no run.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.training_set import TrainingSet
from fettle.data.tuning_result import Failure
from fettle.objectives.costs import ObjectiveCosts, costs_by
from fettle.objectives.description import check_objectives
from fettle.objectives.metrics import Metrics, declare_metrics
from fettle.objectives.objective import (
    DEFAULT,
    MetricTable,
    Objective,
    aggregate,
    parse_objective,
)
from fettle.store.contents import ERROR, Example
from fettle.store.subject import Offer
from fettle.training.code_variant import CodeVariant
from fettle.training.examples import Table, distinct_calls


@dataclass(frozen=True)
class FunctionObjectives:
    """The metrics and objectives of one function. Made by `objectives_of`."""

    metrics: Metrics
    objectives: tuple[Objective, ...]

    @property
    def first(self) -> Objective:
        """What calls go by, unless the program picks another one."""
        return self.objectives[0]

    @property
    def is_own_metric(self) -> bool:
        """Whether the first objective is the function's own metric, as it is without objectives."""
        own = self.first
        if own.expression is None or own.bounds:
            return False
        name = self.metrics.measured[0]
        larger = self.metrics.directions[name] == "larger"
        return own.expression.text == name and own.maximize == larger


OTHERS = ("joules", "watts", "max_watts", "peak_bytes", "device_peak_bytes", ERROR)
"""Metrics that meters and approximate variants add to those that a script names."""


def check_stated(function: CodeVariant) -> None:
    """What a script says of objectives, as far as it is known before anything is built.

    Raises FettleError as `objectives_of` does.
    """
    _check_options(function)
    if function.metrics and _wants_objectives(function):
        wanted = (function.minimize, function.maximize, *function.objectives.values())
        said = " ".join(map(str, (*wanted, *function.subject_to, *function.define.values())))
        others = [name for name in OTHERS if name in said and name not in function.define]
        names = tuple(dict.fromkeys((*function.metrics, *others)))
        list(_objectives(function, _declared(function, names)))


def objectives_of(function: CodeVariant, offer: Offer) -> FunctionObjectives | None:
    """What a tuning script wants of a function; None where it says nothing of objectives.

    Raises FettleError for metrics that the program does not have, and for options that contradict
    each other.
    """
    _check_options(function)
    stated = tuple(function.metrics)
    if not _wants_objectives(function):
        if stated and not offer.metrics:
            raise _no_metrics(function)
        return None
    if stated and stated != tuple(offer.metrics)[: len(stated)]:
        raise _no_metrics(function)
    names = tuple(offer.metrics) or ("seconds" if offer.unit == "s" else "metric",)
    if offer.approximate:
        names = (*names, ERROR)
    metrics = _declared(function, names)
    return FunctionObjectives(metrics, tuple(_objectives(function, metrics)))


def _wants_objectives(function: CodeVariant) -> bool:
    own = (function.minimize, function.maximize, function.aggregation_function)
    return any(own) or bool(function.objectives)


def _check_options(function: CodeVariant) -> None:
    """Raises FettleError for options that contradict each other."""
    _check_picked(function)
    if not _wants_objectives(function):
        if function.subject_to:
            raise FettleError(
                f"{function.name!r}: subject_to bounds an objective, and none is given; say what "
                "is wanted under the bound, such as minimize='seconds'"
            )
        return
    own = (function.minimize, function.maximize, function.aggregation_function)
    if sum(map(bool, own)) > 1 or (any(own) and function.objectives):
        raise FettleError(
            f"{function.name!r}: minimize, maximize, set_aggregation_function and objectives are "
            "given together; give one of them, or all as objectives={...}"
        )
    if function.parameters:
        raise FettleError(
            f"{function.name!r}: objectives are not for compile-time parameters; give these to "
            "variants with fettle::parameter, or tune them by one metric first"
        )
    if function.on_infinite_metric == "next_best":
        raise FettleError(
            f"{function.name!r}: on_infinite_metric='next_best' is for one metric; give the "
            "objective a bound instead"
        )


def _declared(function: CodeVariant, names: tuple[str, ...]) -> Metrics:
    larger = [*function.larger_metrics, *([names[0]] if function.larger_is_better else [])]
    return declare_metrics(names, function.define, larger)


def _objectives(function: CodeVariant, metrics: Metrics) -> Iterable[Objective]:
    bounds = function.subject_to
    if function.aggregation_function is not None:
        found = [aggregate(function.aggregation_function, subject_to=bounds)]
    elif function.objectives:
        found = [
            parse_objective(name, text, metrics, bounds)
            for name, text in function.objectives.items()
        ]
    else:
        verb = "minimize" if function.minimize else "maximize"
        text = f"{verb} {function.minimize or function.maximize}"
        found = [parse_objective(DEFAULT, text, metrics, bounds)]
    check_objectives(found)
    for one in found:
        one.check(metrics)
    return found


def _check_picked(function: CodeVariant) -> None:
    if function.objective and function.objective not in function.objectives:
        raise FettleError(
            f"{function.name!r}: objective is {function.objective!r}, but objectives names "
            f"{', '.join(function.objectives) or 'none'}; name one of them"
        )


def _no_metrics(function: CodeVariant) -> FettleError:
    wanted = ", ".join(function.metrics)
    return FettleError(
        f"{function.name!r}: the script says that variants report {wanted}, the program was not "
        f"compiled so; let the function return fettle::measured<{len(function.metrics)}>, and "
        "include the header that the tuner writes"
    )


@dataclass(frozen=True)
class ByObjective:
    """A table with the costs of one objective, and how they came about."""

    table: Table
    costs: ObjectiveCosts | None  # None: no input is left
    runs: MetricTable
    """The metrics of all rows that `Table.data` had before."""


def by_objective(
    objective: Objective,
    metrics: Metrics,
    table: Table,
    offer: Offer,
    examples: Iterable[tuple[str, Sequence[Example]]],
) -> ByObjective:
    """The same inputs with the costs of an objective in place of the function's own metric.

    Inputs on which no variant has a value of it are left out and reported as failures. Raises
    FettleError as `costs_by` does.
    """
    data = table.data
    known = dict(distinct_calls(offer, examples))
    runs = metric_table(data, metrics, [known[name] for name in data.inputs])
    if not len(data):
        return ByObjective(table, None, runs)
    found = costs_by(objective, runs, data.default)
    usable = np.asarray(np.isfinite(found.costs).any(axis=1))
    lost = tuple(
        Failure(name, None, f"no variant has a value of the objective {objective.name}")
        for name, there in zip(data.inputs, usable, strict=True)
        if not there
    )
    seconds = data.cost_seconds if str(objective) == f"minimize {metrics.measured[0]}" else None
    costed = replace(data, costs=found.costs, spread=None, exhaustive=None, cost_seconds=seconds)
    kept = costed.rows(np.flatnonzero(usable))
    return ByObjective(replace(table, data=kept, failures=(*table.failures, *lost)), found, runs)


def metric_table(data: TrainingSet, metrics: Metrics, examples: Sequence[Example]) -> MetricTable:
    """The medians of all metrics of the runs of some calls, one for each row of `data`."""
    ran = np.isfinite(data.costs)
    own, *others = metrics.measured
    measured = {name: np.full(ran.shape, np.nan) for name in metrics.measured}
    for i, example in enumerate(examples):
        for k, variant in enumerate(data.variants):
            if not ran[i, k]:
                continue
            measured[own][i, k] = statistics.median(example.samples[variant])
            for name in others:
                if name == ERROR and data.errors is not None:
                    measured[name][i, k] = data.errors[i, k]
                    continue
                values = np.array(example.others.get(variant, {}).get(name, []))
                values = values[~np.isnan(values)]
                if len(values):
                    measured[name][i, k] = np.median(values)
    return MetricTable(data.inputs, data.variants, metrics, measured, ran)
