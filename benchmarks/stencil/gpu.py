"""Measures configurations of the stencils on GPUs, from many threads at once.

    with Measuring(table=Path("measured.csv")) as measuring:
        found = measuring.measure_all({"star_2d_xy_r2": points})

Behind it is one stencil_gpu a GPU, which compiles on all cores ahead of the launches. A point that
was measured before, in this run or in the table's, is not measured again.

A configuration in which a single thread has so much to do that it cannot but be far slower than
others is not tried: its time is infinite, and its cost nothing. A thread needs a cycle a term at
least; where that alone takes HOPELESS times what the whole kernel takes at the H200's peak rates of
arithmetic and memory, and MIN_HOPELESS, the point is out.
"""

import json
import math
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any

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


class _Process:
    """A running stencil_gpu."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.folder = folder
        self.pipe = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.lock = threading.Lock()  # for writing; whoever reads must not wait for a full pipe
        self.waiting: dict[int, Future[dict[str, Any]]] = {}
        self.announced: set[str] = set()
        self.count = 0
        first = self._output.readline()
        if not first:
            raise SystemExit(f"{command[0]} ended with status {self.pipe.wait()}")
        self.about: dict[str, Any] = json.loads(first)
        self.error: Exception = RuntimeError(f"{command[0]} ended before it had answered")
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def _output(self) -> IO[str]:
        assert self.pipe.stdout is not None
        return self.pipe.stdout

    def send(self, kernel: StencilKernel, fields: Sequence[object]) -> Future[dict[str, Any]]:
        """A job's fields without its id; its answer."""
        answer: Future[dict[str, Any]] = Future()
        lines = []
        with self.lock:
            assert self.pipe.stdin is not None
            if kernel.name not in self.announced:
                path = self.folder / f"{kernel.name}.inc"
                path.write_text(terms(kernel), encoding="utf-8")
                lines.append(f"kernel\t{kernel.name}\t{path}\n")
                self.announced.add(kernel.name)
            self.count += 1
            self.waiting[self.count] = answer
            lines.append("\t".join(map(str, [self.count, *fields])) + "\n")
            try:
                self.pipe.stdin.write("".join(lines))
                self.pipe.stdin.flush()
            except (OSError, ValueError):
                self.waiting.pop(self.count, None)
                answer.set_exception(self.error)
        return answer

    def _listen(self) -> None:
        for line in self._output:
            found = json.loads(line)
            self.waiting.pop(found["id"]).set_result(found)
        with self.lock:
            left, self.waiting = self.waiting, {}
        for answer in left.values():
            answer.set_exception(self.error)

    def end(self, error: Exception) -> None:
        """Kill it; whoever waits gets the error."""
        self.error = error
        self.pipe.kill()
        self.pipe.wait()


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
        cores = jobs or len(os.sched_getaffinity(0)) - 2  # one for launches, one for this program
        terms_folder = self.folder / "terms"
        terms_folder.mkdir(parents=True, exist_ok=True)
        command = [str(program), "--source", str(SOURCE), "--elements", str(elements)]
        command += ["--reference", str(FOLDER / "reference.cu"), "--architecture", architecture]
        command += ["--cache", str(self.folder / "compiled"), *options]
        command += ["--jobs", str(max(1, cores // max(1, devices)))]
        kinds = [["--device", str(i)] for i in range(devices)] or [["--compile-only"]]
        self._processes = [_Process([*command, *kind], terms_folder) for kind in kinds]
        self.about = self._processes[0].about
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
    ) -> Future[dict[str, Any]]:
        given = [f"-D{k}={v}" for k, v in macros(kernel, point, self.elements).items()]
        key = key_of(*self._prefix, terms(kernel), given)
        with self._lock:
            process = self._place.setdefault(kernel.name, len(self._place) % len(self._processes))
        groups = grid(point, self.elements)
        fields = [kernel.name, priority, key, threads(point), *groups]
        fields += [shared_bytes_of(kernel, point), repeats, " ".join(given)]
        return self._processes[process].send(kernel, fields)

    def _settle(
        self,
        kernel: str,
        point: Point,
        answer: Future[dict[str, Any]],
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


def _measured(point: Point, answer: Mapping[str, Any]) -> Measured:
    seconds = math.inf if answer["seconds"] is None else float(answer["seconds"])
    return Measured(
        point,
        seconds,
        float(answer["compile_seconds"]),
        float(answer["measure_seconds"]),
        int(answer["launches"]),
        int(answer["registers"]),
        int(answer["local_bytes"]),
        str(answer["reason"]),
    )
