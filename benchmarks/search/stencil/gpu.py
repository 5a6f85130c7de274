"""Measures configurations of the stencils on GPUs, from many threads at once.

    with Measuring(table=Path("measured.csv")) as measuring:
        found = measuring.measure_all({"star_2d_xy_r2": points})

Behind it is one stencil_gpu a GPU, and one a core that compiles ahead of it. A point that was
measured before, in this run or in the table's, is not measured again.

A configuration in which a single thread has so much to do that it cannot but be far slower than
others is not tried: its time is infinite, and its cost nothing. A thread needs a cycle a term at
least; where that alone takes HOPELESS times what the whole kernel takes at the H200's peak rates of
arithmetic and memory, and MIN_HOPELESS, the point is out.
"""

import json
import math
import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from compilers import Compilers
from process import Answer, Process
from programs import build
from shapes import StencilKernel, kernel_named
from source import FOLDER, SOURCE, grid, key_of, macros, outputs_per_thread, terms, threads
from source import shared_bytes as shared_bytes_of
from space import ELEMENTS
from table import Measured, Row, Table, key_of_point

from fettle.search.space import Point

CYCLES_PER_SECOND = 1.98e9
TERMS_PER_SECOND = CYCLES_PER_SECOND * 132 * 128
BYTES_PER_SECOND = 4.8e12
HOPELESS = 20
MIN_HOPELESS = 0.005


class TimeUpError(Exception):
    """The time limit passed before everything was measured."""


def is_hopeless(kernel: StencilKernel, point: Mapping[str, Any], elements: int) -> bool:
    """Whether one thread alone takes far longer than the kernel should."""
    thread = outputs_per_thread(point) * kernel.size / CYCLES_PER_SECOND
    outputs = elements**3
    ideal = max(outputs * kernel.size / TERMS_PER_SECOND, 8 * outputs / BYTES_PER_SECOND)
    return thread > max(MIN_HOPELESS, HOPELESS * ideal)


