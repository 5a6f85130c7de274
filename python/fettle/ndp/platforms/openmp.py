"""OpenMP: threads of a team, and the SIMD lanes of each.

The values to try come from the kernels (`include/fettle/ndp/openmp/`) and from what the default
rule chooses (`default_rule.hpp`), which is always near one of them:

    num_threads     0, all; 1, because waking a team costs more than a small input is worth; and
                    half of the machine's, because memory may be busy with fewer
    enable_nesting  from four threads on: with fewer, nested teams leave one for the level above
    omp_schedule    static, dynamic, guided at the level that the team divides
    chunk_size      0 (OpenMP's default), and a few from what balances best to what costs least to
                    schedule: 16 to 1024 rows, 1024 to 16384 numbers; blocks of a scan of 4096 to
                    65536, around what fits into a core's cache
    unroll          all of 0 (the compiler's choice), 1, 2, 4, 8, of the innermost loop, the only
                    one that is unrolled

Levels inside the team's are divided evenly: nested teams are of a few threads each.
`size="small"` has fewer schedules and chunks, no nesting and no unrolling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fettle.core.asked_tools import AskedTools
from fettle.core.check import Check
from fettle.ndp.base.computation import Computation, Level
from fettle.ndp.base.field import KNOBS, LEVELS, Field
from fettle.ndp.base.platform import Platform, Values
from fettle.ndp.platforms._processor import (
    chunks,
    compiling,
    divided_level,
    has_vectors,
    needs_threads,
    nested_level,
    repeated_schedule,
    threads_of,
    unrolls,
)
from fettle.search.constraint import Constraint

_THREADS_FOR_NESTING = 4
_SCHEDULES = ("automatic", "static", "dynamic", "guided")
_RESOURCES = ("automatic", "thread", "team")

_GLOBAL_FIELDS = (Field("num_threads", 0), Field("enable_nesting", False), *KNOBS)
_LEVEL_FIELDS = (
    Field("schedule", "automatic", _SCHEDULES, "omp_schedule", "omp_schedule"),
    Field("chunk_size", 0),
    Field("resource", "automatic", _RESOURCES, "execution_resource", "execution_resource"),
    Field("unroll", 0, paper_name="enable_unroll"),
)


def _values(computation: Computation, schedule: str, size: str) -> Values:
    full = size == "full"
    levels = computation.levels(schedule)
    last = levels[-1].number
    divided = divided_level(levels)
    half = threads_of(computation) // 2
    values: Values = {
        "num_threads": (0, 1, half) if full and half >= 2 else (0, 1),
        "enable_nesting": (False, True) if full else (False,),
    }
    kinds = _SCHEDULES if full else _SCHEDULES[:3]
    for level in range(1, LEVELS + 1):
        is_divided = divided is not None and level == divided.number
        values |= {
            f"{level}.schedule": kinds if is_divided else _SCHEDULES[:1],
            f"{level}.chunk_size": chunks(computation, levels, level, full) if is_divided else (0,),
            f"{level}.resource": _RESOURCES,
            f"{level}.unroll": unrolls(full) if level == last else (0,),
        }
    return values


def _repeats(computation: Computation, schedule: str) -> list[Constraint]:
    levels = computation.levels(schedule)
    divided = divided_level(levels)
    effective = _effective(computation, levels)
    found = repeated_schedule(computation, schedule)
    found += PLATFORM.without_effect(effective, "has no effect there")
    if divided is None:
        return found
    found += needs_threads(computation, levels)
    if f"{divided.number}.schedule" in effective:
        found.append(
            Constraint(
                ("num_threads", f"{divided.number}.schedule"),
                lambda threads, kind: (kind == "automatic") == (threads == 1),
                "automatic equals static, and the loop schedule has no effect on one thread",
            )
        )
    found.append(
        Constraint(
            ("num_threads", f"{divided.number}.chunk_size"),
            lambda threads, chunk: threads != 1 or chunk == 0,
            "chunk_size has no effect on one thread",
        )
    )
    return found + _of_nested_teams(computation, levels)


def _effective(computation: Computation, levels: Sequence[Level]) -> set[str]:
    """The fields that the kernel reads."""
    divided = divided_level(levels)
    last = levels[-1]
    unrolled = set()
    is_loop = last.operator not in ("scatter", "reduce_by_key")
    if last.is_sequential and is_loop and not has_vectors(computation):
        unrolled = {f"{last.number}.unroll"}
    if divided is None:
        return unrolled
    if divided.kind == "flattened":
        return {"num_threads"}
    read = {"num_threads"} | unrolled
    is_whole_reduction = divided.operator == "reduce" and len(levels) == 1
    if divided.kind == "independent" or is_whole_reduction:
        read |= {f"{divided.number}.schedule", f"{divided.number}.chunk_size"}
    elif divided.operator in ("scan", "inclusive_scan"):
        read.add(f"{divided.number}.chunk_size")
    nested = nested_level(levels)
    if nested is not None:
        read |= {"enable_nesting", f"{nested.number}.resource"}
    return read


def _of_nested_teams(computation: Computation, levels: Sequence[Level]) -> list[Constraint]:
    divided = divided_level(levels)
    nested = nested_level(levels)
    if divided is None or (nested is None and len(levels) < 3):
        return []
    inside = [level for level in levels if divided.number < level.number < levels[-1].number]
    found = []
    if any(level.is_sequential for level in inside):
        found.append(
            Constraint(
                () if nested is None else ("enable_nesting",),
                bool,
                "without nested teams it equals another schedule: levels between the team's and "
                "the innermost are independent",
            )
        )
    if nested is None:
        return found
    resource = f"{nested.number}.resource"
    if threads_of(computation) < _THREADS_FOR_NESTING:
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


def _checks(tools: AskedTools, compiler: str | None) -> list[Check]:
    match = re.search(r"_OPENMP (\d+)", tools.macros(compiler, "#include <omp.h>", "-fopenmp"))
    return [
        Check(
            "OpenMP",
            False,
            match is not None,
            match[1] if match else "",
            "parallel variants, the SpMV example",
            tools.remedy("g++ has it; for clang++: apt-get install libomp-dev", compiler),
        )
    ]


PLATFORM = Platform(
    name="openmp",
    global_fields=_GLOBAL_FIELDS,
    level_fields=_LEVEL_FIELDS,
    values=_values,
    repeats=_repeats,
    compiling=compiling("-fopenmp"),
    checks=_checks,
)
