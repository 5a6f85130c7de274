"""What cannot be searched: every message names what is wrong with what was given."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fettle.core.errors import FettleError
from fettle.search.anova import anova
from fettle.search.constraint import Constraint
from fettle.search.design import d_optimal
from fettle.search.dlmt_step import Decision
from fettle.search.formula import parse_formula
from fettle.search.linear_fit import fit_linear
from fettle.search.listed_space import ListedSpace
from fettle.search.model_matrix import ModelMatrix, factor_of, model_matrix
from fettle.search.parameter import Parameter
from fettle.search.registry import make_strategy, strategy_names
from fettle.search.run import search
from fettle.search.space import Point, Space
from fettle.search.table import measured_table

A = Parameter("a", (1, 2, 3))
B = Parameter("b", (1, 2, 3))
ONE = Parameter("one", (7,))
SPACE = Space([A, B])
NEEDS = {"cma_es": "cma", "tpe": "optuna", "gaussian_process": "torch"}
STRATEGIES = [  # carried needs tables of other machines: test_carried.py
    name
    for name in strategy_names()
    if name != "carried" and importlib.util.find_spec(NEEDS.get(name, "fettle"))
]


def made(space: Space, name: str = "dlmt", budget: int = 9, **options: Any) -> Any:
    return make_strategy(name, space, 1, budget, **options)


@pytest.mark.parametrize("name", STRATEGIES)
def test_empty_spaces(name: str) -> None:
    with pytest.raises(FettleError, match="has no parameters; give it at least one"):
        made(Space([]), name)
    with pytest.raises(FettleError, match=r"none of .* 9 points \('not listed' refuses 9\)"):
        made(ListedSpace([A, B], []), name)
    with pytest.raises(FettleError, match="the parameter 'n' has no values to try"):
        made(Space([Parameter("n", ())]), name)


@pytest.mark.parametrize("name", STRATEGIES)
def test_constraints_that_leave_nothing(name: str) -> None:
    space = Space([A, B], [Constraint(("a", "b"), lambda a, b: a * b > 9, "a * b > 9")])
    with pytest.raises(FettleError, match=r"leave none .* \('a \* b > 9' refuses 9\); loosen one"):
        made(space, name)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("failure", [math.nan, math.inf, -math.inf])
def test_all_measurements_fail(name: str, failure: float) -> None:
    with pytest.raises(FettleError, match=r"all \d+ measured points failed .* such as {'a': "):
        search(SPACE, lambda point: failure, made(SPACE, name))


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("failure", [math.nan, math.inf, -math.inf])
def test_times_that_are_none_are_never_the_best(name: str, failure: float) -> None:
    def measure(point: Point) -> float:
        return failure if point["a"] == 1 else float(str(point["a"])) * float(str(point["b"]))

    result = search(SPACE, measure, made(SPACE, name))
    assert math.isfinite(result.best_value)
    assert result.best_point["a"] != 1


@pytest.mark.parametrize("name", ["dlmt", "linear_model"])
@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("y ~ a + one", r"'one', which has one level only \(7\): give it a second level"),
        ("y ~ a + bb", "the factor 'bb', which the space does not have: did you mean 'b'"),
        ("y ~ a + zzz", "the factor 'zzz', which the space does not have: its factors are a, b"),
        ("y ~ 1", "has no term: name the factors to vary"),
        ("y ~ a + ", "the invalid term ''"),
        ("a + b", "needs the form `response ~ term"),
    ],
)
def test_formulas(name: str, formula: str, message: str) -> None:
    with pytest.raises(FettleError, match=message):
        made(Space([A, B, ONE]), name, 60, formula=formula)


def test_factors_with_one_level() -> None:
    with pytest.raises(FettleError, match="every factor has one level only"):
        made(Space([ONE]))
    with pytest.raises(FettleError, match="cannot tell one from the other terms"):
        d_optimal(matrix("y ~ a + one", [A, ONE]), 3, 1)


def test_designs_with_fewer_runs_than_terms() -> None:
    with pytest.raises(FettleError, match="3 runs cannot estimate the 4 coefficients of y ~ a"):
        d_optimal(matrix("y ~ a + b + a:b", [A, B]), 3, 1)
    with pytest.raises(FettleError, match=r"budget of 3 .* the 4 coefficients of y ~ a"):
        made(SPACE, budget=3, formula="y ~ a + b + a:b")
    with pytest.raises(FettleError, match=r"a sample of 2 points .* 3 terms of 'y ~ a"):
        made(SPACE, "linear_model", formula="y ~ a + b + a:b", sample=2)


@pytest.mark.parametrize("time", [math.nan, math.inf])
def test_models_of_times_that_are_none(time: float) -> None:
    response = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, time])
    columns = matrix("y ~ a + b", [A, B])
    with pytest.raises(FettleError, match="a response is not finite: leave out the runs"):
        anova(columns, response)
    with pytest.raises(FettleError, match="a response is not finite: leave out the runs"):
        fit_linear(columns.values, response, columns.column_labels)


def test_duplicate_points(tmp_path: Path) -> None:
    with pytest.raises(FettleError, match=r"the point {'a': 1, 'b': 2} is listed twice; leave one"):
        ListedSpace([A, B], [{"a": 1, "b": 2}, {"a": 1, "b": 2}])
    with pytest.raises(FettleError, match="a value of the parameter 'n' is given twice"):
        Space([Parameter("n", (1, 1.0))])
    with pytest.raises(FettleError, match="the parameter 'a' is given twice"):
        Space([A, A])
    table = tmp_path / "twice.csv"
    table.write_text("a,b,time_ms,valid\n1,2,3,1\n2,2,4,1\n1,2,5,1\n", encoding="utf-8")
    with pytest.raises(FettleError, match="lines 2 and 4 measure the same point, a=1"):
        measured_table(table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"anova": "IV"}, "unknown type of analysis of variance 'IV': give I, II or III"),
        ({"significance": 7}, "a significance of 7; give a probability"),
        ({"most_fixed": 0}, "most_fixed is 0: .* give at least 1"),
        ({"runs": 0.5}, "runs is 0.5 measurements a coefficient"),
        ({"ordered": ["q"]}, "ordered names 'q', which the space does not have"),
        ({"include": [{"a": 1, "b": 9}]}, "9 is not one of the values of the parameter 'b'"),
        ({"include": [{"a": 3, "b": 1}]}, r"include has {'a': 3, 'b': 1}, .* space: a <= b"),
    ],
)
def test_options_of_dlmt(options: dict[str, Any], message: str) -> None:
    space = Space([A, B], [Constraint(("a", "b"), lambda a, b: a <= b, "a <= b")])
    with pytest.raises(FettleError, match=message):
        made(space, **options)


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (Decision({"q": (1,)}), "a decision is about 'q', which the space does not have"),
        (Decision({"a": (9,)}), r"a decision keeps \(9,\) of a, whose levels are \(1, 2, 3\)"),
        (Decision({"a": ()}), r"a decision keeps \(\) of a"),
    ],
)
def test_decisions_of_a_user(decision: Decision, message: str) -> None:
    strategy = made(SPACE, decide=lambda step: decision)
    with pytest.raises(FettleError, match=message):
        search(SPACE, lambda point: float(str(point["a"])), strategy)


def test_points_that_are_all_excluded() -> None:
    refuse: Callable[[Point], bool] = lambda point: True  # noqa: E731
    with pytest.raises(FettleError, match="exclude refuses all 9 points of the search space"):
        made(SPACE, exclude=refuse).ask()


def test_a_level_that_is_no_number() -> None:
    with pytest.raises(FettleError, match="the level inf of n is not a finite number"):
        made(Space([Parameter("n", (1.0, 2.0, math.inf))]))


def matrix(text: str, parameters: list[Parameter]) -> ModelMatrix:
    """The model's matrix over all points of the parameters' product."""
    sizes = [range(len(parameter.values)) for parameter in parameters]
    codes = np.stack([grid.ravel() for grid in np.meshgrid(*sizes, indexing="ij")], axis=1)
    names = [parameter.name for parameter in parameters]
    return model_matrix(parse_formula(text, names), [factor_of(p) for p in parameters], codes)
