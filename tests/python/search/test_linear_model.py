"""Iterative linear models: what the model can say is found, and misuse is explained."""

from __future__ import annotations

import math

import pytest
from search_objectives import asked, number, quadratic_space

from fettle.core.errors import FettleError
from fettle.search.linear_model import LinearModel
from fettle.search.parameter import Parameter
from fettle.search.run import search
from fettle.search.space import Point, Space


def space_of_sizes() -> Space:
    return Space([Parameter(name, (1, 2, 4, 8, 16, 32, 64, 128)) for name in ("a", "b", "c")])


def shared_out(point: Point) -> float:
    """Falls with a as 1/a does and rises with a: least at a = 8; rises with b; c is without it."""
    a, b = number(point["a"]), number(point["b"])
    return a + 64 / a + 3 * b


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_model_that_holds_finds_the_least(seed: int) -> None:
    space = space_of_sizes()
    strategy = LinearModel(space, seed, 60, formula="y ~ a + 1/a + b + c", sample=12)
    result = search(space, shared_out, strategy)
    assert (result.best_point["a"], result.best_point["b"]) == (8, 1)
    assert result.measurements < 60


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_failed_points_are_left_out_of_the_fit(seed: int) -> None:
    space = space_of_sizes()

    def measure(point: Point) -> float:
        return math.inf if point["c"] in (2, 64) else shared_out(point)

    strategy = LinearModel(space, seed, 60, formula="y ~ a + 1/a + b + c", sample=16)
    result = search(space, measure, strategy)
    assert (result.best_point["a"], result.best_point["b"]) == (8, 1)


def test_a_model_of_one_factor_leaves_the_others() -> None:
    space = space_of_sizes()
    history = asked(LinearModel(space, 1, 60, formula="y ~ b", sample=12), space, shared_out)
    assert history[-1][0]["b"] == 1


def test_misuse_is_explained() -> None:
    space = quadratic_space()
    with pytest.raises(FettleError, match="'w'"):
        LinearModel(space, 1, 60, formula="y ~ x + w")
    with pytest.raises(FettleError, match=r"sample of 2 points .* 3 terms of 'y ~ x \+ y \+ z'"):
        LinearModel(space, 1, 60, formula="y ~ x + y + z", sample=2)
    with pytest.raises(FettleError, match="a sample of 1 points a step; give at least 2"):
        LinearModel(space, 1, 60, sample=1)
    with pytest.raises(FettleError, match="at most 0 factors fixed a step; give at least 1"):
        LinearModel(space, 1, 60, most=0)
    with pytest.raises(FettleError, match="a significance of 5; give a probability"):
        LinearModel(space, 1, 60, significance=5)
