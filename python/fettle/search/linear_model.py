"""Iterative linear models on random samples: DLMT without its designs."""

from __future__ import annotations

import math

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.anova import anova
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.dlmt_step import factors_to_fix
from fettle.search.formula import Formula, parse_formula
from fettle.search.initial_model import initial_model
from fettle.search.linear_fit import fit_linear
from fettle.search.model_matrix import (
    Codes,
    check_formula,
    estimable_terms,
    factor_of,
    model_matrix,
)
from fettle.search.numbering import Key
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.space import Space

# Points of a space too large to write out among which a step predicts the best.
_DRAWN = 500
# Steps that a budget is shared out to, and the budget to share out where there is none.
_STEPS = 5
_BUDGET = 120


class LinearModel(SteppedStrategy):
    """The iterative linear model ("LM") of Bruel et al. 2019, section V.A.

    Each step measures a random sample of the points that are left, fits the model to all that was
    measured among them, measures the point that the model predicts to be best, and fixes the
    factors of the significant terms (p < `significance`, at most `most` of them, at least one) to
    its values. The analysis of variance is of type II, as no term of a sample comes before another.
    Ends when all factors are fixed, whatever is left of the budget. `formula` is the model, as in
    `y ~ a + 1/a`; without it each factor has a linear term, and one for a bend. `sample` is the
    size of a step's sample; None: a fifth of the budget. Failed points are left out of the fit.

    A step costs points left times terms. FettleError for a sample with no more points than terms.
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        formula: str | None = None,
        sample: int | None = None,
        significance: float = 0.01,
        most: int = 1,
    ) -> None:
        super().__init__(space, seed, budget)
        self.sample = max((budget or _BUDGET) // _STEPS - 1, 2) if sample is None else sample
        if self.sample < 2:
            raise FettleError(f"a sample of {self.sample} points a step; give at least 2")
        if most < 1:
            raise FettleError(f"at most {most} factors fixed a step; give at least 1")
        if not 0 < significance <= 1:
            raise FettleError(f"a significance of {significance}; give a probability, such as 0.05")
        self.significance = significance
        self.most = most
        self.factors = [factor_of(parameter) for parameter in space.parameters]
        self.formula = None if formula is None else parse_formula(formula, self.points.names)
        if self.formula is not None:
            check_formula(self.formula, self.factors)
        if self.formula is not None and self.sample <= len(self.formula.terms):
            raise FettleError(
                f"a sample of {self.sample} points a step cannot tell the "
                f"{len(self.formula.terms)} terms of {formula!r} apart; give a larger sample or "
                "fewer terms"
            )

    def steps(self) -> Steps[None]:
        """Steps until every factor is fixed."""
        names = self.points.names
        formula = self.formula
        if formula is None and any(levels > 1 for levels in self.points.levels):
            formula = initial_model(self.factors, self.sample - 1)
        fixed: dict[str, int] = {}
        while True:
            left = self._left(fixed)
            fresh = [key for key in left if key not in self.visited]
            for key in self.rng.sample(fresh, min(self.sample, len(fresh))):
                yield from self.value(key)
            if formula is None or not formula.terms or len(fresh) <= self.sample:
                return
            chosen = self._model_step(formula, left)
            if chosen is None:  # all failed: another sample
                continue
            best, factors = chosen
            yield from self.value(best)
            fixed.update((name, best[names.index(name)]) for name in factors)
            formula = formula.without(fixed)

    def _model_step(self, formula: Formula, left: list[Key]) -> tuple[Key, list[str]] | None:
        """The predicted best point and the factors to fix."""
        known = [key for key in left if self.values.get(key, math.inf) < math.inf]
        if len(known) < 2:
            return None
        codes: Codes = np.array(known, dtype=np.int64)
        response = np.array([self.values[key] for key in known])
        terms = estimable_terms(model_matrix(formula, self.factors, codes))
        terms = terms[: max(len(known) - 2, 1)]
        if not terms:  # the sample does not vary in any factor of the model
            best = known[int(response.argmin())]
            return best, [formula.factors[0]]
        model = formula.only(terms)
        matrix = model_matrix(model, self.factors, codes)
        fit = fit_linear(matrix.values, response, matrix.column_labels)
        everywhere = model_matrix(model, self.factors, np.array(left, dtype=np.int64))
        predicted = fit.predict(everywhere.values)
        table = anova(matrix, response, "II")
        return left[int(predicted.argmin())], list(
            factors_to_fix(table, model, self.significance, self.most)
        )

    def _left(self, fixed: dict[str, int]) -> list[Key]:
        """The points that have the fixed values; of very many a random part."""
        codes, keys = self.points.codes, self.points.keys
        if codes is not None and keys is not None:
            columns = [self.points.names.index(name) for name in fixed]
            same = (codes[:, columns] == list(fixed.values())).all(axis=1)
            return [keys[row] for row in np.flatnonzero(same).tolist()]
        rest = Space(
            [
                Parameter(p.name, (p.values[fixed[p.name]],)) if p.name in fixed else p
                for p in self.space.parameters
            ],
            self.space.constraints,
        )
        if rest.product <= 40 * _DRAWN:
            return [self.points.key(point) for point in rest]
        points = points_of(rest)
        drawn = {points.draw(self.rng): None for _ in range(_DRAWN)}
        return [self.points.key(points.point(key)) for key in drawn]
