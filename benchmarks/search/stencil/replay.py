"""Replays searches of the stencils on what was measured, and searches that were not run.

    python benchmarks/search/stencil/replay.py measured.csv

On the table that run.py writes, and without a GPU: the paper's heuristics with 0, 1 and 2
repetitions (section 8.3.1), the loading technique predicted by leaving each kernel out, by a forest
that learns shares or, as in the paper, labels, and its likeliest one or two techniques searched. A
search of which a point was not measured is left out, and the kernel with it; with --measure they
are measured on a GPU and added to the table, all searches of all kernels in one batch a round.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "python"))

from comparison import print_summary
from gpu import Measuring, TimeUpError, is_hopeless
from offline import Comparison, Row, all_searches
from shapes import kernel_named, kernels
from space import ELEMENTS
from specifications import specifications
from table import read_table

from fettle.search.grouped import Measured, MeasuredPoints, run_in_lockstep
from fettle.search.grouped.lockstep import Batch, MeasureBatch

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows


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
    append_rows(rows)


if __name__ == "__main__":
    main()
