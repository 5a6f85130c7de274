"""Replays searches of the stencils on what was measured, and searches that were not run.

    python benchmarks/stencil/replay.py measured.csv

On the table that run.py writes, and without a GPU: the paper's heuristics with 0, 1 and 2
repetitions (section 8.3.1), the loading technique predicted by leaving each kernel out, by a forest
that learns shares or, as in the paper, labels, and its likeliest one or two techniques searched. A
search of which a point was not measured is left out, and the kernel with it; with --measure they
are measured on a GPU and added to the table, all searches of all kernels in one batch a round.

What a search costs is the compiling and measuring of all its points, whoever had them measured. A
winner's time is that of its one measurement (run.py measures winners again).
"""

import argparse
import json
import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, geometric_mean
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "python"))

from comparison import print_summary
from gpu import Measuring, TimeUpError, is_hopeless
from searches import searched, specifications
from shapes import StencilKernel, kernel_named, kernels
from space import ELEMENTS, LOADING, expert_space, random_points
from table import read_table

from fettle.search.base import Strategy
from fettle.search.grouped import (
    Example,
    Grouped,
    Measured,
    MeasuredPoints,
    PartitionModel,
    Trace,
    cross_validate,
    run_in_lockstep,
)
from fettle.search.grouped.lockstep import Batch, MeasureBatch
from fettle.search.space import Point

TREES = 300
Row = dict[str, Any]
Search = tuple[str, str]
"""A kernel and what is searched in it: "random", "expert", or "HEURISTIC LOADING"."""


