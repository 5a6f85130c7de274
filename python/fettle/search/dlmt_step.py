"""One step of a design-of-experiments search: what was measured, found and decided, for people.

The tables of a step are what the search knows (section III of the design-of-experiments paper:
"informed decisions made by the user at each step guide the outcome of each iteration").
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fettle.core.errors import FettleError
from fettle.search.anova import AnovaTable, anova
from fettle.search.design import Design
from fettle.search.formula import Formula
from fettle.search.heteroscedasticity import (
    PowerTransformation,
    ScoreTest,
    power_transformation,
    score_test,
)
from fettle.search.linear_fit import Fit, fit_linear
from fettle.search.model_matrix import Factor, Floats, ModelMatrix
from fettle.search.space import Point


@dataclass(frozen=True)
class Decision:
    """What follows from a step.

    `keep` holds for some factors the levels that are left; one level fixes a factor and takes it
    out of the model. `formula` is the next step's model (None: this one without the fixed factors)
    and `stop` ends the steps: only the neighbourhood of the best point is tried then.
    """

    keep: Mapping[str, tuple[Hashable, ...]] = field(default_factory=dict)
    formula: Formula | None = None
    stop: bool = False

    def check(self, factors: Sequence[Factor]) -> None:
        """Raises a FettleError for a factor or a level that there is not."""
        known = {factor.name: factor.levels for factor in factors}
        for name, levels in self.keep.items():
            if name not in known:
                raise FettleError(f"a decision is about {name!r}, which the space does not have")
            if not levels or any(level not in known[name] for level in levels):
                raise FettleError(
                    f"a decision keeps {levels!r} of {name}, whose levels are {known[name]!r}"
                )


@dataclass(frozen=True)
class Step:
    """Everything about one step; `str` prints it.

    `response` is that of `measured`, untransformed; the table, the test and the fit are about the
    transformed response where `transformation` is not None.
    """

    number: int
    formula: Formula
    candidates: int
    design: Design | None
    measured: tuple[Point, ...]
    response: Floats
    anova: AnovaTable
    test: ScoreTest
    transformation: PowerTransformation | None
    fit: Fit
    predicted: Point
    decision: Decision

    def __str__(self) -> str:
        new = len(self.design.new_rows) if self.design is not None else 0
        lines = [
            f"Step {self.number}: {self.formula}",
            f"{self.candidates} candidates, {new} new runs, {len(self.measured)} measured in all, "
            f"best {self.response.min():.6g}",
            "",
            str(self.anova),
            "",
            f"Errors that grow with the response: chi2 {self.test.statistic:.3f}, "
            f"p {self.test.p:.3f} before any transformation",
            self._transformation_line(),
            "",
            str(self.fit),
            "",
            f"Predicted best: {_text(self.predicted)}",
            self._decision_line(),
        ]
        return "\n".join(lines)

    def _transformation_line(self) -> str:
        t = self.transformation
        if t is None:
            return "The response is not transformed"
        return (
            f"Response transformed by power {t.power:.3g} (likely {t.estimate:.3g}, 95 % "
            f"{t.low:.3g} to {t.high:.3g})"
        )

    def _decision_line(self) -> str:
        kept = "; ".join(
            f"{name} = {' or '.join(str(level) for level in levels)}"
            for name, levels in self.decision.keep.items()
        )
        return f"Decided: {kept or 'nothing is fixed'}{', stop' if self.decision.stop else ''}"


@dataclass(frozen=True)
class Analysis:
    """The statistics of a step."""

    anova: AnovaTable
    test: ScoreTest
    transformation: PowerTransformation | None
    fit: Fit


def analyse(matrix: ModelMatrix, response: Floats, kind: str, transform: bool) -> Analysis:
    """Steps 5 to 7 of the paper: analysis of variance, power transformation, fit.

    Responses that are not all positive, and models that leave no error to judge, are not
    transformed.
    """
    labels = matrix.column_labels
    plain = fit_linear(matrix.values, response, labels)
    test = score_test(plain)
    power: PowerTransformation | None = None
    if transform and plain.degrees_of_freedom > 0 and np.all(response > 0):
        power = power_transformation(matrix.values, response)
        if power.power == 1.0:
            power = None
    if power is None:
        return Analysis(anova(matrix, response, kind), test, None, plain)
    transformed = power.apply(response)
    fit = fit_linear(matrix.values, transformed, labels)
    return Analysis(anova(matrix, transformed, kind), test, power, fit)


def factors_to_fix(table: AnovaTable, formula: Formula, level: float, most: int) -> Sequence[str]:
    """The factors of the most significant terms, at most `most`, and at least the first.

    Where no degree of freedom is left to test with, sums of squares take the place of p.
    """
    by_p = sorted(
        table.rows, key=lambda row: (2.0 if np.isnan(row.p) else row.p, -row.sum_of_squares)
    )
    chosen: dict[str, None] = {}
    for row in by_p:
        if chosen and not row.p < level:
            break
        for atom in formula.terms[formula.labels.index(row.term)]:
            if len(chosen) < most:
                chosen[atom.factor] = None
    return tuple(chosen)


def _text(point: Mapping[str, Hashable]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())
