"""CUDA: blocks, logical warps and threads of a GPU.

The values to try come from the kernels (`include/fettle/ndp/cuda/`) and from what their default
rules choose (`row_rule.hpp`, `default_rule.cuh`, `untuned.cuh`), which is always among them:

    block_size_x           64 to 512. Smaller blocks leave a multiprocessor with too few threads,
                           larger ones with too few blocks.
    block_size_y           1, because kernels number a block's threads in one row, but where vectors
                           are reduced by key: there x are coordinates and y are chunks of points.
    logical_warp_size      all of 2 to 32
    grain_size             1, 2, 4; of elements inside a row 1 and 4 (their loads in flight)
    block_*_algo           all of CUB's
    block_scan_grain_size  1, 4, 8, and what fills 32 KiB of shared memory
    unroll                 all of 0 (the compiler's choice), 1, 2, 4, 8, of the innermost loop; the
                           others' bodies are whole rows

`size="small"` has the default rules' values and little else.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from fettle.core.asked_tools import AskedTools
from fettle.core.check import Check
from fettle.core.errors import FettleError
from fettle.core.native import native
from fettle.ndp.base.computation import Computation
from fettle.ndp.base.field import KNOBS, LEVELS, Field
from fettle.ndp.base.platform import CompileCost, Compiling, Platform, Values
from fettle.ndp.platforms._cuda_kernel import kernel_of
from fettle.ndp.platforms._cuda_repeats import repeats
from fettle.search.constraint import Constraint

_REDUCE_ALGORITHMS = ("raking", "raking_commutative_only", "warp_reductions")
_SCAN_ALGORITHMS = ("raking", "raking_memoize", "warp_scans")
_RESOURCES = ("automatic", "thread", "warp", "block")

_GLOBAL_FIELDS = (
    Field("block_size_x", 256),
    Field("block_size_y", 1),
    Field("logical_warp_size", 32),
    *KNOBS,
)
_LEVEL_FIELDS = (
    Field("grain_size", 1),
    Field("block_reduce_algo", "warp_reductions", _REDUCE_ALGORITHMS, "block_reduce_algorithm"),
    Field("block_scan_algo", "warp_scans", _SCAN_ALGORITHMS, "block_scan_algorithm"),
    Field("block_scan_grain_size", 1),
    Field("resource", "automatic", _RESOURCES, "execution_resource", "execution_resource"),
    Field("unroll", 0, paper_name="enable_unroll"),
)


def _values(computation: Computation, schedule: str, size: str) -> Values:
    full = size == "full"
    kernel = kernel_of(computation, schedule).name
    levels = computation.levels(schedule)
    last = levels[-1].number
    values: Values = {
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
    for level in range(1, LEVELS + 1):
        outer = (1, 2, 4) if full else (1, 2) if kernel in ("threads", "flattened") else (1,)
        inner = (1, 4) if full and level == last else (1,)
        values |= {
            f"{level}.grain_size": outer if level == 1 else inner,
            f"{level}.block_reduce_algo": _REDUCE_ALGORITHMS if full else ("warp_reductions",),
            f"{level}.block_scan_algo": _SCAN_ALGORITHMS if full else ("warp_scans",),
            f"{level}.block_scan_grain_size": _scan_grains(computation.value_bytes, full),
            f"{level}.resource": _RESOURCES,
            f"{level}.unroll": _unrolls(full) if level == last else (0,),
        }
    return values


def _unrolls(full: bool) -> tuple[int, ...]:
    return (0, 1, 2, 4, 8) if full else (0, 4)


def _scan_grains(value_bytes: int, full: bool) -> tuple[int, ...]:
    chosen = native().cuda_scan_grain(value_bytes)
    return tuple(sorted({1, 4, 8, chosen} if full else {1, chosen}))


def _repeats(computation: Computation, schedule: str) -> list[Constraint]:
    return repeats(PLATFORM, computation, schedule)


def _nvcc() -> str:
    usual = Path("/usr/local/cuda/bin/nvcc")
    return str(usual) if shutil.which("nvcc") is None and usual.exists() else "nvcc"


def _flags(architecture: str | None) -> list[str]:
    if architecture is None and not _has_gpu():
        raise FettleError(
            "there is no GPU here to compile for; name its architecture, as in --arch sm_90"
        )
    return [f"-arch={architecture or 'native'}", "-Xcompiler=-fPIC,-fvisibility=hidden"]


def _has_gpu() -> bool:
    try:
        listed = subprocess.run(
            ["nvidia-smi", "-L"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listed.returncode == 0 and listed.stdout.startswith("GPU")


def _gpu() -> str:
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        names = done.stdout.splitlines() if done.returncode == 0 else []
    except OSError:
        names = []
    if not names:
        raise FettleError(
            "there is no GPU here to measure on (nvidia-smi lists none); build with --build-only, "
            "copy the build directory to a machine that has one, and measure there with "
            "--measure-only"
        )
    return names[0].strip()


def _checks(tools: AskedTools, _: str | None) -> list[Check]:
    return [_nvcc_check(tools), _gpu_check(tools)]


def _nvcc_check(tools: AskedTools) -> Check:
    """NVIDIA's compiler."""
    match = re.search(r"release [\d.]+, V([\d.]+)", tools.output(["nvcc", "--version"]))
    version = f"{match[1]} ({shutil.which('nvcc')})" if match else ""
    remedy = "install the CUDA toolkit, 12.4 or newer, and put its nvcc on PATH"
    remedy = tools.remedy(remedy, "nvcc")
    return Check("CUDA compiler", False, bool(version), version, "variants on NVIDIA GPUs", remedy)


def _gpu_check(tools: AskedTools) -> Check:
    """A GPU that the driver sees."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    names = "; ".join(tools.output(query).strip().splitlines())
    remedy = "tune on the machine that has the GPU, with NVIDIA's driver installed"
    remedy = tools.remedy(remedy, "nvidia-smi")
    return Check("NVIDIA GPU", False, bool(names), names, "running variants on NVIDIA GPUs", remedy)


PLATFORM = Platform(
    name="cuda",
    global_fields=_GLOBAL_FIELDS,
    level_fields=_LEVEL_FIELDS,
    values=_values,
    repeats=_repeats,
    compiling=Compiling(
        compiler=_nvcc,
        flags=_flags,
        cost=CompileCost(schedule=1.5, candidate=0.5),  # every candidate is compiled by itself
        language=("-x", "cu"),
        guard="__CUDACC__",
    ),
    metric="seconds",
    machine=_gpu,
    checks=_checks,
)
