"""Analysis of variance: which terms of a linear model explain more than chance would.

Types as in R and SAS. I: each term against the terms before it (R's `aov`, which the
design-of-experiments paper uses in section IV.A, table 2). II: against all terms that do not
contain it. III: against all others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from fettle.core.errors import FettleError
from fettle.search.linear_fit import stars
from fettle.search.model_matrix import Floats, ModelMatrix


@dataclass(frozen=True)
class AnovaRow:
    """A term, its degrees of freedom, sum of squares, F and p (nan: no freedom left to test)."""

    term: str
    degrees_of_freedom: int
    sum_of_squares: float
    f: float
    p: float

    @property
    def stars(self) -> str:
        """R's marks of significance."""
        return stars(self.p)


@dataclass(frozen=True)
class AnovaTable:
    """The rows in the model's order, and the residuals' line."""

    type: str
    rows: tuple[AnovaRow, ...]
    residual_freedom: int
    residual_sum: float

    def row(self, term: str) -> AnovaRow:
        """The row of a term; a FettleError names a term that is not in the table."""
        for row in self.rows:
            if row.term == term:
                return row
        raise FettleError(f"the table has no term {term!r}: {', '.join(r.term for r in self.rows)}")

    def significant(self, level: float) -> tuple[AnovaRow, ...]:
        """The rows whose p is below a level, most significant first."""
        return tuple(sorted((r for r in self.rows if r.p < level), key=lambda r: r.p))

    def __str__(self) -> str:
        width = max([len(row.term) for row in self.rows] + [len("Residuals")])
        head = f"Type {self.type}"
        lines = [f"{head:{width}}  {'Df':>3} {'Sum Sq':>11} {'F value':>9} {'Pr(>F)':>7}  Signif."]
        for row in self.rows:
            lines.append(
                f"{row.term:{width}}  {row.degrees_of_freedom:>3} {row.sum_of_squares:>11.4g} "
                f"{row.f:>9.3f} {row.p:>7.3f}  {row.stars}"
            )
        lines.append(
            f"{'Residuals':{width}}  {self.residual_freedom:>3} {self.residual_sum:>11.4g}"
        )
        return "\n".join(line.rstrip() for line in lines)


def anova(matrix: ModelMatrix, response: Floats, kind: str = "I") -> AnovaTable:
    """The table of a model at measured rows.

    Cost: terms times rows times columns squared. Raises a FettleError for an unknown type and for
    a response that is not finite.
    """
    check_type(kind)
    if not np.all(np.isfinite(response)):
        raise FettleError("a response is not finite: leave out the runs that failed")
    count = len(matrix.formula.terms)
    everything = frozenset(range(count))
    full_sum, full_rank = _residual(matrix, response, everything)
    freedom = len(response) - full_rank
    rows: list[AnovaRow] = []
    for term, label in enumerate(matrix.formula.labels):
        with_it, without_it = _compared(matrix, term, kind)
        low, low_rank = _residual(matrix, response, without_it)
        high, high_rank = _residual(matrix, response, with_it)
        explained, degrees = max(low - high, 0.0), high_rank - low_rank
        f = p = float("nan")
        if degrees > 0 and freedom > 0 and full_sum > 0:
            f = (explained / degrees) / (full_sum / freedom)
            p = float(stats.f.sf(f, degrees, freedom))
        rows.append(AnovaRow(label, degrees, explained, f, p))
    return AnovaTable(kind, tuple(rows), freedom, full_sum)


def check_type(kind: str) -> None:
    """Raises a FettleError for a type that there is not."""
    if kind not in ("I", "II", "III"):
        raise FettleError(f"unknown type of analysis of variance {kind!r}: give I, II or III")


def _compared(matrix: ModelMatrix, term: int, kind: str) -> tuple[frozenset[int], frozenset[int]]:
    """The terms of the two models whose residuals are compared."""
    terms = matrix.formula.terms
    if kind == "I":
        without = set(range(term))
    elif kind == "II":
        own = set(terms[term])
        without = {i for i in range(len(terms)) if i != term and not own < set(terms[i])}
    else:
        without = set(range(len(terms))) - {term}
    return frozenset(without | {term}), frozenset(without)


def _residual(matrix: ModelMatrix, response: Floats, terms: frozenset[int]) -> tuple[float, int]:
    chosen = [k for k, term in enumerate(matrix.term_of) if term < 0 or term in terms]
    part = matrix.values[:, chosen]
    scale = np.abs(part).max(axis=0)
    part = part / np.where(scale > 0, scale, 1.0)
    directions, sizes, _ = np.linalg.svd(part, full_matrices=False)
    rank = int((sizes > 1e-10 * sizes[0]).sum())
    left = response - directions[:, :rank] @ (directions[:, :rank].T @ response)
    return float(left @ left), rank
