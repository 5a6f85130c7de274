"""Formulas are read as written, and what cannot be read is named."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.search.formula import parse_formula
from fettle.search.model_matrix import estimable_terms, factor_of, model_matrix
from fettle.search.parameter import Parameter

A = factor_of(Parameter("a", (1, 2, 4)))
B = factor_of(Parameter("b", ("x", "y", "z")))
C = factor_of(Parameter("c", ("-O0", "-O1", "-O2")), ordered=("c",))
CODES = np.array([[i, j, k] for i in range(3) for j in range(3) for k in range(3)])


def test_every_kind_of_term() -> None:
    formula = parse_formula("y ~ a + 1/a + b*c + a^2 + log(a) + a:1/c", ["a", "b", "c"])
    assert formula.labels == ("a", "1/a", "b", "c", "b:c", "a^2", "log(a)", "a:1/c")
    assert formula.factors == ("a", "b", "c")
    assert str(formula.without(["b"])) == "y ~ a + 1/a + c + a^2 + log(a) + a:1/c"


def test_the_reciprocal_and_the_power_of_the_language_r_are_read_too() -> None:
    assert parse_formula("y ~ I(1 / a) + I(a^2)", ["a"]) == parse_formula("y ~ 1/a + a^2", ["a"])


def test_the_matrix_has_numbers_ranks_and_a_column_for_each_category_but_the_first() -> None:
    matrix = model_matrix(parse_formula("y ~ 1/a + b + c^2 + b:c", "abc"), [A, B, C], CODES)
    assert matrix.column_labels == ("Intercept", "1/a", "b[1]", "b[2]", "c^2", "b:c[1]", "b:c[2]")
    last = matrix.values[-1].tolist()
    assert last == [1, 0.25, 0, 1, 9, 0, 3]
    assert matrix.values[0].tolist() == [1, 1, 0, 0, 1, 0, 0]


def test_terms_that_the_points_cannot_tell_apart_go_out() -> None:
    two = CODES[CODES[:, 0] < 2]
    matrix = model_matrix(parse_formula("y ~ a + 1/a + b", "abc"), [A, B, C], two)
    assert estimable_terms(matrix) == ("a", "b")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("y ~ a + bb", "'bb'.*did you mean 'b'"),
        ("y ~ a + sin(a)", r"'sin\(a\)'"),
        ("y ~ a - b", "'a-b'"),
        ("a + b", "response ~ term"),
        ("y ~", "response ~ term"),
        ("y ~ " + "*".join(["a"] * 64), "crosses 64 factors"),
    ],
)
def test_what_is_no_formula_is_named(text: str, names: str) -> None:
    with pytest.raises(FettleError, match=names):
        parse_formula(text, ["a", "b"])


def test_a_reciprocal_of_zero_and_a_power_of_a_category_are_errors() -> None:
    zero = factor_of(Parameter("a", (0, 1)))
    with pytest.raises(FettleError, match="1/a has no value where a is 0"):
        model_matrix(parse_formula("y ~ 1/a", ["a"]), [zero], np.array([[0], [1]]))
    with pytest.raises(FettleError, match=r"b\^2 needs numbers.*x, y, z"):
        model_matrix(parse_formula("y ~ b^2", ["b"]), [B], np.array([[0], [1]]))


def test_a_power_that_no_number_holds_is_an_error() -> None:
    [term] = parse_formula("y ~ a^9", ["a"]).terms
    for number in (1e200, 10**400):
        with pytest.raises(FettleError, match=r"a\^9 is too large a number where a is"):
            term[0].value(number)
