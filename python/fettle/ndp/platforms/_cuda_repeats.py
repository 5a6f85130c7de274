"""CUDA: which points of a space have the same effect as another one, or that of a slower kind."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fettle.core.native import native
from fettle.ndp.base.computation import Computation, Level
from fettle.ndp.base.platform import Platform
from fettle.ndp.platforms._cuda_kernel import Kernel, blocks_take_rows, kernel_of
from fettle.search.constraint import Constraint

_COMBINING = ("block_reduce_algo", "block_scan_algo", "block_scan_grain_size")


def repeats(platform: Platform, computation: Computation, schedule: str) -> list[Constraint]:
    """What keeps such points out."""
    kernel = kernel_of(computation, schedule)
    levels = computation.levels(schedule)
    found = _repeated_schedule(kernel, schedule)
    found += platform.without_effect(kernel.fields, f"has no effect where {kernel.description}")
    if not computation.commutative:
        found += [
            Constraint(
                (f"{level}.block_reduce_algo",),
                lambda algorithm: algorithm != "raking_commutative_only",
                "raking_commutative_only is raking where the operator does not commute",
            )
            for level in range(1, 4)
        ]
    if kernel.name == "rows":
        found += _of_rows(platform, computation, kernel.fields)
    elif kernel.name == "threads" and len(levels) > 1:
        found += _of_threads(computation, levels)
    elif kernel.name in ("device", "one by one"):
        found += _of_one_resource(platform, 1 if kernel.name == "device" else 2)
    elif kernel.name == "flattened":
        found.append(_of_tiles(computation.value_bytes))
    return found


def _repeated_schedule(kernel: Kernel, schedule: str) -> list[Constraint]:
    # Vectors have one kernel for whichever schedule their coordinates have.
    instead = {
        ("vectors by key", "cooperative>sequential"): "cooperative>independent",
        ("vectors by key", "sequential>sequential"): "sequential>independent",
        ("vectors", "cooperative>sequential"): "cooperative>independent",
        ("vectors", "sequential>independent"): "sequential>sequential",
    }.get((kernel.name, schedule))
    if instead is None:
        return []
    reason = f"where {kernel.description}, level 2's schedule has no effect: {instead}"
    return [Constraint((), lambda: False, reason)]


def _of_rows(
    platform: Platform, computation: Computation, effective: Collection[str]
) -> list[Constraint]:
    on_level_1 = ("automatic", "block") if blocks_take_rows(computation) else ("automatic",)
    defaults = {name: field.default for name, field in platform.fields.items()}
    found = [
        Constraint(
            ("1.resource",),
            lambda resource: resource in on_level_1,
            "level 2 sets the resource of a row, except where blocks take whole rows",
        ),
        *(
            Constraint(
                ("1.resource", name),
                lambda resource, value, name=name: (
                    resource != "block" or bool(value == defaults[name])
                ),
                "blocks that take whole rows choose their own policy",
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
            lambda resource, size: resource == "warp" or size == 32,
            "logical_warp_size has no effect on blocks",
        ),
        Constraint(
            ("2.resource", "1.grain_size"),
            lambda resource, grain: resource == "warp" or grain == 1,
            "grain_size has no effect where a block computes a row",
        ),
    ]
    return found + _needs_block(platform, 2)


def _needs_block(platform: Platform, level: int) -> list[Constraint]:
    defaults = {name: platform.fields[f"{level}.{name}"].default for name in _COMBINING}
    return [
        Constraint(
            (f"{level}.resource", f"{level}.{name}"),
            lambda resource, value, default=default: resource != "warp" or bool(value == default),
            f"{name} has no effect on warps, which combine values in registers",
        )
        for name, default in defaults.items()
    ]


def _of_threads(computation: Computation, levels: Sequence[Level]) -> list[Constraint]:
    stages_rows = (
        blocks_take_rows(computation)
        and computation.value_bytes <= native().cuda_staged_value_bytes
    )
    found = [
        Constraint(
            ("1.resource",),
            lambda resource: resource not in ("automatic", "warp"),
            "automatic and warp are what thread is at a level of threads",
        ),
        Constraint(
            ("1.resource", f"{levels[-1].number}.unroll"),
            lambda resource, unroll: resource != "block" or not unroll,
            "unroll has no effect on rows that a block stages",
        ),
    ]
    if not stages_rows:
        found.append(
            Constraint(
                ("1.resource",),
                lambda resource: resource != "block",
                "a block stages only contiguous rows of a map>reduce",
            )
        )
    return found


def _of_one_resource(platform: Platform, level: int) -> list[Constraint]:
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
            lambda size: size == 32,
            "a single warp works with all its threads",
        ),
        Constraint(
            ("block_size_x", f"{level}.resource"),
            lambda x, resource: resource != "warp" or x == 256,
            "block_size_x has no effect on a single warp",
        ),
        Constraint(
            ("block_size_x", f"{level}.resource"),
            lambda x, resource: resource in ("warp", whole) or x >= 256,
            "a single block has at least 256 threads",
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
    return found + _needs_block(platform, level)


def _of_tiles(value_bytes: int) -> Constraint:
    steps = native().cuda_steps_per_thread

    def takes_more_steps(threads: int, grain: int) -> bool:
        return grain == 1 or bool(
            steps(threads, grain, value_bytes) > steps(threads, grain // 2, value_bytes)
        )

    return Constraint(
        ("block_size_x", "1.grain_size"),
        takes_more_steps,
        "a larger grain_size has no effect: the block's shared memory is full",
    )
