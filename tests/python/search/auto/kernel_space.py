"""A small space with a known optimum, for the tests of `auto`."""

from __future__ import annotations

import math

from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space


def space() -> Space:
    """Two ordered parameters that a constraint ties together, and words."""
    return Space(
        [
            Parameter("block", (32, 64, 128, 256, 512)),
            Parameter("tile", (1, 2, 3, 4, 5, 6, 7, 8)),
            Parameter("layout", ("rows", "columns", "tiles")),
        ],
        [Constraint(("block", "tile"), lambda block, tile: block * tile <= 1024, "registers")],
    )


def cost(point: Point) -> float:
    """Smooth; 1 at block 128, tile 3, layout tiles."""
    block, tile, layout = point["block"], point["tile"], point["layout"]
    assert isinstance(block, int) and isinstance(tile, int)
    return 1 + math.log2(block / 128) ** 2 + (tile - 3) ** 2 / 4 + (layout != "tiles")
