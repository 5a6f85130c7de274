"""Tables of measurements: CSV files with a column a feature and a column a variant's cost.

    dataset,rows,cols,nnz,merge_ms,thread_ms
    1138_bus,1138,1138,4054,0.020,0.013

`read_table` reads a file (plain, .gz, .bz2 or .xz), `training_set` makes of it what classifiers
learn from, `costs` and `values` what `fettle evaluate` judges on. A metric that is empty, "nan" or
"inf" says that the variant failed on that input.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import math
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fettle.errors import FettleError
from fettle.training_set import Floats, TrainingSet, TrainingWarning

UNITS = {"_s": 1.0, "_ms": 1e-3, "_us": 1e-6, "_ns": 1e-9}
"""Seconds in the unit that a metric's name ends with."""

_FAILED = {"", "nan", "inf", "+inf", "infinity"}
_MOST_NAMES = 20
_OPENERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}


@dataclass(frozen=True)
class Table:
    """The cells of a CSV file as text, with the line that each row ends on."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    def cells(self, column: str) -> list[str]:
        """One column. Raises FettleError, listing the columns, where there is none of that name."""
        if column not in self.columns:
            names = ", ".join(self.columns[:_MOST_NAMES])
            more = ", ..." if len(self.columns) > _MOST_NAMES else ""
            raise FettleError(
                f"{self.path} has no column {column!r}; its columns are {names}{more}"
            )
        place = self.columns.index(column)
        return [row[place] for row in self.rows]

    def numbers(self, column: str) -> Floats:
        """One column of numbers. Raises FettleError, naming the line, for a cell that is none."""
        return np.array(
            [self._number(column, cell, line) for cell, line in self._located(column)], dtype=float
        )

    def metric(self, column: str) -> Floats:
        """One column of costs, infinite where the variant failed. Raises FettleError as numbers()
        does, and for costs that are not positive."""
        found = []
        for cell, line in self._located(column):
            cost = math.inf if cell.lower() in _FAILED else self._number(column, cell, line)
            if math.isnan(cost):
                cost = math.inf
            if cost <= 0:
                raise FettleError(
                    f"{self.path}, line {line}: {column} is {cell}; a metric is a positive number, "
                    "smaller is better; leave the cell empty where the variant failed"
                )
            found.append(cost)
        return np.array(found, dtype=float)

    def _located(self, column: str) -> list[tuple[str, int]]:
        return list(zip(self.cells(column), self.lines, strict=True))

    def _number(self, column: str, cell: str, line: int) -> float:
        try:
            return float(cell)
        except ValueError:
            raise FettleError(
                f"{self.path}, line {line}: {column} is {cell[:40]!r}, which is no number; correct "
                "the cell or remove the line"
            ) from None


def read_table(path: Path) -> Table:
    """Read a CSV file with a header line.

    Byte order mark, CRLF, blank lines and quoted cells are all right. Raises FettleError for a file
    that cannot be read, has no rows, names a column twice or has rows of the wrong length.
    """
    reader = csv.reader(io.StringIO(_text(path), newline=""), skipinitialspace=True)
    columns: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    try:
        for record in reader:
            cells = tuple(cell.strip() for cell in record)
            if not any(cells):
                continue
            if not columns:
                columns = cells
                continue
            if len(cells) != len(columns):
                raise FettleError(
                    f"{path}, line {reader.line_num}: there are {len(cells)} cells, but "
                    f"{len(columns)} columns; correct or remove the line"
                )
            rows.append(cells)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise FettleError(f"{path}, line {reader.line_num}: {error}; is this a CSV file?") from None
    if not rows:
        raise FettleError(
            f"{path} is empty; a header line and at least one line of measurements are needed"
        )
    twice = next((name for i, name in enumerate(columns) if name in columns[:i]), None)
    if twice is not None:
        raise FettleError(f"{path} has two columns named {twice!r}; rename one of them")
    return Table(path, columns, tuple(rows), tuple(lines))


def values(table: Table, features: Sequence[str]) -> Floats:
    """The feature values, (rows, features)."""
    return np.column_stack([table.numbers(name) for name in features])


def costs(table: Table, metrics: Sequence[str]) -> Floats:
    """The costs, (rows, metrics), infinite where a variant failed."""
    return np.column_stack([table.metric(name) for name in metrics])


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
    table: Table, function: str, features: Sequence[str], metrics: Sequence[str]
) -> TrainingSet:
    """The training set in a table; variants are named as their columns.

    Rows without a finite metric or with a feature that is not finite are left out, which a
    TrainingWarning counts. Raises FettleError for columns that do not exist or serve twice, for
    fewer than two metrics, and for cells that are no numbers.
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
    keep = usable_rows(table, paid, metrics)
    finite: NDArray[np.bool_] = np.asarray(np.isfinite(known).all(axis=1))
    if not finite[keep].any():
        raise FettleError(
            f"{table.path}: every row has a value that is not finite in {', '.join(features)}"
        )
    outside = np.zeros(len(known), dtype=bool)
    outside[keep] = ~finite[keep]
    _warn_of(table, outside, f"a value that is not finite in {', '.join(features)}")
    keep = keep[finite[keep]]
    return TrainingSet(
        function=function,
        features=tuple(features),
        variants=tuple(metrics),
        inputs=tuple(f"line {table.lines[i]}" for i in keep),
        values=known[keep],
        costs=paid[keep],
        feature_seconds=np.zeros(len(features)),
        cost_seconds=unit_of(metrics),
    )


def unit_of(metrics: Sequence[str]) -> float:
    """Seconds in one unit of the metrics: as all their names end (_s, _ms, _us, _ns), else 1."""
    found = {
        next((seconds for end, seconds in UNITS.items() if name.endswith(end)), None)
        for name in metrics
    }
    unit = found.pop() if len(found) == 1 else None
    return 1.0 if unit is None else unit


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FettleError(
            f"cannot read the table {path}: {error.strerror}; name a CSV file (current directory: "
            f"{Path.cwd()})"
        ) from None
    try:
        content = _OPENERS.get(path.suffix, bytes)(content)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        raise FettleError(f"{path} is no {path.suffix} file, or a damaged one") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FettleError(
            f"{path} is not UTF-8 text (byte {error.start}); save the table as CSV in UTF-8"
        ) from None


def _warn_of(table: Table, rows: NDArray[np.bool_], what: str) -> None:
    places = np.flatnonzero(rows)
    if len(places):
        warnings.warn(
            f"{table.path}: {len(places)} of {len(table.rows)} rows are left out, with {what}; the "
            f"first is line {table.lines[places[0]]}",
            TrainingWarning,
            stacklevel=3,
        )
