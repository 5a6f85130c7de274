"""What classifiers learn from and are judged on, made of a table of measurements.

`training_set` makes the training set, `costs` and `values` what `fettle evaluate` judges on, and
`failed_columns` says which variants failed on some input.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.table import Table
from fettle.data.training_set import Floats, TrainingSet, TrainingWarning
from fettle.data.tuning_result import FailedVariant

UNITS = {"_s": 1.0, "_ms": 1e-3, "_us": 1e-6, "_ns": 1e-9}
"""Seconds in the unit that a metric's name ends with."""

MANY = 100_000  # rows


def values(table: Table, features: Sequence[str]) -> Floats:
    """The feature values, (rows, features)."""
    return np.column_stack([table.numbers(name) for name in features])


def costs(table: Table, metrics: Sequence[str]) -> Floats:
    """The costs, (rows, metrics), infinite where a variant failed or was excluded."""
    return np.column_stack([table.metric(name) for name in metrics])


def failed_columns(
    table: Table, metrics: Sequence[str], allowed: Collection[str] = ()
) -> tuple[FailedVariant, ...]:
    """The variants that failed on some input, and what that means.

    Raises FettleError where none is left to choose, and for an `allowed` one that does not exist.
    """
    unknown = [name for name in allowed if name not in metrics]
    if unknown:
        raise FettleError(
            f"--allow-failures names {unknown[0]!r}, which is none of the metrics "
            f"{', '.join(metrics)}"
        )
    found = []
    for name in metrics:
        where = np.flatnonzero(table.failed(name))
        if not len(where):
            continue
        advice = (
            "it may be chosen all the same, as --allow-failures says"
            if name in allowed
            else "it is never chosen: mend it and measure it again, leave the cells empty where a "
            f"constraint excludes such inputs, or say --allow-failures {name}"
        )
        found.append(
            FailedVariant(
                variant=name,
                inputs=len(where),
                ran_on=int((~table.excluded(name)).sum()),
                first=f"line {table.lines[where[0]]}",
                reason="the table says so",
                advice=advice,
                allowed=name in allowed,
            )
        )
    if sum(not one.allowed for one in found) == len(metrics):
        raise FettleError(
            f"{table.path}: every variant failed on some input, so that none may be chosen; mend "
            "one, or leave its cells empty where a constraint excludes the input"
        )
    return tuple(found)


def usable_rows(table: Table, given: Floats, names: Sequence[str]) -> NDArray[np.intp]:
    """The rows with a finite cost; a TrainingWarning counts the others.

    Raises FettleError if there is none.
    """
    works: NDArray[np.bool_] = np.asarray(np.isfinite(given).any(axis=1))
    if not works.any():
        raise FettleError(
            f"{table.path}: no row has a finite number in {', '.join(names)}; measure at least one "
            "variant on each input"
        )
    _warn_of(table, ~works, f"no finite number in {', '.join(names)}")
    usable: NDArray[np.intp] = np.flatnonzero(works)
    return usable


def training_set(
    table: Table,
    function: str,
    features: Sequence[str],
    metrics: Sequence[str],
    failed: Sequence[FailedVariant] = (),
) -> TrainingSet:
    """The training set in a table; variants are named as their columns.

    Those that `failed` and are not allowed cost infinity everywhere, so that none is chosen.
    Rows without a finite metric or with a feature that is not finite are left out, which a
    TrainingWarning counts. Raises FettleError for columns that do not exist or serve twice, for
    fewer than two metrics, and for cells that are not numbers.
    """
    for option, names in (("--features", features), ("--metrics", metrics)):
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise FettleError(f"{option} names {twice!r} twice; name each column once")
    both = [name for name in features if name in metrics]
    if both:
        raise FettleError(
            f"{both[0]!r} is both a feature and a metric; what is measured only after choosing "
            "cannot be chosen by"
        )
    if len(metrics) < 2:
        raise FettleError(
            f"--metrics names {len(metrics)} column; choosing needs at least two variants"
        )
    known, paid = values(table, features), costs(table, metrics)
    counts = {one.variant: one.inputs for one in failed}
    paid[:, [metrics.index(one.variant) for one in failed if not one.allowed]] = math.inf
    keep = usable_rows(table, paid, metrics)
    finite: NDArray[np.bool_] = np.asarray(np.isfinite(known).all(axis=1))
    if not finite[keep].any():
        raise FettleError(
            f"{table.path}: every row has a value that is not finite in {', '.join(features)}"
        )
    outside = np.zeros(len(known), dtype=bool)
    outside[keep] = ~finite[keep]
    bad = [name for k, name in enumerate(features) if not np.isfinite(known[keep, k]).all()]
    _warn_of(table, outside, f"a value that is not finite in {', '.join(bad)}")
    keep = keep[finite[keep]]
    _warn_of_copies(table, np.column_stack([known, paid])[keep], keep)
    empty = [
        name
        for k, name in enumerate(metrics)
        if not np.isfinite(paid[:, k]).any() and name not in counts
    ]
    if empty:
        warnings.warn(
            f"{table.path}: {', '.join(empty)} has no value on any line and is never chosen",
            TrainingWarning,
            stacklevel=2,
        )
    return TrainingSet(
        function=function,
        features=tuple(features),
        variants=tuple(metrics),
        inputs=tuple(f"line {line}" for line in table.lines[keep].tolist()),
        values=known[keep],
        costs=paid[keep],
        feature_seconds=np.zeros(len(features)),
        cost_seconds=unit_of(metrics),
        failed_on=tuple(counts.get(name, 0) for name in metrics) if counts else (),
    )


def _warn_of_copies(table: Table, rows: Floats, keep: NDArray[np.intp]) -> None:
    """Says so where rows are the same as others: a model would be judged by what it has learned."""
    if len(rows) > MANY:
        return  # looking takes seconds
    _, first = np.unique(np.nan_to_num(rows, posinf=-1.0), axis=0, return_index=True)
    copies = np.setdiff1d(np.arange(len(rows)), first)
    if len(copies):
        warnings.warn(
            f"{table.path}: {len(copies)} of {counted(len(rows), 'row')} are the same as others in "
            f"all features and metrics, first line {table.lines[keep[copies[0]]]}: a model is "
            "judged by what it has learned from; remove them, unless they are inputs of their own",
            TrainingWarning,
            stacklevel=3,
        )


def unit_of(metrics: Sequence[str]) -> float:
    """Seconds in one unit of the metrics: as all their names end (_s, _ms, _us, _ns), else 1.

    Raises FettleError where two names end with different units: numbers are compared as they are.
    """
    found: dict[float | None, str] = {}
    for name in metrics:
        unit = next((seconds for end, seconds in UNITS.items() if name.endswith(end)), None)
        found.setdefault(unit, name)
    stated = [unit for unit in found if unit is not None]
    if len(stated) > 1:
        one, other = (found[unit] for unit in stated[:2])
        raise FettleError(
            f"{one!r} and {other!r} are times in different units, which are not converted; give "
            "all metrics in one unit"
        )
    return stated[0] if len(found) == 1 and stated else 1.0


def _warn_of(table: Table, rows: NDArray[np.bool_], what: str) -> None:
    indices = np.flatnonzero(rows)
    if len(indices):
        warnings.warn(
            f"{table.path}: {len(indices)} of {counted(len(table), 'row')} are left out, with "
            f"{what}; the "
            f"first is line {table.lines[indices[0]]}",
            TrainingWarning,
            stacklevel=3,
        )
