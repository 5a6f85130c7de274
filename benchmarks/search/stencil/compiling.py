"""Compiles stencil kernels by NVRTC, in a process per core.

Threads of one process would wait for each other's memory allocations, and a compiler that crashes
in a separate process takes one configuration with it.
"""

import ctypes
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

COMPILE_LIMIT = 30.0
# A compilation allocates and frees some 100 MB in small blocks; glibc keeps them for the next one.
ALLOCATION = {
    "MALLOC_TRIM_THRESHOLD_": "2000000000",
    "MALLOC_MMAP_THRESHOLD_": "1000000000",
    "MALLOC_TOP_PAD_": "67108864",
}


@dataclass(frozen=True)
class Source:
    """A file, what it includes as stencil_terms.inc, and the compiler's options."""

    path: Path
    terms: str
    options: Sequence[str]


@dataclass(frozen=True)
class Compiled:
    """The binary, or the reason why there is none; and the seconds that took."""

    binary: bytes = b""
    reason: str = ""
    seconds: float = 0.0


def nvrtc_path() -> Path | None:
    """The library in the CUDA toolkit: nvcc's, or the usual one."""
    nvcc = shutil.which("nvcc")
    toolkits = [Path(nvcc).resolve().parents[1]] if nvcc else []
    libraries = (kit / "lib64" / "libnvrtc.so" for kit in [*toolkits, Path("/usr/local/cuda")])
    return next((library for library in libraries if library.exists()), None)


@cache
def nvrtc() -> ctypes.CDLL:
    """NVRTC, loaded."""
    path = nvrtc_path()
    if path is None:
        raise SystemExit("no CUDA toolkit with NVRTC was found: is nvcc in PATH?")
    return ctypes.CDLL(str(path))


def nvrtc_version() -> str:
    """NVRTC's version."""
    parts = (ctypes.c_int(), ctypes.c_int())
    nvrtc().nvrtcVersion(*map(ctypes.byref, parts))
    return ".".join(str(part.value) for part in parts)


def _strings(texts: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(texts))(*(text.encode() for text in texts))


def compile_source(source: Source) -> Compiled:
    """Compiles in this process; gives up after COMPILE_LIMIT seconds."""
    start = time.perf_counter()
    library, program, size = nvrtc(), ctypes.c_void_p(), ctypes.c_size_t()
    library.nvrtcCreateProgram(
        ctypes.byref(program),
        source.path.read_bytes(),
        source.path.name.encode(),
        1,
        _strings([source.terms]),
        _strings(["stencil_terms.inc"]),
    )
    is_late = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(
        lambda *_: int(time.perf_counter() - start > COMPILE_LIMIT)
    )
    library.nvrtcSetFlowCallback(program, is_late, None)
    options = ["--std=c++17", "--minimal", *source.options]  # minimal: without CUDA's headers
    status = library.nvrtcCompileProgram(program, len(options), _strings(options))
    read = library.nvrtcGetProgramLog if status else library.nvrtcGetCUBIN
    (library.nvrtcGetProgramLogSize if status else library.nvrtcGetCUBINSize)(
        program, ctypes.byref(size)
    )
    text = ctypes.create_string_buffer(size.value)
    read(program, text)
    library.nvrtcDestroyProgram(ctypes.byref(program))
    seconds = time.perf_counter() - start
    if not status:
        return Compiled(text.raw, seconds=seconds)
    if seconds > COMPILE_LIMIT:
        return Compiled(reason=f"it does not compile within {COMPILE_LIMIT:g} s", seconds=seconds)
    message = text.value.decode(errors="replace")[:300]
    return Compiled(reason=f"it does not compile: {message}", seconds=seconds)


class Compilers:
    """The processes; one core is left to the launches, which have the higher priority."""

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs or max(1, len(os.sched_getaffinity(0)) - 1)
        self._start()

    def _start(self) -> None:
        os.environ.update(ALLOCATION)
        self._pool = ProcessPoolExecutor(
            self._jobs, get_context("spawn"), initializer=os.nice, initargs=(10,)
        )

    def close(self) -> None:
        """Ends them without waiting for what is not compiled yet."""
        self._pool.shutdown(cancel_futures=True)

    def compile(self, sources: Mapping[int, Source]) -> Iterator[tuple[int, Compiled]]:
        """The results by the sources' numbers, in the order in which they come."""
        left = dict(sources)
        futures: dict[Future[Compiled], int] = {}
        try:
            futures = {self._pool.submit(compile_source, one): i for i, one in left.items()}
            for future in as_completed(futures):
                compiled = future.result()
                del left[futures[future]]
                yield futures[future], compiled
        except BrokenProcessPool:
            self._start()
            numbers = list(left)
            half = len(numbers) // 2
            if half == 0:
                yield numbers[0], Compiled(reason="the compiler crashed")
                return
            for part in (numbers[:half], numbers[half:]):
                yield from self.compile({number: left[number] for number in part})
        finally:  # what the caller does not want any more
            for future in futures:
                future.cancel()
