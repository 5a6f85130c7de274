"""A small program for CUDA, and the compiler for it."""

from __future__ import annotations

import shutil
import subprocess

from programs_build import HERE

NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
PROGRAM = HERE / "programs" / "row_sums.cu"


def quick_flags() -> list[str]:
    """Flags that leave out most of nvcc's optimisation of device code, where it knows them."""
    if NVCC is None:
        return []
    known = subprocess.run([NVCC, "--help"], capture_output=True, text=True, check=True).stdout
    return ["-O0", *(["--Ofast-compile=max"] if "--Ofast-compile" in known else [])]
