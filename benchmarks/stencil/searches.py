"""The searches that are compared: the paper's heuristics by loading technique, and its references.

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

from shapes import StencilKernel
from space import LOADING, PARAMETERS, expert_space, random_points, space
from table import Measured

from fettle.search.grouped import Grouped, Specification, by_dimension, by_optimization, hybrid
from fettle.search.space import Point

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


GEOMETRY = _grouped_by("optimization")["work_group"]
DIMENSIONS = _grouped_by("dimension")


def specifications() -> dict[str, Specification]:
    """The paper's heuristics, and hybrid within its restrictions."""
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
    }


def listed(points: Iterable[Point]) -> Batches:
    """All of some points."""
    yield list(points)


def grouped(kernel: StencilKernel, spec: Specification, way: str, seed: int) -> Batches:
    """A heuristic with one loading technique."""
    strategy = Grouped(space(kernel), seed, spec=spec, partition={"loading": way})
    while (asked := strategy.ask()) is not None:
        batch = [asked, *(point for point in strategy.ahead() if point != asked)]
        for measured in (yield batch):
            strategy.tell(measured.point, measured.seconds)


def searches(
    kernel: StencilKernel, count: int, seed: int, heuristics: Iterable[str]
) -> dict[str, Callable[[], Batches]]:
    """What is measured of a kernel: "random", "expert", and "HEURISTIC LOADING" for each pair."""
    specs = specifications()
    return {
        **{
            f"{name} {way}": partial(grouped, kernel, specs[name], way, seed)
            for name in heuristics
            for way in LOADING
        },
        "expert": lambda: listed(expert_space(kernel)),
        "random": lambda: listed(random_points(kernel, count, seed)),
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
