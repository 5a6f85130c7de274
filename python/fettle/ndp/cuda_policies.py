"""The policies to try on CUDA: values of the paper's parameters, and which points are repeats.

Values come from the kernels (`include/fettle/ndp/cuda/`) and from what their default rules choose
(`row_kernel.hpp`, `default_rule.cuh`, `untuned.cuh`), which is always among them:

    block_size_x           64 to 512. Smaller blocks leave a multiprocessor with too few threads,
                           larger ones with too few blocks.
    block_size_y           1, because kernels number a block's threads in one row, but where vectors
                           are reduced by key: there x are coordinates and y are chunks of points.
    logical_warp_size      all of 2 to 32
    grain_size             1, 2, 4; of elements inside a row 1 and 4 (their loads in flight)
    block_*_algo           all of CUB's
    block_scan_grain_size  1, 4, 8, and what fills 32 KiB of shared memory
    enable_unroll          of the innermost loop; the others' bodies are whole rows

`size="small"` has the default rules' values and little else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fettle.ndp.computation import Computation, Level
from fettle.ndp.cuda_kernels import (
    KERNELS,
    REDUCE,
    SCAN,
    blocks_take_rows,
    fields_read,
    kernel_of,
    steps_per_thread,
)
from fettle.ndp.fields import Value, all_fields
from fettle.search.space import Constraint


def cuda_values(computation: Computation, schedule: str, size: str) -> dict[str, tuple[Value, ...]]:
    """The values to try of every field, where the schedule has it as a parameter."""
    full = size == "full"
    kernel = kernel_of(computation, schedule)
    levels = computation.levels(schedule)
    last = levels[-1].number
    values: dict[str, tuple[Value, ...]] = {
        "block_size_x": (64, 128, 256, 512) if full else (128, 256),
        "block_size_y": (1,),
        "logical_warp_size": (2, 4, 8, 16, 32) if full else (2, 4, 16, 32),
    }
    if kernel == "device" and not full:
        values["block_size_x"] = (128, 256, 512)
    if kernel == "vectors by key":
        values["block_size_x"] = (16, 32, 64, 128) if full else (32,)
        if levels[0].kind == "cooperative":
            values["block_size_y"] = (1, 2, 4, 8, 16) if full else (4, 8)
    for level in range(1, 4):
        outer = (1, 2, 4) if full else (1, 2) if kernel in ("threads", "flattened") else (1,)
        inner = (1, 4) if full and level == last else (1,)
        values |= {
            f"{level}.grain_size": outer if level == 1 else inner,
            f"{level}.block_reduce_algo": _all_or_default(f"{level}.block_reduce_algo", full),
            f"{level}.block_scan_algo": _all_or_default(f"{level}.block_scan_algo", full),
            f"{level}.block_scan_grain_size": _scan_grains(computation.value_bytes, full),
            f"{level}.resource": all_fields("cuda")[f"{level}.resource"].names,
            f"{level}.enable_unroll": (False, True) if full and level == last else (False,),
        }
    return values


def cuda_repeats(computation: Computation, schedule: str) -> list[Constraint]:
    """What keeps a point out that has the effect of another one, or of a slower kind of it."""
    kernel = kernel_of(computation, schedule)
    levels = computation.levels(schedule)
    found = _repeated_schedule(kernel, schedule)
    effective = fields_read(kernel, levels)
    found += [
        Constraint(
            (name,),
            lambda value, default=field.default: bool(value == default),
            f"{name.rpartition('.')[2]} has no effect where {KERNELS[kernel]}",
        )
        for name, field in all_fields("cuda").items()
        if name not in effective
    ]
    if not computation.commutative:
        found += [
            Constraint(
                (f"{level}.block_reduce_algo",),
                lambda algorithm: algorithm != "raking_commutative_only",
                "raking_commutative_only is raking where the operator does not commute",
            )
            for level in range(1, 4)
        ]
    if kernel == "rows":
        found += _of_rows(computation, effective)
    elif kernel == "threads" and len(levels) > 1:
        found += _of_threads(computation, levels)
    elif kernel in ("device", "one by one"):
        found += _of_one_resource(1 if kernel == "device" else 2)
    elif kernel == "flattened":
        found.append(_of_shares(computation.value_bytes))
    return found


def _repeated_schedule(kernel: str, schedule: str) -> list[Constraint]:
    # Vectors have one kernel for whichever schedule their coordinates have.
    instead = {
        ("vectors by key", "cooperative>sequential"): "cooperative>independent",
        ("vectors by key", "sequential>sequential"): "sequential>independent",
        ("vectors", "cooperative>sequential"): "cooperative>independent",
        ("vectors", "sequential>independent"): "sequential>sequential",
    }.get((kernel, schedule))
    if instead is None:
        return []
    reason = f"where {KERNELS[kernel]}, level 2's schedule has no effect: {instead}"
    return [Constraint((), lambda: False, reason)]


def _of_rows(computation: Computation, effective: Collection[str]) -> list[Constraint]:
    on_level_1 = ("automatic", "block") if blocks_take_rows(computation) else ("automatic",)
    defaults = {name: field.default for name, field in all_fields("cuda").items()}
    found = [
        Constraint(
            ("1.resource",),
            lambda resource: resource in on_level_1,
            "who does a row is level 2's business, but for blocks that take rows as a whole",
        ),
        *(
            Constraint(
                ("1.resource", name),
                lambda resource, value, name=name: (
                    resource != "block" or bool(value == defaults[name])
                ),
                "blocks that take rows as a whole choose by themselves",
            )
            for name in sorted({*effective} - {"1.resource"})
        ),
        Constraint(
            ("1.resource", "2.resource"),
            lambda outer, resource: outer == "block" or resource != "automatic",
            "automatic is what warp is at level 2",
        ),
        Constraint(
            ("2.resource",),
            lambda resource: resource != "thread",
            "a thread a row is independent>sequential",
        ),
        Constraint(
            ("2.resource", "logical_warp_size"),
            lambda resource, lanes: resource == "warp" or lanes == 32,
            "logical_warp_size has no effect on blocks",
        ),
        Constraint(
            ("2.resource", "1.grain_size"),
            lambda resource, grain: resource == "warp" or grain == 1,
            "a block a row is grain enough",
        ),
    ]
    return found + _needs_block(2)


def _needs_block(level: int) -> list[Constraint]:
    defaults = {name: all_fields("cuda")[f"{level}.{name}"].default for name in (*REDUCE, *SCAN)}
    return [
        Constraint(
            (f"{level}.resource", f"{level}.{name}"),
            lambda resource, value, default=default: resource != "warp" or bool(value == default),
            f"{name} has no effect on warps, which combine values in registers",
        )
        for name, default in defaults.items()
    ]


def _of_threads(computation: Computation, levels: Sequence[Level]) -> list[Constraint]:
    stages_rows = blocks_take_rows(computation) and computation.value_bytes <= 256  # short_rows.cuh
    found = [
        Constraint(
            ("1.resource",),
            lambda resource: resource not in ("automatic", "warp"),
            "automatic and warp are what thread is at a level of threads",
        ),
        Constraint(
            ("1.resource", f"{levels[-1].number}.enable_unroll"),
            lambda resource, unroll: resource != "block" or not unroll,
            "enable_unroll has no effect on rows that a block stages",
        ),
    ]
    if not stages_rows:
        found.append(
            Constraint(
                ("1.resource",),
                lambda resource: resource != "block",
                "a block stages only rows of a map>reduce that lie one behind the other",
            )
        )
    return found


def _of_one_resource(level: int) -> list[Constraint]:
    """One block or warp does everything, or, at level 1, all of the device."""
    whole = "automatic" if level == 1 else None
    found = [
        Constraint(
            (f"{level}.resource",),
            lambda resource: resource != "thread",
            "one thread is sequential" + ("" if level == 1 else ">sequential"),
        ),
        Constraint(
            ("logical_warp_size",),
            lambda lanes: lanes == 32,
            "a warp that works alone takes all its lanes",
        ),
        Constraint(
            ("block_size_x", f"{level}.resource"),
            lambda x, resource: resource != "warp" or x == 256,
            "block_size_x has no effect on a warp that works alone",
        ),
        Constraint(
            ("block_size_x", f"{level}.resource"),
            lambda x, resource: resource in ("warp", whole) or x >= 256,
            "a block that works alone has at least 256 threads",
        ),
    ]
    if level == 2:
        found.append(
            Constraint(
                ("2.resource",),
                lambda resource: resource != "automatic",
                "automatic is what block is inside a sequential level",
            )
        )
    return found + _needs_block(level)


def _of_shares(value_bytes: int) -> Constraint:
    def takes_more_steps(threads: int, grain: int) -> bool:
        return grain == 1 or steps_per_thread(threads, grain, value_bytes) > steps_per_thread(
            threads, grain // 2, value_bytes
        )

    return Constraint(
        ("block_size_x", "1.grain_size"),
        takes_more_steps,
        "a larger grain_size has no effect: the block's shared memory is full",
    )


def _all_or_default(name: str, full: bool) -> tuple[Value, ...]:
    field = all_fields("cuda")[name]
    return field.names if full else (field.default,)


def _scan_grains(value_bytes: int, full: bool) -> tuple[Value, ...]:
    threads = 128 if value_bytes > 16 else 512
    chosen = min(max(32 * 1024 // (threads * value_bytes), 1), 8)  # untuned.cuh
    return tuple(sorted({1, 4, 8, chosen} if full else {1, chosen}))
