"""A measured table as a search space: every point is a row, and measuring one looks its row up.

Two layouts are recognised by their columns, as the published tables have them:

    ...,time_per_pixel                          the Laplacian kernel of Bruel et al., CCGRID 2019
    ...,time_ms,min_ms,std_ms,n,valid,error     exhaustively measured kernels, valid 0 or 1

In any other table --metric names the response, --valid the column that says whether a point worked,
and --ignore columns that are neither; all others are parameters. Columns with one level are not
parameters and are listed in `constant`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fettle.core.errors import FettleError
from fettle.data.table import Table, read_table
from fettle.search.listed_space import ListedSpace
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space

_BESIDE_TIME_MS = ("min_ms", "std_ms", "n", "error")
_YES = {"1", "true", "yes", "valid", "ok"}
_NO = {"0", "false", "no", "invalid", ""}


@dataclass(frozen=True)
class MeasuredTable:
    """The rows of a table as a space and what was measured at each of its points.

    `values` has an infinite value where the row says that the point did not work; `best` is the
    smallest value of all, what slowdowns are relative to.
    """

    name: str
    metric: str
    space: Space
    values: Mapping[tuple[Hashable, ...], float]
    constant: tuple[str, ...]
    best: float
    names: tuple[str, ...] = field(repr=False)

    def measure(self, point: Point) -> float:
        """The measured value of a point; one dictionary look-up.

        Raises FettleError for a point that is not in the table.
        """
        value = self.values.get(tuple([point.get(name) for name in self.names]))
        if value is None:
            raise FettleError(f"{self.name} has no row for the point {point}")
        return value


def measured_table(
    path: Path, metric: str | None = None, valid: str | None = None, ignore: Sequence[str] = ()
) -> MeasuredTable:
    """Read a measured table (.csv, also .xz, .gz, .bz2).

    Costs one pass over the rows. Raises FettleError, naming column and line, for a layout that is
    not recognised and not described, columns that do not exist, cells that are not numbers, points
    in two rows, tables without a varying parameter and tables where nothing worked.
    """
    table = read_table(path)
    metric, valid, ignore = _layout(table, metric, valid, tuple(ignore))
    works = _works(table, valid)
    others = [c for c in table.columns if c not in {metric, valid, *ignore}]
    levels = {name: sorted_levels(table.cells(name)) for name in others}
    names = tuple(name for name in others if len(set(levels[name].values())) > 1)
    constant = tuple(name for name in others if name not in names)
    if not names:
        raise FettleError(
            f"{path} has no column with two levels or more beside {metric}, so there is nothing to "
            f"choose; its other columns are {', '.join(constant) or 'none'}"
        )
    columns = [[levels[name][cell] for cell in table.cells(name)] for name in names]
    points = list(zip(*columns, strict=True))
    values: dict[tuple[Hashable, ...], float] = {}
    lines: dict[tuple[Hashable, ...], int] = {}
    for point, value, line in zip(
        points, table.metric(metric, works).tolist(), table.lines, strict=True
    ):
        if point in values:
            at = ", ".join(f"{name}={level}" for name, level in zip(names, point, strict=True))
            raise FettleError(
                f"{path}: lines {lines[point]} and {line} measure the same point, {at}; "
                "remove one, or take the column that tells them apart out of --ignore"
            )
        values[point] = value
        lines[point] = line
    best = min(values.values())
    if math.isinf(best):
        raise FettleError(
            f"{path}: no row worked: {metric} is nowhere a finite number"
            + (f" where {valid} says that the row is valid" if valid else "")
        )
    parameters = [Parameter(name, tuple(dict.fromkeys(levels[name].values()))) for name in names]
    space = ListedSpace(parameters, (dict(zip(names, point, strict=True)) for point in values))
    return MeasuredTable(str(path), metric, space, values, constant, best, names)


def sorted_levels(cells: Sequence[str]) -> dict[str, Hashable]:
    """The level of each distinct cell: numbers in ascending order if all are, else text, sorted.

    Cells that write the same number in two ways (1 and 1.0) are one level.
    """
    distinct = set(cells)
    try:
        numbers = {cell: _number(cell) for cell in distinct}
    except ValueError:
        return {cell: cell for cell in sorted(distinct)}
    return dict(sorted(numbers.items(), key=lambda item: (item[1], item[0])))


def _number(cell: str) -> int | float:
    number = float(cell)
    if not math.isfinite(number):
        raise ValueError(cell)
    return int(number) if number.is_integer() else number


def _layout(
    table: Table, metric: str | None, valid: str | None, ignore: tuple[str, ...]
) -> tuple[str, str | None, tuple[str, ...]]:
    # What is given counts; the rest is as the recognised layout has it.
    for option, names in (
        ("--metric", [] if metric is None else [metric]),
        ("--valid", [] if valid is None else [valid]),
        ("--ignore", list(ignore)),
    ):
        for name in names:
            if name not in table.columns:
                raise FettleError(
                    f"{option} names {name!r}, which is not a column of {table.path}; its columns "
                    f"are {', '.join(table.columns)}"
                )
    columns = set(table.columns)
    if "time_ms" in columns and "valid" in columns and metric in {None, "time_ms"}:
        metric, valid = "time_ms", valid or "valid"
        ignore += tuple(name for name in _BESIDE_TIME_MS if name in columns)
    elif metric is None and "time_per_pixel" in columns:
        metric = "time_per_pixel"
    if metric is None:
        raise FettleError(
            f"{table.path} is of no known layout (time_per_pixel, or time_ms and valid); name the "
            f"measured column with --metric, one of {', '.join(table.columns)}"
        )
    if metric == valid or {metric, valid} & set(ignore):
        raise FettleError(
            f"--metric {metric}, --valid {valid or 'none'} and --ignore {','.join(ignore)} name "
            "the same column twice; each column has one meaning"
        )
    return metric, valid, ignore


def _works(table: Table, valid: str | None) -> list[bool]:
    if valid is None:
        return [True] * len(table)
    works = []
    for cell, line in zip(table.cells(valid), table.lines, strict=True):
        word = cell.lower()
        if word not in _YES | _NO:
            raise FettleError(
                f"{table.path}, line {line}: {valid} is {cell[:40]!r}; the column --valid names "
                "holds 1 or 0, true or false"
            )
        works.append(word in _YES)
    return works
