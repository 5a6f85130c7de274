"""The stencils on a processor's cores: compiles, checks and times configurations.

    with OpenMP(folder=Path("build/stencil_openmp")) as openmp:
        found = openmp.measure_all({"star_2d_xy_r2": points})  # of openmp_space()

Each configuration is a shared object that the host's compiler makes of stencil_openmp.cpp; it is
kept under a hash of all that it depends on. A result is compared with NumPy's in double precision.
"""

import argparse
import ctypes
import math
import os
import random
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from openmp_space import openmp_space, options_of
from shapes import MAX_RADIUS, StencilKernel, even_sample, kernel_named
from source import FOLDER, PAD, input_size, key_of, terms

from fettle.search.points import points_of
from fettle.search.space import Point

SOURCE = FOLDER / "stencil_openmp.cpp"
ALIGNMENT = 64
WARM_UP = 1
REPEATS = 5
COMPILE_LIMIT = 120  # seconds


@dataclass(frozen=True)
class Timed:
    """A configuration's median call; infinite where `reason` says why."""

    point: Point
    seconds: float
    compile_seconds: float
    reason: str = ""


def reference(kernel: StencilKernel, values: NDArray[np.float32], elements: int) -> Any:
    """What the kernel computes, in double precision."""
    beside = elements + 2 * MAX_RADIUS
    cube = values.reshape(beside, beside, elements + 2 * PAD).astype(np.float64)
    found = np.zeros((elements,) * 3)
    for (dx, dy, dz), weight in zip(kernel.offsets, kernel.weights, strict=True):
        z, y, x = (
            slice(pad + d, pad + d + elements)
            for pad, d in ((MAX_RADIUS, dz), (MAX_RADIUS, dy), (PAD, dx))
        )
        found += weight * cube[z, y, x]
    return found


def tolerance(kernel: StencilKernel) -> float:
    """How far sums of inputs in [-1, 1) may be apart that are added in different orders."""
    return 1e-6 * sum(map(abs, kernel.weights)) * (1 + kernel.size / 100)


def aligned(count: int) -> NDArray[np.float32]:
    """An array of numbers that are not numbers, at the beginning of a cache line."""
    memory = np.full(count + ALIGNMENT, np.nan, np.float32)
    first = -memory.ctypes.data % ALIGNMENT // memory.itemsize
    return memory[first : first + count]


