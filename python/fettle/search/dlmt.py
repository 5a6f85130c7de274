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
import numpy.typing as npt

from fettle.errors import FettleError
from fettle.search.base import SteppedStrategy, Steps
from fettle.search.design import Design, d_optimal
from fettle.search.dlmt_step import Decision, Step, analyse, factors_to_fix
from fettle.search.formula import Formula, parse_formula
from fettle.search.initial_model import initial_model
from fettle.search.model_matrix import Codes, estimable_terms, factor_of, model_matrix
from fettle.search.neighbourhood import next_to, predict_around_best
from fettle.search.space import Point, Space

CANDIDATES = 25_000
"""Of larger spaces as many random points are the candidates of designs and predictions."""

Mask = npt.NDArray[np.bool_]


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
    refinements  how many points near the best are tried at the end; None: until the budget
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
        refinements: int | None = 17,
        nearness: float = 2.0,
        include: Sequence[Point] = (),
        exclude: Callable[[Point], bool] | None = None,
        decide: Callable[[Step], Decision | None] | None = None,
    ) -> None:
        super().__init__(space, seed, budget)
        if runs < 1:
            raise FettleError(
                f"runs is {runs:g} measurements a coefficient: fewer than 1 cannot estimate a model"
            )
        strange = [name for name in ordered if name not in self.points.names]
        if strange:
            raise FettleError(f"ordered names {strange[0]!r}, which the space does not have")
        self.factors = tuple(factor_of(parameter, ordered) for parameter in space.parameters)
        self._runs, self._significance, self._most_fixed = runs, significance, most_fixed
        self._anova, self._transform = anova, transform
        self._refinements, self._nearness = refinements, nearness
        self._include = [self.points.key(point) for point in include]
        self._exclude, self._decide = exclude, decide
        self._generator = np.random.default_rng(seed)
        self.formula = self._first_formula(formula)
        self.steps_taken: list[Step] = []

    def steps(self) -> Steps[None]:
        """The paper's figure 2 until every factor is fixed, then points near the best."""
        codes = self._candidates()
        left = self._allowed(codes)
        formula: Formula | None = self.formula
        while formula is not None:
            before = len(self.steps_taken)
            formula = yield from self._step(formula, codes, left)
            if len(self.steps_taken) == before:
                break
            decision = self.steps_taken[-1].decision
            for name, levels in decision.keep.items():
                at = self.points.names.index(name)
                kept = [self.factors[at].levels.index(level) for level in levels]
                left &= np.isin(codes[:, at], kept)
        yield from self._refine(codes, self._refinements)

    def _step(self, formula: Formula, codes: Codes, left: Mask) -> Steps[Formula | None]:
        rows = np.flatnonzero(left)
        if not len(rows):
            return None
        formula = self._estimable(formula, codes[rows])
        if not formula.terms:
            return None
        design = yield from self._measure_design(formula, codes, rows)
        good = np.array([row for row in rows if self._is_good(codes[row])], dtype=np.int64)
        if len(good) < 2:
            return None
        formula = self._estimable(formula, codes[good])
        if not formula.terms:
            return None
        response = np.array([self.values[_key(codes[row])] for row in good])
        matrix = model_matrix(formula, self.factors, codes[good])
        analysis = analyse(matrix, response, self._anova, self._transform)
        rows = rows[self._working(codes[rows])]
        everywhere = model_matrix(formula, self.factors, codes[rows])
        best = _key(codes[rows[int(np.argmin(analysis.fit.predict(everywhere.values)))]])
        yield from self.value(best)
        predicted = self.points.point(best)
        fixed = factors_to_fix(analysis.anova, formula, self._significance, self._most_fixed)
        step = Step(
            len(self.steps_taken) + 1,
            formula,
            len(rows),
            design,
            tuple(self.points.point(_key(codes[row])) for row in good),
            response,
            analysis.anova,
            analysis.test,
            analysis.transformation,
            analysis.fit,
            predicted,
            Decision({name: (predicted[name],) for name in fixed}),
        )
        decision = self._checked((self._decide(step) if self._decide else None) or step.decision)
        self.steps_taken.append(replace(step, decision=decision))
        if decision.stop:
            return None
        gone = [name for name, levels in decision.keep.items() if len(levels) == 1]
        return decision.formula or formula.without(gone)

    def _measure_design(self, formula: Formula, codes: Codes, rows: Codes) -> Steps[Design | None]:
        """Measures until as many points as the design has have worked, or none is left."""
        size = self._design_size(formula, codes[rows])
        design: Design | None = None
        if not self.visited:
            for key in self._include:
                yield from self.value(key)
        while True:
            working = self._working(codes[rows])
            known = [i for i, row in enumerate(rows) if self._is_good(codes[row])]
            barred = [
                i
                for i, row in enumerate(rows)
                if (not working[i] or _key(codes[row]) in self.visited)
                and not self._is_good(codes[row])
            ]
            usable = np.setdiff1d(np.arange(len(rows)), barred)
            if not len(usable):
                return design
            formula = self._estimable(formula, codes[rows[usable]])
            matrix = model_matrix(formula, self.factors, codes[rows])
            # Known points that do not tell all terms apart need others beside them.
            unknown = matrix.values.shape[1]
            if known:
                unknown -= int(np.linalg.matrix_rank(matrix.rows(known)))
            missing = max(size - len(known), unknown)
            free = len(usable) - len(known)
            if missing <= 0 or free <= 0:
                return design
            if free <= missing:
                for row in rows[usable]:
                    yield from self.value(_key(codes[row]))
                continue
            design = d_optimal(
                matrix, len(known) + missing, self._generator, fixed=known, forbidden=barred
            )
            for row in design.new_rows:
                yield from self.value(_key(codes[rows[row]]))

    def _refine(self, codes: Codes, count: int | None) -> Steps[None]:
        formula = self._estimable(self.formula, codes)
        values = model_matrix(formula, self.factors, codes).values
        allowed = self._allowed(codes)
        row_of = {_key(code): row for row, code in enumerate(codes)}
        tried = 0
        while count is None or tried < count:
            known = [(row_of[k], self.values[k]) for k in self.visited if k in row_of]
            good = [(row, value) for row, value in sorted(known) if math.isfinite(value)]
            if not good:
                return
            measured = np.array([row for row, _ in good], dtype=np.int64)
            response = np.array([value for _, value in good])
            best = codes[measured[int(np.argmin(response))]]
            allowed[[row for row, _ in known]] = False
            near = next_to(codes, best, 2)
            near = near[allowed[near] & self._working(codes[near])]
            if not len(near):
                return
            predicted = predict_around_best(values, measured, response, self._nearness)
            yield from self.value(_key(codes[near[int(np.argmin(predicted[near]))]]))
            tried += 1

    def _first_formula(self, text: str | None) -> Formula:
        if text is not None:
            formula = parse_formula(text, self.points.names)
            columns = self._columns(formula, np.zeros((1, len(self.factors)), dtype=np.int64))
            if self.budget is not None and self.budget < columns:
                raise FettleError(
                    f"a budget of {self.budget} measurements cannot estimate the {columns} "
                    f"coefficients of {formula}: give at least {columns}, or leave out terms"
                )
            return formula
        # Half of a budget for the first design.
        most = None if self.budget is None else max(2, int(self.budget / self._runs / 2))
        return initial_model(self.factors, most)

    def _candidates(self) -> Codes:
        keys = self.points.keys
        if keys is None:
            keys = list(dict.fromkeys(self.points.draw(self.rng) for _ in range(CANDIDATES)))
        elif len(keys) > CANDIDATES:
            keys = self.rng.sample(keys, CANDIDATES)
        extra = [key for key in self._include if key not in set(keys)]
        return np.array([*keys, *extra], dtype=np.int64)

    def _allowed(self, codes: Codes) -> Mask:
        exclude = self._exclude
        if exclude is None:
            return np.ones(len(codes), dtype=np.bool_)
        return np.array([not exclude(self.points.point(_key(code))) for code in codes])

    def _columns(self, formula: Formula, codes: Codes) -> int:
        return int(model_matrix(formula, self.factors, codes[:1]).values.shape[1])

    def _design_size(self, formula: Formula, codes: Codes) -> int:
        return math.ceil(self._runs * self._columns(formula, codes) - 1e-9)

    def _estimable(self, formula: Formula, codes: Codes) -> Formula:
        return formula.only(estimable_terms(model_matrix(formula, self.factors, codes)))

    def _is_good(self, code: Codes) -> bool:
        key = _key(code)
        return key in self.visited and math.isfinite(self.values[key])

    def _working(self, codes: Codes) -> Mask:
        """Out are points with a level at which three measurements or more failed and none worked.

        Such a level is taken for one that the program cannot have, whatever the other factors.
        """
        tried = np.array(sorted(self.visited), dtype=np.int64).reshape(-1, len(self.factors))
        worked = np.array([self._is_good(code) for code in tried], dtype=np.bool_)
        working = np.ones(len(codes), dtype=np.bool_)
        for at, factor in enumerate(self.factors):
            for level in range(len(factor.levels)):
                here = tried[:, at] == level
                if here.sum() >= 3 and not worked[here].any():
                    working &= codes[:, at] != level
        return working

    def _checked(self, decision: Decision) -> Decision:
        for name, levels in decision.keep.items():
            if name not in self.points.names:
                raise FettleError(f"a decision is about {name!r}, which the space does not have")
            known = self.factors[self.points.names.index(name)].levels
            if not levels or any(level not in known for level in levels):
                raise FettleError(
                    f"a decision keeps {levels!r} of {name}, whose levels are {known!r}"
                )
        return decision


def _key(code: Codes) -> tuple[int, ...]:
    return tuple(code.tolist())
