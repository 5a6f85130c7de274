"""What is to be optimised: an expression of metrics or an aggregation function, within bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.objectives.aggregation import AggregationFunction, name_of
from fettle.objectives.bounds import Bound, parse_bounds
from fettle.objectives.metric_expression import MetricExpression, parse_metric_expression
from fettle.objectives.metrics import Metrics

DEFAULT = "default"
"""The name of an objective that the script gives no name."""


@dataclass(frozen=True)
class Objective:
    """Made by `minimize`, `maximize` or `aggregate`."""

    name: str
    expression: MetricExpression | None
    maximize: bool = False
    function: AggregationFunction | None = None
    bounds: tuple[Bound, ...] = ()

    def check(self, metrics: Metrics) -> None:
        """Raises FettleError for metrics that do not exist."""
        if self.expression is not None:
            self.expression.check(metrics.directions, f"the objective {self.name},")
        for bound in self.bounds:
            bound.check(metrics.directions)

    def against(self, metrics: Metrics) -> str:
        """Why the expression may be optimised the wrong way round; empty where it is not."""
        if self.expression is None:
            return ""
        better = self.expression.direction(metrics.directions)
        if better != ("smaller" if self.maximize else "larger"):
            return ""
        wrong, right = ("maximize", "minimize") if self.maximize else ("minimize", "maximize")
        return (
            f"the objective {self.name} is to {wrong} {self.expression.text}, of which the "
            f"{better} is the better: the worst variants are chosen; {right} is probably meant"
        )

    def names(self, metrics: Metrics) -> tuple[str, ...]:
        """The metrics without which it says nothing of a variant."""
        own = metrics.measured if self.expression is None else self.expression.names
        return tuple(dict.fromkeys([*own, *(name for one in self.bounds for name in one.names)]))

    def __str__(self) -> str:
        if self.expression is None:
            assert self.function is not None
            what = f"best by {name_of(self.function)}"
        else:
            what = f"{'maximize' if self.maximize else 'minimize'} {self.expression.text}"
        bounds = " and ".join(bound.text for bound in self.bounds)
        return f"{what} subject to {bounds}" if bounds else what


def minimize(text: str, *, name: str = DEFAULT, subject_to: str | Sequence[str] = ()) -> Objective:
    """The smallest value of an expression of metrics is the best. Raises FettleError for texts that
    cannot be read."""
    return _of(text, name, False, subject_to)


def maximize(text: str, *, name: str = DEFAULT, subject_to: str | Sequence[str] = ()) -> Objective:
    """The largest value of an expression of metrics is the best. Raises FettleError for texts that
    cannot be read."""
    return _of(text, name, True, subject_to)


def aggregate(
    function: AggregationFunction, *, name: str = DEFAULT, subject_to: str | Sequence[str] = ()
) -> Objective:
    """What a function picks is the best (`fettle.objectives.aggregation`)."""
    if not callable(function):
        raise FettleError(f"an aggregation function is a function, not {function!r}")
    return Objective(name, None, function=function, bounds=parse_bounds(subject_to))


VERBS = {"minimize": False, "minimise": False, "maximize": True, "maximise": True}


def parse_objective(
    name: str, text: str, metrics: Metrics, subject_to: str | Sequence[str] = ()
) -> Objective:
    """An objective as a text: "maximize EXPR", "minimize EXPR", or EXPR alone where it follows from
    the metrics which of its values are the better ones: "throughput / watts", "joules". Bounds may
    follow it, "joules subject to seconds <= 0.1"; without, they are `subject_to`.

    Raises FettleError where it cannot be read, or names an unknown metric.
    """
    what, _, own = text.strip().partition(" subject to ")
    verb, _, rest = what.partition(" ")
    bounds: str | Sequence[str] = own or subject_to
    larger = VERBS.get(verb.lower())
    if larger is not None and rest.strip():
        found = _of(rest, name, larger, bounds)
        found.check(metrics)
        return found
    found = _of(what, name, False, bounds)
    found.check(metrics)
    assert found.expression is not None
    better = found.expression.direction(metrics.directions)
    if better in ("neither", "constant"):
        raise FettleError(
            f"the objective {name}, {what!r}: the metrics do not say whether its smaller or its "
            f"larger values are the better ones; write 'minimize {what}' or 'maximize {what}'"
        )
    return replace(found, maximize=better == "larger")


def _of(text: str, name: str, larger: bool, subject_to: str | Sequence[str]) -> Objective:
    expression = parse_metric_expression(text, f"the objective {name},")
    return Objective(name, expression, larger, bounds=parse_bounds(subject_to))


@dataclass(frozen=True, eq=False)
class MetricTable:
    """n inputs, k variants and the metrics of each, a value that is checked when it is made."""

    inputs: tuple[str, ...]
    variants: tuple[str, ...]
    metrics: Metrics
    measured: Mapping[str, NDArray[np.float64]]
    """Each measured metric, (n, k); not a number where a variant has none."""
    worked: NDArray[np.bool_] | None = field(default=None)
    """Where a variant ran, (n, k): it did not where a constraint excludes it, or it failed. None:
    everywhere where it has a metric."""

    def __post_init__(self) -> None:
        shape = (len(self.inputs), len(self.variants))
        for name in self.metrics.measured:
            if name not in self.measured or self.measured[name].shape != shape:
                raise FettleError(f"the metric {name} has not a value for {shape} runs")

    def rows(self, chosen: Sequence[int]) -> MetricTable:
        """Some of the inputs, in the given order."""
        indices = list(chosen)
        return replace(
            self,
            inputs=tuple(self.inputs[i] for i in indices),
            measured={name: values[indices] for name, values in self.measured.items()},
            worked=None if self.worked is None else self.worked[indices],
        )

    def ran(self) -> NDArray[np.bool_]:
        """Where a variant ran, (n, k)."""
        if self.worked is not None:
            return self.worked
        known = [np.isfinite(values) for values in self.measured.values()]
        found: NDArray[np.bool_] = np.logical_or.reduce(known)
        return found
