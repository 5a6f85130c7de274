"""What platforms that run on the processor have in common: the compiler and its flags."""

from __future__ import annotations

import os

from fettle.ndp.base.computation import Computation
from fettle.ndp.base.platform import CompileCost, Compiling

# All policies of a schedule share one instantiation.
_COST = CompileCost(schedule=1.5, candidate=0.02)


def compiling(*flags: str, link_flags: tuple[str, ...] = ()) -> Compiling:
    """By $CXX or c++, for the processor's own instructions, with these flags in addition."""

    def all_flags(architecture: str | None) -> list[str]:
        return [f"-march={architecture or 'native'}", *flags, "-fPIC", "-fvisibility=hidden"]

    return Compiling(
        compiler=lambda: "c++",
        environment_variable="CXX",
        flags=all_flags,
        cost=_COST,
        link_flags=link_flags,
    )


def threads_of(computation: Computation) -> int:
    """The threads of the machine on which the program was analysed."""
    return computation.limits.get("threads", os.cpu_count() or 1)
