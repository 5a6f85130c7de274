"""A search's budgets, what it knows from before, and what it says about failures and misuse."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from search_objectives import constrained_space, quadratic, quadratic_space
from threadpoolctl import threadpool_info, threadpool_limits

from fettle.core.errors import FettleError
from fettle.search.listed_space import ListedSpace
from fettle.search.parameter import Parameter
from fettle.search.random_search import RandomSearch
from fettle.search.registry import make_strategy, strategy_factory, strategy_names
from fettle.search.run import search
from fettle.search.space import Point, Space


class Stubborn:
    """Asks for one point for ever."""

    def __init__(self, point: Point) -> None:
        self.point = point

    def ask(self) -> Point | None:
        return dict(self.point)

    def tell(self, point: Point, value: float) -> None:
        pass


def test_measurements_are_a_limit() -> None:
    space = quadratic_space()
    result = search(space, quadratic, make_strategy("random", space, 1), measurements=7)
    assert result.measurements == len(result.history) == 7


def test_seconds_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    space = quadratic_space()

    measured: list[Point] = []
    clock = SimpleNamespace(monotonic=lambda: 0.25 * len(measured))
    monkeypatch.setattr("fettle.search.run.time", clock)

    def slow(point: Point) -> float:
        measured.append(point)
        return quadratic(point)

    result = search(space, slow, make_strategy("random", space, 1), seconds=1.1)
    assert result.measurements == len(measured) == 5, "the last one was begun in time"


def test_known_points_are_neither_measured_nor_counted() -> None:
    space = Space([Parameter("a", (1, 2, 3, 4))])
    measured = []

    def measure(point: Point) -> float:
        measured.append(point["a"])
        return 1.0

    known: dict[tuple[Any, ...], float] = {(2,): 0.5, (3,): math.nan}
    strategy = make_strategy("exhaustive", space, 1)
    result = search(space, measure, strategy, measurements=2, known=known)
    assert measured == [1, 4]
    assert (result.best_point, result.best_value) == ({"a": 2}, 0.5)
    assert result.history == [({"a": 1}, 1.0), ({"a": 4}, 1.0)]


def test_everything_known_needs_no_measurement() -> None:
    space = Space([Parameter("a", (1, 2))])
    known: dict[tuple[Any, ...], float] = {(1,): 3.0, (2,): 2.0}
    result = search(space, quadratic, make_strategy("random", space, 1), known=known)
    assert (result.best_point, result.measurements) == ({"a": 2}, 0)


def test_what_was_measured_is_handed_out_at_once() -> None:
    space = quadratic_space()
    kept: list[float] = []

    def measure(point: Point) -> float:
        if len(kept) == 3:
            raise KeyboardInterrupt
        return quadratic(point)

    with pytest.raises(KeyboardInterrupt):
        search(
            space,
            measure,
            make_strategy("random", space, 1),
            on_measured=lambda point, value: kept.append(value),
        )
    assert len(kept) == 3


@pytest.mark.parametrize("failure", [math.nan, math.inf, -math.inf])
def test_no_failure_is_the_best(failure: float) -> None:
    space = Space([Parameter("a", (1, 2, 3))])
    result = search(
        space,
        lambda point: 5.0 if point["a"] == 3 else failure,
        make_strategy("exhaustive", space, 1),
    )
    assert (result.best_point, result.best_value) == ({"a": 3}, 5.0)
    assert [value for _, value in result.history] == [math.inf, math.inf, 5.0]


def test_misuse_is_explained() -> None:
    space = constrained_space()
    point: Point = {"block": 256, "layout": "row", "cached": False, "grain": 8}
    with pytest.raises(FettleError, match=r"Stubborn asked for .* 'block \* grain <= 256' refuses"):
        search(space, quadratic, Stubborn(point))
    point["grain"] = 1
    with pytest.raises(FettleError, match="1000 times in a row for points whose values it knows"):
        search(space, lambda p: 1.0, Stubborn(point))
    strategy = make_strategy("random", space, 1)
    with pytest.raises(FettleError, match=r"measuring .* gave 'fast'; .* math\.inf"):
        search(space, lambda p: "fast", strategy)  # type: ignore[arg-type, return-value]
    for measurements in (0, -3):
        with pytest.raises(FettleError, match=f"a budget of {measurements} measurements"):
            search(space, quadratic, strategy, measurements=measurements)
    for seconds in (0.0, math.nan):
        with pytest.raises(FettleError, match=f"a budget of {seconds} seconds; give more than 0"):
            search(space, quadratic, strategy, seconds=seconds)
    with pytest.raises(FettleError, match="a known point has 2 values"):
        search(space, quadratic, strategy, known={(1, 2): 3.0})
    with pytest.raises(FettleError, match="7 is not one of the values of the parameter 'block'"):
        search(space, quadratic, strategy, known={(7, "row", False, 1): 3.0})


def test_names() -> None:
    assert strategy_names()[:2] == ["exhaustive", "random"]
    for name in strategy_names():
        assert callable(strategy_factory(name))
    with pytest.raises(
        FettleError, match="unknown search strategy 'randon'; did you mean 'random'"
    ):
        strategy_factory("randon")
    with pytest.raises(
        FettleError, match="unknown search strategy 'zzz'; the strategies are exhaustive, random"
    ):
        strategy_factory("zzz")
    with pytest.raises(FettleError, match="'random' has no option 'temperature'"):
        make_strategy("random", quadratic_space(), 1, temperature=3)


def test_a_listed_space_is_what_is_listed() -> None:
    parameters = [Parameter("a", (1, 2)), Parameter("b", ("x", "y"))]
    listed: list[Point] = [{"a": 2, "b": "x"}, {"a": 1, "b": "y"}]
    space = ListedSpace(parameters, listed)
    assert list(space) == listed
    assert (len(space), space.product, space.pruned) == (2, 4, {"not listed": 2})
    assert space.violation({"a": 1, "b": "x"}) == "not listed"
    result = search(space, lambda p: 1.0, make_strategy("random", space, 1))
    assert result.measurements == 2
    with pytest.raises(FettleError, match="is listed twice; leave one"):
        ListedSpace(parameters, [*listed, listed[0]])
    with pytest.raises(FettleError, match="lacks the parameter 'b'"):
        ListedSpace(parameters, [{"a": 1}])
    with pytest.raises(FettleError, match=r"3 of a listed point is not one of the values of .*'a'"):
        ListedSpace(parameters, [{"a": 3, "b": "x"}])
    with pytest.raises(FettleError, match=r"none of .* 4 points \('not listed' refuses 4\)"):
        make_strategy("random", ListedSpace(parameters, []), 1)


def test_the_strategy_has_one_blas_thread_and_what_is_measured_has_its_own() -> None:
    import scipy.linalg  # noqa: F401  # brings a BLAS library

    def threads() -> set[int]:
        return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}

    seen: dict[str, set[int]] = {"asked": set(), "measured": set()}

    class Watching(RandomSearch):
        def ask(self) -> Point | None:
            seen["asked"] |= threads()
            return super().ask()

    def measure(point: Point) -> float:
        seen["measured"] |= threads()
        return 1.0

    with threadpool_limits(limits=2, user_api="blas"):
        search(quadratic_space(), measure, Watching(quadratic_space(), 0), measurements=3)
    assert seen == {"asked": {1}, "measured": {2}}
