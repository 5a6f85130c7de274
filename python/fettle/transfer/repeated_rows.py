"""Rows of one input in a table of several machines: repeats, and features that contradict.

Both are about tables whose columns name the inputs; where none does, each row is an input.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.table import Table
from fettle.data.training_set import Floats, TrainingWarning
from fettle.transfer.sources import Measured


def medians_of_repeats(table: Table, data: Measured, rows: NDArray[np.intp]) -> Measured:
    """The data with one row for each machine and input; a TrainingWarning counts the others.

    `rows` are the table's rows of the data's. A variant costs the median of the rows on which no
    constraint excludes it, and infinity where it failed on any. Rows whose features differ are of
    several inputs, and stay apart: see `warn_of_features`.
    """
    groups: dict[tuple[int, int, bytes], list[int]] = {}
    for at in range(len(data)):
        key = int(data.machine[at]), int(data.input[at]), _key_of(data.values[at])
        groups.setdefault(key, []).append(at)
    repeated = len(data) - len(groups)
    if not repeated:
        return data
    warnings.warn(
        f"{table.path}: {counted(repeated, 'row')} repeat a machine and an input; medians are "
        "taken",
        TrainingWarning,
        stacklevel=2,
    )
    excluded = np.column_stack([table.excluded(name) for name in data.variants])[rows]
    failed = np.column_stack([table.failed(name) for name in data.variants])[rows]
    costs = data.costs.copy()
    for some in groups.values():
        if len(some) > 1:
            costs[some[0]] = _medians(costs[some], excluded[some], failed[some])
    first = np.array([some[0] for some in groups.values()], dtype=np.intp)
    kept: Measured = Measured(
        data.variants,
        data.features,
        data.machines,
        data.machine,
        data.input,
        data.values,
        costs,
    ).rows(first[np.isfinite(costs[first]).any(axis=1)])
    if not len(kept):
        raise FettleError(
            f"{table.path}: every variant failed on every input; mend one, or leave its cells "
            "empty where a constraint excludes the input"
        )
    return kept


def warn_of_features(table: Table, data: Measured, rows: NDArray[np.intp]) -> None:
    """Warns of the first feature with two values in the rows of one input; counts such inputs."""
    first: dict[tuple[int, int], int] = {}
    found: list[tuple[int, int, int]] = []  # a row that differs, the first of its input, a feature
    inputs: set[int] = set()
    for at, given in enumerate(data.input.tolist()):
        for j in np.flatnonzero(~np.isnan(data.values[at])).tolist():
            other = first.setdefault((given, j), at)
            if data.values[other, j] != data.values[at, j]:
                found.append((at, other, j))
                inputs.add(given)
    if found:
        at, other, j = found[0]
        warnings.warn(
            f"{table.path}, line {table.lines[rows[at]]}: {data.features[j]} is "
            f"{data.values[at, j]:g}, but {data.values[other, j]:g} in line "
            f"{table.lines[rows[other]]}, which is of the same input (so is it with "
            f"{counted(len(inputs), 'input')}); a feature says what the input is like, on all "
            "machines: correct the cell, leave it out of --features, or name more columns by "
            "--input-column",
            TrainingWarning,
            stacklevel=2,
        )


def _key_of(values: Floats) -> bytes:
    """Equal for equal features; one that is not known equals one that is not known."""
    return np.where(np.isnan(values), np.nan, values + 0.0).tobytes()


def _medians(costs: Floats, excluded: NDArray[np.bool_], failed: NDArray[np.bool_]) -> Floats:
    """The cost of each variant on an input that was measured several times."""
    found = np.full(costs.shape[1], np.inf)
    for k in np.flatnonzero(~failed.any(axis=0)).tolist():
        some = costs[~excluded[:, k], k]
        if len(some):
            found[k] = np.median(some)
    return found
