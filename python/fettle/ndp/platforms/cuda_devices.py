"""CUDA on each of several GPUs: how many, what is divided equally, and CUDA's parameters.

devices    1, because a small input is not worth several launches; 2, 4, ... and all
partition  rows and work, where rows may have any lengths; elsewhere both are the same
"""

from __future__ import annotations

from dataclasses import replace

from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import Field
from fettle.ndp.base.platform import Values
from fettle.ndp.platforms._division import PARTITION, counts, partitions
from fettle.ndp.platforms.cuda import PLATFORM as _CUDA


def _values(computation: Computation, schedule: str, size: str) -> Values:
    return {
        "devices": counts(computation.limits.get("devices", 1)),
        "partition": partitions(computation),
        **_CUDA.values(computation, schedule, size),
    }


PLATFORM = replace(
    _CUDA,
    name="cuda_devices",
    global_fields=(Field("devices", 0), PARTITION, *_CUDA.global_fields),
    values=_values,
    checks=lambda tools, compiler: [],  # CUDA's
)
