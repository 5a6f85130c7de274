"""Tunes the SpMV example and judges it on matrices it has not seen.

    python demo.py                              all matrices of FETTLE_DATA, and generated ones
    python demo.py --train DIR --test DIR       your own Matrix Market files

Without --train and --test, the Matrix Market files of $FETTLE_DATA/matrices (default: the folder
shared/data beside this project) are divided into training and held-out ones, and generated matrices
are added to both; where there are no such files, the generated ones must do. Measurements are kept:
a second run measures only what is new.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent
PROJECT = EXAMPLE.parent.parent


def matrices_in(folder: Path) -> list[str]:
    """The Matrix Market files of a folder, smallest first."""
    files = [file for file in folder.iterdir() if file.name.endswith((".mtx", ".mtx.xz"))]
    return [str(file.resolve()) for file in sorted(files, key=lambda f: (f.stat().st_size, f.name))]


def default_data() -> Path:
    """Where matrices are looked for that no option names."""
    data = os.environ.get("FETTLE_DATA")
    return (Path(data) if data else PROJECT.parent / "shared" / "data") / "matrices"


def divide(options: argparse.Namespace, program: Path) -> tuple[list[str], list[str]]:
    """The matrices to train on and those to judge by."""
    if options.train and options.test:
        return matrices_in(options.train), matrices_in(options.test)
    generated = [
        subprocess.run(
            [program, "--list-generated", "--set", which],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout.split()
        for which in ("train", "test")
    ]
    data = default_data()
    # Alternating in order of size gives both halves matrices of every size.
    files = matrices_in(data) if data.is_dir() else []
    print(
        f"{len(files)} matrix files in {data}, {len(generated[0])} + {len(generated[1])} generated"
    )
    return files[0::2] + generated[0], files[1::2] + generated[1]


def step(title: str, began: float) -> None:
    """Says what comes next, and how long it took to get here."""
    print(f"\n== {title} ({time.monotonic() - began:.0f} s after the start)", flush=True)


def run(command: Sequence[str | Path], folder: Path, *, quietly: bool = False) -> None:
    """Runs a command in a folder; its failure is ours. Quietly: what it says, only then."""
    done = subprocess.run(
        command,
        cwd=folder,
        check=False,
        text=True,
        stdout=subprocess.PIPE if quietly else None,
        stderr=subprocess.STDOUT if quietly else None,
    )
    if done.returncode != 0:
        print(done.stdout or "", end="")
        raise SystemExit(f"demo: {' '.join(map(str, command))} failed: status {done.returncode}")


def build(folder: Path, generator: str | None) -> Path:
    """Builds the program as a separate project, where tune.py does; returns its path."""
    tool = ["-G", generator] if generator else []
    (folder / "cpu").mkdir(exist_ok=True)
    run(["cmake", *tool, "-S", EXAMPLE, "-B", "cpu/build"], folder, quietly=True)
    run(["cmake", "--build", "cpu/build"], folder, quietly=True)
    return folder / "cpu" / "build" / "spmv"


def main() -> None:
    """Build, tune, judge."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("spmv_demo"), help="where to work")
    parser.add_argument("--train", type=Path, metavar="DIR", help="matrices to train on")
    parser.add_argument("--test", type=Path, metavar="DIR", help="matrices to judge by")
    parser.add_argument("--generator", metavar="NAME", help="CMake generator (default: CMake's)")
    parser.add_argument("--fresh", action="store_true", help="forget earlier measurements")
    options = parser.parse_args()
    if bool(options.train) != bool(options.test):
        parser.error("--train and --test go together")
    if options.fresh:
        shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True, exist_ok=True)
    folder = options.folder.resolve()

    began = time.monotonic()
    step("Building the example", began)
    program = build(folder, options.generator)
    training, held_out = divide(options, program)
    (folder / "training.txt").write_text("\n".join(training) + "\n", encoding="utf-8")
    (folder / "held_out.txt").write_text("\n".join(held_out) + "\n", encoding="utf-8")

    step(f"Tuning on {len(training)} matrices: tune.py", began)
    run([sys.executable, EXAMPLE / "tune.py", "--cpu", "--inputs", "@training.txt"], folder)

    step(f"Judging on {len(held_out)} matrices that the tuner has not seen", began)
    run(["cmake", "--build", "cpu/build"], folder, quietly=True)
    run([program, "--evaluate", "--json", "../evaluation.json", "@../held_out.txt"], folder / "cpu")


if __name__ == "__main__":
    main()
