"""What holds for every strategy: valid points, none twice, seeds, budgets, ends, failures."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from typing import Any

import pytest
from search_objectives import asked, constrained_space, cost, quadratic, quadratic_space

from fettle.core.errors import FettleError
from fettle.search.base import Strategy
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.registry import make_strategy
from fettle.search.run import search
from fettle.search.space import Point, Space

# Those that need packages which Fettle itself doesn't.
NEEDS = {"cma_es": ("cma",), "tpe": ("optuna",), "gaussian_process": ("optuna", "torch")}
OURS = [
    "exhaustive",
    "random",
    "latin_hypercube",
    "greedy",
    "greedy_restart",
    "genetic",
    "annealing",
    "nelder_mead",
    "linear_model",
    "cma_es",
    "tpe",
    "grouped",
]
# Those that continue until every point is measured.
COMPLETE = [
    "exhaustive",
    "random",
    "greedy_restart",
    "genetic",
    "annealing",
    "nelder_mead",
    "cma_es",
    "tpe",
    "grouped",
]
# Those that find the least of a separable quadratic with a third of its points.
FINDING = {
    "greedy": 120,
    "greedy_restart": 120,
    "genetic": 230,
    "annealing": 230,
    "nelder_mead": 230,
    "linear_model": 60,
    "cma_es": 230,
    "tpe": 150,
    "grouped": 120,
}


def make(name: str, space: Space, seed: int = 0, budget: int | None = None) -> Strategy:
    for package in NEEDS.get(name, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{name} needs the package {package}, which is not installed")
    # As published they end early or find less: test_published.py.
    options = {"as_published": False} if name in ("latin_hypercube", "genetic") else {}
    return make_strategy(name, space, seed, budget, **options)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("values", [(4, 2), ("x", "y"), (False, True)])
def test_the_smallest_spaces(name: str, size: int, values: tuple[Any, ...]) -> None:
    space = Space([Parameter("a", values[:size]), Parameter("b", (3,))])
    history = asked(make(name, space), space, lambda point: 1.0)
    assert 1 <= len(history) <= size
    if name in COMPLETE:
        assert len(history) == size


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_constraints_categories_and_failures(name: str, seed: int) -> None:
    space = constrained_space()
    history = asked(make(name, space, seed, budget=40), space, cost)
    assert history
    assert len(history) <= 40


@pytest.mark.parametrize("name", COMPLETE)
def test_without_a_budget_it_ends_when_all_points_are_measured(name: str) -> None:
    space = constrained_space()
    assert len(asked(make(name, space), space, cost)) == len(space)


@pytest.mark.parametrize("name", OURS)
def test_one_seed_gives_one_sequence(name: str) -> None:
    space = constrained_space()
    first, again = (asked(make(name, space, 5, 30), space, cost) for _ in range(2))
    assert [point for point, _ in first] == [point for point, _ in again]


@pytest.mark.parametrize("name", [name for name in OURS if name != "exhaustive"])
def test_another_seed_gives_another_sequence(name: str) -> None:
    space = quadratic_space()
    sequences = {
        str([point for point, _ in asked(make(name, space, seed, 20), space, quadratic)])
        for seed in range(4)
    }
    assert len(sequences) > 1


@pytest.mark.parametrize(("name", "budget"), FINDING.items())
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_least_of_a_quadratic_is_found(name: str, budget: int, seed: int) -> None:
    space = quadratic_space()
    result = search(space, quadratic, make(name, space, seed, budget))
    assert result.best_point == {"x": 7, "y": 2, "z": 4}
    assert result.measurements <= budget < len(space)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("failure", [math.inf, math.nan])
def test_when_everything_fails(name: str, failure: float) -> None:
    space = constrained_space()
    with pytest.raises(FettleError, match=r"all \d+ measured points failed .* to see why"):
        search(space, lambda point: failure, make(name, space, 1, 30))


@pytest.mark.parametrize("name", OURS)
def test_all_values_equal(name: str) -> None:
    space = quadratic_space()
    assert asked(make(name, space, 1, 60), space, lambda point: 2.5)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("scale", [1e-10, -1e10])
def test_values_of_any_size_and_sign(name: str, scale: float) -> None:
    space = quadratic_space()
    assert asked(make(name, space, 1, 60), space, lambda point: scale * quadratic(point))


@pytest.mark.parametrize("name", OURS)
def test_continued_it_goes_the_same_way_and_on(name: str) -> None:
    space = constrained_space()
    whole = asked(make(name, space, 3, 24), space, cost)
    strategy = make(name, space, 3, 24)
    known = whole[:10]
    for point, value in known:
        strategy.tell(point, value)
    rest = asked(strategy, space, cost)
    assert not [point for point, _ in rest if point in [p for p, _ in known]]
    assert [point for point, _ in rest][: len(whole) - 10] == [point for point, _ in whole[10:]]


@pytest.mark.parametrize("name", OURS)
def test_a_space_too_large_to_write_out(name: str) -> None:
    """1e12 points, of which a hundredth is valid: nothing may depend on listing them."""
    parameters = [Parameter(f"p{i}", tuple(range(100))) for i in range(6)]
    space = Space(
        parameters, [Constraint(("p0", "p1"), lambda a, b: a == b, "p0 and p1 must be equal")]
    )
    assert points_of(space).keys is None
    history = asked(
        make(name, space, 1, 25), space, lambda p: sum(float(str(v)) for v in p.values())
    )
    assert len(history) == 25 or name not in COMPLETE


@pytest.mark.parametrize("name", OURS)
def test_misuse_is_explained(name: str) -> None:
    space = constrained_space()
    with pytest.raises(FettleError, match="a budget of 0 measurements; give at least 1"):
        make(name, space, 1, 0)
    strategy = make(name, space, 1)
    point = strategy.ask()
    with pytest.raises(FettleError, match=r"tell\(\) the strategy the value of .* ask\(\)"):
        strategy.ask()
    assert point is not None
    with pytest.raises(FettleError, match="lacks the parameter 'grain'"):
        strategy.tell({k: v for k, v in point.items() if k != "grain"}, 1.0)
    with pytest.raises(FettleError, match=r"'oval' is not one of the values of .*'layout'"):
        strategy.tell({**point, "layout": "oval"}, 1.0)
    with pytest.raises(FettleError, match="'warps', which the space lacks"):
        strategy.tell({**point, "warps": 2}, 1.0)
    with pytest.raises(FettleError, match="not in the search space: tiles aren't cached"):
        strategy.tell({**point, "layout": "tile", "cached": True}, 1.0)
    strategy.tell(point, 1.0)
    assert strategy.ask() is not None


def nothing(*_: Any) -> bool:
    return False


@pytest.mark.parametrize("name", OURS)
def test_spaces_without_points(name: str) -> None:
    with pytest.raises(FettleError, match="has no parameters; give it at least one"):
        make(name, Space([]))
    refuse: Callable[..., bool] = nothing
    space = Space([Parameter("a", (1, 2))], [Constraint(("a",), refuse, "a must be 3")])
    with pytest.raises(FettleError, match=r"none of .* 2 points \('a must be 3' refuses 2\)"):
        make(name, space)


def test_each_measured_value_counts_once() -> None:
    calls: list[Point] = []
    space = quadratic_space()

    def measure(point: Point) -> float:
        calls.append(point)
        return quadratic(point)

    result = search(space, measure, make("random", space, 1), measurements=50)
    assert len(calls) == result.measurements == len(result.history) == 50
    assert result.best_value == min(value for _, value in result.history)
