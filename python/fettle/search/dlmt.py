"""DLMT: search by D-optimal designs, a linear model, analysis of variance and transformation.

Bruel, Quinito Masnada, Videau, Legrand, Vincent, Goldman: Autotuning under Tight Budget
Constraints: A Transparent Design of Experiments Approach, CCGRID 2019, section III (figure 2's
steps). Each step builds a design for its model over the points that are left, measures it, tests
the model's terms, fits, predicts the best point and fixes the most significant factors at its
levels. When no factor is left, points near the best are tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.anova import check_type
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.design import Design
from fettle.search.dlmt_candidates import Candidates, Mask
from fettle.search.dlmt_design import coefficients, design_size, estimable, next_round
from fettle.search.dlmt_step import Decision, Step, analyse, factors_to_fix
from fettle.search.formula import Formula, parse_formula
from fettle.search.initial_model import initial_model
from fettle.search.model_matrix import (
    Codes,
    check_formula,
    factor_of,
    model_matrix,
)
from fettle.search.neighbourhood import next_to, predict_around_best
from fettle.search.numbering import Key
from fettle.search.space import Point, Space


class Dlmt(SteppedStrategy):
    """The strategy; `steps_taken` keeps each step's tables, and printing a step prints them.

    formula      the first model, `y ~ a + 1/a + b*c`; None: initial_model() of the factors
    ordered      non-numeric factors whose values are in order, as -O0, -O1, ...: 1, 2, ...
    runs         measurements a coefficient in each design; points of earlier steps count
    significance, most_fixed   which factors a step fixes: those with a term of smaller p, at most
                 so many, and the most significant one in any case
    anova        the type of the analysis of variance: I, II or III; I, the paper's, depends on the
                 order of the terms
    transform    whether the response may be transformed by a power
    enough       measurements a coefficient of the first model in all: until then, points near the
                 best are tried at the end; None: until the budget is spent
    nearness     how fast the weight of a measured point falls with its distance to the best there
    include      points that the first design must have
    exclude      points that no design may have and no prediction may choose
    decide       called with each step, whose `decision` is what would be done; returns another
                 Decision, or None to agree
    """

    def __init__(
        self,
        space: Space,
        seed: int,
        budget: int | None = None,
        *,
        formula: str | None = None,
        ordered: Collection[str] = (),
        runs: float = 1.5,
        significance: float = 0.1,
        most_fixed: int = 2,
        anova: str = "II",
        transform: bool = True,
        enough: float | None = 4.6,
        nearness: float = 3.0,
        include: Sequence[Point] = (),
        exclude: Callable[[Point], bool] | None = None,
        decide: Callable[[Step], Decision | None] | None = None,
    ) -> None:
        super().__init__(space, seed, budget)
        _check_options(runs, significance, most_fixed, anova)
        strange = [name for name in ordered if name not in self.points.names]
        if strange:
            raise FettleError(f"ordered names {strange[0]!r}, which the space does not have")
        self.factors = tuple(factor_of(parameter, ordered) for parameter in space.parameters)
        self._runs, self._significance, self._most_fixed = runs, significance, most_fixed
        self._anova, self._transform = anova, transform
        self._enough, self._nearness = enough, nearness
        self._include = [self.points.key(point) for point in include]
        for key in self._include:
            if not self.points.is_valid(key):
                raise FettleError(
                    f"include has {self.points.point(key)}, which is not in the search space: "
                    f"{space.violation(self.points.point(key))}"
                )
        self._exclude, self._decide = exclude, decide
        self._generator = np.random.default_rng(seed)
        self.formula = self._first_formula(formula)
        self.steps_taken: list[Step] = []

    def steps(self) -> Steps[None]:
        """The paper's figure 2 until every factor is fixed, then points near the best."""
        known = Candidates(self.points, self.rng, self._include, self._exclude)
        left = known.allowed.copy()
        formula: Formula | None = self.formula
        while formula is not None:
            before = len(self.steps_taken)
            formula = yield from self._step(formula, known, left)
            if len(self.steps_taken) == before:
                break
            decision = self.steps_taken[-1].decision
            for name, levels in decision.keep.items():
                at = self.points.names.index(name)
                kept = [self.factors[at].levels.index(level) for level in levels]
                left &= np.isin(known.codes[:, at], kept)
        yield from self._refine(known)

    def _measure(self, known: Candidates, key: Key) -> Steps[None]:
        known.note(key, (yield from self.value(key)))

    def _step(self, formula: Formula, known: Candidates, left: Mask) -> Steps[Formula | None]:
        rows = np.flatnonzero(left)
        formula = estimable(formula, self.factors, known.codes[rows])
        if not formula.terms:
            return None
        design = yield from self._measure_design(formula, known, rows)
        good = rows[known.good[rows]]
        if len(good) < 2:
            return None
        formula = estimable(formula, self.factors, known.codes[good])
        if not formula.terms:
            return None
        response = known.values[good]
        matrix = model_matrix(formula, self.factors, known.codes[good])
        analysis = analyse(matrix, response, self._anova, self._transform)
        rows = rows[known.working()[rows]]
        everywhere = model_matrix(formula, self.factors, known.codes[rows])
        best = known.key(rows[int(np.argmin(analysis.fit.predict(everywhere.values)))])
        yield from self._measure(known, best)
        predicted = self.points.point(best)
        fixed = factors_to_fix(analysis.anova, formula, self._significance, self._most_fixed)
        step = Step(
            len(self.steps_taken) + 1,
            formula,
            len(rows),
            design,
            tuple(self.points.point(known.key(row)) for row in good),
            response,
            analysis.anova,
            analysis.test,
            analysis.transformation,
            analysis.fit,
            predicted,
            Decision({name: (predicted[name],) for name in fixed}),
        )
        decision = (self._decide(step) if self._decide else None) or step.decision
        decision.check(self.factors)
        self.steps_taken.append(replace(step, decision=decision))
        if decision.stop:
            return None
        gone = [name for name, levels in decision.keep.items() if len(levels) == 1]
        return decision.formula or formula.without(gone)

    def _measure_design(
        self, formula: Formula, known: Candidates, rows: Codes
    ) -> Steps[Design | None]:
        """Measures until as many points as the design has have worked, or none is left."""
        size = design_size(formula, self.factors, known.codes[rows], self._runs)
        design: Design | None = None
        if not self.visited:
            for key in self._include:
                yield from self._measure(known, key)
        while True:
            found = next_round(formula, self.factors, known, rows, size, self._generator)
            if not len(found.rows):
                return design
            if found.design is not None:
                design = found.design
            for row in found.rows:
                yield from self._measure(known, known.key(row))

    def _refine(self, known: Candidates) -> Steps[None]:
        formula = estimable(self.formula, self.factors, known.codes)
        values = model_matrix(formula, self.factors, known.codes).values
        most = math.inf if self._enough is None else self._enough * values.shape[1]
        while len(self.visited) + 1 <= most:
            measured = np.flatnonzero(known.good)
            if not len(measured):
                return
            response = known.values[measured]
            best = known.codes[measured[int(np.argmin(response))]]
            near = next_to(known.codes, best, 2)
            near = near[known.allowed[near] & ~known.seen[near] & known.working()[near]]
            if not len(near):
                return
            predicted = predict_around_best(values, measured, response, self._nearness)
            yield from self._measure(known, known.key(near[int(np.argmin(predicted[near]))]))

    def _first_formula(self, text: str | None) -> Formula:
        if text is not None:
            formula = parse_formula(text, self.points.names)
            check_formula(formula, self.factors)
            columns = coefficients(
                formula, self.factors, np.zeros((1, len(self.factors)), dtype=np.int64)
            )
            if self.budget is not None and self.budget < columns:
                raise FettleError(
                    f"a budget of {self.budget} measurements cannot estimate the {columns} "
                    f"coefficients of {formula}: give at least {columns}, or leave out terms"
                )
            return formula
        # Half of a budget for the first design.
        most = None if self.budget is None else max(2, int(self.budget / self._runs / 2))
        return initial_model(self.factors, most)


def _check_options(runs: float, significance: float, most_fixed: int, anova: str) -> None:
    if runs < 1:
        raise FettleError(
            f"runs is {runs:g} measurements a coefficient: fewer than 1 cannot estimate a model"
        )
    if not 0 < significance <= 1:
        raise FettleError(f"a significance of {significance}; give a probability, such as 0.05")
    if most_fixed < 1:
        raise FettleError(
            f"most_fixed is {most_fixed}: a step has to fix a factor; give at least 1"
        )
    check_type(anova)
