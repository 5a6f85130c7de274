"""The searches that are compared: heuristics by loading technique, and the paper's references.

The paper's heuristics search the paper's space, without block merging in y and z. "merging" is the
paper's hybrid with it, and smaller groups: in y and z at most 16 elements a group and 2 cycles.
"blocks" has groups by optimization: what is merged in all three dimensions, for the duplicate reads
between dimensions; then the shape of the work-group; then cycles. One pass, about 70 points.
"random" draws from the space with block merging; "random_paper" and "expert" are in the paper's.

A search is given as batches: lists of points that are measured together, whose values it is then
told. What it cost is the sum over its points of compiling and measuring, whoever had them measured
first.
"""

import math
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

from shapes import AXES, StencilKernel
from space import LOADING, MERGES, NO_MERGES, PARAMETERS, expert_space, random_points, space
from table import Measured

from fettle.search.grouped import Grouped, Specification, by_dimension, by_optimization, hybrid
from fettle.search.space import Point, Space

Batches = Generator[list[Point], list[Measured], None]
Submit = Callable[[StencilKernel, Point, int], Future[Measured]]
# The paper's restrictions of the heuristics' space (section 8.3.4).
RESTRICTIONS = ("work_group_x >= 16", "work_group_y <= 32", "work_group_z <= 32")


def _grouped_by(attribute: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, role in PARAMETERS.items():
        if role.dimension:
            found.setdefault(getattr(role, attribute), []).append(name)
    return found


MERGING = "merging"
BLOCKS = "blocks"
GEOMETRY = _grouped_by("optimization")["work_group"]
DIMENSIONS = _grouped_by("dimension")


def merging() -> Specification:
    """Hybrid with block merging in y and z, and groups that leave out what is rarely good."""
    ones = {name: 1 for axis in "yz" for name in DIMENSIONS[axis]}
    found = Specification(name=MERGING).restrict(RESTRICTIONS[0]).set(ones).tune(*DIMENSIONS["x"])
    for axis in "yz":
        product = " * ".join(DIMENSIONS[axis])
        found = found.tune(
            *DIMENSIONS[axis], where=[f"{product} <= 16", f"cyclic_merge_{axis} <= 2"]
        )
    return found.tune(*GEOMETRY, keeping=[" * ".join(GEOMETRY)]).repeat(1)


def blocks() -> Specification:
    """Block merges of all dimensions together, from a work-group of 32 x 4 threads."""
    cycles = [f"cyclic_merge_{axis}" for axis in AXES]
    merged = ["vector_width", *(f"block_merge_{axis}" for axis in AXES)]
    size = " * ".join(GEOMETRY)
    found = Specification(name=BLOCKS).restrict(RESTRICTIONS[0])
    found = found.set(dict.fromkeys(cycles, 1))
    found = found.set(work_group_x=32, work_group_y=4, work_group_z=1).tune(*merged)
    limits = ["work_group_y <= 16", "work_group_z <= 16", f"{size} >= 64", f"{size} <= 512"]
    found = found.tune(*GEOMETRY, where=limits)
    return found.tune(*cycles, where=[" * ".join(cycles) + " <= 4"])


def searched(kernel: StencilKernel, heuristic: str) -> Space:
    """The space that a heuristic searches."""
    return space(kernel, merges=MERGES if heuristic in (MERGING, BLOCKS) else NO_MERGES)


def specifications() -> dict[str, Specification]:
    """The paper's heuristics, hybrid within its restrictions, and those with block merging."""
    optimizations = _grouped_by("optimization")
    merged = [*optimizations["vectorization"], *optimizations["block_merge"]]
    by_kind = {
        "work_group": optimizations["work_group"],
        "block_merge": merged,
        "cyclic_merge": optimizations["cyclic_merge"],
    }
    keeping = list(zip(by_kind["work_group"], by_kind["cyclic_merge"], strict=True))
    return {
        "hybrid": hybrid(DIMENSIONS, GEOMETRY),
        "restricted": hybrid(DIMENSIONS, GEOMETRY).restrict(*RESTRICTIONS),
        "by_dimension": by_dimension(DIMENSIONS),
        "by_optimization": by_optimization(by_kind, keeping=keeping, unset=merged),
        MERGING: merging(),
        BLOCKS: blocks(),
    }


def listed(points: Iterable[Point]) -> Batches:
    """All of some points."""
    yield list(points)


def grouped(kernel: StencilKernel, heuristic: str, way: str, seed: int) -> Batches:
    """A heuristic with one loading technique."""
    spec, its = specifications()[heuristic], searched(kernel, heuristic)
    strategy = Grouped(its, seed, spec=spec, partition={"loading": way})
    while (asked := strategy.ask()) is not None:
        batch = [asked, *(point for point in strategy.ahead() if point != asked)]
        for measured in (yield batch):
            strategy.tell(measured.point, measured.seconds)


REFERENCES: dict[str, Callable[[StencilKernel, int, int], Iterable[Point]]] = {
    "random": lambda kernel, count, seed: random_points(kernel, count, seed),
    "random_paper": lambda kernel, count, seed: random_points(
        kernel, count, seed, merges=NO_MERGES
    ),
    "expert": lambda kernel, _count, _seed: expert_space(kernel),
}


def searches(
    kernel: StencilKernel,
    count: int,
    seed: int,
    heuristics: Iterable[str],
    references: Iterable[str] = ("random", "expert"),
) -> dict[str, Callable[[], Batches]]:
    """What is measured of a kernel: references, and "HEURISTIC LOADING" for each pair."""

    def reference(name: str) -> Batches:
        return listed(REFERENCES[name](kernel, count, seed))

    return {
        **{
            f"{name} {way}": partial(grouped, kernel, name, way, seed)
            for name in heuristics
            for way in LOADING
        },
        **{name: partial(reference, name) for name in references},
    }


@dataclass(frozen=True)
class Found:
    """What a search came to, and what that took."""

    count: int
    failed: int
    compile_seconds: float
    measure_seconds: float
    seconds: float
    point: Point | None

    def as_row(self) -> Mapping[str, Any]:
        """For the record."""
        seconds = None if math.isinf(self.seconds) else self.seconds
        return {**self.__dict__, "seconds": seconds}


def run_search(kernel: StencilKernel, batches: Batches, submit: Submit, priority: int) -> Found:
    """Measure what the search asks for, to its end."""
    seen: list[Measured] = []
    batch = next(batches, None)
    while batch is not None:
        waiting = [submit(kernel, point, priority) for point in batch]
        values = [future.result() for future in waiting]
        seen += values
        try:
            batch = batches.send(values)
        except StopIteration:
            break
    best = min(seen, key=lambda measured: measured.seconds, default=None)
    is_valid = best is not None and not math.isinf(best.seconds)
    return Found(
        len(seen),
        sum(math.isinf(measured.seconds) for measured in seen),
        sum(measured.compile_seconds for measured in seen),
        sum(measured.measure_seconds for measured in seen),
        best.seconds if best is not None else math.inf,
        best.point if best is not None and is_valid else None,
    )
