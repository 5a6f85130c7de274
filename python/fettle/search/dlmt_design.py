"""What a design-of-experiments search measures next, so that its model can be estimated.

A design is measured in rounds: points fail, and those that worked in earlier steps count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fettle.search.design import Design, d_optimal
from fettle.search.dlmt_candidates import Candidates
from fettle.search.formula import Formula
from fettle.search.model_matrix import (
    Codes,
    Factor,
    estimable_terms,
    independent_columns,
    model_matrix,
)


@dataclass(frozen=True)
class Round:
    """Rows to measure; none: the design is complete, or nothing is left. And the design."""

    rows: Codes
    design: Design | None = None
    """None where all that is left is to be measured."""


def next_round(
    formula: Formula,
    factors: Sequence[Factor],
    known: Candidates,
    rows: Codes,
    size: int,
    generator: np.random.Generator,
) -> Round:
    """What is missing of a design of `size` points for `formula` among the candidates `rows`."""
    nothing = Round(rows[:0])
    good = known.good[rows]
    barred = (known.seen[rows] | ~known.working()[rows]) & ~good
    usable = np.flatnonzero(~barred)
    if not len(usable):
        return nothing
    formula = estimable(formula, factors, known.codes[rows[usable]])
    matrix = model_matrix(formula, factors, known.codes[rows])
    # Categories that occur together are one column: a design cannot tell them apart.
    matrix = matrix.columns(independent_columns(matrix.rows(usable)))
    fixed = np.flatnonzero(good)
    # Known points that do not tell all terms apart need others beside them.
    unknown = matrix.values.shape[1]
    if len(fixed):
        unknown -= int(np.linalg.matrix_rank(matrix.rows(fixed)))
    missing = max(size - len(fixed), unknown)
    free = len(usable) - len(fixed)
    if missing <= 0 or free <= 0:
        return nothing
    if free <= missing:
        return Round(rows[usable])
    design = d_optimal(
        matrix,
        len(fixed) + missing,
        generator,
        fixed=fixed.tolist(),
        forbidden=np.flatnonzero(barred).tolist(),
    )
    return Round(rows[list(design.new_rows)], design)


def design_size(formula: Formula, factors: Sequence[Factor], codes: Codes, runs: float) -> int:
    """How many points a design has, with `runs` measurements a coefficient."""
    return math.ceil(runs * coefficients(formula, factors, codes) - 1e-9)


def coefficients(formula: Formula, factors: Sequence[Factor], codes: Codes) -> int:
    """How many coefficients a model has, the intercept included."""
    return int(model_matrix(formula, factors, codes[:1]).values.shape[1])


def estimable(formula: Formula, factors: Sequence[Factor], codes: Codes) -> Formula:
    """The formula with those of its terms that these points tell apart."""
    return formula.only(estimable_terms(model_matrix(formula, factors, codes)))
