"""Six functions tuned on one GPU and on all GPUs of the host, by workers of an executor.

    python benchmarks/common/record.py several_gpus -- \\
        python benchmarks/tuner/several_gpus/run.py --compile "nvcc -O3 -std=c++20 -Iinclude"

A worker is a process that sees one GPU (CUDA_VISIBLE_DEVICES) and has its share of the cores. The
measuring throughput is starts of the program a second; that of all GPUs is given over that of one.
Of the models there is how many of their choices are the same, and how fast on average what those of
all GPUs choose is of what those of one GPU choose, by the latter's measurements. Functions:
functions.cu.

A start makes a CUDA context, and one host makes contexts almost one after the other, whatever GPUs
they are for. So the program is also started without a tuner, which bounds what workers can gain;
and inputs are measured twice, once as by default and once for some seconds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fettle import Autotuner, CodeVariant, Measuring, TreeClassifier, load
from fettle.core.progress import Silence
from fettle.data.training_set import TrainingSet
from fettle.model.deployed import DeployedModel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(ROOT / "benchmarks/common"))
from record import append_rows  # noqa: E402

Tuned = dict[str, tuple[DeployedModel, TrainingSet]]

FUNCTIONS = [f"terms_{2**k}" for k in range(6)]
SIZES = [round(1000 * 4.5**k) for k in range(8)]
TRIED = [round(1500 * 2.1**k) for k in range(14)]
MEASURED = {
    "by default": Measuring(),
    "2,000 samples each": Measuring(
        race=False, minimum_samples=2000, maximum_samples=2000, budget_s=60
    ),
}


def pin(free: multiprocessing.Queue[int], workers: int) -> None:
    """Gives this process the next GPU, and its share of the cores."""
    number = free.get()
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[number :: workers or 1])
    os.environ["CUDA_VISIBLE_DEVICES"] = str(number)


def plain_starts(program: Path, workers: int, count: int = 24) -> float:
    """Starts a second of the untuned program, the workers' starts side by side."""
    ways = [{**os.environ, "CUDA_VISIBLE_DEVICES": str(number)} for number in range(workers)]
    begin = time.perf_counter()
    for _ in range(count):
        started = [subprocess.Popen([str(program), "1000"], env=way) for way in ways]
        if any(process.wait() for process in started):
            raise SystemExit(f"{program}: failed without a tuner")
    return count * workers / (time.perf_counter() - begin)


def tuned(folder: Path, program: Path, workers: int, measuring: Measuring) -> tuple[float, Tuned]:
    """Seconds that measuring took with so many workers, the models and what was measured."""
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
            measuring=measuring,
            report_directory=None,
            comparing=None,
            display=Silence(),
        )
        tuner.set_training_args([str(size) for size in SIZES])
        functions = [CodeVariant(name, classifier=TreeClassifier()) for name in FUNCTIONS]
        begin = time.perf_counter()
        results = tuner.tune(functions)
        seconds = time.perf_counter() - begin - sum(one.effort.fit_seconds for one in results)
    models = {name: load(folder / "fettle_models" / name) for name in FUNCTIONS}
    return seconds, {one.function: (models[one.function], one.training) for one in results}


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
        alone, together = (plain_starts(program, workers) for workers in (1, gpus))
        rows = [row("no tuner", gpus, alone, together)]
        for name, measuring in MEASURED.items():
            folders = (Path(scratch) / f"{name} {workers}" for workers in (1, gpus))
            (one, of_one), (all_, of_all) = (
                tuned(folder, program, workers, measuring)
                for folder, workers in zip(folders, (1, gpus), strict=True)
            )
            starts = len(FUNCTIONS) * len(SIZES)
            rows.append(row(name, gpus, starts / one, starts / all_))
            rows[-1]["equal_choices"] = equal_choices(of_one, of_all)
            rows[-1]["speed_of_choices"] = speed_of_choices(of_one, of_all)
    for each in rows:
        print(json.dumps(each))
    append_rows(rows)


def row(measured: str, gpus: int, one: float, all_: float) -> dict[str, str | float]:
    """A row of the record: starts a second on one GPU and on all."""
    return {
        "measured": measured,
        "gpus": gpus,
        "starts_a_second_of_one": one,
        "starts_a_second": all_,
        "throughput_of_one": all_ / one,
    }


def equal_choices(one: Tuned, other: Tuned) -> float:
    """The fraction of sizes for which both models choose the same variant."""
    same = [
        a == b
        for name in FUNCTIONS
        for a, b in zip(*(chosen(tuned[name][0]) for tuned in (one, other)), strict=True)
    ]
    return sum(same) / len(same)


def speed_of_choices(one: Tuned, other: Tuned) -> float:
    """The other models' choices over the first ones', by what was measured for the first ones."""
    ratios = []
    for name in FUNCTIONS:
        model, data = one[name]
        sizes = data.values.tolist()
        ours, theirs = model.choose_many(sizes), other[name][0].choose_many(sizes)
        for costs, mine, its in zip(data.costs, ours, theirs, strict=True):
            ratios.append(costs[data.variants.index(mine)] / costs[data.variants.index(its)])
    return statistics.geometric_mean(ratios)


if __name__ == "__main__":
    main()
