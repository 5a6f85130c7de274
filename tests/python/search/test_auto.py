from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from fettle.errors import FettleError
from fettle.search import surrogate as surrogate_module
from fettle.search.auto import Auto, Features, bent_log_factors
from fettle.search.base import Strategy
from fettle.search.points import points_of
from fettle.search.random_search import RandomSearch
from fettle.search.run import search
from fettle.search.simulate import simulate
from fettle.search.space import Constraint, Parameter, Point, Space
from fettle.search.surrogate import Surrogate, expected_improvement
from fettle.search.table import MeasuredTable, measured_table

DATA = Path(os.environ.get("FETTLE_DATA", Path(__file__).parents[4] / "shared" / "data"))
KERNEL = DATA / "search_spaces" / "convolution_small__MI50.csv.xz"


def space() -> Space:
    return Space(
        [
            Parameter("block", (32, 64, 128, 256, 512)),
            Parameter("tile", (1, 2, 3, 4, 5, 6, 7, 8)),
            Parameter("layout", ("rows", "columns", "tiles")),
        ],
        [Constraint(("block", "tile"), lambda block, tile: block * tile <= 1024, "registers")],
    )


def cost(point: Point) -> float:
    block, tile, layout = point["block"], point["tile"], point["layout"]
    assert isinstance(block, int) and isinstance(tile, int)
    return 1 + math.log2(block / 128) ** 2 + (tile - 3) ** 2 / 4 + (layout != "tiles")


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
    "options", [{"design": 1}, {"patience": 0}, {"settled": -1}, {"tolerance": -1}]
)
def test_bad_options(options: dict[str, int]) -> None:
    with pytest.raises(
        FettleError, match=f"{next(iter(options))} is {next(iter(options.values()))}"
    ):
        Auto(space(), 0, **options)


def test_features_are_logarithms_numbers_and_words() -> None:
    rows = Features(points_of(space())).rows([(0, 0, 0), (2, 7, 1), (4, 0, 2)])
    half = math.sqrt(0.5)
    assert rows[:, 0].tolist() == pytest.approx([0, 0.5, 1]), "by its logarithm"
    assert rows[:, 2:].tolist() == [[half, 0, 0], [0, half, 0], [0, 0, half]]


def test_a_multiple_is_replaced_by_its_quotient() -> None:
    tiles = Space(
        [Parameter("tile", (8, 16, 32)), Parameter("threads", (4, 8, 16))],
        [Constraint(("tile", "threads"), lambda tile, threads: tile % threads == 0, "whole")],
    )
    rows = Features(points_of(tiles)).rows([(0, 0), (2, 0), (2, 2)])
    assert rows.tolist() == [pytest.approx([0, 1 / 3]), [0, 1], pytest.approx([1, 1 / 3])]


def test_log_factors_are_bent_and_failures_are_the_worst_that_works() -> None:
    values = np.array([2.0, 2 * math.e, math.inf, 2 * math.e**3])
    bent = bent_log_factors(values, np.isfinite(values), 1.0)
    assert bent == pytest.approx([0, math.log(2), math.log(4), math.log(4)])


def test_the_gradient_of_the_posterior_is_right() -> None:
    rng = np.random.default_rng(0)
    rows, values = rng.random((9, 3)), rng.normal(size=9)
    squares = np.square(rows[:, None] - rows[None]).transpose(2, 0, 1)
    function = surrogate_module._negative_log_posterior
    for logs in rng.normal(size=(4, 5)) * 0.5 - 0.5:
        _, gradient = function(logs, squares, values)
        numeric = approx_fprime(logs, lambda x: function(x, squares, values)[0], 1e-6)
        assert gradient == pytest.approx(numeric, rel=1e-3, abs=1e-3)


def test_the_surrogate_passes_through_what_it_knows() -> None:
    rows = np.linspace(0, 1, 9)[:, None]
    values = np.sin(4 * rows[:, 0])
    surrogate = Surrogate(1)
    surrogate.fit(rows, values)
    mean, deviation = surrogate.predict(np.array([[0.5], [0.43], [2.0]]))
    assert mean[:2] == pytest.approx(np.sin([2.0, 1.72]), abs=0.02)
    assert deviation[0] < deviation[1] < deviation[2]


def test_expected_improvement_is_the_integral() -> None:
    draws = np.random.default_rng(0).normal(1.0, 0.5, 200_000)
    got = expected_improvement(np.array([1.0]), np.array([0.5]), 0.8)
    assert got[0] == pytest.approx(np.maximum(0.8 - draws, 0).mean(), rel=0.02)


@pytest.mark.skipif(not KERNEL.exists(), reason=f"no {KERNEL}; set FETTLE_DATA")
def test_is_ahead_of_random_search_on_a_measured_kernel() -> None:
    table = measured_table(KERNEL)

    def auto(given: MeasuredTable, seed: int) -> Strategy:
        return Auto(given.space, seed)

    def random(given: MeasuredTable, seed: int) -> Strategy:
        return RandomSearch(given.space, seed)

    found = simulate(table, "auto", auto, budget=40, repeat=5).mean_share
    assert found > simulate(table, "random", random, budget=40, repeat=20).mean_share + 0.05
