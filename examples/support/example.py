"""What the tuning scripts and the judges of the examples share: folders, builds, options."""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path
from typing import Literal

from inputs import data_file, draw

from fettle import Measuring

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = "-fopenmp -ltbb -llzma"
HOST_FLAGS = "-std=c++20 -O3 -march=native"
DEVICE_FLAGS = "-std=c++20 -O3 -arch=native -Xcompiler=-fopenmp,-march=native"


ENDINGS = tuple(f".{kind}{xz}" for kind in ("mtx", "pgm", "ppm") for xz in ("", ".xz"))


def absolute(names: list[str]) -> list[str]:
    """Files by their paths, which hold in every folder, and other inputs' names as they are.

    A folder stands for its files, @FILE for the names in that file, one a line; a published file
    is also found by its place in the folder of published data.
    """
    found: list[str] = []
    for name in names:
        if name.startswith("@"):
            found += absolute(Path(name[1:]).read_text(encoding="utf-8").splitlines())
        elif Path(name).is_dir():
            found += [
                str(file.resolve())
                for file in sorted(Path(name).iterdir())
                if file.name.endswith(ENDINGS)
            ]
        else:
            place = next((p for p in (Path(name), data_file(name)) if p.exists()), None)
            found.append(str(place.resolve()) if place else name)
    return found


class Example:
    """An example in the folder of `script`, for the processor that the command line names.

    What is built and learned lies in the folder ./cpu or ./gpu of where the script is started.
    """

    def __init__(
        self, script: str, description: str, options: argparse.ArgumentParser | None = None
    ) -> None:
        parser = options or argparse.ArgumentParser()
        parser.description = description.splitlines()[0]
        processor = parser.add_mutually_exclusive_group()
        processor.add_argument("--cpu", action="store_true", help="the host's variants")
        processor.add_argument("--gpu", action="store_true", help="the device's variants")
        parser.add_argument(
            "--cold", action="store_true", help="empty a GPU's L2 cache before what is measured"
        )
        parser.add_argument(
            "--program", type=Path, help="a program that is built already, instead of a build"
        )
        if options is None:
            parser.add_argument("--inputs", nargs="+", metavar="INPUT", help="train on these only")
            parser.add_argument(
                "--also", nargs="+", default=[], metavar="INPUT", help="train on these besides"
            )
            parser.add_argument(
                "--budget", type=float, default=1, metavar="S", help="seconds to measure an input"
            )
        self.options = parser.parse_args()
        self.source = Path(script).resolve().parent
        self.name = self.source.name
        gpu_source = self.source / f"{self.name}.cu"
        has_gpu = gpu_source.exists() and shutil.which("nvcc") and shutil.which("nvidia-smi")
        self.gpu = bool(self.options.gpu or (has_gpu and not self.options.cpu))
        self.folder = Path("gpu" if self.gpu else "cpu").resolve()
        self.folder.mkdir(exist_ok=True)
        built = self.options.program
        self.has_project = not self.gpu and (self.source / "CMakeLists.txt").exists()
        made = Path("build" if self.has_project else ".") / self.name
        self.program = built.resolve() if built else self.folder / made
        if self.options.cold:
            os.environ["FETTLE_L2"] = "cold"
        # Waiting threads must not spin where other programs use the cores. A separate project is
        # also run without these scripts, and has to be tuned as it runs then.
        if not self.has_project:
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")

    @property
    def build_command(self) -> str:
        """Compiles the example's program; nothing to do for one that is given."""
        if self.options.program:
            return "true"
        if self.has_project:  # it has libraries to look for
            return f"cmake -S '{self.source}' -B build && cmake --build build"
        kind = "cu" if self.gpu else "cpp"
        compiler = f"nvcc {DEVICE_FLAGS}" if self.gpu else f"${{CXX:-c++}} {HOST_FLAGS} -fopenmp"
        libraries = LIBRARIES.replace("-fopenmp", "-lcusparse") if self.gpu else LIBRARIES
        source = self.source / f"{self.name}.{kind}"
        return f"{compiler} -I. -I'{ROOT / 'include'}' '{source}' -o {self.name} {libraries}"

    @property
    def metric(self) -> Literal["returned", "seconds"]:
        """What variants return: on a GPU the seconds that events have measured."""
        return "seconds" if self.gpu else "returned"

    @property
    def measuring(self) -> Measuring:
        """How carefully variants are measured."""
        return Measuring(budget_s=self.options.budget)

    def training_inputs(self) -> list[list[str]]:
        """The inputs to learn from: those that inputs.json fixes, or those of the options."""
        options = self.options
        drawn = options.inputs or draw(self.source / "inputs.json", test=False, gpu=self.gpu)
        return [[name] for name in absolute([*drawn, *options.also])]
