"""Which kernel a schedule has on CUDA, and which fields of a policy it reads.

After `include/fettle/ndp/cuda/dispatch/dispatch.cuh` and the kernels that it names.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.ndp.base.computation import Computation, Level

REDUCE = ("block_reduce_algo",)
SCAN = ("block_scan_algo", "block_scan_grain_size")

# What the kernel of a schedule is, in the words of a reason.
KERNELS = {
    "vectors by key": "vectors are reduced by key",
    "runs": "CUB reduces runs of equal keys",
    "vectors": "vectors are reduced",
    "flattened": "all threads get tiles of equal size",
    "device": "the whole device cooperates",
    "rows": "a row is the work of a warp or a block",
    "threads": "a row is the work of a thread",
    "one by one": "rows come one after the other",
    "one thread": "one thread does everything",
}


def kernel_of(computation: Computation, schedule: str) -> str:
    """One of KERNELS."""
    levels = computation.levels(schedule)
    operators = computation.operators
    if operators[0] == "reduce_by_key":
        return "vectors by key" if len(operators) > 1 else "runs"
    if operators[0] == "reduce" and len(operators) > 1:
        return "vectors"
    if levels[0].kind == "flattened":
        return "flattened"
    if levels[0].kind == "cooperative":
        return "device"
    has_parallel_rows = any(not level.is_sequential for level in levels[1:])
    if levels[0].is_sequential:
        return "one by one" if has_parallel_rows else "one thread"
    return "rows" if has_parallel_rows else "threads"


def fields_read(kernel: str, levels: Sequence[Level]) -> set[str]:
    """The fields that the kernel reads."""
    last = levels[-1]
    unrolled = {f"{last.number}.enable_unroll"} if last.is_sequential else set()
    if kernel == "vectors by key":
        both = {"block_size_x", "block_size_y"}
        return both if levels[0].kind == "cooperative" else {"block_size_x"}
    if kernel == "vectors":
        is_shared = levels[0].kind == "cooperative"
        return {"block_size_x", "1.block_reduce_algo"} if is_shared else set()
    if kernel == "flattened":
        return {"block_size_x", "1.grain_size"}
    if kernel == "threads":
        own = {"block_size_x", "1.grain_size"}
        return own | ({"1.resource"} | unrolled if len(levels) > 1 else set())
    if kernel == "one thread":
        return unrolled
    if kernel == "runs":
        return set()
    level = levels[0] if kernel == "device" else levels[1]
    if level.kind == "independent":
        combining: tuple[str, ...] = ("grain_size",)
    else:
        combining = REDUCE if level.operator == "reduce" else SCAN
    read = {"block_size_x", "logical_warp_size"} | unrolled
    read |= {f"{level.number}.{name}" for name in (*combining, "resource")}
    return read | {"1.grain_size", "1.resource"} if kernel == "rows" else read


def blocks_take_rows(computation: Computation) -> bool:
    """Whether a block as a whole can take rows: of a map>reduce, one behind the other.

    That they lie so is what flattened needs too.
    """
    return computation.operators == ("map", "reduce") and "flattened" in computation.schedules


def steps_per_thread(threads: int, grain: int, value_bytes: int) -> int:
    """How many steps a thread takes of a flattened share; `flattened_memory.hpp`."""
    room = 44 * 1024 // ((value_bytes + 4) * threads)
    base = 11 if value_bytes <= 8 else 7 if value_bytes <= 16 else 3
    steps = max(min(base * grain, 31, room), 1)
    return steps - 1 if steps % 2 == 0 else steps


def flattened_memory(computation: Computation, threads: int, grain: int, algorithm: str) -> int:
    """The shared memory of a block with a flattened share, in bytes; `flattened_memory.hpp`."""
    value_bytes = computation.value_bytes
    partial = value_bytes + min(value_bytes, 8)
    warps = threads // 32
    share = threads * steps_per_thread(threads, max(grain, 1), value_bytes) * (value_bytes + 2)
    rest = warps * (partial + 1) + 64
    if computation.operators[-1] == "scan":
        return share + rest
    if threads & (threads - 1) == 0:
        share = max(share, threads * partial + warps * 4)
    if not computation.commutative:
        return share + rest
    if algorithm == "warp_reductions":
        return share + rest + (warps + 1) * partial + warps
    return share + rest + (threads + (32 if warps % 2 == 0 else 0)) * partial
