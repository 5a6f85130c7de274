"""What the platforms refuse: `violation(policy, schedule)` of C++ as constraints of a space.

The same sentences as in `include/fettle/ndp/{cuda,openmp}/policy/constraints.hpp`, in the same
order; a test holds one against the other. Limits of the device come from the program's
introspection.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.ndp.base.computation import Computation, Level
from fettle.ndp.base.field import LEVELS
from fettle.ndp.platforms._cuda_kernels import flattened_memory
from fettle.search.space import Constraint

# What every GPU allows that CUDA 12 supports.
_ANY_GPU = {"threads_per_block": 1024, "block_dimension": 1024, "shared_bytes": 48 * 1024}


def limits(computation: Computation, schedule: str) -> list[Constraint]:
    """The platform's limits, over any fields of its policies."""
    levels = computation.levels(schedule)
    if computation.platform == "cuda":
        return _cuda_limits(computation, levels)
    return _openmp_limits(levels)


def _cuda_limits(computation: Computation, levels: Sequence[Level]) -> list[Constraint]:
    gpu = {**_ANY_GPU, **computation.limits}
    found = [
        Constraint(
            (f"block_size_{axis}",),
            lambda size: 1 <= size <= gpu["block_dimension"],
            f"block_size_{axis} must be from 1 to 1024, the device's limit",
        )
        for axis in "xy"
    ]
    block = ("block_size_x", "block_size_y")
    found += [
        Constraint(
            block,
            lambda x, y: x * y <= gpu["threads_per_block"],
            "block_size_x * block_size_y must be at most 1024, the device's limit",
        ),
        Constraint(
            block,
            lambda x, y: x * y % 32 == 0,
            "block_size_x * block_size_y must be a multiple of 32",
        ),
        Constraint(
            ("logical_warp_size",),
            lambda lanes: lanes in (2, 4, 8, 16, 32),
            "logical_warp_size must be 2, 4, 8, 16 or 32",
        ),
    ]
    for level in range(1, LEVELS + 1):
        found += [
            Constraint((f"{level}.{name}",), lambda grain: grain >= 1, f"{name} must be 1 or more")
            for name in ("grain_size", "block_scan_grain_size")
        ]
    found.append(_shared_memory(computation, gpu["shared_bytes"], levels))
    return found


_MORE_MEMORY = (
    "the block needs more shared memory than the device has: make the block or its grain sizes "
    "smaller"
)
_COMBINING = ("resource", "block_reduce_algo", "block_scan_algo", "block_scan_grain_size")


def _shared_memory(computation: Computation, room: int, levels: Sequence[Level]) -> Constraint:
    if levels[0].kind == "flattened":
        return Constraint(
            ("block_size_x", "block_size_y", "1.grain_size", "1.block_reduce_algo"),
            lambda x, y, grain, algorithm: (
                x * y < 32 or flattened_memory(computation, x * y, grain, algorithm) <= room
            ),
            _MORE_MEMORY,
        )
    cooperative = [level.number for level in levels if level.kind == "cooperative"]
    fields = [f"{min(level, LEVELS)}.{name}" for level in cooperative for name in _COMBINING]

    def fits(x: int, y: int, *settings: object) -> bool:
        its = dict(zip(fields, settings, strict=True))
        values = 0
        for number in cooperative:
            resource, reduce_algo, scan_algo, grain = (
                its[f"{min(number, LEVELS)}.{name}"] for name in _COMBINING
            )
            if resource == "block" or (resource == "automatic" and number == 1):
                one_a_warp = reduce_algo == "warp_reductions" and scan_algo == "warp_scans"
                values += (x * y + 31) // 32 if one_a_warp else x * y
                assert isinstance(grain, int)
                values += x * y * grain if grain > 1 else 0
        return values * computation.value_bytes <= room

    return Constraint(
        ("block_size_x", "block_size_y", *fields),
        fits,
        _MORE_MEMORY,
    )


def _openmp_limits(levels: Sequence[Level]) -> list[Constraint]:
    found = [
        Constraint(
            ("num_threads",),
            lambda threads: threads >= 0,
            "num_threads must be positive, or 0 for OpenMP's default",
        )
    ]
    found += [
        Constraint(
            (f"{level}.chunk_size",),
            lambda chunk: chunk >= 0,
            "chunk_size must be positive, or 0 for OpenMP's default",
        )
        for level in range(1, LEVELS + 1)
    ]
    parallel = [level.number for level in levels if not level.is_sequential]
    found += [
        Constraint(
            ("enable_nesting", f"{min(level, LEVELS)}.resource"),
            lambda nesting, resource: nesting or resource != "team",
            "a team inside a parallel level opens nested parallel regions: set enable_nesting, or "
            "use resource=thread",
        )
        for level in parallel[1:]
    ]
    return found
