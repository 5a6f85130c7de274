"""Training sets of objectives: several are made from one set of measurements."""

from __future__ import annotations

import warnings
from collections.abc import Collection

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.table_training_set import UNITS
from fettle.data.training_set import TrainingSet, TrainingWarning
from fettle.data.tuning_result import FailedVariant
from fettle.objectives.costs import ObjectiveCosts, costs_by
from fettle.objectives.measured_table import MeasuredTable
from fettle.objectives.objective import Objective


def failed_variants(
    table: MeasuredTable, allowed: Collection[str] = ()
) -> tuple[FailedVariant, ...]:
    """The variants that failed on some input. Raises FettleError where none is left to choose."""
    unknown = [name for name in allowed if name not in table.runs.variants]
    if unknown:
        raise FettleError(
            f"--allow-failures names {unknown[0]!r}, which is none of the variants "
            f"{', '.join(table.runs.variants)}"
        )
    found = []
    ran = table.runs.ran() | table.failed
    for k, name in enumerate(table.runs.variants):
        where = np.flatnonzero(table.failed[:, k])
        if len(where):
            advice = (
                "it may be chosen all the same, as --allow-failures says"
                if name in allowed
                else "it is never chosen: mend it and measure it again, leave the row out where a "
                f"constraint excludes such inputs, or say --allow-failures {name}"
            )
            found.append(
                FailedVariant(
                    variant=name,
                    inputs=len(where),
                    ran_on=int(ran[:, k].sum()),
                    first=table.runs.inputs[where[0]],
                    reason="the table says so",
                    advice=advice,
                    allowed=name in allowed,
                )
            )
    if sum(not one.allowed for one in found) == len(table.runs.variants):
        raise FettleError(
            "every variant failed on some input, so that none may be chosen; mend one"
        )
    return tuple(found)


def training_set_by(
    objective: Objective,
    table: MeasuredTable,
    function: str,
    failed: Collection[FailedVariant] = (),
    default: str | None = None,
) -> tuple[TrainingSet, ObjectiveCosts]:
    """What a classifier learns an objective from, and how the costs came about.

    Inputs on which no variant has a cost, or with a feature that is not finite, are left out with a
    TrainingWarning. Raises FettleError where no input is left.
    """
    runs = table.runs
    if default is not None and default not in runs.variants:
        raise FettleError(
            f"the default {default!r} is none of the variants {', '.join(runs.variants)}"
        )
    found = costs_by(objective, runs, default)
    costs = found.costs.copy()
    costs[:, [runs.variants.index(one.variant) for one in failed if not one.allowed]] = np.inf
    counts = {one.variant: one.inputs for one in failed}
    usable = np.asarray(np.isfinite(costs).any(axis=1))
    finite = np.asarray(np.isfinite(table.values).all(axis=1))
    for rows, what in (
        (~usable, f"no variant that has a value of the objective {objective.name}"),
        (usable & ~finite, f"a value that is not finite in {', '.join(table.features)}"),
    ):
        if rows.any():
            warnings.warn(
                f"{rows.sum()} of {len(usable)} inputs are left out, with {what}; the first is "
                f"{runs.inputs[int(np.flatnonzero(rows)[0])]}",
                TrainingWarning,
                stacklevel=2,
            )
    keep = np.flatnonzero(usable & finite)
    if not len(keep):
        raise FettleError(
            f"the objective {objective.name}, {objective}: no input is left to learn from; measure "
            "its metrics, and leave features out that are not known"
        )
    data = TrainingSet(
        function=function,
        features=table.features,
        variants=runs.variants,
        inputs=tuple(runs.inputs[i] for i in keep),
        values=table.values[keep],
        costs=costs[keep],
        feature_seconds=np.zeros(len(table.features)),
        default=found.default if default is not None or found.unsatisfied else None,
        cost_seconds=_seconds(objective),
        failed_on=tuple(counts.get(name, 0) for name in runs.variants) if counts else (),
    )
    return data, found


def _seconds(objective: Objective) -> float | None:
    """What a unit of cost is in seconds, where the objective is a time; None: it is none."""
    if objective.expression is None or objective.maximize:
        return None
    name = objective.expression.text
    if name == "seconds":
        return 1.0
    if not name.isidentifier():
        return None
    return next((unit for end, unit in UNITS.items() if name.endswith(end)), None)
