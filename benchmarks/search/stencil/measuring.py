"""Where the values of the searches' points come from: the GPU, or what was measured before."""

import math
import re
import time
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Protocol

from compiling import Compilers, Source
from gpu import Device, is_hopeless
from shapes import StencilKernel, kernel_named
from source import FOLDER, macros, terms
from space import SIDES, Sides

from fettle.search.grouped import Measured
from fettle.search.grouped.lockstep import Batch
from fettle.search.space import Point

ROUNDS = 3
FINAL_LAUNCHES = 21


class Measuring(Protocol):
    """Where values come from."""

    def batch(self, batch: Batch) -> Sequence[Measured | None]:
        """The values of points; None for those that are not measured."""

    def again(self, kernel: StencilKernel, points: Sequence[Point]) -> list[float]:
        """The seconds of winners, measured in turn; empty where they are not measured."""


class Replay:
    """Nothing is measured, but what is hopeless is known to be."""

    def __init__(self, sides: Sides = SIDES) -> None:
        self.sides = sides

    def batch(self, batch: Batch) -> list[Measured | None]:
        """Values of hopeless points."""
        return [
            Measured(math.inf, 0.0) if is_hopeless(kernel_named(name), point, self.sides) else None
            for name, point in batch
        ]

    def again(self, _kernel: StencilKernel, _points: Sequence[Point]) -> list[float]:
        """None."""
        return []


class OnGpu(Replay):
    """Compiles ahead, and measures what is compiled, until the deadline."""

    def __init__(
        self,
        *,
        sides: Sides = SIDES,
        jobs: int | None = None,
        time_limit: float | None = None,
        device: int = 0,
    ) -> None:
        super().__init__(sides)
        self._deadline = time.monotonic() + (math.inf if time_limit is None else time_limit)
        self.device = Device(sides, device)
        self.compilers = Compilers(jobs)
        self.reasons: Counter[str] = Counter()

    def source(self, kernel: StencilKernel, point: Point, *, fixed: bool = True) -> Source:
        """A configuration for the compiler, its work-group size `fixed` or chosen at the launch."""
        options = macros(kernel, point, self.sides, fixed=fixed)
        architecture = f"--gpu-architecture={self.device.architecture}"
        return Source(FOLDER / "stencil.cu", terms(kernel), [*options, architecture])

    def batch(self, batch: Batch) -> list[Measured | None]:
        """Compiles and measures."""
        found = super().batch(batch)
        named = [(kernel_named(name), point) for name, point in batch]
        wanted = {i: self.source(*named[i]) for i, one in enumerate(found) if one is None}
        if self.is_late:
            return found
        for i, compiled in self.compilers.compile(wanted):
            seconds, spent, reason = self.device.measure(*named[i], compiled)
            found[i] = Measured(seconds, compiled.seconds + spent)
            self.count(reason)
            if self.is_late:
                break
        return found

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._deadline

    def count(self, reason: str) -> None:
        """Count why points have no value, alike reasons together."""
        self.reasons[re.sub(r"\d+", "N", reason.partition("\n")[0])] += bool(reason)

    def again(self, kernel: StencilKernel, points: Sequence[Point]) -> list[float]:
        """Medians of rounds in which each is launched often."""
        if self.is_late:
            return []
        sources = {i: self.source(kernel, point) for i, point in enumerate(points)}
        compiled = dict(self.compilers.compile(sources))
        rounds = [
            [
                self.device.measure(kernel, point, compiled[i], FINAL_LAUNCHES)[0]
                for i, point in enumerate(points)
            ]
            for _ in range(ROUNDS)
        ]
        return [median(times) for times in zip(*rounds, strict=True)]
