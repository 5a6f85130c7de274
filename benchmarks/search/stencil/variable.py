"""Searches kernels of which the work-group size is not fixed when they are compiled: table 8.

    python benchmarks/search/stencil/variable.py --fixed MEASURED --table variable.jsonl \
        --kernels 98 --loading global vector local read_only texture --by vector

MEASURED is what run.py measured of the kernels whose work-group size is fixed: random_paper and
hybrid. Hybrid searches the others anew; as in the paper (section 8.3.5), what it finds is then
compiled for its work-group size, and measured in turn with what the searches of MEASURED found.
All of run.py's options are there.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from any_size import OfAnySize
from comparison import Found, kernel_rows, print_summary, summary_rows
from measuring import Measuring, Replay
from run import chosen_of, end, finished, parser, searches
from shapes import StencilKernel

from fettle.search.base import Strategy
from fettle.search.grouped import MeasuredPoints, run_in_lockstep

sys.path.append(str(Path(__file__).resolve().parents[2] / "common"))
from record import append_rows

HEURISTIC, VARIABLE = "hybrid", "variable"
Searches = dict[tuple[str, str], tuple[str, Strategy]]


def main(arguments: Sequence[str] | None = None, measuring: Measuring | None = None) -> None:
    """Measure, show, and add rows to the record."""
    made = parser()
    made.description = (__doc__ or "").splitlines()[0]
    made.add_argument("--fixed", type=Path, required=True, help="what run.py measured")
    made.set_defaults(heuristics=[HEURISTIC], references=["random_paper"])
    options = made.parse_args(arguments)
    fixed, known = MeasuredPoints(options.fixed), MeasuredPoints(options.table)
    if measuring is None and options.replay:
        measuring = Replay()
    measuring = measuring or OfAnySize(jobs=options.jobs, time_limit=options.time_limit)

    def named(kernels: Sequence[StencilKernel]) -> Searches:
        its = {kernel.name: searches(kernel, options) for kernel in kernels}
        return {(of, name): (of, one) for of, all_ in its.items() for name, one in all_.items()}

    chosen = chosen_of(options)
    results: dict[str, Mapping[str, Found]] = {}
    for first in range(0, len(chosen), options.together):
        some = chosen[first : first + options.together]
        before = run_in_lockstep(named(some), Replay().batch, fixed)
        missing = {of for (of, _), trace in before.items() if not trace.done}
        done = [kernel for kernel in some if kernel.name not in missing]
        anew = {
            (of, name.replace(HEURISTIC, VARIABLE)): one
            for (of, name), one in named(done).items()
            if name.startswith(HEURISTIC)
        }
        after = run_in_lockstep(anew, measuring.batch, known)
        results |= finished(done, {**before, **after}, measuring, known)
        print(f"{len(results)} of {len(chosen)} kernels", flush=True)
    known.close()
    end(measuring, results)
    rows = summary_rows(results)
    print_summary(rows)
    append_rows([*rows, *kernel_rows(results)])


if __name__ == "__main__":
    main()
