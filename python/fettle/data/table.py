"""Tables of measurements: CSV files with a column a feature and a column a variant's cost.

    dataset,rows,cols,nnz,merge_ms,thread_ms
    1138_bus,1138,1138,4054,0.020,0.013

`read_table` reads a file (plain, .gz, .bz2 or .xz); `fettle.data.table_training_set` makes of it
what classifiers learn from. A metric that is empty or "nan" says that a constraint excludes the
input, "inf" is a cost like others, and "failed" says that the variant ran and crashed, hung, threw
or was wrong: then it is not to be chosen on any input.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import math
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fettle.core.errors import FettleError
from fettle.core.progress import Display, Silence
from fettle.core.regular_file import read_regular
from fettle.core.wording import counted
from fettle.data.table_columns import ROWS, Column
from fettle.data.training_set import Floats

_EXCLUDED = {"", "nan"}
_FAILED = {"failed"}
_NO_COMMAS = {";": "semicolons", "\t": "tabs"}  # how other programs write tables
_MOST_NAMES = 20
_OPENERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}


@dataclass(frozen=True)
class Table:
    """The cells of a CSV file, with the line that each row ends on."""

    path: Path
    columns: tuple[str, ...]
    lines: NDArray[np.int64]
    _cells: tuple[Column, ...]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.lines)

    def cells(self, column: str) -> list[str]:
        """One column. Raises FettleError, listing the columns, where there is none of that name."""
        return self._column(column).cells()

    def numbers(self, column: str) -> Floats:
        """One column of numbers. Raises FettleError, naming the line, for a cell that is none."""
        return self._column(column).numbers(lambda row, cell: self._no_number(column, row, cell))

    def metric(self, column: str, works: Sequence[bool] | None = None) -> Floats:
        """One column of costs, infinite where the variant failed or was excluded. Raises
        FettleError as numbers() does, and for costs that are not positive or denormal. Rows that do
        not work are not looked at."""
        broken = np.zeros(len(self), dtype=bool) if works is None else ~np.array(works, dtype=bool)

        def failed(row: int, cell: str) -> float:
            failure = broken[row] or cell.lower() in _EXCLUDED | _FAILED
            return math.inf if failure else self._no_number(column, row, cell)

        costs = self._column(column).numbers(failed)
        costs[np.isnan(costs) | broken] = math.inf
        [below] = np.nonzero(costs < sys.float_info.min)
        if len(below):
            raise FettleError(
                f"{self.path}, line {self.lines[below[0]]}: {column} is {costs[below[0]]:g}; a "
                "metric is a positive number, smaller is better; leave the cell empty where a "
                "constraint excludes the input, and write failed where the variant failed"
            )
        return costs

    def _column(self, name: str) -> Column:
        if name not in self.columns:
            names = ", ".join(self.columns[:_MOST_NAMES])
            more = ", ..." if len(self.columns) > _MOST_NAMES else ""
            one = self.columns[0] if len(self.columns) == 1 else ""
            odd = next((what for mark, what in _NO_COMMAS.items() if mark in one), "")
            remedy = f"; its cells are separated by {odd}: separate them by commas" if odd else ""
            raise FettleError(
                f"{self.path} has no column {name!r}; its columns are {names}{more}{remedy}"
            )
        return self._cells[self.columns.index(name)]

    def _no_number(self, column: str, row: int, cell: str) -> float:
        raise FettleError(
            f"{self.path}, line {self.lines[row]}: {column} is {cell[:40]!r}, which is not a "
            "number; correct the cell or remove the line"
        )

    def excluded(self, column: str) -> NDArray[np.bool_]:
        """Where a constraint excludes the input from one column's variant."""
        return np.array([cell.lower() in _EXCLUDED for cell in self.cells(column)], dtype=bool)

    def failed(self, column: str) -> NDArray[np.bool_]:
        """Where one column's variant ran and failed."""
        return np.array([cell.lower() in _FAILED for cell in self.cells(column)], dtype=bool)


def read_table(path: Path, display: Display | None = None) -> Table:
    """Read a CSV file with a header line; `display` shows how far it is.

    Byte order mark, CRLF, blank lines and quoted cells are all right. Raises FettleError for a file
    that cannot be read, has no rows, names a column twice or has rows of the wrong length.
    """
    content = _content(path)
    display = display or Silence()
    display.begin(f"reading {path}", content.count(b"\n") // ROWS, f"block of {ROWS} line")
    text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="")
    reader = csv.reader(text, skipinitialspace=True)
    columns: tuple[str, ...] = ()
    cells: tuple[Column, ...] = ()
    rows: list[list[str]] = []
    lines: list[int] = []
    begin = end = 0
    try:
        for record in reader:
            begin, end = end + 1, reader.line_num
            if not record or (not record[0].strip() and not any(map(str.strip, record))):
                continue
            if not columns:
                columns = tuple(cell.strip() for cell in record)
                cells = tuple(Column() for _ in columns)
                _check_names(path, columns)
                continue
            if len(record) != len(columns):
                raise FettleError(
                    f"{path}, line {begin}: {_why_wrong(record, columns, begin, end)}"
                )
            rows.append(record)
            lines.append(reader.line_num)
            if len(rows) == ROWS:
                _keep(cells, rows)
                display.advance()
        _keep(cells, rows)
    except (csv.Error, ValueError) as error:
        raise FettleError(f"{path}, line {reader.line_num}: {error}; is this a CSV file?") from None
    finally:
        display.end()
    if not lines:
        raise FettleError(
            f"{path} is empty; a header line and at least one line of measurements are needed"
        )
    twice = next((name for i, name in enumerate(columns) if name in columns[:i]), None)
    if twice is not None:
        raise FettleError(f"{path} has two columns named {twice!r}; rename one of them")
    return Table(path, columns, np.array(lines, dtype=np.int64), cells)


def _keep(columns: Sequence[Column], rows: list[list[str]]) -> None:
    """Moves rows into the columns."""
    if rows:
        for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
            column.add(cells)
        rows.clear()


def _content(path: Path) -> bytes:
    """The file's content, which is UTF-8. Raises FettleError."""
    try:
        content = read_regular(path)
    except OSError as error:
        raise FettleError(
            f"cannot read the table {path}: {error.strerror}; name a CSV file (current directory: "
            f"{Path.cwd()})"
        ) from None
    try:
        content = _OPENERS.get(path.suffix, bytes)(content)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        raise FettleError(f"{path} is not a {path.suffix} file, or a damaged one") from None
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise FettleError(
            f"{path} is not UTF-8 text (byte {error.start}); save the table as CSV in UTF-8"
        ) from None
    return content


def _check_names(path: Path, columns: tuple[str, ...]) -> None:
    for name in columns:
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in name):
            raise FettleError(
                f"{path}: the name of the column {name!r} has a control character; rename it"
            )


def _why_wrong(record: list[str], columns: tuple[str, ...], begin: int, end: int) -> str:
    """What is wrong with a record of another length than the header, in lines begin to end."""
    said = f"there are {len(record)} cells, but {counted(len(columns), 'column')}"
    if end > begin:
        return f"a quotation mark is not closed until line {end}, so that {said}; close it"
    if len(columns) == 1:
        for separator, name in _NO_COMMAS.items():
            if separator in columns[0]:
                return f"{said}; its cells are separated by {name}: separate them by commas"
        if columns[0].startswith("#"):
            return f"{said}; the first line has to name the columns, and is {columns[0][:40]!r}"
    return f"{said}; correct or remove the line"
