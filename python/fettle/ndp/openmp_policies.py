"""The policies to try on OpenMP: values of the paper's parameters, and which points are repeats.

Values come from the kernels (`include/fettle/ndp/openmp/`) and from what the default rule chooses
(`default_rule.hpp`), which is always near one of them:

    num_threads     0, all; 1, because waking a team costs more than a small input is worth; and
                    half of the machine's, because memory may be busy with fewer
    enable_nesting  from four threads on: with fewer, nested teams leave one for the level above
    omp_schedule    static, dynamic, guided at the level that the team shares
    chunk_size      0 (shares, or one by one), and a few from what balances best to what costs least
                    to deal: 16 to 1024 rows, 1024 to 16384 numbers; a scan's pieces 4096 to 65536,
                    around what fits into a core's cache
    enable_unroll   of the innermost loop, the only one that is unrolled

Levels inside the team's have static shares: nested teams are of a few threads each.
`size="small"` has fewer schedules and chunks, no nesting and no unrolling.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from fettle.ndp.computation import Computation, Level
from fettle.ndp.fields import Value, all_fields
from fettle.search.space import Constraint

_THREADS_FOR_NESTING = 4


def openmp_values(
    computation: Computation, schedule: str, size: str
) -> dict[str, tuple[Value, ...]]:
    """The values to try of every field, where the schedule has it as a parameter."""
    full = size == "full"
    levels = computation.levels(schedule)
    last = levels[-1].number
    shared = _shared_level(levels)
    half = _threads(computation) // 2
    values: dict[str, tuple[Value, ...]] = {
        "num_threads": (0, 1, half) if full and half >= 2 else (0, 1),
        "enable_nesting": (False, True) if full else (False,),
    }
    kinds = ("automatic", "static", "dynamic", "guided")
    for level in range(1, 4):
        is_shared = shared is not None and level == shared.number
        values |= {
            f"{level}.schedule": (kinds if full else kinds[:3]) if is_shared else kinds[:1],
            f"{level}.chunk_size": _chunks(computation, levels, level, full) if is_shared else (0,),
            f"{level}.resource": all_fields("openmp")[f"{level}.resource"].names,
            f"{level}.enable_unroll": (False, True) if full and level == last else (False,),
        }
    return values


def openmp_repeats(computation: Computation, schedule: str) -> list[Constraint]:
    """What keeps a point out that has the effect of another one."""
    levels = computation.levels(schedule)
    shared = _shared_level(levels)
    effective = _effective(computation, levels)
    found = _repeated_schedule(computation, schedule)
    found += [
        Constraint(
            (name,),
            lambda value, default=field.default: bool(value == default),
            f"{name.rpartition('.')[2]} has no effect there",
        )
        for name, field in all_fields("openmp").items()
        if name not in effective
    ]
    if shared is None:
        return found
    if not _is_best_in_a_thread(computation, levels):
        found.append(
            Constraint(
                ("num_threads",),
                lambda threads: threads != 1,
                "in one thread it is another schedule's work: what counts is the innermost level, "
                "in order or by lanes",
            )
        )
    if f"{shared.number}.schedule" in effective:
        found.append(
            Constraint(
                ("num_threads", f"{shared.number}.schedule"),
                lambda threads, kind: (kind == "automatic") == (threads == 1),
                "automatic is what static is, and one thread is dealt nothing",
            )
        )
    found.append(
        Constraint(
            ("num_threads", f"{shared.number}.chunk_size"),
            lambda threads, chunk: threads != 1 or chunk == 0,
            "one thread is dealt nothing",
        )
    )
    return found + _of_nested_teams(computation, levels)


def _threads(computation: Computation) -> int:
    return computation.limits.get("threads", os.cpu_count() or 1)


def _shared_level(levels: Sequence[Level]) -> Level | None:
    """The level whose elements the team shares: the outermost parallel one."""
    return next((level for level in levels if not level.is_sequential), None)


def _nested_level(levels: Sequence[Level]) -> Level | None:
    """The level that may have teams of its own: the first parallel one below the team's."""
    shared = _shared_level(levels)
    if shared is None or shared.kind != "independent":
        return None
    return _shared_level([level for level in levels if level.number > shared.number])


