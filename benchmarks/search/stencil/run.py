"""Measures the stencil kernels' searches on a GPU: random, expert, and the grouped heuristics.

    python benchmarks/common/record.py stencil -- python benchmarks/search/stencil/run.py
    python benchmarks/search/stencil/run.py --replay --table measured.jsonl

For each of an even sample of the kernels: 1000 random points, the expert's space whole, and
heuristics with each loading technique (heuristics.py); then the winners of all once more, in turn
and with more launches, so that none wins by a lucky measurement. comparison.py makes of these
figures the speedups and costs, and predicts the loading technique of each kernel from the others.

What is measured goes to --table at once; a run that is stopped, by --time-limit or else, goes on
from there. Kernels are finished some at a time, in an order of which every beginning is spread over
the sample; those that were not finished are left out of the result. --replay searches on the table
alone, without a GPU.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

from comparison import REFERENCES, Found, Results, kernel_rows, print_summary, summary_rows
from compiling import nvrtc_version
from heuristics import BLOCKS, REFINED, searched, specifications
from measuring import Measuring, OnGpu, Replay
from shapes import StencilKernel, even_sample, kernel_named, spread
from space import LOADING, MERGES, NO_MERGES, PAPER_LOADING, SIDES, expert_space, random_points

from fettle.search.base import Strategy
from fettle.search.grouped import Grouped, Measured, MeasuredPoints, Trace, run_in_lockstep
from fettle.search.space import Point

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

SAVED_AT_ONCE = 2000
# All 104 kernels. The points of dense_3d_r5, which has that many, took 15 cores 1150 s to compile.
MOST_TERMS = 1331
Traces = Mapping[tuple[str, str], Trace]  # by kernel and search


class Listed:
    """A strategy that proposes the points of a list."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._left = list(reversed(list(points)))

    def ask(self) -> Point | None:
        """The next one."""
        return self._left[-1] if self._left else None

    def tell(self, point: Point, value: float) -> None:
        """It is measured."""
        if self._left and self._left[-1] == point:
            self._left.pop()

    def ahead(self) -> list[Point]:
        """All others that are left."""
        return self._left[-2::-1]


def searches(kernel: StencilKernel, options: argparse.Namespace) -> dict[str, Strategy]:
    """What is measured of a kernel: references, and "HEURISTIC LOADING" for each pair."""
    found: dict[str, Strategy] = {}
    for heuristic in options.heuristics:
        name, _, repetitions = heuristic.partition(":")
        for way in options.by or options.loading:
            found[f"{heuristic} {way}"] = Grouped(
                searched(kernel, name, options.loading, options.array),
                options.seed,
                spec=specifications()[name],
                partition={"loading": way},
                repetitions=int(repetitions) if repetitions else None,
            )
    for name in options.references:
        if name == "expert":
            found[name] = Listed(expert_space(kernel, options.loading, options.array))
        else:
            merges = NO_MERGES if name == "random_paper" else MERGES
            points = random_points(
                kernel,
                options.random,
                options.seed,
                loading=options.loading,
                merges=merges,
                sides=options.array,
            )
            found[name] = Listed(points)
    return found


def final_times(
    kernel: StencilKernel, winners: Sequence[Point], measuring: Measuring, known: MeasuredPoints
) -> Mapping[str, float] | None:
    """The winners' times when they were measured again; None where they were not."""
    subject = f"{kernel.name} again"
    wanted = {known.key(point): point for point in winners}
    if missing := [point for point in wanted.values() if known.get(subject, point) is None]:
        times = measuring.again(kernel, missing)
        if not times:
            return None
        for point, seconds in zip(missing, times, strict=True):
            known.add(subject, point, Measured(seconds, 0.0))
    again = {key: known.get(subject, point) for key, point in wanted.items()}
    return {key: one.value for key, one in again.items() if one is not None}


def results_of(
    kernels: Sequence[StencilKernel],
    measuring: Measuring,
    known: MeasuredPoints,
    options: argparse.Namespace,
) -> Results:
    """What all searches came to, of those kernels that were finished."""
    running = {
        (kernel.name, name): (kernel.name, strategy)
        for kernel in kernels
        for name, strategy in searches(kernel, options).items()
    }
    traces = run_in_lockstep(running, measuring.batch, known, most=SAVED_AT_ONCE)
    return finished(kernels, traces, measuring, known)