class OpenMP:
    """Compiles, checks and times configurations; compiles `jobs` at a time, times one."""

    def __init__(
        self, *, folder: Path, elements: int = 256, compiler: str | None = None, jobs: int = 0
    ) -> None:
        self.elements = elements
        self.folder = folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.compiler = compiler or os.environ.get("FETTLE_CXX", "c++")
        told = subprocess.run([self.compiler, "--version"], capture_output=True, check=True)
        native = subprocess.run(
            [self.compiler, "-march=native", "-dM", "-E", "-x", "c++", os.devnull],
            capture_output=True,
            check=True,
        )
        self._prefix = (SOURCE.read_text(encoding="utf-8"), str(told.stdout), str(native.stdout))
        self._pool = ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0)))
        self._input = aligned(input_size(elements))
        self._input[:] = np.random.default_rng(1).uniform(-1, 1, len(self._input))

    def __enter__(self) -> "OpenMP":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def compile(self, kernel: StencilKernel, point: Point) -> tuple[Path | None, float, str]:
        """The shared object, the seconds its compilation took, and why there is none.

        Everything is written beside its place and renamed to it: a run that is killed leaves no
        half of a file that a later one would take for a whole.
        """
        options = options_of(point, self.elements)
        key = key_of(*self._prefix, terms(kernel), options)
        place = self.folder / f"{key}.so"
        note = place.with_suffix(".txt")  # seconds, and the compiler's message where it failed
        if note.exists():
            seconds, _, message = note.read_text(encoding="utf-8").partition("\n")
            if message or place.exists():
                return (None if message else place), float(seconds), message
        unique = f"{key}.{os.getpid()}"
        includes = self.folder / f"{unique}.terms"
        includes.mkdir(exist_ok=True)
        (includes / "stencil_terms.inc").write_text(terms(kernel), encoding="utf-8")
        draft = self.folder / f"{unique}.so"
        start = time.perf_counter()
        command = [self.compiler, *options, "-I", str(includes), str(SOURCE), "-o", str(draft)]
        try:
            done = subprocess.run(
                command, check=False, capture_output=True, text=True, timeout=COMPILE_LIMIT
            )
            message = "" if done.returncode == 0 else f"it does not compile: {done.stderr[:300]}"
        except subprocess.TimeoutExpired:
            message = f"it does not compile within {COMPILE_LIMIT} s"
        taken = time.perf_counter() - start
        (includes / "stencil_terms.inc").unlink()
        includes.rmdir()
        if not message:
            draft.replace(place)
        note_draft = self.folder / f"{unique}.txt"
        note_draft.write_text(f"{taken:.6g}\n{message}", encoding="utf-8")
        note_draft.replace(note)
        return (None if message else place), taken, message

    def measure_all(self, points: Mapping[str, Sequence[Point]]) -> dict[str, list[Timed]]:
        """Points by kernel name; the results in the same order."""
        compiled = {
            name: [self._pool.submit(self.compile, kernel_named(name), point) for point in some]
            for name, some in points.items()
        }
        for futures in compiled.values():  # a compiler beside it would slow what is measured
            for future in futures:
                future.result()
        found = {}
        for name, some in points.items():
            kernel = kernel_named(name)
            expected = reference(kernel, self._input, self.elements)
            found[name] = [
                self._time(kernel, point, future.result(), expected)
                for point, future in zip(some, compiled[name], strict=True)
            ]
        return found

    def _time(
        self,
        kernel: StencilKernel,
        point: Point,
        made: tuple[Path | None, float, str],
        expected: Any,
    ) -> Timed:
        place, taken, reason = made
        if place is None:
            return Timed(point, math.inf, taken, reason)
        library = ctypes.CDLL(str(place))
        output = aligned(self.elements**3)
        arguments = [ctypes.c_void_p(array.ctypes.data) for array in (self._input, output)]
        times = []
        for _ in range(WARM_UP + REPEATS):
            start = time.perf_counter()
            library.stencil(*arguments)
            times.append(time.perf_counter() - start)
        distance = np.abs(output.reshape(expected.shape) - expected)
        wrong = int(np.count_nonzero(~(distance <= tolerance(kernel))))
        if wrong:
            reason = f"{wrong} of {output.size} outputs are wrong"
            return Timed(point, math.inf, taken, reason)
        return Timed(point, median(times[WARM_UP:]), taken)


def main() -> None:
    """Time random configurations of some kernels, and show the best of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--kernels", type=int, default=13, help="how many of the 104, evenly")
    parser.add_argument("--random", type=int, default=50, help="random configurations of each")
    parser.add_argument("--elements", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("build/stencil_openmp"))
    options = parser.parse_args()
    rng = random.Random(options.seed)
    points = points_of(openmp_space(options.elements))
    drawn = [points.point(points.draw(rng)) for _ in range(options.random)]
    with OpenMP(folder=options.folder, elements=options.elements) as openmp:
        for kernel in even_sample(options.kernels):
            timed = openmp.measure_all({kernel.name: drawn})[kernel.name]
            right = sorted((one for one in timed if not one.reason), key=lambda one: one.seconds)
            if not right:
                print(f"{kernel.name}: none of {len(timed)} is right: {timed[0].reason}")
                continue
            best, middle = right[0].seconds, right[len(right) // 2].seconds
            print(
                f"{kernel.name:22} {len(right)} of {len(timed)} right, best {1e3 * best:.3f} ms, "
                f"median {1e3 * middle:.3f} ms, {dict(right[0].point)}"
            )


if __name__ == "__main__":
    main()
