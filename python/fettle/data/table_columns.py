"""The cells of a table, a column at a time: compact, because a table may have a million rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from fettle.data.training_set import Floats

SEPARATOR = "\x1f"  # the unit separator of ASCII; no cell has one
ROWS = 8192  # that are kept as one text

Otherwise: TypeAlias = Callable[[int, str], float]


class Column:
    """The texts of a column, in order, joined piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def add(self, cells: Sequence[str]) -> None:
        """Further cells. Raises ValueError for one that has a SEPARATOR."""
        piece = SEPARATOR.join(cells)
        if piece.count(SEPARATOR) != len(cells) - 1:
            raise ValueError("a cell has the control character \\x1f")
        self._pieces.append(piece)

    def cells(self) -> list[str]:
        """The texts, without blanks around them."""
        return [cell.strip() for piece in self._pieces for cell in piece.split(SEPARATOR)]

    def numbers(self, otherwise: Otherwise) -> Floats:
        """The numbers; `otherwise(row, text)` gives the value of a text that is not a number."""
        found: list[Floats] = []
        row = 0
        for piece in self._pieces:
            count = piece.count(SEPARATOR) + 1
            numbers = _all_numbers(piece, count)
            if numbers is None:
                cells = enumerate(piece.split(SEPARATOR), row)
                numbers = np.fromiter(_each_number(cells, otherwise), dtype=float, count=count)
            found.append(numbers)
            row += count
        return np.concatenate(found)


def _all_numbers(piece: str, count: int) -> Floats | None:
    """All cells of a piece at once; None where one of them is not a plain number."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            numbers: Floats = np.fromstring(piece, dtype=float, sep=SEPARATOR)
        except (DeprecationWarning, ValueError):
            return None
    return numbers if len(numbers) == count else None


def _each_number(cells: Iterable[tuple[int, str]], otherwise: Otherwise) -> Iterator[float]:
    for row, cell in cells:
        try:
            if "_" in cell or not cell.isascii():  # which Python would read as a number
                raise ValueError
            yield float(cell)
        except ValueError:
            yield otherwise(row, cell.strip())
