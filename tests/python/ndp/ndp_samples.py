"""Sample computations as the library describes them, and programs that ask the library."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from programs_build import COMPILER, INCLUDE, WITH_LIBRARY

from fettle.ndp.base.computation import Computation, read_computation

HERE = Path(__file__).resolve().parent
SAMPLES = HERE / "samples.jsonl"


def sample(expression: str, platform: str, threads: int = 2, value_bytes: int = 8) -> Computation:
    """A sample; on a processor of so many threads.

    Platforms of several devices have those of one of them.
    """
    one = {"cuda_devices": "cuda", "openmp_nodes": "openmp"}.get(platform, platform)
    for line in SAMPLES.read_text("utf-8").splitlines():
        found = read_computation(line)
        if (found.expression, found.platform) == (expression, one):
            limits = {} if one == "cuda" else {"threads": threads}
            return replace(found, platform=platform, limits=limits, value_bytes=value_bytes)
    raise AssertionError(f"there is no sample {expression} on {platform}")


def samples(threads: int = 2) -> list[Computation]:
    """All of them."""
    lines = SAMPLES.read_text("utf-8").splitlines()
    keys = [(found.expression, found.platform) for found in map(read_computation, lines)]
    return [sample(expression, platform, threads) for expression, platform in keys]


def build(name: str, folder: Path) -> Path:
    """Compiles programs/NAME.cpp."""
    program = folder / name
    source = HERE / "programs" / f"{name}.cpp"
    command = [COMPILER, "-std=c++20", "-O0", f"-I{INCLUDE}", str(source), *WITH_LIBRARY]
    command += ["-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def ask(program: Path, lines: Sequence[str] = ()) -> list[str]:
    """The lines that a program prints for the lines that it reads."""
    done = subprocess.run(
        [program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
