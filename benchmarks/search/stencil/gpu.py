"""Measures compiled configurations of the stencils on a GPU, through the CUDA driver.

All kernels read one input of single-precision numbers with a halo, and write one output: for 256^3
together 146 MB, more than twice the L2 cache of an H200. The first launch is compared
element by element with a plain kernel in double precision (reference.cu). The timed launches come
after it, with an event between any two, and their median counts. A configuration whose first launch
took more than SLOW times as long as the kernel's best launch so far is not launched again.
$FETTLE_CUDA_DRIVER names another driver library.

A configuration in which a single thread has so much to do that it cannot but be far slower than
others is not tried. A thread needs a cycle a term at least; where that alone takes HOPELESS times
what the whole kernel takes at the H200's peak rates of arithmetic and memory, and MIN_HOPELESS, the
configuration is out.
"""

import ctypes
import math
import os
import struct
import time
from array import array
from collections.abc import Mapping
from ctypes import byref, c_float, c_int, c_uint, c_void_p
from itertools import pairwise
from statistics import median
from typing import Any

from compiling import Compiled, Source, compile_source
from shapes import StencilKernel
from source import FOLDER, grid, input_size, layout, outputs_per_thread, shared_bytes, threads
from space import Sides

REPEATS = 5
SLOW = 10
CYCLES_PER_SECOND = 1.98e9
TERMS_PER_SECOND = CYCLES_PER_SECOND * 132 * 128
BYTES_PER_SECOND = 4.8e12
HOPELESS = 20
MIN_HOPELESS = 0.005
MOST_LAUNCHES = 63
NAN = 0x7FFFFFFF
MAJOR, MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
MAX_SHARED_BYTES = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
# Functions whose current version has a suffix.
VERSIONED = {"cuMemAlloc", "cuMemFree", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuDevicePrimaryCtxReset"}


def is_hopeless(kernel: StencilKernel, point: Mapping[str, Any], sides: Sides) -> bool:
    """Whether one thread alone takes far longer than the kernel should."""
    thread = outputs_per_thread(point) * kernel.size / CYCLES_PER_SECOND
    outputs = math.prod(sides)
    ideal = max(outputs * kernel.size / TERMS_PER_SECOND, 8 * outputs / BYTES_PER_SECOND)
    return thread > max(MIN_HOPELESS, HOPELESS * ideal)


class DriverError(RuntimeError):
    """A function of the driver failed."""


class Device:
    """The GPU, with the input, the output and the expected outputs."""

    def __init__(self, sides: Sides, ordinal: int = 0) -> None:
        self.sides = sides
        library = os.environ.get("FETTLE_CUDA_DRIVER", "libcuda.so.1")
        try:
            self._driver = ctypes.CDLL(library)
        except OSError as error:
            raise SystemExit(f"there is no CUDA driver: {error}") from error
        self._ordinal = c_int()
        self._call("cuInit", 0)
        self._call("cuDeviceGet", byref(self._ordinal), ordinal)
        name = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", name, len(name), self._ordinal)
        self.name = name.value.decode()
        major, minor = map(self._attribute, (MAJOR, MINOR))
        self.architecture = f"sm_{major}{minor}"
        macros = {**layout(sides), "SIZE": input_size(sides)}
        options = [f"-D{name}={value}" for name, value in macros.items()]
        options.append(f"--gpu-architecture={self.architecture}")
        self._reference = compile_source(Source(FOLDER / "reference.cu", "", options))
        if self._reference.reason:
            raise SystemExit(f"reference.cu: {self._reference.reason}")
        self._set_up()

    def measure(
        self,
        kernel: StencilKernel,
        point: Mapping[str, Any],
        compiled: Compiled,
        repeats: int | None = None,
        *,
        fixed: bool = True,
    ) -> tuple[float, float, str]:
        """The median launch, infinite where there is none; the seconds spent; why there is none."""
        start = time.perf_counter()
        seconds, reason = math.inf, compiled.reason
        if not reason:
            try:
                seconds, reason = self._run(kernel, point, compiled.binary, repeats, fixed)
            except DriverError as error:
                reason = str(error)
                if self._status("cuCtxSynchronize"):  # the context is lost
                    self._call("cuDevicePrimaryCtxReset", self._ordinal)
                    self._set_up()
        return seconds, time.perf_counter() - start, reason

    def _status(self, function: str, *arguments: object) -> int:
        suffix = "_v2" if function in VERSIONED else ""
        return int(getattr(self._driver, function + suffix)(*arguments))

    def _call(self, function: str, *arguments: object) -> None:
        if status := self._status(function, *arguments):
            name = ctypes.c_char_p()
            self._status("cuGetErrorName", status, byref(name))
            raise DriverError(f"{function}: {(name.value or b'an unknown error').decode()}")

    def _attribute(self, attribute: int) -> int:
        value = c_int()
        self._call("cuDeviceGetAttribute", byref(value), attribute, self._ordinal)
        return value.value

    def _allocate(self, size: int, values: bytes = b"") -> c_void_p:
        memory = c_void_p()
        self._call("cuMemAlloc", byref(memory), ctypes.c_size_t(size))
        if values:
            self._call("cuMemcpyHtoD", memory, values, ctypes.c_size_t(size))
        return memory

    def _fill(self, memory: c_void_p, word: int, count: int) -> None:
        self._call("cuMemsetD32Async", memory, c_uint(word), ctypes.c_size_t(count), None)

    def _load(self, binary: bytes) -> c_void_p:
        module = c_void_p()
        self._call("cuModuleLoadData", byref(module), binary)
        return module

    def _function(self, module: c_void_p, name: bytes) -> c_void_p:
        function = c_void_p()
        self._call("cuModuleGetFunction", byref(function), module, name)
        return function

    def _set_up(self) -> None:
        """A new context; what belonged to one before is gone with it."""
        context, self._texture = c_void_p(), ctypes.c_uint64()
        self._call("cuDevicePrimaryCtxRetain", byref(context), self._ordinal)
        self._call("cuCtxSetCurrent", context)
        size = 4 * input_size(self.sides)
        self._input, self._output = self._allocate(size), self._allocate(4 * math.prod(self.sides))
        self._wrong = self._allocate(4)
        self._expected: dict[str, tuple[c_void_p, float]] = {}
        self._best: dict[str, float] = {}
        self._events = [c_void_p() for _ in range(MOST_LAUNCHES + 1)]
        for event in self._events:
            self._call("cuEventCreate", byref(event), 0)
        # CUDA_RESOURCE_DESC: linear memory of single floats; CUDA_TEXTURE_DESC: all defaults.
        resource = struct.pack("=i4xQIIQ112x", 2, self._input.value, 0x20, 1, size)
        self._call("cuTexObjectCreate", byref(self._texture), resource, bytes(104), None)
        module = self._load(self._reference.binary)
        self._plain = {n: self._function(module, n) for n in (b"fill", b"reference", b"compare")}
        self._launch_plain(b"fill", input_size(self.sides), self._input)
        self._call("cuCtxSynchronize")

    @staticmethod
    def _launch(function: c_void_p, groups: Any, size: Sides, shared: int, values: Any) -> Any:
        """The arguments of cuLaunchKernel; the values are read when it is called."""
        addresses = (c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        shape = [*map(c_uint, (*groups, *size, shared))]
        return function, *shape, None, addresses, None

    def _launch_plain(self, name: bytes, elements: int, *values: Any) -> None:
        groups = ((elements + 255) // 256, 1, 1)
        self._call(
            "cuLaunchKernel", *self._launch(self._plain[name], groups, (256, 1, 1), 0, values)
        )

    def _expect(self, kernel: StencilKernel) -> tuple[c_void_p, float]:
        """What the kernel has to compute, and the tolerance; computed at its first use."""
        if kernel.name not in self._expected:
            where = layout(self.sides)
            distances = [
                dz * where["PLANE"] + dy * where["ROW"] + dx for dx, dy, dz in kernel.offsets
            ]
            bytes_ = 4 * kernel.size
            there = self._allocate(bytes_, array("i", distances).tobytes())
            weights = self._allocate(bytes_, array("f", kernel.weights).tobytes())
            output = self._allocate(4 * math.prod(self.sides))
            values = (self._input, there, weights, c_int(kernel.size), output)
            self._launch_plain(b"reference", math.prod(self.sides), *values)
            self._call("cuCtxSynchronize")
            self._call("cuMemFree", there)
            self._call("cuMemFree", weights)
            self._expected[kernel.name] = (output, kernel.tolerance)
        return self._expected[kernel.name]

    def _run(
        self,
        kernel: StencilKernel,
        point: Mapping[str, Any],
        binary: bytes,
        repeats: int | None,
        fixed: bool,
    ) -> tuple[float, str]:
        expected, tolerance = self._expect(kernel)
        module = self._load(binary)
        try:
            function = self._function(module, b"stencil")
            shared, size = shared_bytes(kernel, point), threads(point, fixed=fixed)
            if shared:
                self._call("cuFuncSetAttribute", function, MAX_SHARED_BYTES, shared)
            outputs = math.prod(self.sides)
            # NaN first: no output may be right because another configuration wrote it.
            self._call(
                "cuMemsetD32Async", self._output, c_uint(NAN), ctypes.c_size_t(outputs), None
            )
            self._call("cuMemsetD32Async", self._wrong, c_uint(0), ctypes.c_size_t(1), None)
            times = self._times(function, point, size, shared, 1)
            values = (self._output, expected, c_float(tolerance), self._wrong)
            self._launch_plain(b"compare", outputs, *values)
            wrong = c_uint()
            self._call("cuMemcpyDtoH", byref(wrong), self._wrong, ctypes.c_size_t(4))
            if wrong.value:
                return math.inf, f"{wrong.value} of {outputs} outputs are wrong"
            if repeats or times[0] <= SLOW * self._best.get(kernel.name, math.inf):
                times = self._times(function, point, size, shared, repeats or REPEATS)
        finally:
            self._status("cuModuleUnload", module)
        seconds = median(times)
        self._best[kernel.name] = min(seconds, self._best.get(kernel.name, math.inf))
        return seconds, ""

    def _times(
        self, function: c_void_p, point: Mapping[str, Any], size: Sides, shared: int, count: int
    ) -> list[float]:
        """The seconds of so many launches, one after the other."""
        events = self._events[: min(count, MOST_LAUNCHES) + 1]
        values = (self._input, self._texture, self._output)
        launch = self._launch(function, grid(point, self.sides), size, shared, values)
        self._call("cuEventRecord", events[0], None)
        for event in events[1:]:
            self._call("cuLaunchKernel", *launch)
            self._call("cuEventRecord", event, None)
        self._call("cuEventSynchronize", events[-1])
        milliseconds = c_float()
        times = []
        for first, second in pairwise(events):
            self._call("cuEventElapsedTime", byref(milliseconds), first, second)
            times.append(1e-3 * milliseconds.value)
        return times
