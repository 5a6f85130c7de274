"""Tunes computations of the suite with small sets, and times them: tuned.py PLATFORM [NAME...].

Each computation is tuned on 12 inputs, all of its shapes with less data than in the suite, and
judged by the suite's inputs: the time of the better simple loop or kernel over that of the tuned
computation (run.py). Without names: those that the default rule was never fitted to, in an order
that a lot gives.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import draw_halves
import run

from fettle import FettleError, NdpTuner
from fettle.ndp.manifest import Manifest

FOLDER = Path(__file__).resolve().parent
INCLUDE = FOLDER.parents[1] / "include"
SHAPES = {
    "rows": ("short", "medium", "long", "skewed", "giant", "tiny"),
    "sizes": ("small", "middle", "large"),
    "matrices": ("square", "wide", "tall"),
}
INPUTS = 12  # of each computation
MEGABYTES = (12, 30, 8, 20)  # of a shape's inputs, as many of them as make 12 in all
SOURCES = {"openmp": "main.cpp", "cuda": "main.cu"}
FLAGS = {"openmp": "-isystem /usr/include/eigen3 -ltbb", "cuda": "--extended-lambda -lcusparse"}
TIMED = {  # how the program is compiled that is timed
    "openmp": (os.environ.get("FETTLE_CXX", "c++"), "-march=native", "-fopenmp"),
    "cuda": (os.environ.get("FETTLE_NVCC", "nvcc"), "-arch=native"),
}


@dataclass(frozen=True)
class Computation:
    """A computation as a program of its own."""

    name: str
    header: Path  # its definition; how Fettle expresses it is in a file beside it
    folder: Path  # of what is made of it

    @property
    def inputs(self) -> list[str]:
        """The arguments of the starts from which the tuner learns."""
        family = re.search(r"shapes = family::(\w+);", self.header.read_text(encoding="utf-8"))
        assert family is not None, self.header
        shapes = SHAPES[family[1]]
        sizes = MEGABYTES[: INPUTS // len(shapes)]
        return [f"{shape} {megabytes}" for megabytes in sizes for shape in shapes]

    def write_list(self) -> Path:
        """The list that the suite's program is compiled with."""
        file = self.folder / "list.hpp"
        file.parent.mkdir(parents=True, exist_ok=True)
        driver = FOLDER / "common" / "driver.hpp"
        headers = (driver, self.header, self.header.with_name(f"{self.name}_in_fettle.hpp"))
        includes = "".join(f'#include "{header}"\n' for header in headers)
        text = f"{includes}namespace suite {{\nusing all = computations<{self.name}>;\n}}\n"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
        return file


def tuner_of(one: Computation, options: argparse.Namespace) -> NdpTuner:
    """The tuner of a computation's program, with all its files in one folder."""
    return NdpTuner(
        FOLDER / "common" / SOURCES[options.platform],
        platform=options.platform,
        inputs=one.inputs,
        size="small",
        flags=shlex.join(flags_of(one, options)),
        output=one.folder / "fettle_config.hpp",
        build_directory=one.folder / "build",
        jobs=options.jobs,
    )


def flags_of(one: Computation, options: argparse.Namespace) -> list[str]:
    """What the compiler is given wherever it compiles the program."""
    flags = FLAGS[options.platform] if options.flags is None else options.flags
    return [f"-I{INCLUDE}", *shlex.split(flags), f'-DFETTLE_SUITE_LIST="{one.write_list()}"']


def compile_timed(one: Computation, tuner: NdpTuner, options: argparse.Namespace) -> str:
    """The program with what was found, and all that it is compared with."""
    program = one.folder / one.name
    config = ["-include", str(tuner.header)] if tuner.header.exists() else []
    command = [*TIMED[options.platform], "-std=c++20", "-O3", *config]
    sources = [str(tuner.source), "-o", str(program), "-ldl"]
    subprocess.run([*command, *flags_of(one, options), *sources], check=True)
    return str(program)


def tuned_programs(chosen: Sequence[Computation], options: argparse.Namespace) -> list[str]:
    """Builds the candidates of all, some at a time; measures and trains each; compiles all."""
    began = time.monotonic()
    tuners = {one.name: tuner_of(one, options) for one in chosen}
    tuned: list[Computation] = []

    def built(one: Computation) -> Manifest | Exception:
        try:
            return tuners[one.name].build()
        except FettleError as error:
            return error

    with ThreadPoolExecutor(options.builds) as pool:
        manifests = list(pool.map(built, chosen))
    print(f"candidates of {len(chosen)} built in {time.monotonic() - began:.0f} s", flush=True)
    for one, manifest in zip(chosen, manifests, strict=True):
        if time.monotonic() - began > options.limit:
            print(f"{one.name} and what follows were not tuned: the time is up")
            break
        try:
            if isinstance(manifest, Exception):
                raise manifest
            start = time.monotonic()
            text = tuners[one.name].train(manifest).text().strip()
            print(f"{one.name}: tuned in {time.monotonic() - start:.0f} s\n{text}", flush=True)
            tuned.append(one)
        except FettleError as error:
            print(f"{one.name} failed: {error}", file=sys.stderr)
    with ThreadPoolExecutor(options.builds) as pool:
        return list(pool.map(lambda one: compile_timed(one, tuners[one.name], options), tuned))


def main(arguments: Sequence[str]) -> int:
    """Tune each, then time all; the status is 1 where one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platform", choices=SOURCES)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--count", type=int, help="the first of those that the lot gives")
    parser.add_argument("--folder", type=Path, default=Path("tuned_suite"), help="of what is built")
    parser.add_argument("--flags", help="the compiler's, in place of the platform's")
    parser.add_argument("--jobs", type=int, help="compilers at a time and computation")
    parser.add_argument("--builds", type=int, default=1, help="computations that are built at once")
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds of tuning")
    parser.add_argument("--seconds", default="0.2", help="of timing a case")
    options = parser.parse_args(arguments)
    never = json.loads(run.HALVES.read_text(encoding="utf-8"))["never_used_to_fit"]
    names = options.names or sorted(never, key=draw_halves.lot)[: options.count]
    headers = {header.stem: header for header in FOLDER.glob("*/*.hpp")}
    for name in names:
        if f"{name}_in_fettle" not in headers:
            parser.error(f"the suite has no computation {name}; halves.json names all")
    chosen = [
        Computation(name, headers[name], (options.folder / options.platform / name).resolve())
        for name in names
    ]
    programs = tuned_programs(chosen, options)
    status = run.main([*programs, "--seconds", options.seconds])
    return status if len(programs) == len(chosen) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
