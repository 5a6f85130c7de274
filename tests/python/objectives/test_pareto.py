"""Pareto fronts and the trade-off, against what the definitions say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from objectives.made_up import NAN, metrics, table

from fettle.objectives.objective import minimize
from fettle.objectives.pareto import on_front
from fettle.objectives.trade_off import trade_off


def dominates(one: list[float], other: list[float]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True)) and one != other


@pytest.mark.parametrize("seed", range(5))
def test_a_front_is_what_no_other_dominates(seed: int) -> None:
    costs = np.random.default_rng(seed).integers(0, 4, (3, 12, 3)).astype(float)
    found = on_front(costs)
    for i, k in itertools.product(range(3), range(12)):
        others = costs[i].tolist()
        assert found[i, k] == (not any(dominates(one, others[k]) for one in others))


def test_equal_points_are_both_on_the_front_and_unknown_ones_are_not() -> None:
    costs = np.array([[[1.0, 1.0], [1.0, 1.0], [NAN, 0.0], [2.0, np.inf]]])
    assert on_front(costs).tolist() == [[True, True, False, False]]


def test_dominated_variants_are_named_and_ways_compared() -> None:
    of = metrics(throughput="1 / seconds")
    quick, cool = np.zeros(3, dtype=np.intp), np.full(3, 2)
    found = trade_off(table(of), [minimize("seconds", name="fast")], {"first": quick, "last": cool})
    assert found.dominated == ("middling",)
    assert found.front.tolist() == [[True, False, True]] * 3
    ways = {(way.kind, way.name): way for way in found.ways}
    fast = ways["optimum", "fast"]
    assert fast.relative == ways["variant", "quick"].relative == ways["model", "first"].relative
    assert fast.relative["seconds"] == fast.relative["throughput"] == 1.0
    assert fast.relative["watts"] == pytest.approx((6 * 2 * 100 / 90) ** (1 / 3))
    assert fast.against["cool"]["seconds"] == pytest.approx(np.mean([1 / 4, 1 / 3, 2 / 2.5]))
    assert fast.against["quick"] == {"seconds": 1.0, "watts": 1.0, "throughput": 1.0}
    assert [way.on_front for way in found.ways] == [True, False, True, True, True, True]


def test_a_variant_that_did_not_run_everywhere_is_on_no_front_of_means() -> None:
    seconds = [[1.0, 2.0, 4.0], [NAN, 1.5, 3.0], [2.0, 3.0, 2.5]]
    watts = [[300.0, 310.0, 50.0], [NAN, 250.0, 100.0], [100.0, 120.0, 90.0]]
    quick = trade_off(table(seconds=seconds, watts=watts)).ways[0]
    assert (quick.inputs, quick.on_front) == (2, False)
    assert np.isfinite(quick.relative["seconds"])
