"""Points as rows of numbers in which a Gaussian process measures distances.

Numbers that span a factor of 4 or more count by their logarithm, others as they are, words one by
one. Where the constraints leave only multiples of one parameter for another, their quotient
replaces the multiple (fettle.search.auto.quotients).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fettle.data.training_set import Floats
from fettle.search.auto.anova_surrogate import Rows, scaled
from fettle.search.auto.quotients import Quotients
from fettle.search.points import Points


class Features:
    """The features of a space's points. Costs a pass over them if they are written out."""

    def __init__(self, points: Points, with_quotients: bool = True) -> None:
        self._quotients = Quotients(points, with_quotients)
        # A multiple is the product of its quotient and its divisor, which are features already.
        multiples = {i for i, _ in self._quotients.pairs}
        self._columns = [
            (i, _column(parameter.values, ordered))
            for i, (parameter, ordered) in enumerate(
                zip(points.space.parameters, points.ordered, strict=True)
            )
            if i not in multiples
        ]
        self._quotient_columns = [scaled(values)[:, None] for values in self._quotients.values]
        self.width = sum(column.shape[1] for _, column in self._columns)
        self.width += len(self._quotient_columns)

    def rows(self, keys: Rows) -> Floats:
        """A row a key, each feature from 0 to 1."""
        columns = [column[keys[:, i]] for i, column in self._columns]
        if self._quotient_columns:
            quotients = self._quotients.of(keys)
            columns += [c[quotients[:, i]] for i, c in enumerate(self._quotient_columns)]
        return np.hstack(columns)


def _column(values: Sequence[Any], ordered: bool) -> Floats:
    if not ordered:
        if len(values) == 2:
            return np.array([[0.0], [1.0]])
        return np.eye(len(values)) * math.sqrt(0.5)
    return scaled(np.array(values, dtype=float))[:, None]
