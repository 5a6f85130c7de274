"""A small program for CUDA, and the compiler for it."""

from __future__ import annotations

import shutil

from programs_build import HERE

NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
PROGRAM = HERE / "programs" / "row_sums.cu"
