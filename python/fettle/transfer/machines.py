"""What is known of each machine: columns of numbers, and columns of words such as its kind.

A machines file is a CSV file with a line a machine. Numbers are device features, on a logarithmic
scale where all of them are positive. Words group machines; `guard.py` looks at them. An empty cell
or a zero says that the value is not known.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fettle.core.errors import FettleError
from fettle.data.table import read_table
from fettle.data.training_set import Floats, TrainingWarning

OTHER_UNIT = 100.0
"""A value by this factor beyond the range of the sources is taken for one in another unit."""


@dataclass(frozen=True, eq=False)
class Machines:
    """Machines by name, with their device features; `values` is not a number where unknown."""

    names: tuple[str, ...]
    features: tuple[str, ...]
    values: Floats
    """As in the file, (machines, features)."""
    words: dict[str, tuple[str, ...]]
    """The columns of words: a word a machine."""

    def of(self, names: Sequence[str]) -> Machines:
        """Some of the machines, in that order."""
        indices = [self.names.index(name) for name in names]
        return Machines(
            tuple(names),
            self.features,
            self.values[indices],
            {column: tuple(words[i] for i in indices) for column, words in self.words.items()},
        )

    def with_one(self, other: Machines) -> Machines:
        """These machines and one more with the same features, and no words."""
        return Machines(
            (*self.names, *other.names),
            self.features,
            np.vstack([self.values, other.values]),
            {column: (*words, "") for column, words in self.words.items()},
        )

    def like(self, sources: Machines, file: str) -> Machines:
        """These machines of a file with the columns of `sources`, others left out with a warning.

        Values that can only be of another unit count as unknown, with a warning. Raises FettleError
        where a column of `sources` is missing.
        """
        known = {*self.features, *self.words}
        needed = [*sources.features, *sources.words]
        missing = [name for name in needed if name not in known]
        if missing:
            raise FettleError(
                f"{file} has no column {missing[0]!r}, which the model's source "
                f"machines have; add it (an empty cell says that it is not known); its columns "
                f"are {', '.join([*self.features, *self.words])}"
            )
        extra = [name for name in (*self.features, *self.words) if name not in needed]
        if extra:
            _warn(
                f"{file} has a column {extra[0]!r}, which the model does not know; it is left out "
                "(train again with it in the machines file of the sources)"
            )
        values = np.full((len(self.names), len(sources.features)), np.nan)
        for j, name in enumerate(sources.features):
            if name not in self.features:  # words where the sources have numbers
                _warn(f"{name} is not a number for the machines of this file; it is not used")
                continue
            values[:, j] = self.values[:, self.features.index(name)]
            there = sources.values[:, j][np.isfinite(sources.values[:, j])]
            if not len(there) or there.min() <= 0:
                continue
            for i, value in enumerate(values[:, j].tolist()):
                if is_in_other_unit(value, there):
                    _warn(
                        f"{name} of {self.names[i]} is {value:g}, but {there.min():g} to "
                        f"{there.max():g} on the source machines: is it in another unit? It counts "
                        "as not known"
                    )
                    values[i, j] = np.nan
        words = {
            name: self.words.get(name, tuple("" for _ in self.names)) for name in sources.words
        }
        return Machines(self.names, sources.features, values, words)


def is_in_other_unit(value: float, there: Floats) -> bool:
    """Whether a value is too far from those known of other machines to be in their unit."""
    return math.isfinite(value) and not (
        there.min() / OTHER_UNIT <= value <= there.max() * OTHER_UNIT
    )


def read_machines(
    path: Path, column: str, needed: Sequence[str], *, may_be_negative: bool = False
) -> Machines:
    """The machines `needed`, in that order, of a machines file whose names are in `column`.

    A file without that column has them in its first one. Raises FettleError for a machine that is
    missing or there twice, for a negative feature unless it `may_be_negative`, and where no column
    holds numbers.
    """
    table = read_table(path)
    column = column if column in table.columns else table.columns[0]
    names = table.cells(column)
    for name in needed:
        if names.count(name) != 1:
            what = "no line" if name not in names else "several lines"
            raise FettleError(
                f"{path} has {what} for the machine {name!r} in its column {column!r}; give each "
                f"machine one line with its features; it has {', '.join(names[:20])}"
            )
    indices = [names.index(name) for name in needed]
    features: list[str] = []
    values: list[list[float]] = []
    words: dict[str, tuple[str, ...]] = {}
    for other in table.columns:
        if other == column:
            continue
        cells = [table.cells(other)[i] for i in indices]
        numbers = [_number(cell) for cell in cells]
        odd = [k for k, cell in enumerate(cells) if cell and numbers[k] is None]
        if odd:
            words[other] = tuple(cells)
            if any(number is not None and math.isfinite(number) for number in numbers):
                _warn(
                    f"{path}, line {table.lines[indices[odd[0]]]}: {other} is "
                    f"{cells[odd[0]][:40]!r}, which is not a number, so that its numbers count as "
                    "words that group machines; correct the cell, or leave it empty"
                )
        else:
            negative = [k for k, one in enumerate(numbers) if one is not None and one < 0]
            if negative and not may_be_negative:
                raise FettleError(
                    f"{path}, line {table.lines[indices[negative[0]]]}: {other} is "
                    f"{numbers[negative[0]]:g}; a device feature is a positive number: correct the "
                    "cell, or leave it empty where the feature is not known"
                )
            features.append(other)
            values.append([math.nan if one is None else one for one in numbers])
    if not features:
        raise FettleError(
            f"{path} has no column of numbers; machines are compared by their features, such as "
            "bandwidth_gb_s or cores"
        )
    shaped = np.array(values, dtype=np.float64).T.reshape(len(needed), len(features))
    shaped[shaped == 0] = np.nan
    for j, name in enumerate(features):
        lacking = [needed[i] for i in np.flatnonzero(np.isnan(shaped[:, j])).tolist()]
        if lacking:
            _warn(
                f"{path}: {name} is empty or 0 for {', '.join(lacking[:8])}; there it counts as "
                "not known"
            )
    return Machines(tuple(needed), tuple(features), shaped, words)


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else math.nan


def _warn(text: str) -> None:
    warnings.warn(text, TrainingWarning, stacklevel=3)
