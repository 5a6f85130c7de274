"""The published procedures: what they draw, when they end, and the rows of the published table.

The bounds are the published means with four standard errors of the few repetitions made here; all
1000 are made by benchmarks/search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from search_objectives import asked, constrained_space, cost, quadratic, quadratic_space

from fettle.core.errors import FettleError
from fettle.search.constraint import Constraint
from fettle.search.genetic import Genetic
from fettle.search.latin_hypercube import LatinHypercube
from fettle.search.parameter import Parameter
from fettle.search.registry import make_strategy
from fettle.search.simulate import Simulation, simulate
from fettle.search.space import Space
from fettle.search.table import MeasuredTable, measured_table

PUBLISHED = ["latin_hypercube", "genetic"]


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_points_are_valid_new_and_within_the_budget(name: str, seed: int) -> None:
    space = constrained_space()
    history = asked(make_strategy(name, space, seed, 40), space, cost)
    assert 1 <= len(history) <= 40
    again = asked(make_strategy(name, space, seed, 40), space, cost)
    assert [point for point, _ in history] == [point for point, _ in again]


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("values", [(4,), (4, 2), ("x", "y")])
def test_the_smallest_spaces_end(name: str, values: tuple[object, ...]) -> None:
    space = Space([Parameter("a", values), Parameter("b", (3,))])
    for budget in (None, 100):
        strategy = make_strategy(name, space, 1, budget)
        assert 1 <= len(asked(strategy, space, lambda point: 1.0)) <= len(values)


def test_a_descent_ends_after_a_step_of_the_named_parameter_alone() -> None:
    space = Space([Parameter("a", tuple(range(9))), Parameter("b", tuple(range(9)))])

    def steep(point: Mapping[str, object]) -> float:
        return 100.0 * abs(int(str(point["a"])) - 4) + abs(int(str(point["b"])) - 4)

    for seed in range(10):
        plain = asked(make_strategy("greedy", space, seed, None), space, steep)
        assert min(value for _, value in plain) == 0
        # Steps of b come last, when a is right: the first of them ends the descent.
        ended = asked(make_strategy("greedy", space, seed, None, last_step="b"), space, steep)
        best = min(value for _, value in ended)
        start = abs(int(str(plain[0][0]["b"])) - 4)
        assert best == max(0, start - 1)
    with pytest.raises(FettleError, match="last_step='c' is not a parameter; there are a, b"):
        make_strategy("greedy", space, 1, None, last_step="c")


@pytest.mark.parametrize("scale", [1e-10, -1e10, 0.0, math.inf])
def test_the_roulette_takes_values_of_any_size_and_sign(scale: float) -> None:
    space = quadratic_space()
    strategy = Genetic(space, 1, 60)
    assert asked(strategy, space, lambda point: scale * quadratic(point))


def test_the_sample_is_rounded_and_what_is_invalid_is_left_out() -> None:
    # Rounding gives the ends of 0 ... 4 half as many samples as the values between.
    space = Space([Parameter("a", (0, 1, 2, 3, 4)), Parameter("b", tuple(range(4000)))])
    history = asked(LatinHypercube(space, 1, 400), space, lambda point: 1.0)
    counts = np.bincount([int(str(point["a"])) for point, _ in history])
    assert counts.tolist() == pytest.approx([50, 100, 100, 100, 50], abs=8)
    half = Space(space.parameters, [Constraint(("b",), lambda b: b % 2 == 0, "b is even")])
    sizes = [len(asked(LatinHypercube(half, s, 100), half, cost_1)) for s in (1, 2)]
    assert all(55 <= size <= 100 for size in sizes)


def cost_1(point: object) -> float:
    return 1.0


def test_the_sample_is_a_latin_hypercube_that_is_spread() -> None:
    space = Space([Parameter(name, tuple(range(30))) for name in "abcd"])
    nearest = {}
    for spread in (False, True):
        strategy = LatinHypercube(space, 1, 30, as_published=spread)
        places = np.array(list(strategy._strata(30)))
        assert [sorted(column) for column in places.T.tolist()] == [list(range(30))] * 4
        apart = ((places[:, None] - places[None]) ** 2).sum(axis=2) + 10_000 * np.eye(30)
        nearest[spread] = apart.min(axis=1).mean()
    assert nearest[True] > 1.1 * nearest[False]


def test_a_space_too_large_to_write_out() -> None:
    space = Space(
        [Parameter(f"p{i}", tuple(range(100))) for i in range(6)],
        [Constraint(("p0", "p1"), lambda a, b: a > b, "p0 is larger")],
    )
    history = asked(LatinHypercube(space, 1, 50), space, cost_1)
    assert 20 <= len(history) <= 50


def test_misuse_is_explained() -> None:
    for name in PUBLISHED:
        with pytest.raises(FettleError, match="as_published=1; give True or False"):
            make_strategy(name, quadratic_space(), 1, 20, as_published=1)
    with pytest.raises(FettleError, match="a sample of 0 points; give at least 1"):
        make_strategy("latin_hypercube", quadratic_space(), 1, 20, samples=0)


@pytest.fixture(scope="module")
def laplacian(published: Callable[..., Path]) -> MeasuredTable:
    return measured_table(published("laplacian_k40c", "search_space.csv.xz"))


@pytest.mark.parametrize(
    ("name", "budget", "mean", "deviation"),
    [
        ("random", 120, 1.10, 0.083),
        ("latin_hypercube", 125, 1.17, 0.10),
        ("genetic", 120, 1.12, 0.10),
    ],
)
def test_the_rows_of_the_published_table(
    laplacian: MeasuredTable, name: str, budget: int, mean: float, deviation: float
) -> None:
    repeat = 60
    found: Simulation = simulate(
        laplacian,
        name,
        lambda table, seed: make_strategy(name, table.space, seed, budget),
        budget=budget,
        repeat=repeat,
    )
    assert abs(found.slowdowns.mean() - mean) <= 4 * deviation / math.sqrt(repeat)
    spent = [one.measurements for one in found.repetitions]
    assert max(spent) <= budget
    if name == "latin_hypercube":
        assert 90 <= np.mean(spent) <= 108  # published: 98.92