def _has_vectors(computation: Computation) -> bool:
    """Reductions to rows: one kernel, whichever schedule the coordinates have."""
    operators = computation.operators
    return operators[0] in ("reduce", "reduce_by_key") and len(operators) > 1


def _effective(computation: Computation, levels: Sequence[Level]) -> set[str]:
    """The fields that the kernel reads."""
    shared = _shared_level(levels)
    last = levels[-1]
    unrolled = set()
    is_loop = last.operator not in ("scatter", "reduce_by_key")
    if last.is_sequential and is_loop and not _has_vectors(computation):
        unrolled = {f"{last.number}.enable_unroll"}
    if shared is None:
        return unrolled
    if shared.kind == "flattened":
        return {"num_threads"}
    read = {"num_threads"} | unrolled
    is_whole_reduction = shared.operator == "reduce" and len(levels) == 1
    if shared.kind == "independent" or is_whole_reduction:
        read |= {f"{shared.number}.schedule", f"{shared.number}.chunk_size"}
    elif shared.operator == "scan":
        read.add(f"{shared.number}.chunk_size")
    nested = _nested_level(levels)
    if nested is not None:
        read |= {"enable_nesting", f"{nested.number}.resource"}
    return read


def _is_best_in_a_thread(computation: Computation, levels: Sequence[Level]) -> bool:
    """Whether the schedule with one thread stands for all that are the same in one thread.

    In a thread the innermost level is done in order or by lanes; a level above it that is not
    sequential lets neighbouring rows be reduced together.
    """
    if _has_vectors(computation) or computation.operators == ("scatter",):
        return False
    *above, last = levels
    if any(level.kind != "independent" for level in above):
        return False
    has_short_rows = len(levels) > 1 and last.operator == "reduce"
    return last.kind in ("independent", "cooperative") or (last.is_sequential and has_short_rows)


def _repeated_schedule(computation: Computation, schedule: str) -> list[Constraint]:
    if _has_vectors(computation) and schedule == "cooperative>sequential":
        reason = (
            "where vectors are reduced, level 2's schedule has no effect: cooperative>independent"
        )
        return [Constraint((), lambda: False, reason)]
    return []


def _of_nested_teams(computation: Computation, levels: Sequence[Level]) -> list[Constraint]:
    shared = _shared_level(levels)
    nested = _nested_level(levels)
    if shared is None or (nested is None and len(levels) < 3):
        return []
    inside = [level for level in levels if shared.number < level.number < levels[-1].number]
    found = []
    if any(level.is_sequential for level in inside):
        found.append(
            Constraint(
                () if nested is None else ("enable_nesting",),
                bool,
                "without nested teams it is another schedule's work: levels between the team's "
                "and the innermost are independent",
            )
        )
    if nested is None:
        return found
    resource = f"{nested.number}.resource"
    if _threads(computation) < _THREADS_FOR_NESTING:
        found.append(
            Constraint(
                ("enable_nesting",),
                lambda nesting: not nesting,
                "nested teams need four threads",
            )
        )
    return [
        *found,
        Constraint(
            ("enable_nesting", resource),
            lambda nesting, given: given == ("team" if nesting else "automatic"),
            "enable_nesting and a team for the inner level belong together",
        ),
        Constraint(
            ("num_threads", "enable_nesting"),
            lambda threads, nesting: not nesting or threads == 0,
            "nested teams divide all threads there are",
        ),
    ]


def _chunks(
    computation: Computation, levels: Sequence[Level], level: int, full: bool
) -> tuple[Value, ...]:
    its = levels[level - 1]
    if _has_vectors(computation):  # columns, of which there are few
        return (0, 8) if full else (0,)
    if its.operator == "scan":
        return (0, 4096, 65536) if full else (0,)
    if level < levels[-1].number:
        return (0, 16, 128, 1024) if full else (0, 64)
    return (0, 1024, 16384) if full else (0, 1024)
