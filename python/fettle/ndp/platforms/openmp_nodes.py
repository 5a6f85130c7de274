"""OpenMP on each NUMA node: how many nodes, what is divided equally, and OpenMP's parameters.

nodes      1, because a small input is not worth waking the others; 2, 4, ... and all
partition  rows and work, where rows may have any lengths; elsewhere both are the same
"""

from __future__ import annotations

from dataclasses import replace

from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import Field
from fettle.ndp.base.platform import Values
from fettle.ndp.platforms._division import PARTITION, counts, partitions
from fettle.ndp.platforms.openmp import PLATFORM as _OPENMP


def _values(computation: Computation, schedule: str, size: str) -> Values:
    return {
        "nodes": counts(computation.limits.get("nodes", 1)),
        "partition": partitions(computation),
        **_OPENMP.values(computation, schedule, size),
    }


PLATFORM = replace(
    _OPENMP,
    name="openmp_nodes",
    global_fields=(Field("nodes", 0), PARTITION, *_OPENMP.global_fields),
    values=_values,
    checks=lambda tools, compiler: [],  # OpenMP's
)
