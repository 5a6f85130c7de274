"""A running stencil_gpu: jobs in, answers out."""

import json
import os
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any

from shapes import StencilKernel
from source import terms

Answer = dict[str, Any]
# A compilation takes and gives back some 100 MB in many small parts. glibc would return them to the
# system each time, and threads would wait for each other to get them again.
ALLOCATION = {
    "MALLOC_TRIM_THRESHOLD_": "2000000000",
    "MALLOC_MMAP_THRESHOLD_": "1000000000",
    "MALLOC_TOP_PAD_": "67108864",
}


class EndedError(RuntimeError):
    """The program ended before it had answered."""


class Process:
    """The program, started; `send` may be called from many threads.

    `about` is what it says of itself at its start. `folder` takes the files of the stencils' terms.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._folder = folder
        self._pipe = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **ALLOCATION},
        )
        self._lock = threading.Lock()  # for writing; whoever reads must not wait for a full pipe
        self._waiting: dict[int, Future[Answer]] = {}
        self._announced: set[str] = set()
        self._count = 0
        self._error: Exception = EndedError(f"{command[0]} ended before it had answered")
        first = self._output.readline()
        if not first:
            raise SystemExit(f"{command[0]} ended with status {self._pipe.wait()}")
        self.about: Answer = json.loads(first)
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def _output(self) -> IO[str]:
        assert self._pipe.stdout is not None
        return self._pipe.stdout

    def send(self, kernel: StencilKernel, fields: Sequence[object]) -> Future[Answer]:
        """A job's fields without its id (job.hpp); its answer, in time."""
        answer: Future[Answer] = Future()
        lines = []
        with self._lock:
            assert self._pipe.stdin is not None
            if kernel.name not in self._announced:
                path = self._folder / f"{kernel.name}.{self._pipe.pid}.inc"
                path.write_text(terms(kernel), encoding="utf-8")
                lines.append(f"kernel\t{kernel.name}\t{path}\n")
                self._announced.add(kernel.name)
            self._count += 1
            number = self._count
            self._waiting[number] = answer
            lines.append("\t".join(map(str, [number, *fields])) + "\n")
            try:
                self._pipe.stdin.write("".join(lines))
                self._pipe.stdin.flush()
                is_sent = self._pipe.poll() is None
            except (OSError, ValueError):
                is_sent = False
        if not is_sent and self._waiting.pop(number, None) is not None:
            answer.set_exception(self._error)
        return answer

    def _listen(self) -> None:
        for line in self._output:
            found = json.loads(line)
            answer = self._waiting.pop(found["id"], None)
            if answer is not None:
                answer.set_result(found)
        for number in list(self._waiting):
            answer = self._waiting.pop(number, None)
            if answer is not None:
                answer.set_exception(self._error)

    def end(self, error: Exception) -> None:
        """Kill it; whoever waits gets the error."""
        self._error = error
        self._pipe.kill()
        self._pipe.wait()
