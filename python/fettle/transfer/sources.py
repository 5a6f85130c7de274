"""Measurements of several machines: what a row of a table with a machine column becomes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.wording import counted
from fettle.data.score import share_of_best
from fettle.data.table import Table
from fettle.data.training_set import Floats, TrainingWarning

WORST = 2.0
"""What a variant loses that has failed, in the measure of `Measured.gains`."""


@dataclass(frozen=True, eq=False)
class Measured:
    """n measured inputs of one or several machines; on each some variant works."""

    variants: tuple[str, ...]
    features: tuple[str, ...]
    machines: tuple[str, ...]
    machine: NDArray[np.intp]
    """The index of each row's machine, (n,)."""
    input: NDArray[np.intp]
    """Rows of one input have one number, on whatever machine, (n,)."""
    values: Floats
    """Features of the inputs, not a number where the table has none, (n, d)."""
    costs: Floats
    """Infinite where a variant failed or is absent, (n, k)."""

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.machine)

    def rows(self, chosen: NDArray[np.intp]) -> Measured:
        """Some of the rows."""
        return Measured(
            self.variants,
            self.features,
            self.machines,
            self.machine[chosen],
            self.input[chosen],
            self.values[chosen],
            self.costs[chosen],
        )

    def of_machine(self, index: int) -> NDArray[np.intp]:
        """The rows of one machine."""
        found: NDArray[np.intp] = np.flatnonzero(self.machine == index)
        return found

    def absent(self, index: int) -> NDArray[np.bool_]:
        """The variants that never worked on a machine, (k,)."""
        found: NDArray[np.bool_] = ~np.isfinite(self.costs[self.machine == index]).any(axis=0)
        return found

    def shares(self) -> Floats:
        """The share of best of each variant, (n, k)."""
        return share_of_best(self.costs)

    def gains(self) -> Floats:
        """What models predict of the share of best, (n, k): 2 (sqrt(share) - 1), from -WORST to 0.

        Near the best it is the share's logarithm, whose ratios carry from machine to machine. Far
        from it differences count less, as they do in the mean share that choices are judged by.
        """
        found: Floats = WORST * (np.sqrt(self.shares()) - 1)
        return found

    def folds(self, count: int, seed: int) -> NDArray[np.intp]:
        """A fold for each row; rows of one input are in one."""
        inputs = int(self.input.max(initial=-1)) + 1
        order = np.random.default_rng(seed).permutation(inputs)
        found: NDArray[np.intp] = (order % count)[self.input]
        return found


def measured(
    table: Table,
    machine_column: str,
    input_columns: Sequence[str],
    features: Sequence[str],
    metrics: Sequence[str],
    absent: Sequence[tuple[str, str]] = (),
) -> tuple[Measured, NDArray[np.intp]]:
    """What a table says, and the table's row of each row.

    `absent` are pairs of a machine ("" for all) and a variant that it lacks, whatever its column
    says. Rows on which no variant works are left out with a warning. Raises FettleError for columns
    that do not exist and where no row is left.
    """
    for option, names in (("--features", features), ("--metrics", metrics)):
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise FettleError(f"{option} names {twice!r} twice; name each column once")
    both = next((name for name in features if name in metrics), None)
    if both is not None:
        raise FettleError(
            f"{both!r} is both a feature and a metric; what is measured only after choosing cannot "
            "be chosen by"
        )
    if len(metrics) < 2:
        raise FettleError(
            f"--metrics names {len(metrics)} column; choosing needs at least two variants"
        )
    where = table.cells(machine_column)
    costs = np.column_stack([table.metric(name) for name in metrics])
    for machine, variant in absent:
        if variant not in metrics:
            raise FettleError(
                f"--absent names {variant!r}, which is none of the metrics {', '.join(metrics)}"
            )
        if machine and machine not in where:
            raise FettleError(
                f"--absent names the machine {machine!r}, of which {table.path} has no row"
            )
        lacking = np.array([not machine or name == machine for name in where], dtype=bool)
        costs[lacking, metrics.index(variant)] = math.inf
    keep = np.flatnonzero(np.isfinite(costs).any(axis=1) & np.array([bool(one) for one in where]))
    if not len(keep):
        raise FettleError(
            f"{table.path}: no row has a machine and a finite number in {', '.join(metrics)}"
        )
    if len(keep) < len(table):
        lost = np.setdiff1d(np.arange(len(table)), keep)
        warnings.warn(
            f"{table.path}: {len(lost)} of {counted(len(table), 'row')} are left out, with no "
            f"finite metric or no machine; the first is line {table.lines[lost[0]]}",
            TrainingWarning,
            stacklevel=2,
        )
    machines = tuple(dict.fromkeys(where[i] for i in keep))
    values = np.column_stack([known_numbers(table, name) for name in features])
    found = Measured(
        tuple(metrics),
        tuple(features),
        machines,
        np.array([machines.index(where[i]) for i in keep], dtype=np.intp),
        _input_numbers(table, input_columns, keep),
        values[keep],
        costs[keep],
    )
    return found, keep


def joined(data: Measured, other: Measured) -> Measured:
    """The rows of both; the one machine of `other` comes last. Inputs are numbered apart."""
    return Measured(
        data.variants,
        data.features,
        (*data.machines, *other.machines),
        np.concatenate([data.machine, other.machine + len(data.machines)]),
        np.concatenate([data.input, other.input]),
        np.vstack([data.values, other.values]),
        np.vstack([data.costs, other.costs]),
    )


def known_numbers(table: Table, column: str) -> Floats:
    """A column of numbers, not a number where a cell is empty. Raises FettleError for words."""
    cells = table.cells(column)
    if all(cells):
        return table.numbers(column)
    for row, cell in enumerate(cells):
        try:
            float(cell or "nan")
        except ValueError:
            raise FettleError(
                f"{table.path}, line {table.lines[row]}: {column} is {cell[:40]!r}, which is not a "
                "number; correct the cell or leave it empty"
            ) from None
    return np.array([float(cell or "nan") for cell in cells])


def _input_numbers(
    table: Table, columns: Sequence[str], keep: NDArray[np.intp]
) -> NDArray[np.intp]:
    """A number for each row, the same where all of `columns` are the same; without any, the row."""
    if not columns:
        return np.arange(len(keep), dtype=np.intp)
    texts = list(zip(*(table.cells(name) for name in columns), strict=True))
    numbers: dict[tuple[str, ...], int] = {}
    return np.array([numbers.setdefault(texts[i], len(numbers)) for i in keep], dtype=np.intp)
