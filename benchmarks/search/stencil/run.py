"""Measures the stencil kernels' searches on a GPU: random, expert, and the grouped heuristics.

    python benchmarks/common/record.py stencil -- python benchmarks/search/stencil/run.py

For each of an even sample of the kernels with at most 300 terms: 1000 random points, the expert's
space whole, and heuristics with each loading technique (specifications.py); then the winners of all
once more, in turn and with more launches, so that nobody wins by a lucky measurement. comparison.py
makes of these figures the speedups and costs, and predicts the loading technique of each kernel
from the others.

What is measured goes to --table at once; a run that is stopped, by --time-limit or else, goes on
from there. Kernels are finished one after the other in an order of which every beginning is spread
over the sample; those that were not finished are left out of the result.
"""

import argparse
import json
import lzma
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

from comparison import kernel_rows, print_summary, summary_rows
from gpu import Measuring, TimeUpError
from searches import REFERENCES, Found, run_search, searches
from shapes import StencilKernel, even_sample, kernel_named
from specifications import BLOCKS, REFINED, specifications
from table import key_of_point

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

ROUNDS = 3
FINAL_LAUNCHES = 21
# 98 of the 104 kernels have no more. Of the others, dense and without corners in three dimensions
# with radius 3 to 5, each takes as long to compile as 5 to 20 of these.
MOST_TERMS = 300


def spread(kernels: Sequence[StencilKernel]) -> list[StencilKernel]:
    """The same kernels in an order of which every beginning is spread over all: bits reversed."""
    bits = max(1, (len(kernels) - 1).bit_length())
    places = (int(f"{i:0{bits}b}"[::-1], 2) for i in range(2**bits))
    return [kernels[place] for place in places if place < len(kernels)]


def measure_kernel(
    measuring: Measuring, kernel: StencilKernel, place: int, options: argparse.Namespace
) -> dict[str, Any]:
    """All searches of a kernel at once; then the winners again."""
    starts = searches(kernel, options.random, options.seed, options.heuristics, options.references)
    urgency = dict.fromkeys(options.references, 0)
    with ThreadPoolExecutor(len(starts)) as pool:
        running = {
            name: pool.submit(
                run_search, kernel, start(), measuring.submit, urgency.get(name, 1) - 2 * place
            )
            for name, start in starts.items()
        }
        found: dict[str, Found] = {name: future.result() for name, future in running.items()}
    winners = {key_of_point(one.point): one.point for one in found.values() if one.point}
    rounds = [
        {key: measuring.again(kernel, point, FINAL_LAUNCHES) for key, point in winners.items()}
        for _ in range(ROUNDS)
    ]
    final = {key: median(one[key].seconds for one in rounds) for key in winners}
    return {
        "kernel": kernel.name,
        "features": kernel.features(),
        "searches": {
            name: {
                **one.as_row(),
                "final_seconds": final[key_of_point(one.point)] if one.point else None,
            }
            for name, one in found.items()
        },
    }


def measure(options: argparse.Namespace) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The finished kernels, and what was measured on."""
    chosen = (
        [kernel_named(name) for name in options.only]
        if options.only
        else spread(even_sample(options.kernels, options.most_terms))
    )
    begin = time.monotonic()
    results: list[dict[str, Any]] = []
    with Measuring(
        program=options.program,
        folder=options.folder.resolve(),
        table=options.table,
        devices=options.devices,
        jobs=options.jobs,
        time_limit=options.time_limit,
    ) as measuring:
        lock = threading.Lock()

        def one(place: int) -> None:
            result = measure_kernel(measuring, chosen[place], place, options)
            with lock:
                results.append(result)
                taken = time.monotonic() - begin
                done = f"{len(results)} of {len(chosen)}"
                print(f"{taken:6.1f} s: {done}, {result['kernel']}", flush=True)

        with ThreadPoolExecutor(len(chosen)) as pool:
            running = [pool.submit(one, place) for place in range(len(chosen))]
            for kernel, future in zip(chosen, running, strict=True):
                error = future.exception()
                if error is not None and not isinstance(error, TimeUpError):
                    print(f"{kernel.name} is left out: {error!r}", file=sys.stderr)
        return results, measuring.about


def main() -> None:
    """Measure, write, show."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--kernels", type=int, default=24, help="how many, evenly")
    parser.add_argument(
        "--most-terms",
        type=int,
        default=MOST_TERMS,
        help="of the kernels with at most so many terms; others take minutes each",
    )
    parser.add_argument("--only", nargs="+", metavar="KERNEL", help="these kernels")
    parser.add_argument("--random", type=int, default=1000, help="random points a kernel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--heuristics",
        nargs="+",
        choices=sorted(specifications()),
        default=[BLOCKS, REFINED],
    )
    parser.add_argument(
        "--references", nargs="+", choices=sorted(REFERENCES), default=["random", "expert"]
    )
    parser.add_argument("--time-limit", type=float, help="seconds after which to stop")
    parser.add_argument("--folder", type=Path, default=Path("build/stencil"), help="for builds")
    parser.add_argument("--table", type=Path, default=Path("build/stencil/measured.csv"))
    parser.add_argument("--output", type=Path, help="a JSON file for the results; .xz: compressed")
    parser.add_argument("--program", type=Path, help="stencil_gpu; else it is built")
    parser.add_argument("--devices", type=int, default=1, help="GPUs")
    parser.add_argument("--jobs", type=int, help="compiler threads; else one less than cores")
    options = parser.parse_args()
    sys.setswitchinterval(0.001)
    results, about = measure(options)
    if not results:
        raise SystemExit("no kernel was finished within the time limit")
    record = {"about": about, "seed": options.seed, "random": options.random, "kernels": results}
    if options.output is not None:
        text = json.dumps(record)
        if options.output.suffix == ".xz":
            options.output.write_bytes(lzma.compress(text.encode()))
        else:
            options.output.write_text(text, encoding="utf-8")
    rows = summary_rows(results)
    print_summary(rows)
    append_rows([*rows, *kernel_rows(results)])


if __name__ == "__main__":
    main()
