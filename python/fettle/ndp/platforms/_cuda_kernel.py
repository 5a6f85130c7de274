"""CUDA: which kernel a schedule has, and which fields of a policy it reads. C++ knows."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.core.native import native
from fettle.ndp.base.computation import Computation


@dataclass(frozen=True)
class Kernel:
    """A kernel of `include/fettle/ndp/cuda/policy/kernel.hpp`."""

    name: str
    description: str  # the end of a sentence: "... where a thread computes a row"
    fields: frozenset[str]  # that it reads


def kernel_of(computation: Computation, schedule: str) -> Kernel:
    """The kernel of a schedule. Raises FettleError where the extension module is missing."""
    found = native().CudaKernel(computation.operators, schedule)
    return Kernel(found.name, found.description, frozenset(found.fields))


def blocks_take_rows(computation: Computation) -> bool:
    """Whether a block as a whole can take rows: contiguous ones of a map>reduce.

    Flattened needs contiguous rows, too.
    """
    return computation.operators == ("map", "reduce") and "flattened" in computation.schedules
