"""What the stencils' configurations on a processor's cores are, and the compiler's options."""

from collections.abc import Mapping
from typing import Any

from source import layout
from space import powers_of_two

from fettle.search.space import Constraint, Parameter, Space

FLAGS = ("-std=c++17", "-O3", "-march=native", "-ffp-contract=fast", "-fopenmp", "-shared", "-fPIC")
SCHEDULES = ("static", "dynamic", "guided")
# none: the compiler vectorizes nothing; auto: what it wants; simd: groups of simd_width elements.
VECTORIZATION = ("none", "auto", "simd")
SIMD_WIDTHS = (4, 8, 16, 32)


def openmp_space(elements: int = 256) -> Space:
    """The configurations, the same for all kernels."""
    sizes = powers_of_two(elements)
    widths = tuple(width for width in SIMD_WIDTHS if width <= elements)
    return Space(
        [
            Parameter("tile_x", tuple(size for size in sizes if size >= min(8, elements))),
            Parameter("tile_y", sizes),
            Parameter("tile_z", sizes),
            Parameter("vectorization", VECTORIZATION),
            Parameter("simd_width", (1, *widths)),
            Parameter("merge_y", tuple(size for size in (1, 2, 4) if size <= elements)),
            Parameter("schedule", SCHEDULES),
        ],
        [
            Constraint(
                ("vectorization", "simd_width"),
                lambda way, width: (way == "simd") == (width > 1),
                "a width is for vectorization by simd alone",
            ),
            Constraint(
                ("tile_x", "simd_width"), lambda tile, width: width <= tile, "a vector is in a tile"
            ),
            Constraint(
                ("tile_y", "merge_y"),
                lambda tile, merge: merge <= tile,
                "merged rows are in a tile",
            ),
        ],
    )


def options_of(point: Mapping[str, Any], elements: int) -> list[str]:
    """The compiler's options for a configuration."""
    names = ("tile_x", "tile_y", "tile_z", "simd_width", "merge_y", "schedule")
    macros = {**layout(elements), **{name.upper(): point[name] for name in names}}
    scalar = ["-fno-tree-vectorize"] if point["vectorization"] == "none" else []
    return [*FLAGS, *scalar, *(f"-D{name}={value}" for name, value in macros.items())]
