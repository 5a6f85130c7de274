"""Tables with a row a run: an input, a variant and several metrics.

    device,matrix,rows,nnz,variant,seconds,watts,joules
    V100,cant,62451,4007383,csr,0.000105,210,0.022
    V100,cant,62451,4007383,coo,0.000131,190,0.025

A metric that is empty is not known; where all of a row are, or the row is missing, a constraint
excludes the variant there. The word failed says that the variant failed on the input.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.table import Table
from fettle.data.training_set import Floats, TrainingWarning
from fettle.objectives.metrics import Metrics
from fettle.objectives.objective import MetricTable


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """The inputs of a table, with features and metrics."""

    features: tuple[str, ...]
    values: Floats
    """Features of the inputs, (n, d)."""
    runs: MetricTable
    failed: NDArray[np.bool_]
    """Where a variant failed, (n, k)."""
    lines: tuple[int, ...]
    """The line of each input's first row."""


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are."""

    inputs: tuple[str, ...]
    variant: str
    features: tuple[str, ...]

    def check(self, table: Table, metrics: Metrics) -> None:
        """Raises FettleError for columns that do not exist or serve twice."""
        used: dict[str, str] = {}
        for option, names in (
            ("--input-column", self.inputs),
            ("--variant-column", (self.variant,)),
            ("--metrics", metrics.measured),
        ):
            for name in names:
                table.cells(name)
                if name in used:
                    raise FettleError(f"{option} and {used[name]} both name {name!r}")
                used[name] = option
        for name in self.features:
            if used.get(name) in ("--variant-column", "--metrics"):
                raise FettleError(
                    f"--features names {name!r}, which {used[name]} names, too; what is known only "
                    "after choosing cannot be chosen by"
                )
        for name in metrics.defined:
            if name in table.columns:
                raise FettleError(f"--define names {name!r}, which is a column of {table.path}")


def read_measured(
    table: Table,
    columns: Columns,
    metrics: Metrics,
    where: Mapping[str, str] | None = None,
) -> MeasuredTable:
    """The runs of a table, a row an input; `where` keeps the rows with these cells only.

    Rows that repeat a variant on an input are replaced by their medians. Raises FettleError for
    columns that do not exist, cells that are not numbers, features that differ between the rows of
    one input, and where no row or only one variant is left.
    """
    columns.check(table, metrics)
    kept = _rows_where(table, where or {})
    keys = list(zip(*(np.array(table.cells(name))[kept] for name in columns.inputs), strict=True))
    names = [" ".join(key) for key in keys]
    inputs = tuple(dict.fromkeys(names))
    row = np.array([{name: i for i, name in enumerate(inputs)}[name] for name in names])
    cells = np.array(table.cells(columns.variant))[kept]
    nameless = np.flatnonzero(cells == "")
    if len(nameless):
        raise FettleError(
            f"{table.path}, line {table.lines[kept[nameless[0]]]}: {columns.variant} is empty; "
            "name the row's variant or remove the line"
        )
    variants = tuple(dict.fromkeys(cells.tolist()))
    if len(variants) < 2:
        raise FettleError(
            f"{table.path}: the column {columns.variant!r} has one value only, {variants[0]!r}; "
            "choosing needs at least two variants"
        )
    column_of = {name: k for k, name in enumerate(variants)}
    column = np.array([column_of[name] for name in cells.tolist()])
    shape = (len(inputs), len(variants))
    first = np.full(len(inputs), -1)
    for at in reversed(range(len(kept))):
        first[row[at]] = at
    measured: dict[str, Floats] = {}
    failed = np.zeros(shape, dtype=bool)
    for name in metrics.measured:
        found, broken = _metric(table, name, kept)
        measured[name] = _medians(row, column, found, shape)
        failed[row[broken], column[broken]] = True
    for found in measured.values():
        found[failed] = np.nan
    repeated = len(kept) - len(np.unique(row * len(variants) + column))
    if repeated:
        warnings.warn(
            f"{table.path}: {counted(repeated, 'row')} repeat an input and a variant; medians are "
            "taken",
            TrainingWarning,
            stacklevel=2,
        )
    return MeasuredTable(
        columns.features,
        _features(table, columns.features, kept, row, first),
        MetricTable(inputs, variants, metrics, measured),
        failed,
        tuple(int(table.lines[kept[at]]) for at in first),
    )


def _rows_where(table: Table, where: Mapping[str, str]) -> NDArray[np.intp]:
    keep = np.ones(len(table), dtype=bool)
    for column, wanted in where.items():
        cells = table.cells(column)
        keep &= np.array([cell == wanted for cell in cells])
        if not keep.any():
            known = ", ".join(list(dict.fromkeys(cells))[:10])
            raise FettleError(
                f"{table.path} has no row where {column} is {wanted!r}; it is one of {known}"
            )
    found: NDArray[np.intp] = np.flatnonzero(keep)
    return found


def _metric(table: Table, name: str, kept: NDArray[np.intp]) -> tuple[Floats, NDArray[np.bool_]]:
    """The values of a metric, not a number where there is none, and where the variant failed."""
    cells = table.cells(name)
    found = np.full(len(kept), np.nan)
    broken = np.zeros(len(kept), dtype=bool)
    for at, row in enumerate(kept):
        cell = cells[row].lower()
        if cell == "failed":
            broken[at] = True
        elif cell not in ("", "nan"):
            found[at] = _number(table, name, int(row), cells[row])
    return found, broken


def _number(table: Table, name: str, row: int, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise FettleError(
            f"{table.path}, line {table.lines[row]}: {name} is {cell[:40]!r}, which is not a "
            "number; correct the cell or remove the line"
        ) from None


def _medians(
    row: NDArray[np.intp], column: NDArray[np.intp], values: Floats, shape: tuple[int, int]
) -> Floats:
    samples: dict[tuple[int, int], list[float]] = {}
    for i, k, value in zip(row.tolist(), column.tolist(), values.tolist(), strict=True):
        if not np.isnan(value):
            samples.setdefault((i, k), []).append(value)
    found = np.full(shape, np.nan)
    for (i, k), some in samples.items():
        found[i, k] = np.median(some)
    return found


def _features(
    table: Table,
    names: Sequence[str],
    kept: NDArray[np.intp],
    row: NDArray[np.intp],
    first: NDArray[np.intp],
) -> Floats:
    found = np.empty((len(first), len(names)))
    for j, name in enumerate(names):
        values = table.numbers(name)[kept]
        found[:, j] = values[first]
        other = values != found[row, j]
        other &= ~(np.isnan(values) & np.isnan(found[row, j]))
        if other.any():
            at = int(np.flatnonzero(other)[0])
            raise FettleError(
                f"{table.path}, line {table.lines[kept[at]]}: {name} is {values[at]:g}, but "
                f"{found[row[at], j]:g} in line {table.lines[kept[first[row[at]]]]}, which is of "
                "the same input; a feature is known before a variant is chosen: leave it out of "
                "--features, or name more columns by --input-column"
            )
    return found
