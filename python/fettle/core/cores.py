"""The cores that programs under tuning run on: those that the tuner itself was started with.

Where OMP_PROC_BIND is set, the OpenMP library that scikit-learn brings binds the thread that loads
it to one core, and each program that this thread starts inherits that: all threads of a parallel
variant would share that core, without any sign of it.
"""

from __future__ import annotations

import contextlib
import os

# By these an OpenMP library binds threads. Without them, who is bound to some cores wants to be.
BINDING = ("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY")


def own_cores() -> frozenset[int]:
    """The cores that this thread may run on; empty where the system does not say."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


# This module is imported before anything that brings an OpenMP library (fettle/__init__.py).
AT_START = own_cores()


def release_cores() -> None:
    """Gives this thread, and what it starts from now on, the cores back that OpenMP took."""
    if own_cores() != AT_START and any(name in os.environ for name in BINDING):
        with contextlib.suppress(OSError):  # a core may have gone: then what is left will do
            os.sched_setaffinity(0, AT_START)


def core_count() -> int:
    """How many cores this thread and what it starts may use, once they are given back."""
    release_cores()
    return len(own_cores()) or os.cpu_count() or 1
