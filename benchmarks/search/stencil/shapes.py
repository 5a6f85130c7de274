"""The 104 stencil kernels of Garvey and Abdelrahman 2018 (table 2), and what is known of each.

Five shapes, each in one to three dimensions, in every orientation, with radius 0 to 5:

| shape       | offsets (dx, dy, dz), where r is the radius                                    |
|-------------|--------------------------------------------------------------------------------|
| dense       | all of the box                                                                 |
| star        | those on the axes                                                              |
| diamond     | abs(dx) + abs(dy) + abs(dz) <= r                                               |
| no_corners  | the box without its corners                                                    |
| thumbtack   | a dense plane, and through its centre a line of the same radius, at right angle |

Shapes that are the same set of offsets count once: in one dimension all are dense, in two star,
diamond and no_corners of radius 1 are one, in three star and diamond of radius 1 are. A stencil of
radius 0 has no dimension. That makes 1 + 15 (1-D) + 54 (2-D) + 34 (3-D) = 104 kernels, seven of
them with three dimensions and radius 2, as in the paper. All work on three-dimensional arrays.
"""

import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
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
    def dimensions(self) -> int:
        """In how many dimensions it extends."""
        return len(self.axes)

    @property
    def orientation(self) -> str:
        """The dimensions that tell it from its turned copies: the pin's, or those it extends in."""
        return self.pin or self.axes

    @property
    def unique_dimension(self) -> str:
        """The dimension that differs from the other two; empty where none does."""
        if self.pin:
            return self.pin
        if len(self.axes) == 1:
            return self.axes
        return next((axis for axis in AXES if axis not in self.axes), "") if self.axes else ""

    @property
    def reach(self) -> tuple[int, int, int]:
        """How far it extends in x, y and z."""
        x, y, z = (self.radius if axis in self.axes else 0 for axis in AXES)
        return x, y, z

    @property
    def offsets(self) -> tuple[Offset, ...]:
        """The elements that an output is the weighted sum of, x fastest."""
        return _offsets(self)

    @property
    def weights(self) -> tuple[float, ...]:
        """A weight an offset: nonzero, exact in single precision, drawn from the kernel's name."""
        return _weights(self)

    @property
    def size(self) -> int:
        """The number of elements that are read for an output."""
        return len(self.offsets)

    @property
    def density(self) -> float:
        """The size divided by that of the smallest box around it."""
        x, y, z = self.reach
        return self.size / ((2 * x + 1) * (2 * y + 1) * (2 * z + 1))

    def features(self) -> dict[str, float | str]:
        """The paper's static features (section 6.1): three numbers and a word.

        The word is the unique dimension, empty where there is none: dimensions have no order.
        """
        return {
            "stencil_size": float(self.size),
            "dimensions": float(self.dimensions),
            "density": self.density,
            "unique_dimension": self.unique_dimension,
        }


def _contains(kernel: StencilKernel, offset: Offset) -> bool:
    radius = kernel.radius
    distances = [abs(d) for d in offset]
    if any(d and axis not in kernel.axes for axis, d in zip(AXES, offset, strict=True)):
        return False
    if kernel.shape == "star":
        return sum(d > 0 for d in distances) <= 1
    if kernel.shape == "diamond":
        return sum(distances) <= radius
    if kernel.shape == "no_corners":
        return sum(d == radius for d in distances) < kernel.dimensions
    if kernel.shape == "thumbtack":
        along = distances[AXES.index(kernel.pin)]
        return along == 0 or sum(distances) == along
    return True


@cache
def _offsets(kernel: StencilKernel) -> tuple[Offset, ...]:
    x, y, z = (range(-reach, reach + 1) for reach in kernel.reach)
    box: Iterator[Offset] = ((dx, dy, dz) for dz, dy, dx in product(z, y, x))
    return tuple(offset for offset in box if _contains(kernel, offset))


@cache
def _weights(kernel: StencilKernel) -> tuple[float, ...]:
    rng = random.Random(kernel.name)
    drawn = [rng.uniform(0.1, 1.0) * rng.choice((-1.0, 1.0)) for _ in kernel.offsets]
    return tuple(struct.unpack("f", struct.pack("f", weight))[0] for weight in drawn)


def _all() -> Iterator[StencilKernel]:
    yield StencilKernel("dense", "", 0)
    radii = range(1, MAX_RADIUS + 1)
    for axis in AXES:
        yield from (StencilKernel("dense", axis, radius) for radius in radii)
    for shape in SHAPES[:4]:
        first = {"diamond": 2, "no_corners": 2}.get(shape, 1)
        for axes in ("xy", "xz", "yz"):
            yield from (StencilKernel(shape, axes, radius) for radius in radii[first - 1 :])
    for shape in SHAPES[:4]:
        first = 2 if shape == "diamond" else 1
        yield from (StencilKernel(shape, AXES, radius) for radius in radii[first - 1 :])
    for pin in AXES:
        yield from (StencilKernel("thumbtack", AXES, radius, pin) for radius in radii)


@cache
def kernels() -> tuple[StencilKernel, ...]:
    """The 104 kernels: by dimensions, shape, orientation and radius."""
    return tuple(_all())


def kernel_named(name: str) -> StencilKernel:
    """A kernel by its name; a sentence that ends the program where there is none."""
    found = next((kernel for kernel in kernels() if kernel.name == name), None)
    if found is None:
        raise SystemExit(f"there is no stencil kernel {name!r}; names read like star_2d_xz_r3")
    return found


def even_sample(count: int, most_terms: int | None = None) -> Sequence[StencilKernel]:
    """`count` of kernels(), the first of as many equal stretches of it.

    `most_terms`: of those whose stencil has at most so many elements.
    """
    everything = [one for one in kernels() if most_terms is None or one.size <= most_terms]
    if not 1 <= count <= len(everything):
        raise SystemExit(f"a sample of {count} kernels; there are {len(everything)}")
    step = len(everything) / count
    return tuple(everything[int(i * step)] for i in range(count))
