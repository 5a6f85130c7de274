"""D-optimal designs: optimal where that is known, with what is fixed, without the forbidden."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.search.design import d_optimal
from fettle.search.formula import parse_formula
from fettle.search.model_matrix import ModelMatrix, factor_of, model_matrix
from fettle.search.parameter import Parameter
from fettle.search.plackett_burman import plackett_burman

NAMES = ("a", "b", "c")
FACTORS = [factor_of(Parameter(name, (-1, 0, 1))) for name in NAMES]
CODES = np.array(list(itertools.product(range(3), repeat=3)))


def matrix(text: str) -> ModelMatrix:
    return model_matrix(parse_formula(text, NAMES), FACTORS, CODES)


def test_a_linear_model_is_measured_at_the_corners() -> None:
    linear = matrix("y ~ a + b + c")
    for seed in range(5):
        design = d_optimal(linear, 8, seed)
        rows = linear.rows(design.rows)
        # The full factorial of the corners: X'X = 8 I, which no other design reaches.
        assert np.linalg.det(rows.T @ rows) == pytest.approx(8**4)
        assert len(set(design.rows)) == 8


def test_a_quadratic_model_needs_the_middle() -> None:
    quadratic = matrix("y ~ a + a^2 + b + c")
    rows = quadratic.rows(d_optimal(quadratic, 12, 1).rows)
    assert set(rows[:, 1].tolist()) == {-1, 0, 1}
    assert set(rows[:, 3].tolist()) == {-1, 1}


def test_the_exchange_finds_the_best_of_all_designs_of_a_small_problem() -> None:
    small = matrix("y ~ a + b + a:b")
    best = max(
        np.linalg.det(small.values[list(rows)].T @ small.values[list(rows)])
        for rows in itertools.combinations(range(0, 27, 3), 5)
    )
    found = max(
        np.linalg.det(rows.T @ rows)
        for rows in (
            small.rows(d_optimal(small, 5, seed, forbidden=[i for i in range(27) if i % 3]).rows)
            for seed in range(5)
        )
    )
    assert found == pytest.approx(best)


def test_fixed_points_stay_and_forbidden_points_are_out() -> None:
    linear = matrix("y ~ a + b + c")
    design = d_optimal(linear, 8, 1, fixed=[13, 4], forbidden=[0, 26])
    assert design.rows[:2] == (13, 4)
    assert len(design.new_rows) == 6
    assert not {0, 26} & set(design.rows)


@pytest.mark.parametrize(
    ("text", "runs", "options", "names"),
    [
        ("y ~ a + b + c", 3, {}, "3 runs cannot estimate the 4 coefficients of y ~ a"),
        ("y ~ a + b", 8, {"forbidden": range(9, 27)}, "cannot tell a from the other terms"),
        ("y ~ a", 8, {"forbidden": range(20)}, "8 runs needs as many valid points.* are 7"),
        ("y ~ a", 3, {"fixed": [1], "forbidden": [1]}, "candidate 1 is both fixed and forbidden"),
        ("y ~ a", 2, {"fixed": [1, 2, 3]}, "3 fixed points do not fit"),
    ],
)
def test_designs_that_cannot_be_are_refused(
    text: str, runs: int, options: dict[str, list[int]], names: str
) -> None:
    with pytest.raises(FettleError, match=names):
        d_optimal(matrix(text), runs, 1, **options)


@pytest.mark.parametrize("factors", [1, 3, 7, 8, 11, 13, 19, 23, 27, 31, 35, 39, 43, 47, 51])
def test_screening_designs_are_orthogonal(factors: int) -> None:
    design = plackett_burman([f"a{i}" for i in range(factors)])
    runs, columns = design.runs.shape
    assert columns == runs - 1 == factors + design.dummies
    assert (design.runs.T @ design.runs == runs * np.eye(columns)).all()
    assert runs <= factors + 8


def test_screening_nothing_or_a_factor_twice_is_an_error() -> None:
    with pytest.raises(FettleError, match="at least one factor"):
        plackett_burman([])
    with pytest.raises(FettleError, match="'a' is given twice"):
        plackett_burman(["a", "b", "a"])
