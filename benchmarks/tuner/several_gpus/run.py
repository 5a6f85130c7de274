"""Six functions tuned on one GPU and on all GPUs of the host, by workers of an executor.

    python benchmarks/common/record.py several_gpus -- \\
        python benchmarks/tuner/several_gpus/run.py --compile "nvcc -O3 -std=c++20 -Iinclude"

A worker is a process that sees one GPU (CUDA_VISIBLE_DEVICES) and has its share of the cores. The
measuring throughput is starts of the program a second; that of all GPUs is given over that of one,
and so is how many of the models' choices are the same. Functions: functions.cu.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fettle import Autotuner, CodeVariant, TreeClassifier, load
from fettle.core.progress import Silence
from fettle.model.deployed import DeployedModel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(ROOT / "benchmarks/common"))
from record import append_rows  # noqa: E402

FUNCTIONS = [f"terms_{2**k}" for k in range(6)]
SIZES = [round(1000 * 4.5**k) for k in range(8)]
TRIED = [round(1500 * 2.1**k) for k in range(14)]


def pin(free: multiprocessing.Queue[int], workers: int) -> None:
    """Gives this process the next GPU, and its share of the cores."""
    number = free.get()
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[number :: workers or 1])
    os.environ["CUDA_VISIBLE_DEVICES"] = str(number)


def tuned(folder: Path, program: Path, workers: int) -> tuple[float, dict[str, DeployedModel]]:
    """Seconds that measuring took with so many workers, and the models."""
    folder.mkdir()
    shutil.copy(program, folder / "functions")
    context = multiprocessing.get_context("spawn")
    free = context.Queue()
    for number in range(workers):
        free.put(number)
    with ProcessPoolExecutor(
        workers, mp_context=context, initializer=pin, initargs=(free, workers)
    ) as executor:
        tuner = Autotuner(
            "functions",
            working_directory=folder,
            executor=executor,
            report_directory=None,
            comparing=None,
            display=Silence(),
        )
        tuner.set_training_args([str(size) for size in SIZES])
        functions = [CodeVariant(name, classifier=TreeClassifier()) for name in FUNCTIONS]
        begin = time.perf_counter()
        results = tuner.tune(functions)
        seconds = time.perf_counter() - begin - sum(one.effort.fit_seconds for one in results)
    return seconds, {name: load(folder / "fettle_models" / name) for name in FUNCTIONS}


def chosen(model: DeployedModel) -> list[str]:
    """The variants for all sizes; what is outside the region gets the default."""
    return model.choose_many([[size] for size in TRIED])


def main() -> None:
    """Tunes with one worker and with one a GPU, and records both."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--compile", required=True, help="nvcc and its options")
    words.add_argument("--gpus", type=int, default=0, help="workers; all GPUs unless given")
    given = words.parse_args()
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True)
    gpus = given.gpus or len(listed.stdout.splitlines())
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "functions"
        command = [
            *shlex.split(given.compile),
            str(HERE / "functions.cu"),
            "-o",
            str(program),
        ]
        subprocess.run(command, check=True)
        starts = len(FUNCTIONS) * len(SIZES)
        rows: list[dict[str, float]] = []
        models: dict[int, dict[str, DeployedModel]] = {}
        for workers in (1, gpus):
            seconds, models[workers] = tuned(Path(scratch) / str(workers), program, workers)
            rows.append(
                {
                    "gpus": workers,
                    "seconds": seconds,
                    "starts_a_second": starts / seconds,
                }
            )
            print(f"{workers} GPUs: {starts} starts in {seconds:.1f} s", flush=True)
    same = [
        one == other
        for name in FUNCTIONS
        for one, other in zip(*(chosen(models[n][name]) for n in (1, gpus)), strict=True)
    ]
    rows[1]["throughput_of_one"] = rows[1]["starts_a_second"] / rows[0]["starts_a_second"]
    rows[1]["equal_choices"] = sum(same) / len(same)
    print(json.dumps(rows[1]))
    append_rows(rows)


if __name__ == "__main__":
    main()
