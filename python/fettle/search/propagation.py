"""The points of a constrained product, a parameter at a time, as blocks of rows of level numbers.

A block of assignments of the first i parameters is multiplied by the values of the next one, and
each constraint whose parameters have values then takes out rows at once. What a constraint says is
asked once for each combination of the values of its parameters, however many rows have it, and
a constraint of arithmetic with numbers alone is asked for whole blocks (fettle.search.columns).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fettle.search.columns import are_numbers, holds_for
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter

BLOCK = 1 << 16
"""Rows of a block before its constraints; larger blocks are cut, and gone into one by one."""

_FIRST = 64
"""Rows of the first blocks; they grow with each that is done, so that one point is found soon."""

_MANY = 64
"""Rows from which on a constraint is asked for all of them at once."""

_DENSE = 1 << 22
"""Combinations of values of which a constraint's answers are kept in a table."""

Codes = npt.NDArray[np.integer[Any]]
Mask = npt.NDArray[np.bool_]


class Propagation:
    """Walks through the points that the constraints leave, in the product's order.

    `checks[i]` are the constraints to be asked once parameter i - 1 has a value, in their order.
    """

    def __init__(
        self, parameters: Sequence[Parameter], checks: Sequence[Sequence[Constraint]]
    ) -> None:
        self._counts = [len(parameter.values) for parameter in parameters]
        # The smallest type that holds all numbers: most of the time goes into copying rows.
        self._type = np.min_scalar_type(max([1, *self._counts]) - 1)
        self._checks = [[_Answers(each, parameters) for each in some] for some in checks]

    def blocks(self, cut: Counter[str]) -> Iterator[Codes]:
        """The points, a row of level numbers each; what is refused is added to `cut`, by reason.

        `cut` counts the points of the product below each refused assignment. Cost: the rows that
        are left of each parameter times the next one's values; memory: some blocks a parameter.
        """
        start = self._allowed(np.zeros((1, len(self._counts)), dtype=self._type), 0, cut)
        yield from self._below(start, 0, cut, [_FIRST])

    def _below(
        self, rows: Codes, depth: int, cut: Counter[str], size: list[int]
    ) -> Iterator[Codes]:
        if not len(rows) or depth == len(self._counts):
            size[0] = min(2 * size[0], BLOCK)
            if len(rows):
                yield rows
            return
        count = self._counts[depth]
        first = 0
        while first < len(rows):
            some = rows[first : first + max(size[0] // count, 1)]
            first += len(some)
            more = np.repeat(some, count, axis=0)
            more[:, depth] = np.tile(np.arange(count, dtype=self._type), len(some))
            yield from self._below(self._allowed(more, depth + 1, cut), depth + 1, cut, size)

    def _allowed(self, rows: Codes, depth: int, cut: Counter[str]) -> Codes:
        for answers in self._checks[depth]:
            if not len(rows):
                break
            holds = answers.of(rows)
            refused = len(rows) - int(holds.sum())
            if refused:
                cut[answers.constraint.reason] += refused * math.prod(self._counts[depth:])
                rows = rows[holds]
        return rows


class _Answers:
    """What a constraint says of rows."""

    def __init__(self, constraint: Constraint, parameters: Sequence[Parameter]) -> None:
        self.constraint = constraint
        names = [parameter.name for parameter in parameters]
        self._indices = [names.index(name) for name in constraint.names]
        self._values = [parameters[index].values for index in self._indices]
        counts = [len(values) for values in self._values]
        self._strides = [math.prod(counts[i + 1 :]) for i in range(len(counts))]
        self._size = math.prod(counts)
        # 1: holds, 0: does not, -1: not asked yet.
        self._known = np.full(0, -1, dtype=np.int8)
        self._are_columns = all(are_numbers(values) for values in self._values)
        self._arrays = [np.array(values) for values in self._values] if self._are_columns else []

    def of(self, rows: Codes) -> Mask:
        """Whether each row fulfils it."""
        if not self._indices:
            return np.full(len(rows), self.constraint.holds_for())
        if self._are_columns and len(rows) >= _MANY:
            columns = [a.take(rows[:, p]) for a, p in zip(self._arrays, self._indices, strict=True)]
            holds = holds_for(self.constraint.predicate, columns, len(rows))
            if holds is not None:
                return holds
            self._are_columns = False
        if self._size >= 2**62:
            return np.array([self._ask(tuple(row)) for row in rows[:, self._indices].tolist()])
        cells: Codes = sum(
            (
                rows[:, index].astype(np.int64) * stride
                for index, stride in zip(self._indices, self._strides, strict=True)
            ),
            start=np.zeros(len(rows), dtype=np.int64),
        )
        if self._size > _DENSE:
            asked, which = np.unique(cells, return_inverse=True)
            answers: Mask = self._ask_cells(asked)[which]
            return answers
        if not len(self._known):
            self._known = np.full(self._size, -1, dtype=np.int8)
        fresh = np.unique(cells[self._known[cells] < 0])
        self._known[fresh] = self._ask_cells(fresh)
        known: Mask = self._known[cells] == 1
        return known

    def _ask_cells(self, cells: Codes) -> Mask:
        counts = [len(values) for values in self._values]
        levels = np.stack(np.unravel_index(cells, counts), axis=1).tolist()
        return np.array([self._ask(tuple(each)) for each in levels], dtype=np.bool_)

    def _ask(self, levels: Sequence[int]) -> bool:
        values = (v[level] for v, level in zip(self._values, levels, strict=True))
        return self.constraint.holds_for(*values)