class Listed:
    """A strategy that wants a list of points, whatever they give."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._left = list(points)

    def ask(self) -> Point | None:
        """The next one."""
        return self._left[0] if self._left else None

    def tell(self, point: Point, value: float) -> None:
        """It is done."""
        if self._left and self._left[0] == point:
            self._left.pop(0)

    def ahead(self) -> list[Point]:
        """All that are left."""
        return self._left[1:]


@dataclass(frozen=True)
class Choice:
    """How the loading technique is chosen: by a forest's `top` likeliest, or the oracle's."""

    name: str
    learns: Any = None
    top: int = 1


CHOICES = (
    Choice("predicted", "share"),
    Choice("predicted, as the paper", "label"),
    Choice("predicted two", "share", 2),
)


def known_points(path: Path) -> MeasuredPoints:
    """The table of run.py."""
    known = MeasuredPoints()
    for kernel, rows in read_table(path).items():
        for row in rows.values():
            known.add(kernel, row.point, Measured(row.seconds, row.cost))
    return known


def replayed(batch: Batch) -> list[Measured | None]:
    """What is not in the table was not measured, if it was not left out for being hopeless."""
    by_name = {kernel.name: kernel for kernel in kernels()}
    return [
        Measured(math.inf, 0.0) if is_hopeless(by_name[name], point, ELEMENTS) else None
        for name, point in batch
    ]


def measured_by(measuring: Measuring) -> MeasureBatch:
    """Measures batches until the time is up."""

    def measure(batch: Batch) -> list[Measured | None]:
        wanted = [measuring.submit(kernel_named(name), point) for name, point in batch]
        found: list[Measured | None] = []
        for future in wanted:
            try:
                one = future.result()
                found.append(Measured(one.seconds, one.cost))
            except TimeUpError:
                found.append(None)
        return found

    return measure


def all_searches(
    chosen: Sequence[StencilKernel], options: argparse.Namespace
) -> dict[Search, tuple[str, Strategy]]:
    """Every search of every kernel."""
    specs = specifications()
    found: dict[Search, tuple[str, Strategy]] = {}
    for kernel in chosen:
        name = kernel.name
        sample = random_points(kernel, options.random, options.seed)
        found[name, "random"] = (name, Listed(sample))
        found[name, "expert"] = (name, Listed(expert_space(kernel)))
        for heuristic in options.heuristics:
            its = searched(kernel, heuristic)
            for repetitions in options.repetitions:
                for way in LOADING:
                    strategy = Grouped(
                        its,
                        options.seed,
                        spec=specs[heuristic],
                        repetitions=repetitions,
                        partition={"loading": way},
                    )
                    found[name, f"{heuristic}, r={repetitions} {way}"] = (name, strategy)
    return found


@dataclass(frozen=True)
class Comparison:
    """The traces of the searches that came to an end."""

    kernels: Mapping[str, StencilKernel]
    traces: Mapping[Search, Trace]

    def complete(self, searches: Sequence[str]) -> list[str]:
        """The kernels in which these and the references ended and found something."""
        needed = ["random", "expert", *searches]
        return [
            name
            for name in self.kernels
            if all(self.traces[name, search].done for search in needed)
            and all(math.isfinite(self.best(name, search)) for search in needed[:2])
            and any(math.isfinite(self.best(name, search)) for search in searches)
        ]

    def best(self, kernel: str, search: str) -> float:
        """The time of what a search found."""
        return self.traces[kernel, search].best[1]

    def row(self, title: str, searches: Mapping[str, Sequence[str]]) -> Row:
        """Of each kernel some searches, of which the best counts, and the cost of all."""
        times = [min(self.best(k, s) for s in some) for k, some in searches.items()]
        traces = [[self.traces[k, s] for s in some] for k, some in searches.items()]
        costs = [math.fsum(trace.seconds for trace in some) for some in traces]
        row: Row = {"search": title, "kernels": len(searches)}
        row["configurations"] = fmean(sum(t.measurements for t in some) for some in traces)
        row["tuning_seconds"] = fmean(costs)
        for other in ("random", "expert"):
            ratios = [self.best(k, other) / t for k, t in zip(searches, times, strict=True)]
            total = math.fsum(self.traces[k, other].seconds for k in searches)
            row[f"speedup_{other}"] = geometric_mean(ratios) if all(ratios) else 0.0
            row[f"cost_share_{other}"] = math.fsum(costs) / total if total else None
        return row

    def rows_of(self, heuristic: str) -> list[Row]:
        """A heuristic predicted in several ways, as the oracle has it, and with each technique."""
        ways = {way: f"{heuristic} {way}" for way in LOADING}
        names = self.complete(list(ways.values()))
        if not names:
            return []
        examples = [
            Example(
                name,
                self.kernels[name].features(),
                {way: self.best(name, search) for way, search in ways.items()},
            )
            for name in names
        ]
        rows = []
        for choice in CHOICES if len(examples) > 1 else ():

            def train(others: Sequence[Example], choice: Choice = choice) -> PartitionModel:
                return PartitionModel.fit("loading", others, trees=TREES, learns=choice.learns)

            found = cross_validate(examples, train, top=choice.top)
            chosen = {name: [ways[str(w)] for w in found.predicted[name]] for name in names}
            row = self.row(f"{heuristic}, {choice.name}", chosen)
            row["accuracy"] = found.absolute
            row["penalty_weighted_accuracy"] = found.penalty_weighted
            row["penalty_weighted_geometric"] = found.geometric
            rows.append(row)
        rows.append(
            self.row(f"{heuristic}, oracle", {name: tuple(ways.values()) for name in names})
        )
        for way, search in ways.items():
            row = self.row(f"{heuristic}, {way}", {name: [search] for name in names})
            row["best_of"] = sum(e.times[way] == e.best for e in examples)
            rows.append(row)
        return rows


def compare(
    known: MeasuredPoints, measure: MeasureBatch, options: argparse.Namespace
) -> tuple[Comparison, list[Row]]:
    """Run all searches of the kernels in `known`, or of those that are named; the rows."""
    names = options.only or known.subjects()
    chosen = {name: kernel_named(name) for name in names}
    traces = run_in_lockstep(all_searches(list(chosen.values()), options), measure, known)
    comparison = Comparison(chosen, traces)
    names = comparison.complete(["random"])
    if not names:
        raise SystemExit("of no kernel were all random points and the expert's measured")
    rows = [comparison.row(one, {name: [one] for name in names}) for one in ("random", "expert")]
    for heuristic in options.heuristics:
        for repetitions in options.repetitions:
            rows += comparison.rows_of(f"{heuristic}, r={repetitions}")
    return comparison, rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare, show, and add rows to the record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("table", type=Path, help="what run.py measured; .xz: compressed")
    parser.add_argument("--only", nargs="+", metavar="KERNEL", help="these; else all of the table")
    parser.add_argument("--random", type=int, default=1000, help="random points a kernel")
    parser.add_argument("--seed", type=int, default=1, help="that of run.py")
    parser.add_argument(
        "--heuristics",
        nargs="+",
        choices=sorted(specifications()),
        default=["hybrid", "restricted"],
    )
    parser.add_argument("--repetitions", nargs="+", type=int, default=[0, 1, 2], metavar="R")
    parser.add_argument("--measure", action="store_true", help="measure what is missing; a GPU")
    parser.add_argument("--folder", type=Path, default=Path("build/stencil"), help="for builds")
    parser.add_argument("--program", type=Path, help="stencil_gpu; else it is built")
    parser.add_argument("--time-limit", type=float, help="seconds after which to stop measuring")
    options = parser.parse_args(arguments)
    known = known_points(options.table)
    if options.measure:
        with Measuring(
            program=options.program,
            folder=options.folder.resolve(),
            table=options.table,
            time_limit=options.time_limit,
        ) as measuring:
            comparison, rows = compare(known, measured_by(measuring), options)
    else:
        comparison, rows = compare(known, replayed, options)
    left_out = sum(not trace.done for trace in comparison.traces.values())
    if left_out:
        print(f"{left_out} of {len(comparison.traces)} searches want points that are not measured")
    print_summary(rows)
    if path := os.environ.get("FETTLE_BENCHMARK_ROWS"):
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