def finished(
    kernels: Sequence[StencilKernel], traces: Traces, measuring: Measuring, known: MeasuredPoints
) -> Results:
    """What these searches came to once their winners are measured in turn; of finished kernels."""
    results = {}
    for kernel in kernels:
        its = {name: trace for (of, name), trace in traces.items() if of == kernel.name}
        winners = [point for trace in its.values() if (point := trace.best[0]) is not None]
        if not all(trace.done for trace in its.values()):
            continue
        times = final_times(kernel, winners, measuring, known)
        if times is None:
            continue
        results[kernel.name] = {
            name: Found(
                times[known.key(trace.best[0])] if trace.best[0] is not None else math.inf,
                trace.measurements,
                trace.seconds,
                trace.best[0],
            )
            for name, trace in its.items()
        }
    return results


def parser() -> argparse.ArgumentParser:
    """What can be chosen."""
    made = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    add = made.add_argument
    add("--kernels", type=int, default=24, help="how many, evenly")
    add("--most-terms", type=int, default=MOST_TERMS, help="of kernels with at most so many terms")
    add("--only", nargs="+", metavar="KERNEL", help="these kernels")
    add("--random", type=int, default=1000, help="random points a kernel")
    add("--seed", type=int, default=1)
    names = ", ".join(sorted(specifications()))
    add("--heuristics", nargs="+", default=[BLOCKS, REFINED], help=f"{names}; NAME:REPETITIONS")
    add("--references", nargs="+", choices=REFERENCES, default=["random", "expert"])
    add("--loading", nargs="+", choices=LOADING, default=PAPER_LOADING, help="what is searched")
    add("--by", nargs="+", choices=LOADING, help="what heuristics load by; else as --loading")
    add("--array", nargs=3, type=side, default=SIDES, help="sides of the arrays, in x, y and z")
    add("--learns", choices=("share", "label"), default="share", help="label: as in the paper")
    add("--table", type=Path, default=Path("build/stencil/measured.jsonl"))
    add("--replay", action="store_true", help="measure nothing")
    add("--time-limit", type=float, help="seconds after which to stop")
    add("--together", type=int, default=8, help="kernels that are searched at the same time")
    add("--jobs", type=int, help="compilers; else one less than cores")
    return made


def chosen_of(options: argparse.Namespace) -> list[StencilKernel]:
    """The kernels, in the order in which they are searched."""
    if options.only:
        return [kernel_named(name) for name in options.only]
    return spread(even_sample(options.kernels, options.most_terms))


def side(text: str) -> int:
    """A side of an array."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of elements, from 1 on")
    return int(text)


def end(measuring: Replay | None, results: Results) -> None:
    """Stop the compilers, say what did not run and why, and refuse to go on with no result."""
    if isinstance(measuring, OnGpu):
        measuring.compilers.close()
        print(dict(+measuring.reasons))
    if not results:
        raise SystemExit("no kernel was finished: measure more, or without --replay")


def main(arguments: Sequence[str] | None = None, measuring: Measuring | None = None) -> None:
    """Measure or replay, show, and add rows to the record."""
    options = parser().parse_args(arguments)
    chosen, sides = chosen_of(options), tuple(options.array)
    options.table.parent.mkdir(parents=True, exist_ok=True)
    known = MeasuredPoints(options.table)
    if measuring is None and not options.replay:
        measuring = OnGpu(sides=sides, jobs=options.jobs, time_limit=options.time_limit)
        print(f"{measuring.device.name}, NVRTC {nvrtc_version()}")
    results: dict[str, Mapping[str, Found]] = {}
    for first in range(0, len(chosen), options.together):
        some = chosen[first : first + options.together]
        results |= results_of(some, measuring or Replay(sides), known, options)
        print(f"{len(results)} of {len(chosen)} kernels", flush=True)
    known.close()
    end(measuring, results)
    rows = summary_rows(results, options.learns)
    print_summary(rows)
    array = " x ".join(map(str, sides))
    append_rows({**row, "array": array} for row in [*rows, *kernel_rows(results, sides)])


if __name__ == "__main__":
    main()
