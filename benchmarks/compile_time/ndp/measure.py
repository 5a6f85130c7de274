"""Compile time of the paper's listing 1, sparse matrix times vector, for each platform.

Usage: measure.py INCLUDE_FOLDER CXX [NVCC ARCHITECTURE]. Beside it the same by a loop or a kernel
written by hand; the two files are compiled in turn and the medians taken. Seconds are the
compilers' processor time, which other programs on the machine disturb less than the clock on the
wall.
"""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

FOLDER = Path(__file__).resolve().parent
PROGRAMS = {"listing 1": FOLDER / "listing_1.cpp", "by hand": FOLDER / "by_hand.cpp"}
REPETITIONS = 3


def compile_seconds(command: list[str], source: Path) -> float:
    """Processor seconds of one compilation to an object file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "-c", str(source), "-o", os.devnull], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(include: str, cxx: str, nvcc: str = "", architecture: str = "") -> None:
    """Measure, print one line a platform, record one row a file."""
    platforms = {"openmp": [cxx, "-std=c++20", "-O2", "-fopenmp", "-I", include]}
    if nvcc:
        target = f"-arch=sm_{architecture}"
        platforms["cuda"] = [nvcc, "-std=c++20", "-O2", target, "-I", include, "-x", "cu"]
    rows = []
    for platform, command in platforms.items():
        seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
        for source in PROGRAMS.values():
            compile_seconds(command, source)  # headers into the page cache
        for _ in range(REPETITIONS):
            for name, source in PROGRAMS.items():
                seconds[name].append(compile_seconds(command, source))
        medians = {name: statistics.median(times) for name, times in seconds.items()}
        both = ", ".join(f"{name} {median:.2f} s" for name, median in medians.items())
        print(f"compile time of SpMV, {platform}: {both}", flush=True)
        rows += [
            {"platform": platform, "program": name, "median_s": medians[name], "seconds": times}
            for name, times in seconds.items()
        ]
    append_rows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
