"""The paper's worked example: each of its tables comes out, to the printed digits of its inputs."""

from __future__ import annotations

import itertools

import doe_paper
import numpy as np
import pytest

from fettle.search.anova import anova
from fettle.search.design import d_optimal
from fettle.search.formula import parse_formula
from fettle.search.linear_fit import fit_linear, stars
from fettle.search.model_matrix import ModelMatrix, factor_of, model_matrix
from fettle.search.parameter import Parameter
from fettle.search.plackett_burman import plackett_burman

TWO = (-1.0, 1.0)
ELEVEN = tuple(round(0.2 * i - 1, 1) for i in range(11))
KEPT = tuple(doe_paper.LINEAR_BEST)


def matrix_at(text: str, names: tuple[str, ...], values: np.ndarray) -> ModelMatrix:
    factors = [factor_of(Parameter(name, ELEVEN)) for name in names]
    codes = np.rint((values + 1) / 0.2).astype(np.int64)
    return model_matrix(parse_formula(text, names), factors, codes)


def grid(count: int, levels: tuple[float, ...]) -> np.ndarray:
    return np.array(list(itertools.product(levels, repeat=count)))


def test_screening_needs_twelve_runs_and_three_dummies() -> None:
    design = plackett_burman(doe_paper.FACTORS, seed=1)
    assert design.runs.shape == (12, 11)
    assert design.dummies == 3
    assert (design.runs.T @ design.runs == 12 * np.eye(11)).all()
    assert design.runs.sum(axis=0).tolist() == [0] * 11
    published = doe_paper.SCREENING[:, :11]
    assert (published.T @ published == 12 * np.eye(11)).all()


def test_the_analysis_of_variance_of_the_screening_is_table_2() -> None:
    text = "Y ~ " + " + ".join(doe_paper.FACTORS)
    matrix = matrix_at(text, doe_paper.FACTORS, doe_paper.SCREENING[:, :8])
    table = anova(matrix, doe_paper.SCREENING[:, 11])
    for name, (f, p, marks) in doe_paper.ANOVA.items():
        row = table.row(name)
        # Y is printed with two digits: F is good to 1 %.
        assert row.f == pytest.approx(f, rel=0.01)
        assert row.p == pytest.approx(p, abs=0.0015)
        assert row.stars == marks
    assert table.residual_freedom == 3
    # The columns are orthogonal: every type of the analysis is the same.
    for kind in ("II", "III"):
        other = anova(matrix, doe_paper.SCREENING[:, 11], kind)
        assert [r.f for r in other.rows] == pytest.approx([r.f for r in table.rows])


def test_the_linear_model_predicts_the_levels_of_table_3() -> None:
    text = "Y ~ " + " + ".join(KEPT)
    columns = [doe_paper.FACTORS.index(name) for name in KEPT]
    matrix = matrix_at(text, KEPT, doe_paper.SCREENING[:, columns])
    fit = fit_linear(matrix.values, doe_paper.SCREENING[:, 11], matrix.column_labels)
    points = grid(5, TWO)
    best = points[int(np.argmin(fit.predict(matrix_at(text, KEPT, points).values)))]
    assert dict(zip(KEPT, best.tolist(), strict=True)) == doe_paper.LINEAR_BEST


def test_the_second_model_is_fitted_as_in_table_5_and_predicts_table_6() -> None:
    text = "Y ~ x1 + x3 + x5 + x7 + x8 + x8^2 + x1:x3"
    matrix = matrix_at(text, KEPT, doe_paper.D_OPTIMAL[:, :5])
    fit = fit_linear(matrix.values, doe_paper.D_OPTIMAL[:, 5], matrix.column_labels)
    found = dict(zip(fit.labels, zip(fit.coefficients, fit.t, fit.p, strict=True), strict=True))
    assert list(found) == list(doe_paper.FIT)
    for label, (estimate, t, p, marks) in doe_paper.FIT.items():
        assert found[label][0] == pytest.approx(estimate, abs=0.0006)
        assert found[label][1] == pytest.approx(t, rel=0.001, abs=0.001)
        assert found[label][2] == pytest.approx(p, abs=0.0015)
        assert stars(found[label][2]) == marks
    # x8 to the paper's three levels: between them the quadratic has its least value at 0.07.
    points = grid(5, (-1.0, 0.0, 1.0))
    best = points[int(np.argmin(fit.predict(matrix_at(text, KEPT, points).values)))]
    assert dict(zip(KEPT, best.tolist(), strict=True)) == doe_paper.QUADRATIC_BEST


def test_our_d_optimal_design_is_as_good_as_table_4s() -> None:
    text = "Y ~ x1 + x3 + x5 + x7 + x8 + x8^2 + x1:x3"
    points = grid(5, (-1.0, 0.0, 1.0))
    design = d_optimal(matrix_at(text, KEPT, points), 12, seed=1)
    ours = matrix_at(text, KEPT, points[list(design.rows)]).values
    theirs = matrix_at(text, KEPT, doe_paper.D_OPTIMAL[:, :5]).values
    assert np.linalg.det(ours.T @ ours) >= 0.98 * np.linalg.det(theirs.T @ theirs)
    assert set(points[list(design.rows)][:, 4].tolist()) == {-1.0, 0.0, 1.0}
