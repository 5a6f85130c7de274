"""Variants at clocks, "radix@745MHz": their names, and the clocks that a device offers.

The names are those of include/fettle/variant/registration/clock_control.hpp.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Mapping, Sequence

from fettle.core.errors import FettleError

_NAME = re.compile(r"(.+)@([1-9][0-9]*)MHz")
_MOST = 1024  # clocks that are asked for
_MEMORY, _LIBRARY = 2, "libnvidia-ml.so.1"


def clocked_name(variant: str, mhz: int) -> str:
    """The name of a variant at a clock; 0: at the one that is set."""
    return f"{variant}@{mhz}MHz" if mhz else variant


def variant_and_clock(name: str) -> tuple[str, int]:
    """What such a name stands for; the clock is 0 where it names none."""
    found = _NAME.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, 0)


def plain_variants(names: Sequence[str]) -> tuple[str, ...]:
    """The variants of some names, without their clocks."""
    return tuple(dict.fromkeys(variant_and_clock(name)[0] for name in names))


def device_clocks(environment: Mapping[str, str] | None = None) -> tuple[int, ...]:
    """MHz that the first GPU ($FETTLE_CLOCK_DEVICE) offers at its present memory clock, ascending.

    Changes nothing. Raises FettleError, with what to do, where there is no driver or no clock.
    """
    known = {**os.environ, **(environment or {})}
    path = known.get("FETTLE_NVML") or _LIBRARY
    remedy = "name the clocks yourself: tune_frequency([562, 745, 875])"
    try:
        nvml = ctypes.CDLL(path)
    except OSError:
        raise FettleError(
            f"tune_frequency('auto') asks NVML, {path!r}, which cannot be loaded; is the driver "
            f"installed? Else {remedy}"
        ) from None
    device = ctypes.c_void_p()
    number = int(known.get("FETTLE_CLOCK_DEVICE") or 0)
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByIndex_v2(number, ctypes.byref(device)):
        raise FettleError(f"NVML knows of no GPU {number}; see what nvidia-smi says, or {remedy}")
    try:
        memory = ctypes.c_uint()
        if nvml.nvmlDeviceGetApplicationsClock(device, _MEMORY, ctypes.byref(memory)):
            all_of_it = _listed(nvml.nvmlDeviceGetSupportedMemoryClocks, device)
            memory = ctypes.c_uint(max(all_of_it, default=0))
        found = _listed(nvml.nvmlDeviceGetSupportedGraphicsClocks, device, memory)
    finally:
        nvml.nvmlShutdown()
    if not found:
        raise FettleError(f"GPU {number} offers no clocks to choose from; {remedy}")
    return tuple(sorted(found))


def _listed(function: ctypes._NamedFuncPointer, *arguments: object) -> list[int]:
    count, clocks = ctypes.c_uint(_MOST), (ctypes.c_uint * _MOST)()
    status = function(*arguments, ctypes.byref(count), clocks)
    return [] if status else list(clocks[: count.value])
