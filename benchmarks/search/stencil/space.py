"""The stencils' optimizations as search spaces, with the paper's constraints; points of them.

Garvey and Abdelrahman 2018, section 4.7: every value is a power of two; in each dimension the work
of a group, work-group size x block merge x cyclic merge, is at most the array's; block merging in x
comes with vectorization of the same width; and data is loaded in one way of several. Without the
limits of a device, without block merging in y and z, which the paper left out because its compilers
did not remove the duplicate reads, and with the paper's four ways to load (`PAPER_LOADING`), these
are the paper's 475875 configurations.

Here `Limits` cut what a device cannot run before it is tried; and nvcc removes the duplicate reads,
so that a thread may merge up to MOST_MERGED neighbours in all dimensions together. The kernels can
also load through textures, which were one thing with the read-only cache on the paper's GPUs. On an
H200 they are another, 1.4 to 2.8 times slower at their best on each of five kernels; they are
searched where `loading` names them.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from shapes import AXES, StencilKernel

from fettle.search.constraint import Constraint
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space

# How the input is loaded: from global memory, by vectors from there, staged in shared memory,
# through the read-only cache, as a texture.
LOADING = ("global", "vector", "local", "read_only", "texture")
PAPER_LOADING = LOADING[:4]
VECTOR_WIDTHS = (2, 4, 8, 16)
MERGES = (1, 2, 4, 8)  # of blocks in y and in z
NO_MERGES = (1,)
MOST_MERGED = 16
Sides = tuple[int, int, int]
SIDES: Sides = (256, 256, 256)  # of the arrays in x, y and z, without the halo
FLOAT_BYTES = 4
# What a group's work in a dimension is the product of.
FACTORS = ("work_group", "block_merge", "cyclic_merge")
# Every parameter in the order in which the space assigns them: its optimization and its dimension.
PARAMETERS: Mapping[str, tuple[str, str]] = {
    "loading": ("loading", ""),
    "vector_width": ("vectorization", "x"),
    **{f"{factor}_{axis}": (factor, axis) for axis in AXES for factor in FACTORS},
}


@dataclass(frozen=True)
class Limits:
    """What a device can run: threads of a work-group, and bytes of shared memory."""

    threads: int = 1024
    shared_bytes: int = 227 * 1024


H200 = Limits()


def powers_of_two(limit: int) -> tuple[int, ...]:
    """1, 2, 4, ... up to the limit."""
    return tuple(2**i for i in range(limit.bit_length()))


def tile_shape(kernel: StencilKernel, point: Mapping[str, Any]) -> tuple[int, int, int]:
    """The part of the input that a work-group reads, in x, y and z."""
    x, y, z = (
        prod(point[f"{factor}_{axis}"] for factor in FACTORS) + 2 * reach
        for axis, reach in zip(AXES, kernel.reach, strict=True)
    )
    return x, y, z


def _constraints(kernel: StencilKernel, sides: Sides, limits: Limits | None) -> list[Constraint]:
    found = [
        Constraint(
            ("loading", "vector_width"),
            lambda loading, width: (loading == "vector") == (width > 1),
            "vectors are loaded exactly where the loading is by vectors",
        ),
        Constraint(
            ("vector_width", "block_merge_x"),
            lambda width, merge: merge == width,
            "block merging in x is for vectors alone",
        ),
        Constraint(
            tuple(f"block_merge_{axis}" for axis in AXES),
            lambda *merges: prod(merges) <= MOST_MERGED,
            f"a thread merges at most {MOST_MERGED} neighbours",
        ),
    ]
    for axis, side in zip(AXES, sides, strict=True):
        found.append(
            Constraint(
                tuple(f"{factor}_{axis}" for factor in FACTORS),
                lambda *factors, side=side: prod(factors) <= side,
                f"a group works on at most the array's {side} elements in {axis}",
            )
        )
    if limits is None:
        return found
    sizes = tuple(f"work_group_{axis}" for axis in AXES)
    for used in (sizes[:2], sizes):
        found.append(
            Constraint(
                used,
                lambda *factors: prod(factors) <= limits.threads,
                f"a work-group has at most {limits.threads} threads",
            )
        )
    factors = tuple(f"{factor}_{axis}" for axis in AXES for factor in FACTORS)

    def fits(loading: str, *values: int) -> bool:
        tile = tile_shape(kernel, dict(zip(factors, values, strict=True)))
        return loading != "local" or FLOAT_BYTES * prod(tile) <= limits.shared_bytes

    found.append(
        Constraint(("loading", *factors), fits, f"a tile takes at most {limits.shared_bytes} bytes")
    )
    return found


def space(
    kernel: StencilKernel,
    *,
    loading: Sequence[str] = PAPER_LOADING,
    merges: Sequence[int] = MERGES,
    limits: Limits | None = H200,
    sides: Sides = SIDES,
    values: Mapping[str, Sequence[int]] | None = None,
    more: Sequence[Constraint] = (),
) -> Space:
    """The configurations of a kernel; `limits` None: also those that no device can run.

    `merges`: of blocks in y and z; NO_MERGES: the paper's. `values` replaces parameters' values,
    `more` adds constraints.
    """
    by_axis = dict(zip(AXES, sides, strict=True))
    widths = [width for width in VECTOR_WIDTHS if width <= sides[0]]
    merged = (*([1] if set(loading) - {"vector"} else []), *(widths if "vector" in loading else []))
    all_values: dict[str, Sequence[Any]] = {"loading": tuple(loading)}
    for name, (optimization, axis) in PARAMETERS.items():
        if name in ("vector_width", "block_merge_x"):
            all_values[name] = merged
        elif optimization == "block_merge":
            all_values[name] = tuple(merge for merge in merges if merge <= by_axis[axis])
        elif optimization in FACTORS:
            all_values[name] = powers_of_two(by_axis[axis])
    all_values |= values or {}
    parameters = [Parameter(name, tuple(all_values[name])) for name in PARAMETERS]
    return Space(parameters, [*_constraints(kernel, sides, limits), *more])


def expert_space(
    kernel: StencilKernel, loading: Sequence[str] = PAPER_LOADING, sides: Sides = SIDES
) -> Space:
    """All that the paper's expert search measures (section 8.1), in the paper's space.

    Vectors of at most 4, at least 32 threads in x, and at most 4 elements of y and of z a group, by
    work-group size and cyclic merge; no block merging in y and z.
    """
    few = [
        Constraint(
            (f"work_group_{axis}", f"cyclic_merge_{axis}"),
            lambda group, merge: group * merge <= 4,
            f"the expert gives a group at most 4 elements in {axis}",
        )
        for axis in "yz"
    ]
    values = {
        "vector_width": (1, 2, 4),
        "block_merge_x": (1, 2, 4),
        "work_group_x": tuple(size for size in powers_of_two(sides[0]) if size >= 32),
        **{f"{kind}_{axis}": (1, 2, 4) for kind in ("work_group", "cyclic_merge") for axis in "yz"},
    }
    return space(kernel, loading=loading, merges=NO_MERGES, sides=sides, values=values, more=few)


def random_points(
    kernel: StencilKernel,
    count: int,
    seed: int,
    *,
    loading: Sequence[str] = PAPER_LOADING,
    merges: Sequence[int] = MERGES,
    sides: Sides = SIDES,
) -> list[Point]:
    """`count` different points of space(), each as likely as any other.

    For each dimension drawn from the factors that fit together. Ways to load that are not wanted
    are drawn and dropped, so that the points of one seed are the same with and without them.
    """
    searched = space(kernel, loading=loading, merges=merges, sides=sides)
    rng = random.Random(f"{seed} {kernel.name}")
    ways = [(way, 1) for way in LOADING if way != "vector"]
    ways += [("vector", width) for width in VECTOR_WIDTHS if width <= sides[0]]
    factors = {}
    for axis, side in zip(AXES, sides, strict=True):
        sizes = powers_of_two(side)
        some = product(sizes, NO_MERGES if axis == "x" else merges, sizes)
        factors[axis] = [one for one in some if prod(one) <= side]
    drawn: dict[tuple[Any, ...], Point] = {}
    for _ in range(1000 * count):
        way, width = rng.choice(ways)
        point: Point = {"loading": way, "vector_width": width}
        for axis in AXES:
            size, merge, cycles = rng.choice(factors[axis])
            point[f"work_group_{axis}"] = size
            point[f"block_merge_{axis}"] = width if axis == "x" else merge
            point[f"cyclic_merge_{axis}"] = cycles
        if way in loading and searched.violation(point) is None:
            drawn.setdefault(tuple(point.values()), point)
        if len(drawn) == count:
            return list(drawn.values())
    raise SystemExit(f"{kernel.name}: fewer than {count} different points were found")
