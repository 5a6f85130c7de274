"""Old and new measurements of a call: which variants changed, and by what common factor."""

from __future__ import annotations

import math

import pytest

from fettle.training.moved import Move, common_factor, moves, tolerance


def factors_of(factors: dict[str, float]) -> tuple[float, set[str]]:
    before = {name: [1.0, 1.0, 1.0] for name in factors}
    common, moved = moves(before, {n: [f, f, f] for n, f in factors.items()}, timed=True)
    return common, set(moved)


@pytest.mark.parametrize(
    ("factors", "common", "moved"),
    [
        ({"a": 1.0, "b": 1.0}, 1.0, set()),
        ({"a": 1.2, "b": 1.0}, 1.1, set()),
        ({"a": 1.4, "b": 1.0}, 1.0, {"a"}),
        ({"a": 40.0, "b": 1.0}, 1.0, {"a"}),
        ({"a": 0.02, "b": 1.0}, 1.0, {"a"}),
        ({"a": 40.0, "b": 10.0}, 1.0, {"a", "b"}),
        ({"a": 40.0, "b": 40.0, "c": 1.0}, 1.0, {"a", "b"}),  # no machine is slower by 40
        ({"a": 1.8, "b": 1.8, "c": 1.0}, 1.8, {"c"}),  # a busier machine, and c became faster
        ({"a": 1.8, "b": 1.7, "c": 40.0}, 1.75, {"c"}),
        ({"a": 5.0, "b": 5.2, "c": 4.9}, 5.0, set()),
        ({"a": 7.0}, 7.0, set()),
    ],
)
def test_a_common_factor_is_the_machines(
    factors: dict[str, float], common: float, moved: set[str]
) -> None:
    assert factors_of(factors) == (pytest.approx(common), moved)


def test_no_variant_in_common() -> None:
    assert moves({"a": [1.0]}, {"b": [1.0]}, timed=True) == (1.0, {})
    assert common_factor({}, {}) == 1.0


def test_what_spreads_may_move_more() -> None:
    assert tolerance([1.0, 1.0], [1.0]) == pytest.approx(1.3)
    assert tolerance([1.0, 2.0], [1.0]) == pytest.approx(2.6)
    assert tolerance([1.0, 1.0, 1.0, 1.0, 9.0], [1.0]) == pytest.approx(1.3), "one is not a spread"
    steady, unsteady = [1.0, 1.0, 1.0], [1.0, 1.5, 2.0]
    now = {"a": [1.0, 1.0], "b": [1.0, 1.0], "c": [3.0, 3.0]}
    before = {"a": steady, "b": steady}
    assert set(moves({**before, "c": steady}, now, timed=True)[1]) == {"c"}
    assert not moves({**before, "c": unsteady}, now, timed=True)[1]


def test_exact_metrics() -> None:
    before, now = {"a": [5.0, 5.0], "b": [7.0, 7.0]}, {"a": [5.0, 5.0], "b": [7.001, 7.001]}
    assert moves(before, now, timed=False)[1] == {"b": Move(7.0, 7.001, math.inf)}
    assert not moves(before, now, timed=True)[1]
    assert not moves(before, {"a": [5.0, 5.0], "b": [7.001, 7.002]}, timed=False)[1]
    zero = moves({"a": [0.0], "b": [0.0]}, {"a": [0.0], "b": [1e-9]}, timed=True)[1]
    assert zero == {"b": Move(0.0, 1e-9, math.inf)}


def test_two_looks_have_to_agree() -> None:
    slower, faster = Move(1.0, 2.0, 2.0), Move(1.0, 0.5, 0.5)
    assert slower.confirmed_by(Move(1.0, 3.0, 3.0))
    assert not slower.confirmed_by(faster)
    assert not slower.confirmed_by(None)
