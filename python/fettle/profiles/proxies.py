"""The five application proxies: what each stresses, its counters and its device features.

(dissertation, table 3.3). The counters of nvprof stand here under the names that Nsight Compute has
for them; beside them are those of perf on processors, of which a processor has some.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ProfilerName = Literal["ncu", "perf"]
INTENSITIES = range(6)

_SASS = "smsp__sass_thread_inst_executed_op_"
_L1 = "l1tex__t_sectors_pipe_lsu_mem_global_op_"
_SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
_FP = "fp_arith_inst_retired."
_WIDTHS = ("128b_packed_", "256b_packed_", "512b_packed_")


@dataclass(frozen=True)
class Proxy:
    """A program of which intensity * 20 % of the instructions are of one kind."""

    name: str
    features: tuple[str, ...]
    """What the names of its device features contain: table 3.3, and other usual names."""
    ncu: tuple[str, ...]
    perf: tuple[str, ...]

    def counters(self, profiler: ProfilerName) -> tuple[str, ...]:
        """What says how much a kernel is like this proxy."""
        return self.ncu if profiler == "ncu" else self.perf


PROXIES = (
    Proxy(
        "SP-GFLOP",
        ("gflops_sp", "fp32", "sp_gflop", "cuda_cores", "clock_rate", "clock"),
        tuple(f"{_SASS}{one}_pred_on.sum" for one in ("fadd", "fmul", "ffma", "fp32")),
        (f"{_FP}scalar_single", *(f"{_FP}{one}single" for one in _WIDTHS)),
    ),
    Proxy(
        "DP-GFLOP",
        ("gflops_dp", "fp64", "dp_gflop", "cuda_cores", "clock_rate", "clock"),
        tuple(f"{_SASS}{one}_pred_on.sum" for one in ("dadd", "dmul", "dfma", "fp64")),
        (
            f"{_FP}scalar_double",
            *(f"{_FP}{one}double" for one in _WIDTHS),
            "fp_ret_sse_avx_ops.all",
        ),
    ),
    Proxy(
        "ATOMIC",
        ("atomic",),
        (
            "l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum",
            "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum",
            "lts__t_sectors_op_atom.sum",
            "lts__t_sectors_op_red.sum",
            "smsp__inst_executed_op_shared_atom.sum",
        ),
        ("mem_inst_retired.lock_loads", "ls_locks.bus_lock", "ls_locks.non_spec_lock"),
    ),
    Proxy(
        "MEM-BW",
        ("gbps", "gb_s", "bandwidth", "mem_clock", "mem_bus", "l2_", "cache", "gather"),
        (
            f"{_L1}ld.sum",
            f"{_L1}st.sum",
            "lts__t_sectors_op_read.sum",
            "lts__t_sectors_op_write.sum",
            "dram__sectors_read.sum",
            "dram__sectors_write.sum",
        ),
        ("cache-references", "cache-misses", "LLC-loads", "LLC-load-misses", "dTLB-load-misses"),
    ),
    Proxy(
        "SH-MEM-BW",
        ("shared_mem", "level1_cache"),
        (
            f"{_SHARED}ld.sum",
            f"{_SHARED}st.sum",
            "smsp__inst_executed_op_shared_ld.sum",
            "smsp__inst_executed_op_shared_st.sum",
        ),
        ("L1-dcache-loads", "L1-dcache-stores", "L1-dcache-load-misses"),
    ),
)
INSTRUCTIONS: dict[ProfilerName, str] = {"ncu": "smsp__inst_executed.sum", "perf": "instructions"}
"""What counters are normalised by."""


def wanted_counters(profiler: ProfilerName) -> tuple[str, ...]:
    """All counters of all proxies, those of instructions first."""
    found = dict.fromkeys(one for proxy in PROXIES for one in proxy.counters(profiler))
    return (INSTRUCTIONS[profiler], *found)
