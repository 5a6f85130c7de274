"""The searches that are compared: heuristics by loading technique, and the paper's references.

The heuristics are in specifications.py. "random" draws from the space with block merging in y and
z, as "merging", "blocks" and "refined" search it; "random_paper" and "expert" are in the paper's.

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

from samples import expert_space, random_points
from shapes import StencilKernel
from space import NO_MERGES, PAPER_LOADING
from specifications import searched, specifications
from table import Measured

from fettle.search.grouped import Grouped
from fettle.search.space import Point

Batches = Generator[list[Point], list[Measured], None]
Submit = Callable[[StencilKernel, Point, int], Future[Measured]]


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
            for way in PAPER_LOADING
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
