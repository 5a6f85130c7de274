"""Compile time of the paper's listing 1, sparse matrix times vector, for each platform.

Usage: measure.py INCLUDE_FOLDER CXX [NVCC ARCHITECTURE]. Beside it the same by a loop or a kernel
written by hand, the same tuned (tuned_spmv.hpp, two candidates), ten computations in one file, and
an empty file; all are compiled in turn and the medians taken.
"""

import os
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from compile_seconds import compile_seconds
from record import append_rows

FOLDER = Path(__file__).resolve().parent
LISTING = FOLDER / "listing_1.cpp"
TUNED = ("-include", str(FOLDER / "tuned_spmv.hpp"))
COMPILED = ("-DFETTLE_COMPILED",)
PROGRAMS: dict[str, tuple[Path, tuple[str, ...]]] = {
    "an empty file": (Path(os.devnull), ()),
    "by hand": (FOLDER / "by_hand.cpp", ()),
    "listing 1": (LISTING, ()),
    "listing 1, tuned": (LISTING, TUNED),
    "listing 1, fettle::compiled": (LISTING, COMPILED),
    "listing 1, tuned, fettle::compiled": (LISTING, COMPILED + TUNED),
    "ten computations": (FOLDER / "ten_computations.cpp", ()),
}
REPETITIONS = 3


def main(include: str, cxx: str, nvcc: str = "", architecture: str = "") -> None:
    """Measure, print one line a program, record one row each."""
    platforms = {"openmp": [cxx, "-std=c++20", "-O2", "-fopenmp", "-I", include, "-x", "c++"]}
    if nvcc:
        target = f"-arch=sm_{architecture}"
        platforms["cuda"] = [nvcc, "-std=c++20", "-O2", target, "-I", include, "-x", "cu"]
    rows = []
    for platform, command in platforms.items():
        seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
        compile_seconds(command, LISTING)  # headers into the page cache
        for _ in range(REPETITIONS):
            for name, (source, flags) in PROGRAMS.items():
                seconds[name].append(compile_seconds([*command, *flags], source))
        for name, times in seconds.items():
            median = statistics.median(times)
            print(f"compile time, {platform}: {name} {median:.2f} s", flush=True)
            rows.append(
                {"platform": platform, "program": name, "median_s": median, "seconds": times}
            )
    append_rows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
