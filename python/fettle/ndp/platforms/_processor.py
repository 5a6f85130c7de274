"""What platforms of the processor share: compiler, threads, and which levels these divide."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fettle.ndp.base.computation import Computation, Level
from fettle.ndp.base.platform import CompileCost, Compiling
from fettle.search.constraint import Constraint

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


def divided_level(levels: Sequence[Level]) -> Level | None:
    """The level whose elements the threads divide: the outermost parallel one."""
    return next((level for level in levels if not level.is_sequential), None)


def nested_level(levels: Sequence[Level]) -> Level | None:
    """The level that may be parallel inside another: the first parallel one below the divided."""
    divided = divided_level(levels)
    if divided is None or divided.kind != "independent":
        return None
    return divided_level([level for level in levels if level.number > divided.number])


def unrolls(full: bool) -> tuple[int, ...]:
    """How many iterations of the innermost loop are written out; 0: the compiler decides."""
    return (0, 1, 2, 4, 8) if full else (0,)


def has_vectors(computation: Computation) -> bool:
    """Reductions to rows: one kernel, whichever schedule the coordinates have."""
    operators = computation.operators
    return operators[0] in ("reduce", "reduce_by_key") and len(operators) > 1


def is_best_in_a_thread(computation: Computation, levels: Sequence[Level]) -> bool:
    """Whether the schedule with one thread stands for all that are the same in one thread.

    In one thread the innermost level is done in order or by SIMD lanes; a level above it that is
    not sequential lets neighbouring rows be reduced together.
    """
    if has_vectors(computation) or computation.operators == ("scatter",):
        return False
    *above, last = levels
    if any(level.kind != "independent" for level in above):
        return False
    has_short_rows = len(levels) > 1 and last.operator == "reduce"
    return last.kind in ("independent", "cooperative") or (last.is_sequential and has_short_rows)


def needs_threads(computation: Computation, levels: Sequence[Level]) -> list[Constraint]:
    """Refuses one thread for a schedule that another one stands for there."""
    if is_best_in_a_thread(computation, levels):
        return []
    return [
        Constraint(
            ("num_threads",),
            lambda threads: threads != 1,
            "with one thread it equals another schedule: only the innermost level counts, in "
            "order or by SIMD lanes",
        )
    ]


def repeated_schedule(computation: Computation, schedule: str) -> list[Constraint]:
    """Refuses a schedule that has the effect of another one."""
    if has_vectors(computation) and schedule == "cooperative>sequential":
        reason = (
            "where vectors are reduced, level 2's schedule has no effect: cooperative>independent"
        )
        return [Constraint((), lambda: False, reason)]
    return []


def chunks(
    computation: Computation, levels: Sequence[Level], level: int, full: bool
) -> tuple[int, ...]:
    """How many elements a thread may take at a time; 0: the kernel's choice."""
    if has_vectors(computation):  # columns, of which there are few
        return (0, 8) if full else (0,)
    if levels[level - 1].operator in ("scan", "inclusive_scan"):
        return (0, 4096, 65536) if full else (0,)
    if level < levels[-1].number:
        return (0, 16, 128, 1024) if full else (0, 64)
    return (0, 1024, 16384) if full else (0, 1024)
