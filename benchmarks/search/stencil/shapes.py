"""The 104 stencil kernels of Garvey and Abdelrahman 2018 (table 2), and what is known of each.

Five shapes, each in one to three dimensions, in every orientation, with radius 0 to 5:

| shape       | offsets (dx, dy, dz), where r is the radius                                    |
|-------------|--------------------------------------------------------------------------------|
| dense       | all of the box                                                                 |
| star        | those on the axes                                                              |
| diamond     | abs(dx) + abs(dy) + abs(dz) <= r                                               |
| no_corners  | the box without its corners                                                    |
| thumbtack   | a dense plane, and through its centre a line of the same radius, at right angle |

Shapes with the same set of offsets count once: in one dimension all are dense, in two star,
diamond and no_corners of radius 1 are one, in three star and diamond of radius 1 are. A stencil of
radius 0 has no dimension. That makes 1 + 15 (1-D) + 54 (2-D) + 34 (3-D) = 104 kernels. All work on
three-dimensional arrays.
"""

import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

AXES = "xyz"
SHAPES = ("dense", "star", "diamond", "no_corners", "thumbtack")
MAX_RADIUS = 5
Offset = tuple[int, int, int]


@dataclass(frozen=True)
class StencilKernel:
    """One stencil: `axes` are the dimensions it extends in; a thumbtack's `pin` is its line's."""

    shape: str
    axes: str
    radius: int
    pin: str = ""

    @property
    def name(self) -> str:
        """A name that no other kernel has, such as star_2d_xz_r3 or thumbtack_3d_z_r1."""
        direction = self.pin or (self.axes if 0 < len(self.axes) < 3 else "")
        parts = [self.shape, f"{len(self.axes)}d", direction, f"r{self.radius}"]
        return "_".join(part for part in parts if part)

    @property
    def unique_dimension(self) -> str:
        """The dimension that differs from the other two; empty where none does."""
        if self.pin or len(self.axes) == 1:
            return self.pin or self.axes
        return next((axis for axis in AXES if axis not in self.axes), "") if self.axes else ""

    @property
    def reach(self) -> Offset:
        """How far it extends in x, y and z."""
        x, y, z = (self.radius if axis in self.axes else 0 for axis in AXES)
        return x, y, z

    @cached_property
    def offsets(self) -> tuple[Offset, ...]:
        """The elements that an output is the weighted sum of, x fastest."""
        x, y, z = (range(-reach, reach + 1) for reach in self.reach)
        return tuple((dx, dy, dz) for dz, dy, dx in product(z, y, x) if self._has(dx, dy, dz))

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """A weight per offset: nonzero, exact in single precision, drawn from the kernel's name."""
        rng = random.Random(self.name)
        drawn = [rng.uniform(0.1, 1.0) * rng.choice((-1.0, 1.0)) for _ in self.offsets]
        return struct.unpack(f"{self.size}f", struct.pack(f"{self.size}f", *drawn))

    @property
    def size(self) -> int:
        """The number of elements that are read for an output."""
        return len(self.offsets)

    @property
    def tolerance(self) -> float:
        """How much sums of inputs in [-1, 1) may differ that are added in different orders."""
        return 1e-6 * sum(map(abs, self.weights)) * (1 + self.size / 100)

    def features(self) -> dict[str, float | str]:
        """The paper's static features (section 6.1); density is of the smallest box around it."""
        x, y, z = self.reach
        return {
            "stencil_size": float(self.size),
            "dimensions": float(len(self.axes)),
            "density": self.size / ((2 * x + 1) * (2 * y + 1) * (2 * z + 1)),
            "unique_dimension": self.unique_dimension,
        }

    def _has(self, *offset: int) -> bool:
        distances = [abs(d) for d in offset]
        if self.shape == "star":
            return sum(d > 0 for d in distances) <= 1
        if self.shape == "diamond":
            return sum(distances) <= self.radius
        if self.shape == "no_corners":
            return sum(d == self.radius for d in distances) < len(self.axes)
        if self.shape == "thumbtack":
            along = distances[AXES.index(self.pin)]
            return along == 0 or sum(distances) == along
        return True


def _all() -> Iterator[StencilKernel]:
    yield StencilKernel("dense", "", 0)
    radii = range(1, MAX_RADIUS + 1)
    for axis in AXES:
        yield from (StencilKernel("dense", axis, radius) for radius in radii)
    for shape in SHAPES[:4]:
        first = 2 if shape in ("diamond", "no_corners") else 1
        for axes in ("xy", "xz", "yz"):
            yield from (StencilKernel(shape, axes, radius) for radius in radii[first - 1 :])
    for shape in SHAPES[:4]:
        first = 2 if shape == "diamond" else 1
        yield from (StencilKernel(shape, AXES, radius) for radius in radii[first - 1 :])
    for pin in AXES:
        yield from (StencilKernel("thumbtack", AXES, radius, pin) for radius in radii)


@cache
def kernels() -> dict[str, StencilKernel]:
    """The 104 kernels by name: by dimensions, shape, orientation and radius."""
    return {kernel.name: kernel for kernel in _all()}


def kernel_named(name: str) -> StencilKernel:
    """A kernel by its name; a sentence that ends the program where there is none."""
    if name not in kernels():
        raise SystemExit(f"there is no stencil kernel {name!r}; names read like star_2d_xz_r3")
    return kernels()[name]


def even_sample(count: int, most_terms: int | None = None) -> Sequence[StencilKernel]:
    """`count` of kernels(), the first of as many equal stretches of it.

    `most_terms`: of those whose stencil has at most so many elements.
    """
    everything = [k for k in kernels().values() if most_terms is None or k.size <= most_terms]
    if not 1 <= count <= len(everything):
        raise SystemExit(f"a sample of {count} kernels; there are {len(everything)}")
    step = len(everything) / count
    return tuple(everything[int(i * step)] for i in range(count))


def spread(kernels_: Sequence[StencilKernel]) -> list[StencilKernel]:
    """The same in an order of which every beginning is spread over all: bits reversed."""
    bits = max(1, (len(kernels_) - 1).bit_length())
    order = (int(f"{i:0{bits}b}"[::-1], 2) for i in range(2**bits))
    return [kernels_[index] for index in order if index < len(kernels_)]
