"""A stencil's search space under the paper's names, and a cost that a roofline might give it."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

from fettle.search.constraint import Constraint
from fettle.search.grouped import Specification, by_dimension, by_optimization, hybrid
from fettle.search.parameter import Parameter
from fettle.search.space import Point, Space

LOADING = ("global", "vector", "local", "image")
DIMENSIONS = {axis: [f"{kind}{axis}" for kind in "WBC"] for axis in "XYZ"}
OPTIMIZATIONS = {kind: [f"{kind}{axis}" for axis in "XYZ"] for kind in "WBC"}
GEOMETRY = OPTIMIZATIONS["W"]


def spec_named(name: str, repetitions: int = 2) -> Specification:
    """One of the paper's three groupings."""
    if name == "dimension":
        return by_dimension(DIMENSIONS, partition="loading", repetitions=repetitions)
    if name == "optimization":
        pairs = [(f"W{axis}", f"C{axis}") for axis in "XYZ"]
        return by_optimization(
            OPTIMIZATIONS,
            keeping=pairs,
            unset=["BX"],
            partition="loading",
            repetitions=repetitions,
        )
    return hybrid(DIMENSIONS, GEOMETRY, partition="loading", repetitions=repetitions)


def stencil_space(side: int = 16) -> Space:
    """Powers of two up to `side`; W * B * C of an axis is at most that, W * W * W 4 * side."""
    sizes = tuple(2**i for i in range(side.bit_length()))
    values = {"W": sizes, "B": (1,), "C": sizes}
    constraints = [
        Constraint(
            tuple(f"{kind}{axis}" for kind in "WBC"),
            lambda *factors: math.prod(factors) <= side,
            f"at most {side} elements in {axis}",
        )
        for axis in "XYZ"
    ]
    constraints += [
        Constraint(("loading", "BX"), lambda way, b: (way == "vector") == (b > 1), "vectors"),
        Constraint(("WX", "WY", "WZ"), lambda *w: math.prod(w) <= 4 * side, "threads"),
    ]
    parameters = [Parameter("loading", LOADING)]
    for axis in "XYZ":
        for kind in "WBC":
            own = (1, 2, 4) if kind + axis == "BX" else values[kind]
            parameters.append(Parameter(kind + axis, own))
    return Space(parameters, constraints)


@dataclass(frozen=True)
class Stencil:
    """A kernel: how far it reaches in each axis, and how many elements it reads."""

    name: str
    reach: tuple[int, int, int]
    size: int

    def features(self) -> dict[str, float | str]:
        """What is known without running it."""
        x, y, z = self.reach
        box = (2 * x + 1) * (2 * y + 1) * (2 * z + 1)
        unique = next((a for a, r in zip("XYZ", self.reach, strict=True) if r), "none")
        return {
            "size": self.size,
            "dimensions": sum(r > 0 for r in self.reach),
            "density": self.size / box,
            "unique": unique,
        }

    def time(self, point: Point) -> float:
        """Bytes and instructions per element, over what the threads in flight can hide; noisy."""
        at: dict[str, Any] = dict(point)
        w, b, c = ([at[kind + axis] for axis in "XYZ"] for kind in "WBC")
        tile = [i * j * k for i, j, k in zip(w, b, c, strict=True)]
        halo = math.prod(
            (t + 2 * r) / t for t, r in zip(tile, self.reach, strict=True)
        )  # read over written
        way = at["loading"]
        if way == "local" and math.prod(tile) > 2000:
            return math.inf
        coalesced = 1 + 3 / (w[0] * b[0])
        loads = {
            "global": 1.5 * self.size**0.5 * coalesced,
            "vector": (0.9 + 0.1 * self.size) * (1 + 1 / w[0]),
            "local": 1.2 * halo + 0.05 * self.size + 0.8,
            "image": 0.8 + 0.12 * self.size * (1 + 0.2 * self.reach[2]),
        }[way]
        threads = math.prod(w)
        hidden = abs(math.log2(threads) - 5) * 0.15 + 0.03 * abs(math.log2(math.prod(c)) - 2)
        noise = random.Random(f"{self.name}{sorted(map(str, point.items()))}").gauss(0, 0.01)
        return loads * (1 + hidden) * math.exp(noise)


def stencils() -> list[Stencil]:
    """21 kernels that are dense or stars, along some axes, of radius 0 to 4."""
    found = [Stencil("r0", (0, 0, 0), 1)]
    for radius in (1, 2, 3, 4):
        for axes in ("X", "Z", "XY", "XYZ"):
            reach = (
                radius * ("X" in axes),
                radius * ("Y" in axes),
                radius * ("Z" in axes),
            )
            star = 1 + 2 * sum(reach)
            found.append(Stencil(f"star_{axes}_{radius}", reach, star))
            if axes == "XY":
                found.append(Stencil(f"dense_{axes}_{radius}", reach, (2 * radius + 1) ** 2))
    return found