class Measuring:
    """Compiles, verifies and times configurations. Thread-safe.

    - `program`: stencil_gpu; None: it is built in `folder`, which also holds the cache of compiled
      kernels.
    - `table`: the file of results, read first and appended to.
    - `devices`: how many GPUs; a kernel is measured on one of them only. 0: nothing is measured,
      configurations are compiled for `architecture`.
    - `time_limit`: seconds after which whatever waits raises TimeUpError.
    """

    def __init__(
        self,
        *,
        program: Path | None = None,
        folder: Path | None = None,
        table: Path | None = None,
        devices: int = 1,
        jobs: int | None = None,
        elements: int = ELEMENTS,
        architecture: str = "sm_90",
        time_limit: float | None = None,
        options: Sequence[str] = (),
    ) -> None:
        self.elements = elements
        self._temporary = tempfile.TemporaryDirectory() if folder is None else None
        self.folder = Path(self._temporary.name) if self._temporary else Path(str(folder))
        self.table = Table(table)
        program = program or build(self.folder)
        terms_folder = self.folder / "terms"
        terms_folder.mkdir(parents=True, exist_ok=True)
        command = [str(program), "--source", str(SOURCE), "--elements", str(elements)]
        command += ["--reference", str(FOLDER / "reference.cu"), *options]
        command += ["--cache", str(self.folder / "compiled")]
        self._processes = [
            Process([*command, "--device", str(i), "--jobs", "2"], terms_folder)
            for i in range(devices)
        ]
        if devices:
            architecture = self._processes[0].about.get("architecture", architecture)
        compiling = [*command, "--compile-only", "--jobs", "1", "--architecture", architecture]
        # A core is for launches and for this program, which have the higher priority.
        count = jobs or max(1, len(os.sched_getaffinity(0)) - 1)
        self._compilers = Compilers(compiling, terms_folder, count)
        self.about = (
            self._processes[0].about if devices else {"architecture": architecture, "device": None}
        )
        self._lock = threading.Lock()
        self._place: dict[str, int] = {}
        self._known: dict[tuple[str, Row], Future[Measured]] = {}
        self._prefix = (SOURCE.read_text(encoding="utf-8"), json.dumps(self.about, sort_keys=True))
        self._timer: threading.Timer | None = None
        if time_limit is not None:
            left = max(time_limit, 0.1)
            error = TimeUpError(f"the time limit of {time_limit:g} s has passed")
            self._timer = threading.Timer(left, self._end, [error])
            self._timer.daemon = True
            self._timer.start()

    def __enter__(self) -> "Measuring":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the programs and close the table."""
        if self._timer is not None:
            self._timer.cancel()
        self._end(RuntimeError("the measuring was closed"))
        with self._lock:
            self.table.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _end(self, error: Exception) -> None:
        self._compilers.end(error)
        for process in self._processes:
            process.end(error)

    def submit(self, kernel: StencilKernel, point: Point, priority: int = 0) -> Future[Measured]:
        """One configuration's result, in time; a point that was asked for before gives the same."""
        place = (kernel.name, key_of_point(point))
        with self._lock:
            if place in self._known:
                return self._known[place]
            result: Future[Measured] = Future()
            self._known[place] = result
            known = self.table.find(kernel.name, point)
        if known is None and is_hopeless(kernel, point, self.elements):
            known = Measured(point, math.inf, reason="a thread has too much to do")
        if known is not None:
            result.set_result(known)
            return result
        answer = self._send(kernel, point, priority, 0)
        answer.add_done_callback(lambda done: self._settle(kernel.name, point, done, result))
        return result

    def again(self, kernel: StencilKernel, point: Point, repeats: int) -> Measured:
        """Measure a point once more, with so many launches; the table keeps what it had."""
        return _measured(point, self._send(kernel, point, 1_000_000, repeats).result())

    def measure_all(self, points: Mapping[str, Sequence[Point]]) -> dict[str, list[Measured]]:
        """Points by kernel name; the results in the same order."""
        waiting = {
            name: [self.submit(kernel_named(name), point) for point in some]
            for name, some in points.items()
        }
        return {name: [future.result() for future in some] for name, some in waiting.items()}

    def _send(
        self, kernel: StencilKernel, point: Point, priority: int, repeats: int
    ) -> Future[Answer]:
        given = [f"-D{k}={v}" for k, v in macros(kernel, point, self.elements).items()]
        key = key_of(*self._prefix, terms(kernel), given)
        groups = grid(point, self.elements)
        fields = [kernel.name, priority, key, threads(point), *groups]
        fields += [shared_bytes_of(kernel, point), repeats, " ".join(given)]
        if not self._processes:
            return self._compilers.submit(kernel, priority, fields)
        with self._lock:
            place = self._place.setdefault(kernel.name, len(self._place) % len(self._processes))
        if repeats:  # once more: it is compiled, and need not wait for a compiler
            return self._processes[place].send(kernel, fields)
        compiled = self._compilers.submit(kernel, priority, fields)
        measured: Future[Answer] = Future()

        def launch(done: Future[Answer]) -> None:
            error = done.exception()
            if error is not None:
                measured.set_exception(error)
            elif done.result()["reason"] == "the compiler crashed":
                measured.set_result(done.result())
            else:  # the GPU's program finds it in the cache
                answer = self._processes[place].send(kernel, fields)
                answer.add_done_callback(lambda made: _pass_on(made, measured))

        compiled.add_done_callback(launch)
        return measured

    def _settle(
        self,
        kernel: str,
        point: Point,
        answer: Future[Answer],
        result: Future[Measured],
    ) -> None:
        error = answer.exception()
        if error is not None:
            result.set_exception(error)
            return
        measured = _measured(point, answer.result())
        with self._lock:
            self.table.add(kernel, measured)
        result.set_result(measured)


def _pass_on(done: Future[Answer], to: Future[Answer]) -> None:
    error = done.exception()
    if error is not None:
        to.set_exception(error)
    else:
        to.set_result(done.result())


def _measured(point: Point, answer: Answer) -> Measured:
    seconds = answer.get("seconds")
    return Measured(
        point,
        math.inf if seconds is None else float(seconds),
        float(answer.get("compile_seconds", 0)),
        float(answer.get("measure_seconds", 0)),
        int(answer.get("launches", 0)),
        int(answer.get("registers", 0)),
        int(answer.get("local_bytes", 0)),
        str(answer["reason"]),
    )
