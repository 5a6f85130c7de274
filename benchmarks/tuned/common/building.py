"""Compiles a benchmark's program, tuned or not, with its references."""

import shutil
import subprocess
from pathlib import Path

from suite import Benchmark

from fettle.ndp.toolchain import toolchain_of

MKL = ("mkl_intel_lp64", "mkl_gnu_thread", "mkl_core")


def cccl_flags() -> list[str]:
    """Where Thrust's headers are: they come with the CUDA toolkit."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    toolkit = Path(nvcc).resolve().parent.parent
    for folder in (*toolkit.glob("targets/*/include"), toolkit / "include"):
        if (folder / "cccl" / "thrust" / "reduce.h").is_file():
            return ["-isystem", str(folder / "cccl")]
        if (folder / "thrust" / "reduce.h").is_file():
            return ["-isystem", str(folder)]
    raise SystemExit(f"Thrust's headers are not in the CUDA toolkit's folder {toolkit}")


def mkl_flags(root: Path | None) -> list[str]:
    """How a program is compiled and linked with the MKL below this folder."""
    if root is None:
        return []
    libraries = [str(root / "lib" / f"lib{name}.a") for name in MKL]
    group = ["-Wl,--start-group", *libraries, "-Wl,--end-group", "-lm"]
    return ["-DFETTLE_WITH_MKL", "-isystem", str(root / "include"), *group]


def reference_flags(benchmark: Benchmark, platform: str, mkl: Path | None) -> list[str]:
    """What the references need of the compiler."""
    flags = list(benchmark.reference_flags.get(platform, ()))
    if platform == "openmp" and "thrust" in benchmark.references[platform]:
        flags += cccl_flags()
    if platform == "openmp" and "mkl" in benchmark.references[platform]:
        flags += mkl_flags(mkl)
    return flags


def compile_program(
    benchmark: Benchmark,
    platform: str,
    program: Path,
    *,
    header: Path | None = None,
    architecture: str | None = None,
    mkl: Path | None = None,
) -> Path:
    """The program with its references; tuned, where a tuner's header is given."""
    flags = [*benchmark.flags.get(platform, ()), *reference_flags(benchmark, platform, mkl)]
    toolchain = toolchain_of(platform, flags=flags, architecture=architecture)
    program.parent.mkdir(parents=True, exist_ok=True)
    compiled = program.with_suffix(".o")
    for command in (
        toolchain.compile(benchmark.source(platform), compiled, include=header),
        toolchain.link([compiled], program),
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\nfailed:\n{done.stdout}{done.stderr}")
    return program
