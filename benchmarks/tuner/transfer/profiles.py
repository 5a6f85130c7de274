"""Profiles of the examples' GPU variants by Nsight Compute, and the proxies that win (P-DFS).

    python benchmarks/common/record.py profiles -- \\
        python benchmarks/tuner/transfer/profiles.py histogram=./histogram sort=./sort

Each argument is a function and the program that was built of its example for this GPU. Each variant
runs on each of a few inputs (--inputs: on so many of them) under `ncu`, as Autotuner.profile does
it, and the application proxies once (dissertation, table 3.6, its third column, and table 3.7). A
row a kernel has the mean intensity of each proxy, 0 to 5; a row a function the winning proxies and
the seconds. Rows are written as soon as a function is done.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "common"))
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "python"))

from record import append_rows

from fettle.profiles.intensity import IntensityModels, winning_proxies
from fettle.profiles.kept import Profiles
from fettle.profiles.ncu import NcuProfiler
from fettle.profiles.profiler import Start
from fettle.training.log import LogReader
from fettle.training.request import Request

INPUTS = {
    "histogram": (
        "uniform:4000000:u8:bins=256",
        "noise:1000000:u8:bins=256,entropy=2.0",
        "uniform:4000000:u32:bins=1048576",
    ),
    "sort": ("uniform:2000000:float", "swapped:500000:double"),
    "transpose": ("general:1000000:double:columns=0", "skinny_tall:1000000:double:columns=0"),
    "bfs": ("rmat:100000:undirected:degree=16", "grid:40000:undirected"),
    "spmv": (
        "generate:stencil:points=5,side=300,seed=1",
        "generate:power_law:rows=20000,mean=12,exponent=2,seed=1",
    ),
}
SECONDS = 120.0


def variants_of(function: str, program: Path, given: str, log: Path) -> tuple[str, ...]:
    """What the program registers: it is asked for the features of one input."""
    request = Request(function, given, "features").environment(str(log))
    subprocess.run([program, given], env={**os.environ, **request}, check=True)
    reader = LogReader(log)
    list(reader.read())
    log.unlink()
    assert reader.header is not None
    return reader.header.variants


def _environment(request: Request, log: Path, profiler: str) -> dict[str, str]:
    return replace(request, profiler=profiler).environment(str(log))


def profiled(
    profiler: NcuProfiler,
    found: Profiles,
    function: str,
    program: Path,
    folder: Path,
    most_inputs: int,
) -> int:
    """Fills in the variants' kernels; the number of starts."""
    log = folder / "log.jsonl"
    starts = 0
    variants = variants_of(function, program, INPUTS[function][0], log)
    for given in INPUTS[function][:most_inputs]:
        for variant in variants:
            skip = tuple(one for one in variants if one != variant)

            request = Request(function, given, skip=skip, last_call=0)
            environment = partial(_environment, request, log)

            starts += 1
            kernels = profiler.region([str(program), given], Start(folder, environment), SECONDS)
            log.unlink(missing_ok=True)
            if kernels:
                found.variants.setdefault(variant, {})[given] = kernels
    return starts


def rows_of(function: str, found: Profiles) -> Iterator[dict[str, object]]:
    """The mean intensities of each variant's kernels."""
    models = IntensityModels(found.proxies, found.profiler)
    for variant, by_input in found.variants.items():
        for kernel in sorted({one for kernels in by_input.values() for one in kernels}):
            runs = [kernels[kernel] for kernels in by_input.values() if kernel in kernels]
            means = {name: float(one.mean()) for name, one in models.predict(runs).items()}
            yield {"function": function, "variant": variant, "kernel": kernel, "intensity": means}


def main() -> None:
    """Profile, print, append the rows of the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("functions", nargs="+", metavar="NAME=PROGRAM")
    parser.add_argument("--inputs", type=int, default=9, metavar="N", help="of a function, at most")
    options = parser.parse_args()
    profiler = NcuProfiler()
    profiler.check()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = time.monotonic()
        proxies = profiler.proxies(folder)
        append_rows([{"function": "proxies", "seconds": time.monotonic() - begun}])
        for argument in options.functions:
            function, _, program = argument.partition("=")
            begun, found = time.monotonic(), Profiles("this", "ncu", proxies)
            path = Path(program).resolve()
            starts = profiled(profiler, found, function, path, folder, options.inputs)
            winners = [one.name for one in winning_proxies(found)]
            spent = {"starts": starts, "seconds": time.monotonic() - begun}
            row = {"function": function, "winners": winners, **spent}
            append_rows([*rows_of(function, found), row])
            print(row, flush=True)


if __name__ == "__main__":
    main()
