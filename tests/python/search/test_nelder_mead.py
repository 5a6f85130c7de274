"""NelderMead: what a simplex does on a slope, a bowl and an edge."""

from __future__ import annotations

import math

from search_objectives import asked

from fettle.search.nelder_mead import NelderMead
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space

BOWL = Space([Parameter(name, tuple(range(64))) for name in ("a", "b", "c")])


def bowl(point: Point) -> float:
    return sum((int(str(value)) - 20) ** 2 for value in point.values())


def test_a_bowl_of_262144_points_in_80_measurements() -> None:
    for seed in range(5):
        history = asked(NelderMead(BOWL, seed, 80), BOWL, bowl)
        assert min(value for _, value in history) <= 12


def test_failed_corners_are_the_worst() -> None:
    def half(point: Point) -> float:
        return bowl(point) if int(str(point["a"])) >= 20 else math.inf

    history = asked(NelderMead(BOWL, 1, 150), BOWL, half)
    assert min(value for _, value in history) <= 12


def test_a_simplex_that_has_ended_is_followed_by_another() -> None:
    space = Space([Parameter("a", tuple(range(9))), Parameter("b", ("x", "y", "z"))])
    history = asked(NelderMead(space, 1), space, lambda point: 1.0)
    assert len(history) == 27
