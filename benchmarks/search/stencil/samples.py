"""Points of the stencils' spaces that searches are compared with: the expert's, and random ones."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

from shapes import AXES, StencilKernel
from space import (
    ELEMENTS,
    H200,
    LOADING,
    MERGES,
    NO_MERGES,
    PAPER_LOADING,
    VECTOR_WIDTHS,
    Limits,
    powers_of_two,
    space,
)

from fettle.search.space import Constraint, Point, Space


def expert_space(
    kernel: StencilKernel, *, loading: Sequence[str] = PAPER_LOADING, elements: int = ELEMENTS
) -> Space:
    """What the paper's expert search goes through whole (section 8.1), in the paper's space.

    Vectors of at most 4, at least 32 threads in x, and at most 4 elements of y and of z a group, by
    work-group size and cyclic merge; no block merging in y and z.
    """
    sizes = powers_of_two(elements)
    few = [
        Constraint(
            (f"work_group_{axis}", f"cyclic_merge_{axis}"),
            lambda group, merge: group * merge <= 4,
            f"the expert gives a group at most 4 elements in {axis}",
        )
        for axis in "yz"
    ]
    merged = (*([1] if set(loading) - {"vector"} else []), *((2, 4) if "vector" in loading else []))
    values = {
        "vector_width": merged,
        "block_merge_x": merged,
        "work_group_x": tuple(size for size in sizes if size >= 32),
        **{f"{kind}_{axis}": (1, 2, 4) for kind in ("work_group", "cyclic_merge") for axis in "yz"},
    }
    return space(
        kernel, loading=loading, merges=NO_MERGES, elements=elements, values=values, more=few
    )


def random_points(
    kernel: StencilKernel,
    count: int,
    seed: int,
    *,
    loading: Sequence[str] = PAPER_LOADING,
    merges: Sequence[int] = MERGES,
    limits: Limits | None = H200,
    elements: int = ELEMENTS,
) -> list[Point]:
    """`count` different points of space(), each as likely as any other.

    For each dimension drawn from the factors that fit together, which a part of the draws do with
    all others. Ways to load that are not wanted are drawn and dropped, so that the points of one
    seed are the same with and without them.
    """
    searched = space(kernel, loading=loading, merges=merges, limits=limits, elements=elements)
    rng = random.Random(f"{seed} {kernel.name}")
    ways = [(way, 1) for way in LOADING if way != "vector"]
    ways += [("vector", width) for width in VECTOR_WIDTHS if width <= elements]
    sizes = powers_of_two(elements)
    factors = [
        (size, merge, cycles)
        for size, merge, cycles in product(sizes, merges, sizes)
        if size * merge * cycles <= elements
    ]
    without = [chosen for chosen in factors if chosen[1] == 1]
    drawn: dict[tuple[Any, ...], Point] = {}
    for _ in range(1000 * count):
        way, width = rng.choice(ways)
        point: Point = {"loading": way, "vector_width": width}
        for axis in AXES:
            size, merge, cycles = rng.choice(without if axis == "x" else factors)
            point[f"work_group_{axis}"] = size
            point[f"block_merge_{axis}"] = width if axis == "x" else merge
            point[f"cyclic_merge_{axis}"] = cycles
        if way in loading and searched.violation(point) is None:
            drawn.setdefault(tuple(point.values()), point)
        if len(drawn) == count:
            return list(drawn.values())
    raise SystemExit(f"{kernel.name}: fewer than {count} different points were found")
