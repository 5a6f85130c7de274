"""The metrics of a function: those that were measured, and those that are defined by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fettle.core.errors import FettleError
from fettle.objectives.metric_expression import (
    Direction,
    Floats,
    MetricExpression,
    Values,
    parse_metric_expression,
)


@dataclass(frozen=True)
class Metrics:
    """Names, in the order in which they were given. Made by `declare_metrics`."""

    measured: tuple[str, ...]
    defined: Mapping[str, MetricExpression]
    directions: Mapping[str, Direction]
    """Of all of them: the smaller is better of what is measured, unless it was said otherwise; of
    a defined one, what follows from its expression."""

    def values(self, measured: Mapping[str, Floats]) -> Values:
        """The values of all metrics, from those of the measured ones."""
        found = {name: measured[name] for name in self.measured}
        for name, expression in self.defined.items():
            found[name] = expression.value(found, self.directions)
        return found


def declare_metrics(
    measured: Sequence[str],
    define: Mapping[str, str] | None = None,
    larger_is_better: Iterable[str] = (),
) -> Metrics:
    """The metrics of these names; `define` maps further names to expressions of those before them.

    Raises FettleError for a name that is given twice or cannot stand in an expression, and for an
    expression that names an unknown metric.
    """
    directions: dict[str, Direction] = {}
    for name in measured:
        if name in directions:
            raise FettleError(f"the metric {name!r} is named twice; name each once")
        directions[name] = "smaller"
    for name in larger_is_better:
        if name not in directions:
            raise FettleError(
                f"{name!r}, of which the larger is better, is none of the metrics "
                f"{', '.join(measured)}"
            )
        directions[name] = "larger"
    defined: dict[str, MetricExpression] = {}
    for name, text in (define or {}).items():
        if not name.isidentifier() or name == "best":
            raise FettleError(
                f"{name!r} cannot be the name of a metric: it has letters, digits and _, begins "
                "with a letter and is not best"
            )
        if name in directions:
            raise FettleError(f"the metric {name!r} is given twice; define another name")
        expression = parse_metric_expression(text, f"the definition of {name}")
        expression.check(directions, f"the definition of {name},")
        defined[name] = expression
        found = expression.direction(directions)
        directions[name] = "neither" if found == "constant" else found
    return Metrics(tuple(measured), defined, directions)
