"""Compiles ahead of the GPU, in a process a core.

Threads of one process would share its memory's locks, which NVRTC's many allocations wait for; and
a compiler that crashes takes one configuration with it, not all.
"""

import heapq
import itertools
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

from process import Answer, EndedError, Process
from shapes import StencilKernel

# Jobs that a compiler has at a time: one more than it works on.
AT_A_TIME = 2


class Compilers:
    """Processes that put compiled kernels into the cache, those of the highest priority first."""

    def __init__(self, command: Sequence[str], folder: Path, count: int) -> None:
        self._command = command
        self._folder = folder
        self._lock = threading.Lock()
        self._order = itertools.count()
        self._waiting: list[tuple[int, int, StencilKernel, Sequence[object], Future[Answer]]] = []
        self._error: Exception | None = None
        self._processes = [Process(command, folder) for _ in range(count)]
        self._free = [place for place in range(count) for _ in range(AT_A_TIME)]

    def submit(
        self, kernel: StencilKernel, priority: int, fields: Sequence[object]
    ) -> Future[Answer]:
        """A job's fields (job.hpp); the answer says whether it compiles."""
        made: Future[Answer] = Future()
        with self._lock:
            error = self._error
            if error is None:
                entry = (-priority, next(self._order), kernel, fields, made)
                heapq.heappush(self._waiting, entry)
        if error is not None:
            made.set_exception(error)
        self._start()
        return made

    def _start(self) -> None:
        while True:
            with self._lock:
                if self._error is not None or not self._free or not self._waiting:
                    return
                place = self._free.pop(0)
                _, _, kernel, fields, made = heapq.heappop(self._waiting)
                process = self._processes[place]
            answer = process.send(kernel, fields)
            answer.add_done_callback(
                lambda done, place=place, process=process, made=made: self._settle(
                    place, process, done, made
                )
            )

    def _settle(
        self, place: int, process: Process, done: Future[Answer], made: Future[Answer]
    ) -> None:
        error = done.exception()
        with self._lock:
            if isinstance(error, EndedError) and self._error is None:
                if self._processes[place] is process:
                    self._processes[place] = Process(self._command, self._folder)
                error = None
                crashed = True
            else:
                crashed = False
            self._free.append(place)
        if error is not None:
            made.set_exception(error)
        elif crashed:
            made.set_result({"reason": "the compiler crashed"})
        else:
            made.set_result(done.result())
        self._start()

    def end(self, error: Exception) -> None:
        """Kill all; whoever waits gets the error."""
        with self._lock:
            self._error = error
            left, self._waiting = self._waiting, []
            processes = list(self._processes)
        for process in processes:
            process.end(error)
        for _, _, _, _, made in left:
            made.set_exception(error)
