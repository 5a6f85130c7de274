"""Searches kernels on arrays of other sizes and shapes: the paper's tables 9 and 10.

    python benchmarks/search/stencil/arrays.py --tables FOLDER --arrays 64x64x64 1024x1024x32

run.py for each array, with random_paper and hybrid, on kernels of section 8.3.1: those of three
dimensions and radius 2. In FOLDER there is a table for each array.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import run

# 64 times fewer elements than the searches' usual arrays, 8 times more, and two of the paper's flat
# shapes.
ARRAYS = ("64x64x64", "1024x1024x8", "512x512x512", "1024x1024x64")
KERNELS = ("star_3d_r2", "diamond_3d_r2", "thumbtack_3d_x_r2")


def array(text: str) -> str:
    """The sides of an array."""
    sides = text.split("x")
    if len(sides) != 3:
        raise argparse.ArgumentTypeError(f"{text!r} is not three sides, as in 64x64x64")
    return "x".join(str(run.side(one)) for one in sides)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each, or go on."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=Path, default=Path("build/stencil/arrays"))
    parser.add_argument("--arrays", nargs="+", type=array, default=ARRAYS)
    parser.add_argument("--only", nargs="+", default=KERNELS, metavar="KERNEL")
    parser.add_argument("--random", type=int, default=1000, help="random points a kernel")
    parser.add_argument("--time-limit", type=float, default=float("inf"), help="seconds for all")
    parser.add_argument("--replay", action="store_true")
    options = parser.parse_args(arguments)
    deadline = time.monotonic() + options.time_limit
    for sides in options.arrays:
        words = ["--heuristics", "hybrid", "--references", "random_paper", "--only", *options.only]
        words += ["--random", str(options.random)]
        words += ["--array", *sides.split("x"), "--table", str(options.tables / f"{sides}.jsonl")]
        words += ["--time-limit", str(deadline - time.monotonic())]
        try:
            run.main([*words, *["--replay"][: options.replay]])
        except SystemExit as stopped:
            print(f"{sides}: {stopped}")


if __name__ == "__main__":
    main()
