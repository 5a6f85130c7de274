"""oneTBB: tasks that the threads of an arena steal from each other, and the SIMD lanes of each.

    num_threads   0, those of the calling thread's arena; 1, because tasks cost more than a small
                  input is worth; and half of the machine's, because memory may be busy with fewer
    partitioner   all of oneTBB's at the level that the tasks divide
    grain_size    0 (the kernel's choice), and a few from what balances best to what costs least
    resource      tasks inside tasks, for rows of very different lengths; they are never forbidden
    unroll        all of 0 (the compiler's choice), 1, 2, 4, 8, of the innermost loop, the only one
                  that is unrolled

`size="small"` has fewer partitioners and grain sizes, no nested tasks and no unrolling.
"""

from __future__ import annotations

import re

from fettle.core.asked_tools import AskedTools
from fettle.core.check import Check
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import KNOBS, LEVELS, Field
from fettle.ndp.base.platform import Platform, Values
from fettle.ndp.platforms import _processor as processor
from fettle.search.constraint import Constraint

_PARTITIONERS = ("automatic", "auto", "simple", "static")
_RESOURCES = ("automatic", "thread", "tasks")


def _values(computation: Computation, schedule: str, size: str) -> Values:
    full = size == "full"
    levels = computation.levels(schedule)
    divided = processor.divided_level(levels)
    nested = processor.nested_level(levels)
    half = processor.threads_of(computation) // 2
    values: Values = {"num_threads": (0, 1, half) if full and half >= 2 else (0, 1)}
    for level in range(1, LEVELS + 1):
        is_divided = divided is not None and level == divided.number
        nests = full and nested is not None and level == nested.number
        kinds = _PARTITIONERS if full else ("automatic", "simple")
        values |= {
            f"{level}.partitioner": kinds if is_divided else ("automatic",),
            f"{level}.grain_size": (0,),
            f"{level}.resource": ("automatic", "tasks") if nests else ("automatic",),
            f"{level}.unroll": processor.unrolls(full) if level == levels[-1].number else (0,),
        }
        if is_divided:
            values[f"{level}.grain_size"] = processor.chunks(computation, levels, level, full)
    return values


def _repeats(computation: Computation, schedule: str) -> list[Constraint]:
    levels = computation.levels(schedule)
    divided = processor.divided_level(levels)
    effective = set()
    if levels[-1].is_sequential and not processor.has_vectors(computation):
        effective.add(f"{levels[-1].number}.unroll")
    found = processor.repeated_schedule(computation, schedule)
    if divided is None:
        return found + PLATFORM.without_effect(effective, "has no effect there")
    effective.add("num_threads")
    split = (f"{divided.number}.partitioner", f"{divided.number}.grain_size")
    if divided.kind != "flattened":
        effective |= set(split)
    if nested := processor.nested_level(levels):
        effective.add(f"{nested.number}.resource")
    found += PLATFORM.without_effect(effective, "has no effect there")
    found += processor.needs_threads(computation, levels)
    found += [
        Constraint(
            ("num_threads", name),
            lambda threads, value: threads != 1 or value in (0, "automatic"),
            "how work is split into tasks has no effect on one thread",
        )
        for name in (*split, *([f"{nested.number}.resource"] if nested else ()))
    ]
    return found


def _checks(tools: AskedTools, compiler: str | None) -> list[Check]:
    found = tools.macros(compiler, "#include <tbb/version.h>")
    parts = [re.search(rf"TBB_VERSION_{part} (\d+)", found) for part in ("MAJOR", "MINOR")]
    version = ".".join(part[1] for part in parts if part)
    return [
        Check(
            "oneTBB",
            False,
            bool(version),
            version,
            "features and constraints evaluated in parallel or asynchronously, platform tbb",
            tools.remedy("apt-get install libtbb-dev", compiler),
        )
    ]


PLATFORM = Platform(
    name="tbb",
    global_fields=(Field("num_threads", 0), *KNOBS),
    level_fields=(
        Field("partitioner", "automatic", _PARTITIONERS, "partitioner_type"),
        Field("grain_size", 0),
        Field("resource", "automatic", _RESOURCES, "execution_resource", "execution_resource"),
        Field("unroll", 0, paper_name="enable_unroll"),
    ),
    values=_values,
    repeats=_repeats,
    compiling=processor.compiling(link_flags=("-ltbb",)),
    checks=_checks,
)
