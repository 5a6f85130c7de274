"""How many of the host's GPUs compute, tuned by size, beside one GPU and the default rule.

    python benchmarks/common/record.py tuned_devices -- python benchmarks/tuned/devices/run.py

Builds the candidates of devices.cu, measures them, trains, compiles the program with the models'
choice, and times it on sizes that were not trained on. --only-build ends after the candidates.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from pathlib import Path

from fettle import NdpTuner, TreeClassifier
from fettle.training.request import Measuring

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# The extremes and what lies between first, for where the time does not suffice for all.
TRAINED = [2**k for k in (10, 28, 22, 25, 16, 26, 24, 27, 13, 19, 23)]
TRIED = [3 * 2**k for k in (9, 12, 15, 18, 21, 22, 23, 24, 25, 26, 27)]


def tuner_of(folder: Path, seconds: float | None) -> NdpTuner:
    """The tuner of the program, with all its files in a folder."""
    return NdpTuner(
        HERE / "devices.cu",
        platform="cuda_devices",
        inputs=[str(size) for size in TRAINED],
        size="small",
        classifier=TreeClassifier(calls=1),
        measuring=Measuring(budget_s=2.0, limit_floor_s=0.2),
        time_budget=seconds,
        build_directory=folder / "build",
        output=folder / "fettle_config.hpp",
    )


def main() -> None:
    """Tunes, compiles and compares."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--folder", type=Path, default=ROOT / "build" / "tuned_devices")
    words.add_argument("--nvcc", default="nvcc")
    words.add_argument("--time-budget", type=float, help="seconds of measuring a computation")
    words.add_argument("--only-build", action="store_true")
    given = words.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tuner = tuner_of(folder, given.time_budget)
    begin = time.monotonic()
    manifest = tuner.build()
    print(f"built in {time.monotonic() - begin:.0f} s", flush=True)
    if given.only_build:
        return
    print(tuner.train(manifest).text())
    print(f"tuned in {time.monotonic() - begin:.0f} s", flush=True)
    program = folder / "devices"
    command = [given.nvcc, "-O3", "-std=c++20", "-arch=native", f"-I{ROOT / 'include'}"]
    command += [f"-I{folder}", str(HERE / "devices.cu"), "-o", str(program)]
    subprocess.run(command, check=True)
    subprocess.run([program, "--compare", *map(str, TRIED)], check=True)


if __name__ == "__main__":
    main()
