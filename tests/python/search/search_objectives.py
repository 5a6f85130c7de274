"""Spaces and measurements that the tests of several strategies share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from fettle.search.base import Strategy
from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.points import points_of
from fettle.search.space import Point, Space


def quadratic_space() -> Space:
    """Three ordered parameters, 11 * 9 * 7 points, no constraint."""
    return Space(
        [
            Parameter("x", tuple(range(11))),
            Parameter("y", tuple(range(9))),
            Parameter("z", tuple(range(7))),
        ]
    )


def quadratic(point: Point) -> float:
    """Separable; 1 at x=7, y=2, z=4, more elsewhere."""
    x, y, z = number(point["x"]), number(point["y"]), number(point["z"])
    return 1 + (x - 7) ** 2 + 2 * (y - 2) ** 2 + 0.5 * (z - 4) ** 2


def constrained_space() -> Space:
    """Ordered, categorical and truth values; less than half of the product is valid."""
    return Space(
        [
            Parameter("block", (32, 64, 128, 256)),
            Parameter("layout", ("row", "column", "tile")),
            Parameter("cached", (False, True)),
            Parameter("grain", (1, 2, 4, 8)),
        ],
        [
            Constraint(("block", "grain"), lambda b, g: b * g <= 256, "block * grain <= 256"),
            Constraint(
                ("layout", "cached"), lambda la, c: not (la == "tile" and c), "tiles aren't cached"
            ),
        ],
    )


def cost(point: Point) -> float:
    """A cost on constrained_space(): 1 is the least; a part of the points fails in two ways."""
    if point["layout"] == "column" and point["grain"] == 4:
        return math.nan
    if point["layout"] == "column" and point["block"] == 32:
        return math.inf
    layout = {"row": 0.0, "column": 1.0, "tile": 3.0}[str(point["layout"])]
    return (
        1
        + layout
        + abs(math.log2(number(point["block"])) - 7)
        + number(point["grain"]) / 10
        - 0.1
        + (0 if point["cached"] else 0.5)
    )


def number(value: Any) -> float:
    """A parameter's value as a number."""
    return float(value)


def asked(
    strategy: Strategy,
    space: Space,
    measure: Callable[[Point], float],
    most: int = 100_000,
) -> list[tuple[Point, float]]:
    """All that a strategy asks for; each valid and none twice, or the test fails."""
    points = points_of(space)
    seen: dict[tuple[int, ...], None] = {}
    history = []
    while (point := strategy.ask()) is not None:
        assert space.violation(point) is None, point
        key = points.key(point)
        assert key not in seen, f"{point} was asked for twice"
        seen[key] = None
        value = measure(point)
        strategy.tell(point, value)
        history.append((point, value))
        assert len(history) <= most
    assert strategy.ask() is None
    return history
