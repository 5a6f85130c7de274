from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kernel_space import cost, space

from fettle.core.errors import FettleError
from fettle.search.auto import Auto
from fettle.search.base import Strategy
from fettle.search.parameter import Parameter
from fettle.search.random_search import RandomSearch
from fettle.search.run import search
from fettle.search.simulate import simulate
from fettle.search.space import Point, Space
from fettle.search.table import MeasuredTable, measured_table


def test_finds_the_optimum_of_a_smooth_space_quickly() -> None:
    for seed in range(5):
        result = search(space(), cost, Auto(space(), seed), measurements=30)
        assert result.best_point == {"block": 128, "tile": 3, "layout": "tiles"}
        assert result.measurements <= 30


def test_goes_through_the_whole_space_once_where_it_is_not_to_end_before() -> None:
    result = search(space(), cost, Auto(space(), 1, settled=0), measurements=1000)
    assert result.measurements == len(space())


def test_ends_where_neither_model_expects_anything() -> None:
    result = search(space(), cost, Auto(space(), 1), measurements=1000)
    assert result.best_value == 1
    first = next(i for i, (_, value) in enumerate(result.history) if value == 1)
    assert first + 20 <= result.measurements - 1 < len(space()) - 1


def test_is_readier_to_end_where_the_budget_is_small() -> None:
    spent = [
        search(space(), cost, Auto(space(), 1, budget), measurements=budget).measurements
        for budget in (60, 120)
    ]
    assert spent[0] < spent[1]


def test_goes_on_where_an_earlier_search_ended() -> None:
    whole = search(space(), cost, Auto(space(), 2), measurements=24)
    known = {tuple(point.values()): value for point, value in whole.history[:14]}
    rest = search(space(), cost, Auto(space(), 2), measurements=10, known=known)
    assert not known.keys() & {tuple(point.values()) for point, _ in rest.history}
    assert rest.best_value == whole.best_value == 1


def test_the_same_seed_measures_the_same_points() -> None:
    first = search(space(), cost, Auto(space(), 3), measurements=16)
    again = search(space(), cost, Auto(space(), 3), measurements=16)
    other = search(space(), cost, Auto(space(), 4), measurements=16)
    assert first.history == again.history
    assert first.history != other.history


def test_the_design_has_both_ends_of_every_ordered_parameter() -> None:
    result = search(space(), cost, Auto(space(), 0), measurements=10)
    for name, ends in (("block", {32, 512}), ("tile", {1, 8})):
        assert ends <= {point[name] for point, _ in result.history}


def test_failing_points_are_left_behind() -> None:
    def measure(point: Point) -> float:
        return math.inf if point["layout"] == "rows" else cost(point)

    result = search(space(), measure, Auto(space(), 0), measurements=40)
    assert result.best_value == 1
    failed = sum(math.isinf(value) for _, value in result.history[10:])
    assert failed < 10


def test_all_points_failing_is_the_search_s_error() -> None:
    with pytest.raises(FettleError, match="all 20 measured points failed"):
        search(space(), lambda point: math.inf, Auto(space(), 0), measurements=20)


def test_values_that_are_not_positive_are_allowed() -> None:
    result = search(space(), lambda point: cost(point) - 5, Auto(space(), 0), measurements=40)
    assert result.best_value == -4


def test_works_where_the_space_cannot_be_written_out() -> None:
    large = Space([Parameter(f"p{i}", tuple(range(1, 33))) for i in range(8)])

    def measure(point: Point) -> float:
        return 1 + sum(abs(value - 7) for value in point.values() if isinstance(value, int))

    found = search(large, measure, Auto(large, 0), measurements=40).best_value
    random = search(large, measure, RandomSearch(large, 0), measurements=40).best_value
    assert found - 1 < 0.7 * (random - 1)


@pytest.mark.parametrize(
    ("option", "value"),
    [("design", 1), ("doubt", 0.5), ("doubts", -1), ("settled", -1), ("tolerance", -1)],
)
def test_bad_options(option: str, value: float) -> None:
    with pytest.raises(FettleError, match=f"{option} must be at least .*, got {value}"):
        Auto(space(), 0, **{option: value})


def test_is_ahead_of_random_search_on_a_measured_kernel(published: Callable[..., Path]) -> None:
    table = measured_table(published("search_spaces", "convolution_small__MI50.csv.xz"))

    def auto(given: MeasuredTable, seed: int) -> Strategy:
        return Auto(given.space, seed)

    def random(given: MeasuredTable, seed: int) -> Strategy:
        return RandomSearch(given.space, seed)

    found = simulate(table, "auto", auto, budget=40, repeat=5).mean_share
    assert found > simulate(table, "random", random, budget=40, repeat=20).mean_share + 0.05


def test_finds_the_best_percent_of_the_laplacian_kernel(published: Callable[..., Path]) -> None:
    table = measured_table(published("laplacian_k40c", "search_space.csv.xz"))

    def auto(given: MeasuredTable, seed: int) -> Strategy:
        return Auto(given.space, seed, 40)

    assert np.sort(simulate(table, "auto", auto, budget=40, repeat=4).slowdowns)[2] < 1.05
